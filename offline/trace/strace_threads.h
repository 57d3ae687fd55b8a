/* strace_threads.h - the threads of a recording, by the number that strace
 * prints at the beginning of a line.
 *
 * Used by strace_import.c while it goes through the lines. A call may begin on
 * one line and end on a later one, with lines of other threads between; its
 * first part is kept here.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_TRACE_STRACE_THREADS_H
#define OFFLINE_TRACE_STRACE_THREADS_H

#include "common/arena.h"
#include "trace/strace_collector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strace_thread {
    bool is_used; /* false: an empty entry of the table */
    uint64_t pid;
    const char *pending; /* first part of an unfinished call, within the text
                          * of the recording; NULL: none */
    size_t pending_bytes;
    uint64_t pending_us; /* when that call began */
    struct strace_reader reader;
};

/* A hash table, at most half full. Zero-initialize it, except for `arena`. */
struct strace_threads {
    struct arena *arena;
    struct strace_thread *entries;
    uint32_t count;
    uint32_t capacity; /* a power of two, or 0 */
};

/* Find a thread, or add it. The result is valid until the next call. */
struct strace_thread *strace_threads_find(struct strace_threads *threads,
                                          uint64_t pid);

#endif
