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

struct io;
struct io_medium;
struct io_request;

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

/* A piece is with the device since medium->piece_start_us, or was refused. */
void spn__io_note_busy(struct io *io, const struct io_medium *medium,
                       bool is_busy);
/* It begins `seek_bytes` from where the last one ended. */
void spn__io_note_seek(struct io *io, const struct io_medium *medium,
                       uint64_t seek_bytes);
/* It came back: so many bytes for reads, and of gaps, at medium->ended_us. */
void spn__io_note_piece(struct io *io, const struct io_medium *medium,
                        uint64_t bytes, uint64_t gap_bytes,
                        uint32_t read_count);
void spn__io_note_end(struct io *io, const struct io_request *request);
/* So much of the read is still to come. */
void spn__io_note_pending(struct io *io, struct io_request *request,
                          uint64_t bytes);
/* Blocks of compressed entries were decoded for a read. */
void spn__io_note_unpack(struct io *io, const struct io_request *request,
                         const uint64_t add[UNPACK_COUNTERS]);
void spn__io_note_copy(struct io *io);
struct pace *spn__io_pace_of(struct io *io, const struct io_medium *medium);
/* After each step that did something: it may have changed any number, and who
 * stands in which line. */
void spn__io_send_report(struct io *io);

#endif
