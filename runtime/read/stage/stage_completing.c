/* stage_completing.c - the last callback of a read, and its statistics. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_completing.h"

#include "read/engine.h"
#include "read/io_listen.h"
#include "read/io_wait.h"
#include "read/read_stats.h"

enum read_stage spn__completing_enter(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    if (!request->is_public && request->on_arrival && request->status == SPN_OK)
        request->on_arrival(request->context);
    io_push_done(io, index);
    return READ_COMPLETING;
}

/* Return the memory of the storage callback to the budget. */
static void release_budget(struct io *io, const struct io_request *request)
{
    if (request->has_budget &&
        spn__budget_give(&io->budget, request->budget_units))
        io_signal(io, IO_SIGNAL_BUDGET);
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
        spn__io_notify_callback(io, index, SPN_CALLBACK_DONE,
                                SPN_EVENT_CALLBACK_BEGIN, request->status);
    call(io, index, request);
    if (listen_is_there(&io->listen))
        spn__io_notify_callback(io, index, SPN_CALLBACK_DONE,
                                SPN_EVENT_CALLBACK_END, SPN_OK);
}

/* Free the block of a read that failed; its callback does not get the block. */
static void give_block(struct io *io, struct io_request *request)
{
    if (request->is_public && request->target.block &&
        request->status != SPN_OK)
        io->memory.give(io->memory.user, request->target.block);
}

enum read_stage spn__completing_step(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct io_completing self = {index, io->completing};

    give_block(io, request);
    spn__io_count_completion(io, request);
    io->completing = &self;
    call_back(io, index, request);
    io->completing = self.outer;
    if (listen_is_there(&io->listen))
        spn__io_notify_over(io, index, SPN_EVENT_COMPLETED);
    release_budget(io, request);
    if (io_pak_of(request))
        spn__paks_unhold(request->pak.mount);
    atomic_add_relaxed(&io->open[request->task], UINT32_MAX);
    /* From now on the handle is stale, unless the read is held. */
    atomic_or_acq_rel(&io->states[index], STATE_COMPLETED);
    return READ_UNUSED;
}
