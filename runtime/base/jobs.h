/* jobs.h - small pieces of work for the workers.
 *
 * A job is a function, a context and one 32-bit argument. Submitting and
 * running are open to any thread. There are no priorities and no waiting:
 * dependencies are counters kept by whoever submits. Jobs run in the order
 * of submission, each once.
 *
 * A step runs one job. Worker threads loop over steps and sleep on an event;
 * without threads spn_update steps; with an engine's own job system the
 * engine calls spn_job_step once for each `submit` it was given.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_JOBS_H
#define SPN_BASE_JOBS_H

#include "base/carve.h"
#include "base/ring.h"

#include <stdbool.h>
#include <stdint.h>

/* What a job may use while it runs; owned by the worker that runs it. */
struct job_worker {
    uint32_t index;
    uint8_t *scratch; /* 64-byte aligned */
    uint32_t scratch_bytes;
};

typedef void (*job_fn)(void *context, uint32_t argument,
                       struct job_worker *worker);

struct job {
    job_fn run;
    void *context;
    uint32_t argument;
};

struct jobs {
    /* fixed after init */
    struct job *table; /* one slot a cell of `ready` */
    struct job_worker *workers;
    uint32_t worker_count;      /* >= 1: one for spn_update itself */
    void (*notify)(void *user); /* after each submit; NULL: nobody sleeps */
    void *notify_user;
    /* any thread */
    struct ring ready;
    struct atomic_u32 unfinished; /* queued or running */
};

/* `job_capacity`, the jobs queued at a time, is rounded up to a power of two,
 * >= 2. A running job takes none of them. */
void spn__jobs_init(struct jobs *jobs, struct carve *carve,
                    uint32_t job_capacity, uint32_t worker_count,
                    uint32_t scratch_bytes);
/* False when the table is full: nothing happened, try again later. */
bool spn__jobs_submit(struct jobs *jobs, job_fn run, void *context,
                      uint32_t argument);
/* Run one job as worker `index`; an index is used by one thread at a time.
 * False when there was none. */
bool spn__jobs_step(struct jobs *jobs, uint32_t index);
/* No job is queued or running. Exact when only jobs submit meanwhile; whoever
 * sees true sees all that the jobs wrote. */
bool spn__jobs_are_idle(const struct jobs *jobs);

#endif
