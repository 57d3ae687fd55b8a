/* unpack_reads.c - slots of the reads of paks. */
/* SPDX-License-Identifier: MIT */
#include "read/unpack_reads.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/pak_read.h"
#include "read/run.h"

/* -- slots -- */

static struct unpack_list *home_of(struct unpack *unpack, uint32_t slot)
{
    return slot < unpack->memory_count ? &unpack->free : &unpack->borrowers;
}

uint32_t spn__unpack_take_slot(struct unpack *unpack, struct unpack_list *list)
{
    uint32_t number = spn__unpack_list_take(unpack, list);
    struct unpack_slot *slot = &unpack->slots[number];

    slot->lender = IO_NONE;
    slot->users = 1;
    slot->used_bytes = 0;
    slot->pins_pak = false;
    spn__unpack_update_used(unpack);
    return number;
}

static void leave_slot(struct unpack *unpack, uint32_t number)
{
    SPN_ASSERT(unpack->slots[number].users > 0);
    if (--unpack->slots[number].users == 0)
        spn__unpack_list_add(unpack, home_of(unpack, number), number);
}

void spn__unpack_free_slot(struct io *io, uint32_t slot)
{
    uint32_t lender = io->unpack.slots[slot].lender;

    leave_slot(&io->unpack, slot);
    if (lender != IO_NONE)
        leave_slot(&io->unpack, lender);
    spn__unpack_update_used(&io->unpack);
    io->unpack.has_freed_slot = true;
}

static bool has_slot_for(const struct io *io, const struct io_request *request)
{
    uint32_t kept = request->ticket.priority == SPN_PRIORITY_URGENT
                        ? 0
                        : io->unpack.reserved_count;

    if (request->medium == SPN_MEDIUM_MEMORY)
        return io->unpack.borrowers.count > 0;
    return io->unpack.free.count > kept;
}

enum read_stage spn__unpack_find_slot(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct unpack *unpack = &io->unpack;

    if (!io_is_packed(request) || request->pak.slot != IO_NONE ||
        unpack->lender != IO_NONE)
        return READ_AT_DEVICE;
    if (!has_slot_for(io, request))
        return READ_AWAITS_SLOT;
    request->pak.slot = spn__unpack_take_slot(
        unpack, request->medium == SPN_MEDIUM_MEMORY ? &unpack->borrowers
                                                     : &unpack->free);
    return READ_AT_DEVICE;
}

void spn__unpack_drop(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint32_t slot = request->pak.slot;

    if (slot == IO_NONE)
        return;
    request->pak.slot = IO_NONE;
    spn__unpack_free_slot(io, slot);
}

/* -- jobs -- */

static void submit(struct io *io, uint32_t number)
{
    struct unpack_slot *slot = &io->unpack.slots[number];
    uint32_t count = slot->block_count;
    uint32_t i = slot->submitted;

    for (; i < count; i++) {
        /* Must be done before the last job is submitted. From then on the jobs
         * own the slot. */
        slot->submitted = i + 1;
        if (spn__jobs_submit(io->jobs, spn__unpack_job, slot, i))
            continue;
        slot->submitted = i;
        spn__unpack_list_add(&io->unpack, &io->unpack.unsubmitted, number);
        return;
    }
}

void spn__unpack_begin(struct io *io, uint32_t number, uint32_t index)
{
    struct unpack_slot *slot = &io->unpack.slots[number];
    const struct io_pak_read *pak = &io->requests[index].pak;

    /* The slot counts as a user, because the read may switch to the disc while
     * its blocks are still in use. */
    slot->pins_pak = slot->source && pak->is_in_memory;
    if (slot->pins_pak)
        spn__pak_use_memory(pak->mount);
    slot->request = index;
    slot->submitted = 0;
    atomic_store_relaxed(&slot->left, slot->block_count);
    io->requests[index].pak.slots_out++;
    submit(io, number);
}

void spn__unpack_resubmit(struct io *io, uint32_t count)
{
    for (; count > 0; count--)
        submit(io, spn__unpack_list_take(&io->unpack, &io->unpack.unsubmitted));
}

/* -- compressed entries -- */

/* Choose as many whole blocks as fit one piece, at least one. Returns the
 * number of their bytes. */
static uint32_t count_blocks(const struct io_request *request,
                             struct unpack_slot *slot, uint32_t limit)
{
    const struct io_pak_read *pak = &request->pak;
    uint32_t bytes = 0;

    slot->first_block = pak->next_block;
    slot->block_count = 0;
    while (slot->block_count < UNPACK_BLOCKS_MAX &&
           slot->first_block + slot->block_count < pak->range.block_limit) {
        uint32_t stored_bytes =
            spn__pak_block(&pak->mount->index, &pak->range.content,
                           slot->first_block + slot->block_count)
                .stored_bytes;

        if (slot->block_count > 0 && bytes + stored_bytes > limit)
            break;
        bytes += stored_bytes;
        slot->block_count++;
    }
    return bytes;
}

