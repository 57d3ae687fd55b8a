/* strace_reads.h - turns collected reads into a read trace.
 *
 * The last step of an import: strace_collector.h has the reads, strace_import.c
 * calls this. Chains, scenes and think times are explained in strace_import.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_READS_H
#define OFFLINE_TRACE_STRACE_READS_H

#include "common/arena.h"
#include "pack/read_trace.h"
#include "trace/strace_import.h"

#include <stdint.h>

/* One read, or several that were merged. */
struct strace_read {
    const char *path;  /* below the root */
    uint64_t begin_us; /* times on the recording's clock */
    uint64_t end_us;
    uint64_t within_us; /* time spent within calls, <= end_us - begin_us */
    uint64_t offset;    /* bytes */
    uint64_t bytes;
    uint32_t opening; /* strace_file.number */
    uint32_t thread;  /* below thread_count */
    uint32_t line;    /* of the recording, from 1 */
};

struct strace_reads {
    struct strace_read *reads; /* in any order */
    uint32_t count;
    uint32_t thread_count;
};

/* Sort the reads and fill *out. The trace and its texts belong to the arena. */
void strace_reads_trace(const struct strace_reads *reads,
                        const struct strace_options *options,
                        struct arena *arena, struct read_trace *out);

#endif
