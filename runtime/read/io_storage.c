/* io_storage.c - reads that ask for their memory when their size is known.
 *
 * A read in its line becomes the first, and has no memory yet: it takes its
 * bytes from the budget, then asks its storage callback. Where the budget is
 * used up it joins the hungry, who are served by when they are due: so what is
 * large, or of low priority, is not passed by others for ever. Where the
 * callback says "not now" it is refused, and asked again later. Urgent reads
 * pass both the budget and the hungry. A read into the heap is lent to the
 * caller's thread instead, which takes a block for it, or says "not now".
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_storage.h"

#include "read/engine.h"
#include "read/io_device.h"
#include "read/io_end.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_unpack.h"

#define SECOND_US 1000000u

/* When it is due: by its deadline, or when the patience of its priority is
 * over: 4, 8, 16 and 32 s, above normal to idle. What is started later than
 * that comes behind it. */
static uint64_t hunger(const struct io_request *request)
{
    uint32_t patience_us = SECOND_US
                           << (request->ticket.priority - SPN_PRIORITY_URGENT);
    uint64_t due_us = io_due_us(request, patience_us);
    uint64_t last_us = request->start_us + patience_us;

    return due_us < last_us ? due_us : last_us;
}

static bool may_pass_budget(const struct io_request *request)
{
    return request->ticket.priority == SPN_PRIORITY_URGENT ||
           (request->flags & SPN_READ_OVER_BUDGET);
}

/* Has one of the hungry an older right? */
static bool is_hungry_first(const struct io *io, const struct io_request *r)
{
    const struct io_request *first;
    uint64_t its;
    uint64_t own;
    uint32_t index;

    if (!spn__queue_first(&io->hungry, &index))
        return false;
    first = &io->requests[index];
    its = hunger(first);
    own = hunger(r);
    return its < own || (its == own && first->arrival < r->arrival);
}

static bool take_budget(struct io *io, struct io_request *request)
{
    if (request->has_budget)
        return true;
    request->has_budget =
        spn__budget_take(&io->budget, io_wanted_bytes(request),
                         may_pass_budget(request), &request->budget_units);
    return request->has_budget;
}

static void give_budget(struct io *io, struct io_request *request)
{
    request->has_budget = false;
    if (spn__budget_give(&io->budget, request->budget_units))
        io_tell(io, IO_HEED_BUDGET);
}

void spn__io_return_budget(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    if (request->has_budget && request->lacks_storage)
        give_budget(io, request);
}

static void join_hungry(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    bool has_room =
        spn__queue_push(&io->hungry, hunger(request), request->arrival, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

static spn_status call(const struct io *io, uint32_t index,
                       const spn_read_want *want, void **buffer)
{
    spn_status status;

    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_STORAGE,
                              SPN_EVENT_CALLBACK_BEGIN, SPN_OK);
    status = io->requests[index].on_storage(want, buffer);
    if (listen_is_there(&io->listen))
        spn__io_hear_callback(io, index, SPN_CALLBACK_STORAGE,
                              SPN_EVENT_CALLBACK_END, status);
    return status;
}

static spn_status ask(const struct io *io, uint32_t index, void **buffer)
{
    const struct io_request *request = &io->requests[index];
    spn_read_want want = {io_handle(io, index), request->task,
                          io_wanted_bytes(request), request->user};
    spn_status status = call(io, index, &want, buffer);

    if (status == SPN_OK)
        return *buffer ? SPN_OK : SPN_ERR_MEMORY;
    if (status == SPN_NO_MEMORY_NOW || status < 0)
        return status;
    return SPN_ERR_MEMORY;
}

spn_status spn__io_find_storage(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    void *buffer = NULL;
    spn_status status;

    if (!request->lacks_storage)
        return SPN_OK;
    if (!may_pass_budget(request) && !request->has_budget &&
        is_hungry_first(io, request))
        return SPN_FULL;
    if (!take_budget(io, request))
        return SPN_FULL;
    if (!request->on_storage)
        return SPN_PENDING;
    status = ask(io, index, &buffer);
    if (status == SPN_OK) {
        request->target.buffer = buffer;
        request->lacks_storage = false;
    } else {
        give_budget(io, request);
    }
    return status;
}

void spn__io_set_aside(struct io *io, uint32_t index, spn_status why)
{
    if (SPN_WITH_PAKS && why == SPN_EMPTY) {
        spn__unpack_wait(io, index);
        return;
    }
    if (why == SPN_FULL) {
        join_hungry(io, index);
        return;
    }
    if (why == SPN_PENDING) {
        io->requests[index].is_lent = true;
        io_push_done(io, index);
        return;
    }
    spn__io_list_add(io, &io->refused, index);
    atomic_add_acq_rel(&io->refused_count, 1);
}

void spn__io_take_lent(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    spn_status status = request->block_status;

    request->is_lent = false;
    request->lacks_storage = status != SPN_OK;
    if (spn__io_end_if_unwanted(io, index))
        return;
    if (status == SPN_OK) {
        spn__io_stand(io, index);
        return;
    }
    give_budget(io, request);
    spn__io_turn_away(io, index, status);
}

void spn__io_feed_hungry(struct io *io)
{
    uint32_t index;

    spn__budget_forget_refusal(&io->budget);
    while (spn__queue_first(&io->hungry, &index) &&
           take_budget(io, &io->requests[index])) {
        spn__queue_pop(&io->hungry, &index);
        spn__io_stand(io, index);
    }
}

static bool stand(void *context, uint32_t index)
{
    struct io *io = context;

    atomic_add_acq_rel(&io->refused_count, UINT32_MAX);
    spn__io_stand(io, index);
    return true;
}

void spn__io_ask_refused(struct io *io)
{
    spn__io_list_take_if(io, &io->refused, stand);
}

void spn__io_take_set_aside(struct io *io, queue_leaves_fn leaves)
{
    uint32_t before = io->refused.count;
    uint32_t hungry = io->hungry.count;

    spn__queue_take_if(&io->hungry, leaves, io);
    spn__queue_take_if(&io->unpack.starved, leaves, io);
    /* Who stands behind one that left may fit. */
    if (io->hungry.count < hungry)
        spn__io_feed_hungry(io);
    spn__io_list_take_if(io, &io->refused, leaves);
    atomic_add_acq_rel(&io->refused_count, io->refused.count - before);
}
