/* io_finish.c - completions: the last callback of each read, what it counts
 * for, and the way of its slot back to the free ring; and blocks of the heap
 * for reads into it. Caller's thread.
 *
 * A slot that cannot go back yet is kept: its read is held; a thread still
 * looks at the result; or the free ring, which has many consumers, has no cell
 * because one of them was halted in the middle of a pop.
 *
 * One read may be completed before its turn. Those that come from the done ring
 * before it are put off, in order, until the next spn_update.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_finish.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_wait.h"
#include "read/read_stats.h"

/* -- slots -- */

/* Held reads do not hold up a shutdown. */
static bool is_wanted(const struct io *io, uint32_t state)
{
    return (state & READ_IS_HELD) &&
           !(atomic_load_relaxed(&io->pending) & IO_IS_SHUT);
}

/* Nobody looks at the result any more, or ever will. A held slot may get a pin
 * at any time, until it is not held. */
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

/* False when somebody still looks at the result, or the ring is held up. */
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
        /* Still its own: nobody knows the new generation. */
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

/* What a storage callback gave is the caller's alone from here. */
static void release_budget(struct io *io, const struct io_request *request)
{
    if (request->has_budget &&
        spn__budget_give(&io->budget, request->budget_units))
        io_tell(io, IO_HEED_BUDGET);
}

static void call(struct io *io, uint32_t index,
                 const struct io_request *request)
{
    if (request->is_public) {
        spn_read_result result = spn__io_result_of(io, index);

        request->on_done(&result);
    } else {
        struct io_result result = {io_handle(io, index), request->status,
                                   io_good_bytes(request)};

        request->on_internal(request->context, request->argument, &result);
    }
}

static void call_back(struct io *io, uint32_t index,
                      const struct io_request *request)
{
    if (request->is_public && !request->on_done)
        return;
    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_DONE,
                              SPN_EVENT_CALLBACK_BEGIN, request->status);
    call(io, index, request);
    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_DONE,
                              SPN_EVENT_CALLBACK_END, SPN_OK);
}

/* Into a block of the heap that nobody else will see. */
static void give_block(struct io *io, struct io_request *request)
{
    if (request->is_public && request->target.block &&
        request->status != SPN_OK)
        io->memory.give(io->memory.user, request->target.block);
}

/* It has not ended: it wants its block now. Blocks of others that stand in its
 * way may go. What paks hold may not: it may be its own pak, or that of a read
 * which waits for what its pak holds. */
static void take_block(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint64_t bytes = io_wanted_bytes(request);
    spn_status status =
        io->memory.take(io->memory.user, bytes, request->heap_unit_bytes,
                        HEAP_TAG_USER, &request->target.block);

    if (status != SPN_OK &&
        bytes + io->paks.held_bytes <= (uint64_t)io->heap->page_count
                                           << io->heap->page_shift)
        status = SPN_NO_MEMORY_NOW;
    request->block_status = status;
    io_push_sure(&io->inbox, index);
    io_wake(io);
}

static void complete(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    struct io_completing self = {index, io->completing};

    give_block(io, request);
    spn__io_count_completion(io, request);
    io->completing = &self;
    call_back(io, index, request);
    io->completing = self.outer;
    if (listen_is_there(&io->listen))
        spn__io_hear_completed(io, index);
    release_budget(io, request);
    if (io_pak_of(request))
        spn__paks_unhold(request->pak.mount);
    atomic_add_relaxed(&io->open[request->task], UINT32_MAX);
    /* Unless it is held the handle is stale from here. */
    atomic_or_acq_rel(&io->states[index], READ_IS_OVER);
    give_back_or_keep(io, index);
}

static void finish(struct io *io, uint32_t index)
{
    if (io->requests[index].is_lent)
        take_block(io, index);
    else
        complete(io, index);
}

static bool pop_first(struct io *io, struct io_list *list, uint32_t *index)
{
    if (list->count == 0)
        return false;
    *index = list->first;
    list->first = io->requests[*index].next;
    list->count--;
    return true;
}

uint32_t spn__io_finish(struct io *io, uint32_t limit)
{
    uint32_t count = 0;
    uint32_t index;

    io->seen = spn__mailbox_latest(&io->mailbox);
    give_back_kept(io);
    while (count < limit && (pop_first(io, &io->put_off, &index) ||
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

/* Take it out of those that were put off. */
static bool take_put_off(struct io *io, uint32_t index)
{
    struct io_list list = io->put_off;
    bool is_found = false;
    uint32_t other;

    io->put_off = (struct io_list){IO_NONE, IO_NONE, 0};
    while (pop_first(io, &list, &other))
        if (other == index)
            is_found = true;
        else
            spn__io_list_add(io, &io->put_off, other);
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
        spn__io_list_add(io, &io->put_off, index);
    if (!take_put_off(io, wanted))
        return SPN_PENDING;
    finish(io, wanted);
    return spn__io_is_good(io, read) ? SPN_PENDING : SPN_OK;
}

/* What is claimed and not published yet may be a thread's that this one keeps
 * from running: it is waited for asleep. */
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

void spn__io_ask_again(struct io *io, bool is_forced)
{
    /* Relaxed: whoever is missed is asked the next time. */
    if (is_forced || atomic_load_relaxed(&io->refused_count) > 0)
        io_tell(io, IO_HEED_STORAGE);
}
