/* jobs.c - submission and execution of jobs.
 *
 * A job is stored in the slot of its cell. A step copies the job and frees
 * the slot before it runs the job, so that running jobs may always submit
 * others. `unfinished` is increased before a job can be taken, and decreased
 * after it has ended.
 */
/* SPDX-License-Identifier: MIT */
#include "base/jobs.h"

#include "base/assert.h"

#include <spindle/memory.h>

/* Urgent jobs are few: a fill submits one for each worker, a frame buffer
 * one. */
#define URGENT_JOBS 64u

/* q == NULL: only count. */
static void init_queue(struct job_queue *q, struct carve *carve,
                       uint32_t capacity)
{
    struct job_queue queue;

    spn__word_queue_init(&queue.ready, carve, capacity);
    queue.table = SPN_CARVE(carve, struct job, (size_t)queue.ready.mask + 1);
    if (q)
        *q = queue;
}

void spn__jobs_init(struct jobs *jobs, struct carve *carve,
                    uint32_t job_capacity, uint32_t worker_count,
                    uint32_t scratch_bytes)
{
    SPN_ASSERT(worker_count >= 1);
    spn__carve_for(carve, SPN_MEMORY_JOBS);
    jobs->queues = SPN_CARVE(carve, struct job_queue, JOBS_QUEUES);
    for (uint32_t i = 0; i < JOBS_QUEUES; i++)
        init_queue(jobs->queues ? &jobs->queues[i] : NULL, carve,
                   i == JOBS_URGENT ? URGENT_JOBS : job_capacity);
    spn__carve_for(carve, SPN_MEMORY_WORKERS);
    jobs->workers = SPN_CARVE(carve, struct job_worker, worker_count);
    jobs->worker_count = worker_count;
    jobs->notify = NULL;
    jobs->notify_user = NULL;
    atomic_store_relaxed(&jobs->unfinished, 0);
    for (uint32_t i = 0; i < worker_count; i++) {
        uint8_t *scratch = SPN_CARVE(carve, uint8_t, scratch_bytes);

        if (!jobs->workers)
            continue;
        jobs->workers[i].index = i;
        jobs->workers[i].scratch = scratch;
        jobs->workers[i].scratch_bytes = scratch_bytes;
    }
}

/* Release: pairs with the acquire load in spn__jobs_are_idle. */
static void finish_one(struct jobs *jobs)
{
    atomic_add_acq_rel(&jobs->unfinished, UINT32_MAX);
}

static bool submit(struct jobs *jobs, struct job_queue *q,
                   const struct job *job)
{
    uint32_t position;

    SPN_ASSERT(job->run != NULL);
    /* Before the job can be taken, so that spn__jobs_are_idle is never wrong.
     */
    atomic_add_acq_rel(&jobs->unfinished, 1);
    if (!spn__word_queue_claim_push(&q->ready, &position)) {
        finish_one(jobs);
        return false;
    }
    q->table[position & q->ready.mask] = *job;
    spn__word_queue_publish_push(&q->ready, position);
    if (jobs->notify)
        jobs->notify(jobs->notify_user);
    return true;
}

bool spn__jobs_submit(struct jobs *jobs, job_fn run, void *context,
                      uint32_t argument)
{
    const struct job job = {run, context, argument};

    return submit(jobs, &jobs->queues[JOBS_NORMAL], &job);
}

bool spn__jobs_submit_urgent(struct jobs *jobs, job_fn run, void *context,
                             uint32_t argument)
{
    const struct job job = {run, context, argument};

    return submit(jobs, &jobs->queues[JOBS_URGENT], &job);
}

static bool take(struct job_queue *q, struct job *out)
{
    uint32_t position;

    if (!spn__word_queue_claim_pop(&q->ready, &position))
        return false;
    *out = q->table[position & q->ready.mask];
    spn__word_queue_publish_pop(&q->ready, position);
    return true;
}

bool spn__jobs_step(struct jobs *jobs, uint32_t index)
{
    struct job job;

    SPN_ASSERT(index < jobs->worker_count);
    if (!take(&jobs->queues[JOBS_URGENT], &job) &&
        !take(&jobs->queues[JOBS_NORMAL], &job))
        return false;
    job.run(job.context, job.argument, &jobs->workers[index]);
    finish_one(jobs);
    return true;
}

uint32_t spn__jobs_count(const struct jobs *jobs)
{
    return spn__word_queue_count(&jobs->queues[JOBS_URGENT].ready) +
           spn__word_queue_count(&jobs->queues[JOBS_NORMAL].ready);
}

bool spn__jobs_has_next(const struct jobs *jobs)
{
    return spn__word_queue_has_next(&jobs->queues[JOBS_URGENT].ready) ||
           spn__word_queue_has_next(&jobs->queues[JOBS_NORMAL].ready);
}

bool spn__jobs_are_idle(const struct jobs *jobs)
{
    /* Pairs with the release in finish_one. */
    return atomic_load_acquire(&jobs->unfinished) == 0;
}

static bool check_queue(const struct job_queue *q)
{
    const uint32_t count = spn__word_queue_count(&q->ready);
    const uint32_t head = atomic_load_relaxed(&q->ready.head);

    if (!spn__word_queue_check(&q->ready))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!q->table[(head + i) & q->ready.mask].run)
            return false;
    return true;
}

bool spn__jobs_check(const struct jobs *jobs)
{
    for (uint32_t i = 0; i < JOBS_QUEUES; i++)
        if (!check_queue(&jobs->queues[i]))
            return false;
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        if (jobs->workers[i].index != i)
            return false;
    return atomic_load_relaxed(&jobs->unfinished) == spn__jobs_count(jobs);
}
