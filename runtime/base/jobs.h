/* jobs.h - a queue of jobs for the workers.
 *
 * A job is a function with a context and one 32-bit argument. Any thread may
 * submit jobs. They start in the order of submission, each exactly once; those
 * that were submitted as urgent start before all others. There are no
 * dependencies: a submitter that needs dependencies counts down its own
 * counters and submits the next job from the last one.
 *
 * spn__jobs_step runs one job. Worker threads call it in a loop and sleep on an
 * event when there is none; without threads spn_update calls it; the job system
 * of an engine calls it through spn_job_step.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_JOBS_H
#define SPN_BASE_JOBS_H

#include "base/carve.h"
#include "base/word_queue.h"

#include <stdbool.h>
#include <stdint.h>

/* Memory that a job may use while it runs. Owner: the worker that runs it. */
struct job_worker {
    uint32_t index;
    uint8_t *scratch; /* aligned to 64 */
    uint32_t scratch_bytes;
};

typedef void (*job_fn)(void *context, uint32_t argument,
                       struct job_worker *worker);

struct job {
    job_fn run;
    void *context;
    uint32_t argument;
};

enum job_queue_index { JOBS_URGENT, JOBS_NORMAL, JOBS_QUEUES };

/* Jobs that wait. */
struct job_queue {
    struct job *table; /* one for each cell of `ready`; fixed after init */
    struct word_queue ready; /* any thread */
};

struct jobs {
    /* fixed after init */
    struct job_worker *workers;
    uint32_t worker_count;      /* >= 1: one is for spn_update */
    void (*notify)(void *user); /* called after each submission, to wake a
                                   worker; NULL: none */
    void *notify_user;
    /* any thread */
    struct job_queue *queues;     /* JOBS_QUEUES of them */
    struct atomic_u32 unfinished; /* jobs that wait or run */
};

/* Carve the queue and the workers.
 *
 * job_capacity   most jobs that wait, urgent ones not counted; rounded up to a
 *                power of two, >= 2. A running job does not count
 * scratch_bytes  for each worker */
void spn__jobs_init(struct jobs *jobs, struct carve *carve,
                    uint32_t job_capacity, uint32_t worker_count,
                    uint32_t scratch_bytes);
/* Submit a job. Returns false if the queue is full; try again later. */
bool spn__jobs_submit(struct jobs *jobs, job_fn run, void *context,
                      uint32_t argument);
/* The same; the job runs before all that are not urgent. */
bool spn__jobs_submit_urgent(struct jobs *jobs, job_fn run, void *context,
                             uint32_t argument);
/* Run one job as worker `index`, which only one thread may use at a time.
 * Returns false if no job waits. */
bool spn__jobs_step(struct jobs *jobs, uint32_t index);
/* Number of jobs that wait; see spn__word_queue_count. */
uint32_t spn__jobs_count(const struct jobs *jobs);
/* Return whether a step would find a job now; see spn__word_queue_has_next. */
bool spn__jobs_has_next(const struct jobs *jobs);
/* Return whether no job waits or runs. Exact if only jobs submit jobs
 * meanwhile. If the result is true, all that jobs have written is visible. */
bool spn__jobs_are_idle(const struct jobs *jobs);
/* Return whether all invariants hold. O(job_capacity). No thread may submit or
 * run a job meanwhile. */
bool spn__jobs_check(const struct jobs *jobs);

#endif
