/* arrival.c - the list of frames that wait for a read. */
/* SPDX-License-Identifier: MIT */
#include "play/arrival.h"

#include "base/assert.h"
#include "play/cache.h"
#include "play/decode_job.h"

#include <stddef.h>

/* Submit the frames of the list. Those for which the table of jobs has no room
 * stay in it until the completion. */
static void submit_all(struct group_read *r)
{
    struct jobs *jobs = r->cache->manager->config.jobs;

    while (r->waiting) {
        struct decoded_frame *f = r->waiting;
        /* Afterwards the frame is the jobs'. */
        struct decoded_frame *next = f->next_waiting;

        if (!spn__jobs_submit(jobs, spn__decode_frame_job, f, 0))
            return;
        r->waiting = next;
    }
}

/* Release, and acquire if the gate is over: each thread sees what the other has
 * written to the list and its frames. */
static uint32_t set_gate(struct group_read *r, enum arrival_gate gate)
{
    return atomic_exchange_acq_rel(&r->gate, gate);
}

/* True if the list is the caller's now. */
static bool take(struct group_read *r)
{
    if (set_gate(r, ARRIVAL_EMPTY) != ARRIVAL_OVER)
        return true;
    (void)set_gate(r, ARRIVAL_OVER);
    return false;
}

/* Give the list away, unless the bytes have arrived meanwhile: then nobody else
 * submits it. */
static void give(struct group_read *r)
{
    uint32_t expected = ARRIVAL_EMPTY;

    if (!atomic_compare_exchange_acq_rel(&r->gate, &expected, ARRIVAL_AWAITED))
        submit_all(r);
}

bool spn__arrival_await(struct decoded_frame *f)
{
    struct group_read *r = f->read;
    struct decoded_frame **link = &r->waiting;

    if (!take(r))
        return false;
    /* References come first: keep the order of the launch. */
    while (*link)
        link = &(*link)->next_waiting;
    f->next_waiting = NULL;
    f->is_submitted = true;
    *link = f;
    give(r);
    return true;
}

void spn__arrival_come(void *read)
{
    struct group_read *r = read;

    if (set_gate(r, ARRIVAL_OVER) == ARRIVAL_AWAITED)
        submit_all(r);
}

void spn__arrival_take(struct group_read *r)
{
    (void)take(r);
}

/* The frame needs a job, which launch.h submits. */
static void release(struct decoded_frame *f)
{
    f->is_submitted = false;
    f->cache->manager->launches->unsubmitted_count++;
}

void spn__arrival_give_up(struct group_read *r)
{
    struct decoded_frame **link = &r->waiting;

    while (*link) {
        struct decoded_frame *f = *link;

        if (f->unread == SPN_OK) {
            link = &f->next_waiting;
            continue;
        }
        *link = f->next_waiting;
        SPN_ASSERT(r->pins > 0);
        r->pins--;
        f->read = NULL;
        release(f);
    }
}

void spn__arrival_resume(struct group_read *r)
{
    if (r->waiting)
        (void)set_gate(r, ARRIVAL_AWAITED);
}

void spn__arrival_end(struct group_read *r)
{
    while (r->waiting) {
        struct decoded_frame *f = r->waiting;

        r->waiting = f->next_waiting;
        release(f);
    }
}

bool spn__arrival_cancel(struct group_read *r)
{
    if (!take(r))
        return false;
    for (struct decoded_frame *f = r->waiting; f; f = f->next_waiting)
        f->unread = SPN_ERR_ABORTED;
    spn__arrival_give_up(r);
    return true;
}
