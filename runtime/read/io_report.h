/* io_report.h - what the io thread tells the caller's about the devices: one
 * state that goes through a mailbox as a whole. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_REPORT_H
#define SPN_READ_IO_REPORT_H

#include "disc/forecast.h"
#include "observe/meter.h"
#include "observe/pace.h"

#include <spindle/platform.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

enum device_counter {
    DEVICE_BUSY_US,
    DEVICE_BYTES,
    DEVICE_READS,
    DEVICE_PIECES,
    DEVICE_SEEKS,
    DEVICE_SEEK_BYTES,
    DEVICE_GAP_BYTES,
    DEVICE_JOINED,
    DEVICE_COUNTERS
};

struct device_report {
    uint64_t meter[METER_WORDS(DEVICE_COUNTERS)];
    uint64_t busy_since_us;
    bool is_busy;
    uint32_t waiting;
    struct pace pace;
    /* the forecast's, where the drive is known */
    int32_t error_us[FORECAST_BUCKETS + 1];
    uint32_t rate_scale;
};

enum unpack_counter {
    UNPACK_FROM, /* bytes of blocks of compressed entries, as they are stored */
    UNPACK_TO,   /* and as they are read */
    UNPACK_COUNTERS
};

struct io_report {
    struct device_report media[SPN_MEDIUM_COUNT];
    uint64_t pending_bytes[SPN_TASK_COUNT];
    uint64_t unpack[METER_WORDS(UNPACK_COUNTERS)];
    uint64_t task_unpack[SPN_TASK_COUNT][UNPACK_COUNTERS];
    uint64_t copies_tried;
};

#endif
