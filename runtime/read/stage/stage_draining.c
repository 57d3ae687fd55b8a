/* stage_draining.c - reads whose last blocks are with the workers. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_draining.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/io_report.h"
#include "read/pak_copy.h"
#include "read/pak_read.h"
#include "read/unpack_reads.h"

/* -- slots come back -- */

static const char *what_is_wrong(spn_status status)
{
    return status == SPN_ERR_CHECKSUM ? "checksum of a block"
                                      : "compressed block";
}

/* Record a bad block. Of several the one with the lowest number counts. */
static void note_bad(struct io *io, const struct unpack_slot *slot, uint32_t k)
{
    struct io_request *request = &io->requests[slot->request];
    struct io_pak_read *pak = &request->pak;
    uint32_t number = slot->first_block + k;
    spn_status status = (spn_status)slot->results[k];
    struct pak_block block;

    if (number >= pak->bad_block)
        return;
    pak->bad_block = number;
    if (status == SPN_ERR_ABORTED)
        return;
    block = spn__pak_block(&pak->mount->index, &pak->range.content, number);
    pak->refusal = status;
    pak->fault = (spn_fault){.what = what_is_wrong(status),
                             .offset = request->offset -
                                       pak->range.stored_offset + block.offset,
                             .value = block.stored_bytes,
                             .status = status,
                             .file = pak->mount->path};
    if (status != SPN_ERR_CHECKSUM)
        return;
    pak->fault.value = spn__unpack_checksum(slot, number);
    pak->fault.expected = block.checksum;
    pak->fault.has_expected = 1;
}

static void note(struct io *io, const struct unpack_slot *slot)
{
    const struct io_request *request = &io->requests[slot->request];
    uint64_t add[UNPACK_COUNTERS] = {0};

    for (uint32_t k = 0; k < slot->block_count; k++) {
        struct pak_block block;

        if (slot->results[k] != SPN_OK) {
            note_bad(io, slot, k);
            continue;
        }
        block =
            spn__pak_block(&request->pak.mount->index,
                           &request->pak.range.content, slot->first_block + k);
        add[UNPACK_FROM] += block.stored_bytes;
        add[UNPACK_TO] += block.bytes;
    }
    if (io_is_packed(request))
        spn__io_note_unpack(io, request, add);
}

/* -- the stage -- */

/* Valid bytes at the front of the destination. */
static uint64_t good_bytes(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;
    uint64_t bytes = request->done_bytes;
    uint64_t limit = pak->bad_block;

    if (io_is_packed(request)) {
        bytes = pak->range.bytes;
        limit = min_u64(limit, pak->next_block);
    }
    if (limit == IO_NONE || limit >= pak->range.block_limit)
        return bytes;
    if (limit <= pak->range.first_block)
        return 0;
    limit = limit * PAK_BLOCK_BYTES - pak->range.offset;
    return limit < bytes ? limit : bytes;
}

/* End a read of a pak whose slots have all come back. */
static enum read_stage end(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    bool is_verified = true;

    if (request->status == SPN_OK && pak->refusal == SPN_OK)
        is_verified = spn__unpack_verify(io, index);
    if (pak->slots_out > 0)
        return READ_DRAINING;
    if (!is_verified)
        return READ_UNVERIFIED;
    if (request->status == SPN_OK)
        request->status = pak->refusal;
    pak->good_bytes = good_bytes(request);
    if (spn__pak_try_copy(io, index, request->status))
        return READ_OPENING;
    spn__pak_leave_memory(request);
    return READ_AWAITS_ASYNC;
}

enum read_stage spn__draining_enter(struct io *io, uint32_t index)
{
    return io_is_of_pak(io, index) ? end(io, index) : READ_AWAITS_ASYNC;
}

bool spn__draining_step(struct io *io, uint32_t *number, uint32_t *index,
                        enum read_stage *next)
{
    const struct unpack_slot *slot;
    struct io_request *request;

    if (!spn__word_queue_pop(&io->unpack.done, number))
        return false;
    slot = &io->unpack.slots[*number];
    *index = slot->request;
    request = &io->requests[*index];
    note(io, slot);
    SPN_ASSERT(request->pak.slots_out > 0);
    request->pak.slots_out--;
    if (slot->pins_pak)
        spn__pak_end_use(request->pak.mount);
    *next = request->stage;
    if (*next == READ_DRAINING && request->pak.slots_out == 0)
        *next = end(io, *index);
    return true;
}
