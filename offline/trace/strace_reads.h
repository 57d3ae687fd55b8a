/* strace_reads.h - from the reads that a recording has to a trace.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_READS_H
#define OFFLINE_TRACE_STRACE_READS_H

#include "common/arena.h"
#include "pack/read_trace.h"
#include "trace/strace_import.h"

#include <stdint.h>

/* A read that brought bytes, or several in a row. */
struct strace_read {
    const char *path;
    uint64_t begin_us;
    uint64_t end_us;
    uint64_t within_us; /* of that, within calls */
    uint64_t offset;
    uint64_t bytes;
    uint32_t opening;
    uint32_t thread; /* below thread_count */
    uint32_t line;
};

struct strace_reads {
    struct strace_read *reads; /* in any order */
    uint32_t count;
    uint32_t thread_count;
};

/* Sorts the reads. The trace and its texts lie in the arena. */
void strace_reads_trace(const struct strace_reads *reads,
                        const struct strace_options *options,
                        struct arena *arena, struct read_trace *out);

#endif
