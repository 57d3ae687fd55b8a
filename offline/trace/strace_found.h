/* strace_found.h - the reads of a recording, found one after the other.
 *
 * Leaves out what the trace is not to have, and makes one read of several that
 * go on where the one before ended.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_FOUND_H
#define OFFLINE_TRACE_STRACE_FOUND_H

#include "common/arena.h"
#include "trace/strace_files.h"
#include "trace/strace_import.h"
#include "trace/strace_reads.h"

#include <stddef.h>
#include <stdint.h>

struct strace_found {
    const struct strace_options *options;
    struct strace_report *report; /* counts calls and threads */
    struct arena *arena;          /* the reads lie there */
    size_t root_bytes;            /* of options->root, without a / at the end */
    struct strace_read *reads;
    uint32_t count;
    uint32_t capacity;
};

/* A thread that reads. */
struct strace_reader {
    uint32_t thread; /* in the trace; UINT32_MAX: it has not read yet */
    uint32_t last;   /* 1 + index of its last read; 0: none */
};

void strace_found_init(struct strace_found *found,
                       const struct strace_options *options,
                       struct strace_report *report, struct arena *arena);
/* A call that brought `read.bytes` > 0 of a file; of `read` its times, offset
 * and bytes are set. Returns what is wrong with it, or NULL. */
const char *strace_found_add(struct strace_found *found,
                             struct strace_reader *reader,
                             struct strace_file *file, struct strace_read read);

#endif
