/* stage_slot.c - reads for which no slot is free. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_slot.h"

#include "read/engine.h"

enum read_stage spn__slot_enter(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    spn__queue_push(&io->slot_waiters, request->ticket.priority,
                    request->arrival, index);
    return READ_AWAITS_SLOT;
}

bool spn__slot_step(struct io *io, uint32_t *index)
{
    if (!io->unpack.has_freed_slot)
        return false;
    io->unpack.has_freed_slot = spn__queue_pop(&io->slot_waiters, index);
    return io->unpack.has_freed_slot;
}
