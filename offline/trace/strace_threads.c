/* strace_threads.c - a hash table with open addressing. */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_threads.h"

#define CAPACITY_FIRST 64u
/* 2^64 / the golden ratio: spreads numbers that follow each other. */
#define PID_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* The thread's entry, or the empty one where it belongs. */
static struct strace_thread *entry_of(const struct strace_threads *threads,
                                      uint64_t pid)
{
    uint32_t mask = threads->capacity - 1;
    uint32_t at = (uint32_t)(pid * PID_FACTOR >> 32) & mask;

    while (threads->entries[at].is_used && threads->entries[at].pid != pid)
        at = (at + 1) & mask;
    return &threads->entries[at];
}

static void grow(struct strace_threads *threads)
{
    const struct strace_thread *old = threads->entries;
    uint32_t count = threads->capacity;

    threads->capacity = count ? 2 * count : CAPACITY_FIRST;
    threads->entries =
        ARENA_NEW(threads->arena, struct strace_thread, threads->capacity);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].is_used)
            *entry_of(threads, old[i].pid) = old[i];
}

struct strace_thread *strace_threads_find(struct strace_threads *threads,
                                          uint64_t pid)
{
    struct strace_thread *thread;

    if (threads->count >= threads->capacity / 2)
        grow(threads);
    thread = entry_of(threads, pid);
    if (!thread->is_used) {
        *thread = (struct strace_thread){
            .is_used = true, .pid = pid, .reader.thread = UINT32_MAX};
        threads->count++;
    }
    return thread;
}
