/* jobs.c - submission and execution of jobs.
 *
 * A job is stored in the slot of its ring cell. A step copies the job and frees
 * the slot before it runs the job, so that running jobs may always submit
 * others. `unfinished` is increased before a job can be taken, and decreased
 * after it has ended.
 */
/* SPDX-License-Identifier: MIT */
#include "base/jobs.h"

#include "base/assert.h"

#include <spindle/memory.h>

void spn__jobs_init(struct jobs *jobs, struct carve *carve,
                    uint32_t job_capacity, uint32_t worker_count,
                    uint32_t scratch_bytes)
{
    SPN_ASSERT(worker_count >= 1);
    spn__carve_for(carve, SPN_MEMORY_JOBS);
    spn__ring_init(&jobs->ready, carve, job_capacity);
    jobs->table = SPN_CARVE(carve, struct job, (size_t)jobs->ready.mask + 1);
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

bool spn__jobs_submit(struct jobs *jobs, job_fn run, void *context,
                      uint32_t argument)
{
    uint32_t position;
    struct job *job;

    SPN_ASSERT(run != NULL);
    /* Before the job can be taken, so that spn__jobs_are_idle is never wrong.
     */
    atomic_add_acq_rel(&jobs->unfinished, 1);
    if (!spn__ring_claim_push(&jobs->ready, &position)) {
        finish_one(jobs);
        return false;
    }
    job = &jobs->table[position & jobs->ready.mask];
    job->run = run;
    job->context = context;
    job->argument = argument;
    spn__ring_publish_push(&jobs->ready, position);
    if (jobs->notify)
        jobs->notify(jobs->notify_user);
    return true;
}

bool spn__jobs_step(struct jobs *jobs, uint32_t index)
{
    uint32_t position;
    struct job job;

    SPN_ASSERT(index < jobs->worker_count);
    if (!spn__ring_claim_pop(&jobs->ready, &position))
        return false;
    job = jobs->table[position & jobs->ready.mask];
    spn__ring_publish_pop(&jobs->ready, position);
    job.run(job.context, job.argument, &jobs->workers[index]);
    finish_one(jobs);
    return true;
}

bool spn__jobs_are_idle(const struct jobs *jobs)
{
    /* Pairs with the release in finish_one. */
    return atomic_load_acquire(&jobs->unfinished) == 0;
}

bool spn__jobs_check(const struct jobs *jobs)
{
    const struct ring *ready = &jobs->ready;
    uint32_t count = spn__ring_count(ready);
    uint32_t head = atomic_load_relaxed(&ready->head);

    if (!spn__ring_check(ready) ||
        atomic_load_relaxed(&jobs->unfinished) != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!jobs->table[(head + i) & ready->mask].run)
            return false;
    for (uint32_t i = 0; i < jobs->worker_count; i++)
        if (jobs->workers[i].index != i)
            return false;
    return true;
}
