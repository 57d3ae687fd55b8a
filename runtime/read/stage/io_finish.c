/* io_finish.c - completions, and the way of slots back to the free ring. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/io_finish.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "read/stage/stage_block.h"
#include "read/stage/stage_completing.h"

/* -- slots -- */

/* Held reads do not hold up a shutdown. */
static bool is_wanted(const struct io *io, uint32_t state)
{
    return (state & READ_IS_HELD) &&
           !(atomic_load_relaxed(&io->pending) & IO_IS_SHUT);
}

/* No thread looks at the result any more, or ever will. A held slot may get a
 * pin at any time, until it is not held. */
static bool is_let_go(struct io *io, uint32_t index)
{
    /* Pairs with the sub in spn__io_unpin. */
    uint32_t state = atomic_load_acquire(&io->states[index]);

    if (is_wanted(io, state))
        return false;
    if (state & READ_IS_HELD)
        state = atomic_and_acq_rel(&io->states[index], ~READ_IS_HELD);
    return (state & READ_PINS) == 0;
}

/* False when a thread still looks at the result, or the ring has no cell. */
static bool give_back(struct io *io, uint32_t index)
{
    uint32_t state;
    uint32_t generation;

    if (!is_let_go(io, index))
        return false;
    /* No pin is added to a slot that is over, and not held. */
    state = atomic_load_relaxed(&io->states[index]);
    generation = (state >> READ_GENERATION_SHIFT) + 1;
    atomic_store_release(&io->states[index],
                         generation << READ_GENERATION_SHIFT);
    if (!spn__ring_push(&io->free, index)) {
        /* No handle with the new generation was given out. */
        atomic_store_release(&io->states[index], state);
        return false;
    }
    /* Pairs with the exchange in count_pending. */
    atomic_add_acq_rel(&io->pending, UINT32_MAX);
    return true;
}

static void give_back_or_keep(struct io *io, uint32_t index)
{
    if (give_back(io, index))
        return;
    io->requests[index].next = io->kept_first;
    io->kept_first = index;
    io->kept_count++;
}

static void give_back_kept(struct io *io)
{
    uint32_t index = io->kept_first;

    io->kept_first = IO_NONE;
    io->kept_count = 0;
    while (index != IO_NONE) {
        uint32_t next = io->requests[index].next;

        give_back_or_keep(io, index);
        index = next;
    }
}

/* -- completions -- */

static void finish(struct io *io, uint32_t index)
{
    if (io->requests[index].stage == READ_AWAITS_BLOCK) {
        spn__block_take(io, index);
        return;
    }
    spn__completing_step(io, index);
    give_back_or_keep(io, index);
}

uint32_t spn__io_finish(struct io *io, uint32_t limit)
{
    uint32_t count = 0;
    uint32_t index;

    io->seen = spn__triple_buffer_latest(&io->snapshot);
    give_back_kept(io);
    while (count < limit && (spn__read_list_pop(io, &io->deferred, &index) ||
                             spn__ring_pop(&io->done, &index))) {
        finish(io, index);
        count++;
    }
    return count;
}

/* -- one alone -- */

static bool is_completing(const struct io *io, uint32_t index)
{
    for (const struct io_completing *c = io->completing; c; c = c->outer)
        if (c->index == index)
            return true;
    return false;
}

/* Take it out of the deferred ones. */
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

    /* Its callbacks are over where it was held, or release says so. */
    if (spn__io_release(io, read) != SPN_OK)
        return SPN_ERR_HANDLE;
    if (is_completing(io, wanted) || !spn__io_is_good(io, read))
        return SPN_OK;
    while (spn__ring_pop(&io->done, &index))
        spn__read_list_add(io, &io->deferred, index);
    if (!take_deferred(io, wanted))
        return SPN_PENDING;
    finish(io, wanted);
    return spn__io_is_good(io, read) ? SPN_PENDING : SPN_OK;
}

/* A cell of a ring may be claimed and not filled yet, by a thread that this one
 * keeps from running: that is waited for asleep. */
static bool has_work(const struct io *io, bool runs_jobs)
{
    return spn__ring_has_next(&io->done) ||
           (runs_jobs && spn__ring_has_next(&io->jobs->ready));
}

void spn__io_await_done(struct io *io, bool runs_jobs)
{
    const spn_platform *p = io->platform;

    /* Pairs with the add in io_wake_caller, both. */
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
