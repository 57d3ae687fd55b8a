/* stage_block.c - reads into the heap that need their block. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_block.h"

#include "read/engine.h"
#include "read/stage/storage.h"

enum read_stage spn__block_enter(struct io *io, uint32_t index)
{
    io_push_done(io, index);
    return READ_AWAITS_BLOCK;
}

void spn__block_take(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint64_t bytes = io_wanted_bytes(request);
    spn_status status =
        io->memory.take(io->memory.user, bytes, request->heap_unit_bytes,
                        HEAP_TAG_USER, &request->target.block);

    /* The block would fit if the memory of paks were freed. */
    if (status != SPN_OK &&
        bytes + io->paks.held_bytes <= (uint64_t)io->heap->page_count
                                           << io->heap->page_shift)
        status = SPN_NO_MEMORY_NOW;
    request->block_status = status;
    word_queue_push_sure(&io->inbox, index);
    io_wake(io);
}

enum read_stage spn__block_step(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    spn_status status = request->block_status;

    if (io_is_unwanted(io, index))
        return read_drain(request, SPN_ERR_SHUTDOWN);
    if (status == SPN_OK)
        return READ_OPENING;
    spn__storage_return_budget(io, index);
    return status == SPN_NO_MEMORY_NOW ? READ_AWAITS_STORAGE
                                       : read_drain(request, status);
}
