/* runtime.h - what a runtime consists of, and who may touch which part. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_RUNTIME_H
#define SPN_RUNTIME_H

#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "base/trace.h"
#include "base/tuning.h"
#include "play/manager.h"
#include "read/io.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* Threads for jobs at most. */
#define RUNTIME_WORKERS_MAX 64u

struct runtime_thread {
    struct spn_runtime *runtime;
    uint64_t thread;   /* the platform's */
    struct jobs *jobs; /* a worker's */
    uint64_t event;    /* what it sleeps on */
    uint32_t index;    /* worker index */
    bool is_running;
    uint64_t own; /* what it calls itself; written by it before the next */
    struct atomic_u32 is_known;
};

/* A worker that is reserved for asynchronous callbacks. */
struct runtime_reserved {
    struct spn_runtime *runtime;
    struct jobs jobs;
    uint64_t event;
};

struct spn_runtime {
    /* fixed after init */
    struct io *io;
    uint64_t io_event;     /* wakes the io thread */
    uint64_t job_event;    /* wakes one worker */
    uint64_t *wait_events; /* of threads in spn_read_wait, and one of the
                            * caller's in spn_read_abort_now */
    bool has_io_thread;
    bool has_workers;
    uint32_t own_worker;            /* index of spn_update's own worker */
    struct runtime_thread *threads; /* io, then workers */
    uint32_t thread_max;
    uint32_t thread_count; /* that run; caller's. 0: all is that thread's */
    /* any thread */
    struct jobs jobs;
    struct runtime_reserved *reserved; /* SPN_RESERVED_WORKERS_MAX */
    struct atomic_u32 is_stopping;     /* threads end when they see it */
    struct atomic_u32 missed_steps;    /* calls of an engine still owed a job */
    /* caller */
    bool is_stepping; /* inside spn__runtime_step */
    struct heap heap;
    struct trace trace;
    struct tuning tuning;
    struct manager manager;
    /* fixed after init; last, so that the offsets of the others are small */
    spn_platform platform;
    spn_config config; /* resolved */
};

/* spindle.c: bytes that a config needs, and, unless `tally` is NULL, what is
 * added to each of SPN_MEMORY_TABLE_COUNT counters. */
spn_status spn__runtime_count_memory(const spn_config *config, uint64_t *tally,
                                     size_t *needed);

/* threads.c: events and threads as the config asks for. On failure nothing is
 * left running. */
spn_status spn__threads_start(struct spn_runtime *rt);
/* Ends and joins all threads. */
void spn__threads_stop(struct spn_runtime *rt);
/* Is this one of them? Where the platform cannot tell it is none. Any thread.
 */
bool spn__threads_is_own(const struct spn_runtime *rt);
/* Before that, also where there are no threads. */
spn_status spn__threads_create_events(struct spn_runtime *rt);
/* Those that were created. */
void spn__threads_destroy_events(struct spn_runtime *rt);

/* spindle.c: what no thread does of io and jobs, one step of each: of all of
 * them once a shutdown has ended the threads. Returns how many did something;
 * *due_us: when there is more for io, if none did. Caller's thread. */
uint32_t spn__runtime_step(struct spn_runtime *rt, uint64_t *due_us);
/* When that did nothing during a shutdown: sleep a little, for a device, or a
 * job on a thread of the engine, takes its time. Returns at once where the
 * platform has no threads. */
void spn__runtime_rest(struct spn_runtime *rt);

#endif
