/* strace_collector.h - collects the reads of a recording.
 *
 * strace_import.c adds each call that read bytes. The collector leaves out
 * files outside of the root and bytes that were read before, and merges reads
 * of a thread that continue each other.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_COLLECTOR_H
#define OFFLINE_TRACE_STRACE_COLLECTOR_H

#include "common/arena.h"
#include "trace/strace_files.h"
#include "trace/strace_import.h"
#include "trace/strace_reads.h"

#include <stddef.h>
#include <stdint.h>

struct strace_collector {
    const struct strace_options *options;
    struct strace_report *report; /* its counts of calls and threads grow */
    struct arena *arena;          /* owns the reads */
    size_t root_bytes; /* length of options->root without slashes at its end */
    struct strace_read *reads;
    uint32_t count;
    uint64_t capacity;
};

/* State of the collector for one thread. */
struct strace_reader {
    uint32_t thread; /* number in the trace; UINT32_MAX: it has not read yet */
    uint32_t last;   /* 1 + index of its last read; 0: none */
};

void strace_collector_init(struct strace_collector *collector,
                           const struct strace_options *options,
                           struct strace_report *report, struct arena *arena);
/* Add a call that read from a file. In `read`, the times, the offset and the
 * bytes (> 0) are set. Returns NULL, or a message if the read is refused. */
const char *strace_collector_add(struct strace_collector *collector,
                                 struct strace_reader *reader,
                                 struct strace_file *file,
                                 struct strace_read read);

#endif
