/* io_tally.h - sums over the completed reads since the last reset of the
 * statistics.
 *
 * The completion of a read adds to the sums (stage/io_finish.h). read_stats.h
 * computes spindle/io_stats.h from them and from the io thread's report
 * (io_report.h). The counters of the report are never reset; instead their
 * values at the reset are kept here (`base`) and subtracted. Owner: the
 * caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_TALLY_H
#define SPN_READ_IO_TALLY_H

#include "observe/latency.h"
#include "read/io_report.h"

/* Counters of a task type, in total and over the last second. They are the
 * fields of spn_task_window. */
enum task_counter {
    TASK_READS,
    TASK_BYTES,      /* stored bytes that arrived */
    TASK_GOOD_BYTES, /* valid bytes at destinations */
    TASK_COUNTERS
};

struct task_tally {
    uint64_t meter[METER_WORDS(TASK_COUNTERS)];
    uint64_t done; /* reads that ended with SPN_OK */
    uint64_t failed;
    uint64_t aborted;
    uint64_t unpack_base[UNPACK_COUNTERS]; /* report.task_unpack at the reset */
    spn_latency arrival;    /* from the start of a read to its end */
    spn_latency completion; /* from the start of a read to its completion */
};

struct io_tally {
    uint64_t start_us; /* when the sums were reset */
    /* The counters of the report at that time. */
    uint64_t base[SPN_MEDIUM_COUNT][DEVICE_COUNTERS];
    uint64_t unpack_base[UNPACK_COUNTERS];
    uint64_t copies_base;
    struct task_tally tasks[SPN_TASK_COUNT];
    spn_latency arrival[SPN_MEDIUM_COUNT];
    spn_latency completion;
};

#endif
