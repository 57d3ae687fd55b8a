/* pak_copy.c - continue a read with another copy of its entry. */
/* SPDX-License-Identifier: MIT */
#include "read/pak_copy.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_report.h"

/* Whether another copy may be good after a failure with this status. */
static bool is_of_copy(spn_status status)
{
    return status == SPN_ERR_IO || status == SPN_ERR_CHECKSUM ||
           status == SPN_ERR_CODEC;
}

static uint64_t place_of(const struct io_pak_read *pak, uint32_t copy)
{
    return spn__pak_copy_offset(&pak->mount->index,
                                pak->range.content.first_copy + copy, NULL) +
           pak->range.stored_offset;
}

/* Offset of the copy after the one that was read. */
static uint64_t next_place(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;
    uint32_t count = pak->range.content.copy_count;
    uint32_t copy = 0;

    while (copy < count && place_of(pak, copy) != request->offset)
        copy++;
    SPN_ASSERT(copy < count);
    return place_of(pak, (copy + 1) % count);
}

/* Stored bytes before the first block that is bad or was not verified. Each
 * block must be read from one copy as a whole. */
static uint64_t good_bytes(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;
    const struct pak_range *range = &pak->range;
    uint32_t block =
        pak->bad_block != IO_NONE ? pak->bad_block : pak->next_block;
    uint64_t start = (uint64_t)block * PAK_BLOCK_BYTES;

    if (range->is_packed)
        return spn__pak_block(&pak->mount->index, &range->content, block)
                   .offset -
               range->stored_offset;
    return start > range->offset ? start - range->offset : 0;
}

bool spn__pak_try_copy(struct io *io, uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    uint64_t good;

    if (!is_of_copy(status) || io_is_unwanted(io, index))
        return false;
    /* A read without memory has not read any byte. */
    if (!read_has_memory(request))
        return false;
    SPN_ASSERT(request->stage == READ_DRAINING);
    SPN_ASSERT(pak->slots_out == 0 && pak->slot == IO_NONE);
    good = good_bytes(request);
    if (good > pak->failed_offset)
        pak->copies_tried = 0;
    if (pak->copies_tried + 1u >= pak->range.content.copy_count)
        return false;
    pak->copies_tried++;
    pak->failed_offset = good;
    request->done_bytes = good;
    request->offset = next_place(request);
    if (pak->bad_block != IO_NONE)
        pak->next_block = pak->bad_block;
    pak->bad_block = IO_NONE;
    pak->refusal = SPN_OK;
    pak->fault = (spn_fault){0};
    request->failures = 0;
    request->small_pieces_end = 0;
    request->is_alone = false;
    request->target.extent = 0;
    request->target.extent_start = 0;
    spn__io_note_pending(io, request, request->bytes - request->done_bytes);
    spn__io_note_copy(io);
    return true;
}