bool spn__unpack_plan(struct io *io, struct piece *piece, uint32_t index,
                      uint32_t bytes_max)
{
    const struct io_request *request = &io->requests[index];
    struct unpack_slot *slot;
    uint64_t offset = request->offset + request->done_bytes;
    uint32_t mask = 0;

    if (!io_is_packed(request))
        return false;
    slot = &io->unpack.slots[request->pak.slot];
    if (slot->memory)
        mask = spn__files_info(&io->files, request->file)->align_bytes - 1u;
    piece->useful = count_blocks(request, slot, bytes_max);
    piece->is_staged = false;
    piece->target_offset = request->target_start + request->done_bytes;
    piece->skip = (uint32_t)offset & mask;
    piece->offset = offset - piece->skip;
    piece->bytes = (piece->skip + piece->useful + mask) & ~mask;
    piece->extent_count = 0;
    if (!slot->memory) {
        slot->source = io_memory_at(io, request, offset);
        return true;
    }
    SPN_ASSERT(piece->bytes <= io->unpack.slot_bytes);
    slot->source = slot->memory + piece->skip;
    piece->extents[0].data = slot->memory;
    piece->extents[0].bytes = piece->bytes;
    piece->extent_count = 1;
    return true;
}

/* Allocate memory of the lender's slot. It has the same offset modulo the
 * alignment as the bytes in the file, so that the device can write it directly.
 */
static uint32_t next_place(const struct unpack_slot *lender,
                           const struct run_candidate *read,
                           uint32_t align_bytes)
{
    uint32_t mask = align_bytes - 1;

    return ((lender->used_bytes + mask) & ~mask) +
           ((uint32_t)read->offset & mask);
}

bool spn__unpack_join(struct io *io, uint32_t index, uint32_t room,
                      uint32_t align_bytes, struct run_candidate *read)
{
    struct unpack *unpack = &io->unpack;
    struct io_request *request = &io->requests[index];
    bool lends = request->pak.slot != IO_NONE;
    struct unpack_slot *lender;
    struct unpack_slot *slot;
    uint32_t at;
    uint32_t limit;
    uint32_t bytes;

    if (!io_is_packed(request))
        return true;
    if (lends) {
        unpack->lender = request->pak.slot;
    } else {
        if (unpack->borrowers.count == 0)
            return false;
        request->pak.slot = spn__unpack_take_slot(unpack, &unpack->borrowers);
    }
    lender = &unpack->slots[unpack->lender];
    slot = &unpack->slots[request->pak.slot];
    if (!lends) {
        slot->lender = unpack->lender;
        lender->users++;
    }
    at = next_place(lender, read, align_bytes);
    /* Subtract the bytes that alignment adds at both ends. */
    limit = room - min_u32(room, 2 * (align_bytes - 1));
    limit =
        min_u32(limit, unpack->slot_bytes - min_u32(at, unpack->slot_bytes));
    bytes = count_blocks(request, slot, limit);
    if (bytes > limit)
        return false;
    read->bytes = bytes;
    read->target_offset = 0;
    read->target = (struct piece_target){.buffer = lender->memory + at};
    slot->source = read->target.buffer;
    lender->used_bytes = at + bytes;
    return true;
}

bool spn__unpack_is_least(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    return io_is_packed(request) &&
           io->unpack.slots[request->pak.slot].block_count == 1;
}

bool spn__unpack_take(struct io *io, uint32_t index, uint32_t *arrived)
{
    const struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &io->requests[index].pak;
    uint32_t number = pak->slot;
    struct unpack_slot *slot;
    uint32_t bytes = 0;
    uint32_t count = 0;

    if (!io_is_packed(request))
        return false;
    slot = &io->unpack.slots[number];
    while (count < slot->block_count) {
        uint32_t stored_bytes =
            spn__pak_block(&pak->mount->index, &pak->range.content,
                           slot->first_block + count)
                .stored_bytes;

        if (stored_bytes > *arrived - bytes)
            break;
        bytes += stored_bytes;
        count++;
    }
    *arrived = bytes;
    if (count == 0)
        return true;
    slot->block_count = count;
    pak->next_block += count;
    pak->slot = IO_NONE;
    spn__unpack_begin(io, number, index);
    return true;
}

/* -- plain entries -- */

static bool is_whole(const struct io_pak_read *pak, uint32_t block)
{
    uint64_t left =
        pak->range.content.bytes - (uint64_t)block * PAK_BLOCK_BYTES;
    uint32_t bytes = left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES;

    return spn__pak_part(&pak->range, block, bytes).is_whole;
}

/* Number of the first block that has not arrived as a whole. */
static uint32_t arrived_limit(const struct io_request *request)
{
    const struct pak_range *range = &request->pak.range;

    if (request->done_bytes == request->bytes)
        return range->block_limit;
    return (uint32_t)((range->offset + request->done_bytes) / PAK_BLOCK_BYTES);
}

/* Find the next blocks to verify. Blocks that the read covers in part are
 * skipped, because a checksum is of a whole block. */
static uint32_t find_whole(struct io_pak_read *pak, uint32_t limit)
{
    uint32_t count = 0;

    while (pak->next_block < limit && !is_whole(pak, pak->next_block))
        pak->next_block++;
    while (pak->next_block + count < limit && count < UNPACK_BLOCKS_MAX &&
           is_whole(pak, pak->next_block + count))
        count++;
    return count;
}

bool spn__unpack_verify(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    uint32_t limit = arrived_limit(request);
    uint32_t count;

    if (io_is_packed(request))
        return true;
    while ((count = find_whole(pak, limit)) > 0) {
        struct unpack_slot *slot;
        uint32_t number;

        if (io->unpack.borrowers.count == 0)
            return false;
        number = spn__unpack_take_slot(&io->unpack, &io->unpack.borrowers);
        slot = &io->unpack.slots[number];
        slot->source = NULL;
        slot->first_block = pak->next_block;
        slot->block_count = count;
        pak->next_block += count;
        spn__unpack_begin(io, number, index);
    }
    return true;
}
