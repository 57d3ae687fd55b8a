/* storage.c - memory for reads that were started without a buffer. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/storage.h"

#include "read/engine.h"
#include "read/io_listen.h"

#define SECOND_US 1000000u

/* -- budget -- */

uint64_t spn__storage_due_us(const struct io_request *request)
{
    uint32_t limit_us = SECOND_US
                        << (request->ticket.priority - SPN_PRIORITY_URGENT);
    uint64_t at_us = io_due_us(request, limit_us);
    uint64_t last_us = request->start_us + limit_us;

    return at_us < last_us ? at_us : last_us;
}

/* Whether a read that waits for the budget is due before read `r`. */
static bool has_earlier(const struct io *io, const struct io_request *r)
{
    const struct io_request *first;
    uint64_t first_us;
    uint64_t own_us;
    uint32_t index;

    if (!spn__queue_first(&io->budget_waiters, &index))
        return false;
    first = &io->requests[index];
    first_us = spn__storage_due_us(first);
    own_us = spn__storage_due_us(r);
    return first_us < own_us ||
           (first_us == own_us && first->arrival < r->arrival);
}

static bool may_pass_budget(const struct io_request *request)
{
    return request->ticket.priority == SPN_PRIORITY_URGENT ||
           (request->flags & SPN_READ_OVER_BUDGET);
}

bool spn__storage_take_budget(struct io *io, struct io_request *request)
{
    if (request->has_budget)
        return true;
    request->has_budget =
        spn__budget_take(&io->budget, io_wanted_bytes(request),
                         may_pass_budget(request), &request->budget_units);
    return request->has_budget;
}

void spn__storage_return_budget(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    if (!request->has_budget || read_has_memory(request))
        return;
    request->has_budget = false;
    if (spn__budget_give(&io->budget, request->budget_units))
        io_signal(io, IO_SIGNAL_BUDGET);
}

/* -- storage callbacks -- */

static spn_status call(const struct io *io, uint32_t index,
                       const spn_read_want *want, void **buffer)
{
    spn_status status;

    if (listen_is_there(&io->listen))
        spn__io_notify_callback(io, index, SPN_CALLBACK_STORAGE,
                                SPN_EVENT_CALLBACK_BEGIN, SPN_OK);
    status = io->requests[index].on_storage(want, buffer);
    if (listen_is_there(&io->listen))
        spn__io_notify_callback(io, index, SPN_CALLBACK_STORAGE,
                                SPN_EVENT_CALLBACK_END, status);
    return status;
}

/* Call the storage callback. An invalid result counts as SPN_ERR_MEMORY. */
static spn_status request_buffer(const struct io *io, uint32_t index,
                                 void **buffer)
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

enum read_stage spn__storage_find(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    void *buffer = NULL;
    spn_status status;

    if (read_has_memory(request))
        return READ_AT_DEVICE;
    if (!may_pass_budget(request) && !request->has_budget &&
        has_earlier(io, request))
        return READ_AWAITS_BUDGET;
    if (!spn__storage_take_budget(io, request))
        return READ_AWAITS_BUDGET;
    if (!request->on_storage)
        return READ_AWAITS_BLOCK;
    status = request_buffer(io, index, &buffer);
    if (status == SPN_OK) {
        request->target.buffer = buffer;
        return READ_AT_DEVICE;
    }
    spn__storage_return_budget(io, index);
    return status == SPN_NO_MEMORY_NOW ? READ_AWAITS_STORAGE
                                       : read_drain(request, status);
}
