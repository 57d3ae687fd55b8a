/* runtime.h - the parts of a runtime, and which thread owns each part.
 *
 * A runtime lies in the caller's block of memory: this record first, then the
 * tables of its modules. The io engine (read/) reads files, the manager (play/)
 * plays geometry caches, jobs run on workers. The public functions in api_*.c
 * check their arguments and call these modules.
 */
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

/* Most worker threads. */
#define RUNTIME_WORKERS_MAX 64u

struct runtime_thread {
    struct spn_runtime *runtime;
    uint64_t thread;   /* from the platform's thread_start */
    struct jobs *jobs; /* whose jobs it runs; NULL: it is the io thread */
    uint64_t event;    /* on which it waits for work */
    uint32_t index;    /* its worker index */
    bool is_running;   /* caller: started and not joined */
    /* The thread itself writes `own`, then sets is_known; other threads read
     * `own` only when is_known is set. */
    uint64_t own; /* the platform's thread_current of this thread */
    struct atomic_u32 is_known;
};

/* A worker that runs only asynchronous callbacks; see
 * spn_config.reserved_tasks. */
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
    uint64_t *wait_events; /* one for each thread in spn_read_wait, and one
                            * for spn_read_abort_now */
    bool has_io_thread;
    bool has_workers;
    uint32_t own_worker;            /* worker index of spn_update */
    struct runtime_thread *threads; /* io, then workers */
    uint32_t thread_max;
    uint32_t thread_count; /* running ones; 0: spn_update does everything.
                            Owner: caller */
    /* any thread */
    struct jobs jobs;
    struct runtime_reserved *reserved; /* SPN_RESERVED_WORKERS_MAX */
    struct atomic_u32 is_stopping;     /* threads end when it is set */
    struct atomic_u32 missed_steps;    /* calls of spn_job_step that found a job
                                        not published yet; see runtime.c */
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

/* Count the bytes that a config needs.
 *
 * tally   SPN_MEMORY_TABLE_COUNT counters, to which the bytes of each table are
 *         added; NULL: not wanted
 * needed  the sum */
spn_status spn__runtime_count_memory(const spn_config *config, uint64_t *tally,
                                     size_t *needed);

/* Do one step of the io engine and of the jobs, as far as no thread does it.
 * After spn__threads_stop that is all of it. Caller's thread.
 *
 * due_us  when the io engine has more to do, if nothing was done now
 *
 * Returns how many steps did something. */
uint32_t spn__runtime_step(struct spn_runtime *rt, uint64_t *due_us);

/* Wait a short time during a shutdown in which nothing could be done: a device
 * or a job of the engine is not ready yet. Returns at once on a platform
 * without threads. */
void spn__runtime_rest(struct spn_runtime *rt);

#endif
