/* io_line.c - where the reads that wait stand in the queue.
 *
 * The sort key decides, but for a read that has begun: pieces of two reads in
 * turn would cost a seek each, so it stands before all others of its priority
 * wherever they lie. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "io/io_state.h"

static uint64_t position_of(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    uint64_t offset = request->offset;

    if (!spn__files_is_open(&io->files, request->file))
        return SORT_KEY_OFFSET_UNKNOWN;
    if (request->done_bytes > UINT64_MAX - offset)
        return SORT_KEY_OFFSET_UNKNOWN;
    return spn__files_position(&io->files, request->file,
                               offset + request->done_bytes);
}

static uint64_t key_of(void *context, uint32_t index)
{
    const struct io *io = context;
    const struct io_request *request = &io->requests[index];

    /* Begun: before all others of its priority, wherever they lie. */
    if (request->done_bytes > 0)
        return spn__sort_key(request->ticket.priority, 0, 0, 0);
    return spn__order_key(&io->order, &request->ticket, position_of(io, index));
}

void spn__io_put_back(struct io *io, uint32_t index)
{
    bool has_room = spn__queue_push(&io->queue, key_of(io, index), index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

static void find_sweep(struct io *io, uint32_t index)
{
    spn__order_arrive(&io->order, &io->requests[index].ticket,
                      position_of(io, index));
}

/* Count time groups from the oldest pending read again. */
static void move_base(struct io *io, uint64_t group)
{
    uint64_t oldest = group;

    for (uint32_t i = 0; i < io->queue.count; i++) {
        uint32_t index = io->queue.entries[i].subject;

        if (io->requests[index].ticket.group < oldest)
            oldest = io->requests[index].ticket.group;
    }
    if (io->active != IO_NONE && io->requests[io->active].ticket.group < oldest)
        oldest = io->requests[io->active].ticket.group;
    spn__order_set_base(&io->order, oldest);
    spn__queue_rekey(&io->queue, key_of, io);
}

void spn__io_line_up(struct io *io, uint32_t index, uint64_t now_us)
{
    struct order_ticket *ticket = &io->requests[index].ticket;

    ticket->group = spn__order_group(now_us);
    if (io->queue.count == 0 && io->active == IO_NONE)
        spn__order_reset(&io->order, ticket->group);
    else if (spn__order_is_far(&io->order, ticket->group))
        move_base(io, ticket->group);
    find_sweep(io, index);
    spn__io_put_back(io, index);
}

void spn__io_find_places(struct io *io, uint32_t index, uint32_t file)
{
    if (index != IO_NONE)
        find_sweep(io, index);
    for (uint32_t i = 0; file != IO_NONE && i < io->queue.count; i++)
        if (io->requests[io->queue.entries[i].subject].file == file)
            find_sweep(io, io->queue.entries[i].subject);
    spn__queue_rekey(&io->queue, key_of, io);
}
