/* io_finish.c - complete reads, and return requests to the free queue. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/io_finish.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "read/stage/stage_block.h"
#include "read/stage/stage_completing.h"

/* -- returning requests -- */

/* Whether the result is still needed because the read is held. A shutdown does
 * not wait for held reads. */
static bool is_wanted(const struct io *io, uint32_t state)
{
    return (state & STATE_HELD) &&
           !(atomic_load_relaxed(&io->pending) & IO_IS_SHUT);
}

/* Whether no thread accesses the result now or later. A held read may be pinned
 * at any time, so its hold is ended first. */
static bool is_abandoned(struct io *io, uint32_t index)
{
    /* Pairs with the subtraction in spn__io_unpin. */
    uint32_t state = atomic_load_acquire(&io->states[index]);

    if (is_wanted(io, state))
        return false;
    if (state & STATE_HELD)
        state = atomic_and_acq_rel(&io->states[index], ~STATE_HELD);
    return (state & STATE_PINS) == 0;
}

/* Return a request to the free queue. False if a thread accesses the result, or
 * if the queue has no free cell. */
static bool return_request(struct io *io, uint32_t index)
{
    uint32_t state;
    uint32_t generation;

    if (!is_abandoned(io, index))
        return false;
    /* A completed read that is not held gets no more pins. */
    state = atomic_load_relaxed(&io->states[index]);
    generation = (state >> STATE_GENERATION_SHIFT) + 1;
    atomic_store_release(&io->states[index],
                         generation << STATE_GENERATION_SHIFT);
    if (!spn__word_queue_push(&io->free, index)) {
        /* No handle of the new generation exists yet. */
        atomic_store_release(&io->states[index], state);
        return false;
    }
    /* Pairs with the exchange in count_pending. */
    atomic_add_acq_rel(&io->pending, UINT32_MAX);
    return true;
}

static void return_or_keep(struct io *io, uint32_t index)
{
    if (return_request(io, index))
        return;
    io->requests[index].next = io->retained_first;
    io->retained_first = index;
    io->retained_count++;
}

static void return_retained(struct io *io)
{
    uint32_t index = io->retained_first;

    io->retained_first = IO_NONE;
    io->retained_count = 0;
    while (index != IO_NONE) {
        uint32_t next = io->requests[index].next;

        return_or_keep(io, index);
        index = next;
    }
}

/* -- completions -- */

/* Drive a read on the caller's thread (step.h). */
static void finish(struct io *io, uint32_t index)
{
    if (io->requests[index].stage == READ_AWAITS_BLOCK) {
        spn__block_take(io, index);
        return;
    }
    spn__read_set_stage(&io->requests[index], spn__completing_step(io, index));
    return_or_keep(io, index);
}

uint32_t spn__io_finish(struct io *io, uint32_t limit)
{
    uint32_t count = 0;
    uint32_t index;

    io->seen = spn__triple_buffer_latest(&io->snapshot);
    return_retained(io);
    while (count < limit && (spn__read_list_pop(io, &io->deferred, &index) ||
                             spn__word_queue_pop(&io->done, &index))) {
        finish(io, index);
        count++;
    }
    return count;
}

/* -- completing one read -- */

static bool is_completing(const struct io *io, uint32_t index)
{
    for (const struct io_completing *c = io->completing; c; c = c->outer)
        if (c->index == index)
            return true;
    return false;
}

/* Remove a read from the deferred ones. */
static bool take_deferred(struct io *io, uint32_t index)
{
    struct read_list list = io->deferred;
    bool is_found = false;
    uint32_t other;

    io->deferred = (struct read_list){IO_NONE, IO_NONE, 0};
    while (spn__read_list_pop(io, &list, &other))
        if (other == index)
            is_found = true;
        else
            spn__read_list_add(io, &io->deferred, other);
    return is_found;
}

spn_status spn__io_finish_one(struct io *io, spn_read read)
{
    uint32_t wanted = read & READ_INDEX_MASK;
    uint32_t index;

    /* Fails if the read is completed and not held. */
    if (spn__io_release(io, read) != SPN_OK)
        return SPN_ERR_HANDLE;
    if (is_completing(io, wanted) || !spn__io_is_good(io, read))
        return SPN_OK;
    while (spn__word_queue_pop(&io->done, &index))
        spn__read_list_add(io, &io->deferred, index);
    if (!take_deferred(io, wanted))
        return SPN_PENDING;
    finish(io, wanted);
    return spn__io_is_good(io, read) ? SPN_PENDING : SPN_OK;
}

/* Whether a read or a job can be taken now. A cell that was claimed but not
 * written yet does not count: this thread then sleeps, so that the writing
 * thread can run. */
static bool has_work(const struct io *io, bool runs_jobs)
{
    return spn__word_queue_has_next(&io->done) ||
           (runs_jobs && spn__jobs_has_next(io->jobs));
}

void spn__io_await_done(struct io *io, bool runs_jobs)
{
    const spn_platform *p = io->platform;

    /* Both exchanges pair with the addition in io_wake_caller. */
    (void)atomic_exchange_acq_rel(&io->is_awaited, 1);
    if (!has_work(io, runs_jobs))
        p->event_wait(p->user, io->done_event, UINT64_MAX);
    (void)atomic_exchange_acq_rel(&io->is_awaited, 0);
}

void spn__io_notify_job(struct io *io)
{
    io_wake_caller(io);
}

void spn__io_retry_storage(struct io *io, bool is_forced)
{
    /* Relaxed: if this misses a read, the next call signals it. */
    if (is_forced || atomic_load_relaxed(&io->storage_waiter_count) > 0)
        io_signal(io, IO_SIGNAL_STORAGE);
}
