/* io_tally.h - sums over completed reads since the last reset, from which
 * read_stats.h fills spindle/io_stats.h. Owner: the caller's thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_TALLY_H
#define SPN_READ_IO_TALLY_H

#include "observe/latency.h"
#include "read/io_report.h"

/* What is counted of each task type. */
enum task_counter { /* as in spn_task_window */
                    TASK_READS,
                    TASK_BYTES,      /* stored bytes that arrived */
                    TASK_GOOD_BYTES, /* good bytes at destinations */
                    TASK_COUNTERS
};

struct task_tally {
    uint64_t meter[METER_WORDS(TASK_COUNTERS)];
    uint64_t done;
    uint64_t failed;
    uint64_t aborted;
    uint64_t unpack_base[UNPACK_COUNTERS];
    spn_latency arrival;
    spn_latency completion;
};

struct io_tally {
    uint64_t start_us; /* of all sums */
    /* the devices' sums at that time */
    uint64_t base[SPN_MEDIUM_COUNT][DEVICE_COUNTERS];
    uint64_t unpack_base[UNPACK_COUNTERS];
    uint64_t copies_base;
    struct task_tally tasks[SPN_TASK_COUNT];
    spn_latency arrival[SPN_MEDIUM_COUNT];
    spn_latency completion;
};

#endif
