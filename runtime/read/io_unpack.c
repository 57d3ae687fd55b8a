/* io_unpack.c - reads of paks between their device and their end.
 *
 * A compressed read takes a slot before its piece goes out, so that what
 * arrives has a place; the slot goes to the workers as soon as the piece is
 * in, and the next piece takes another. In a run the first one's slot has the
 * place for all. A stored read needs one only for what has arrived. No read
 * ends before the slots that it has out are back: until then its end is put
 * off. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_unpack.h"

#include "base/assert.h"
#include "base/block_codec.h"
#include "read/engine.h"
#include "read/io_end.h"
#include "read/io_line.h"
#include "read/io_pak.h"
#include "read/io_report.h"
#include "read/run.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* -- slots -- */

static struct unpack_list *home_of(struct unpack *unpack, uint32_t slot)
{
    return slot < unpack->memory_count ? &unpack->free : &unpack->plain;
}

static uint32_t take_slot(struct unpack *unpack, struct unpack_list *list)
{
    uint32_t number = spn__unpack_list_take(unpack, list);
    struct unpack_slot *slot = &unpack->slots[number];

    slot->lender = IO_NONE;
    slot->users = 1;
    slot->used_bytes = 0;
    spn__unpack_note_used(unpack);
    return number;
}

static void leave_slot(struct unpack *unpack, uint32_t number)
{
    SPN_ASSERT(unpack->slots[number].users > 0);
    if (--unpack->slots[number].users == 0)
        spn__unpack_list_add(unpack, home_of(unpack, number), number);
}

/* Reads that lack one may try again: all of them, for who is first may want
 * it no more. */
static void free_slot(struct io *io, uint32_t slot)
{
    uint32_t lender = io->unpack.slots[slot].lender;
    uint32_t index;

    leave_slot(&io->unpack, slot);
    if (lender != IO_NONE)
        leave_slot(&io->unpack, lender);
    spn__unpack_note_used(&io->unpack);
    while (spn__queue_pop(&io->unpack.starved, &index))
        spn__io_stand(io, index);
}

static bool has_slot_for(const struct io *io, const struct io_request *request)
{
    uint32_t kept = request->ticket.priority == SPN_PRIORITY_URGENT
                        ? 0
                        : io->unpack.kept_count;

    if (request->medium == SPN_MEDIUM_MEMORY)
        return io->unpack.plain.count > 0;
    return io->unpack.free.count > kept;
}

spn_status spn__unpack_find_slot(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct unpack *unpack = &io->unpack;

    if (!io_has_blocks(request) || request->pak.slot != IO_NONE ||
        unpack->lender != IO_NONE)
        return SPN_OK;
    if (!has_slot_for(io, request))
        return SPN_EMPTY;
    request->pak.slot =
        take_slot(unpack, request->medium == SPN_MEDIUM_MEMORY ? &unpack->plain
                                                               : &unpack->free);
    return SPN_OK;
}

void spn__unpack_wait(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    bool has_room = spn__queue_push(
        &io->unpack.starved, request->ticket.priority, request->arrival, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

void spn__unpack_drop(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint32_t slot = request->pak.slot;

    if (slot == IO_NONE)
        return;
    request->pak.slot = IO_NONE;
    free_slot(io, slot);
}

static void submit(struct io *io, uint32_t number)
{
    struct unpack_slot *slot = &io->unpack.slots[number];
    uint32_t count = slot->block_count;
    uint32_t i = slot->submitted;

    for (; i < count; i++) {
        /* Before the last one goes: then the slot is the jobs'. */
        slot->submitted = i + 1;
        if (spn__jobs_submit(io->jobs, spn__unpack_run, slot, i))
            continue;
        slot->submitted = i;
        spn__unpack_list_add(&io->unpack, &io->unpack.unsubmitted, number);
        return;
    }
}

static void begin(struct io *io, uint32_t number, uint32_t index)
{
    struct unpack_slot *slot = &io->unpack.slots[number];
    const struct io_pak_read *pak = &io->requests[index].pak;

    /* The read may leave that memory while its blocks are still needed. */
    slot->uses_memory = slot->source && pak->is_in_memory;
    if (slot->uses_memory)
        spn__pak_use_memory(pak->mount);
    slot->request = index;
    slot->submitted = 0;
    atomic_store_relaxed(&slot->left, slot->block_count);
    io->requests[index].pak.slots_out++;
    submit(io, number);
}

/* -- compressed entries -- */

/* As many whole blocks as one piece may have: at least one. Returns their
 * bytes. */
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

    if (!io_has_blocks(request))
        return false;
    slot = &io->unpack.slots[request->pak.slot];
    if (slot->memory)
        mask = spn__files_info(&io->files, request->file)->align_bytes - 1u;
    piece->useful = count_blocks(request, slot, bytes_max);
    piece->is_staged = false;
    piece->at = request->target_start + request->done_bytes;
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

/* Memory of the lender's, placed as the bytes are in the file, so that the
 * device can bring them right there. */
static uint32_t next_place(const struct unpack_slot *lender,
                           const struct run_read *read, uint32_t align_bytes)
{
    uint32_t mask = align_bytes - 1;

    return ((lender->used_bytes + mask) & ~mask) +
           ((uint32_t)read->offset & mask);
}

bool spn__unpack_join(struct io *io, uint32_t index, uint32_t room,
                      uint32_t align_bytes, struct run_read *read)
{
    struct unpack *unpack = &io->unpack;
    struct io_request *request = &io->requests[index];
    bool lends = request->pak.slot != IO_NONE;
    struct unpack_slot *lender;
    struct unpack_slot *slot;
    uint32_t at;
    uint32_t limit;
    uint32_t bytes;

    if (!io_has_blocks(request))
        return true;
    if (lends) {
        unpack->lender = request->pak.slot;
    } else {
        if (unpack->plain.count == 0)
            return false;
        request->pak.slot = take_slot(unpack, &unpack->plain);
    }
    lender = &unpack->slots[unpack->lender];
    slot = &unpack->slots[request->pak.slot];
    if (!lends) {
        slot->lender = unpack->lender;
        lender->users++;
    }
    at = next_place(lender, read, align_bytes);
    /* Less what alignment adds at both ends. */
    limit = room - least(room, 2 * (align_bytes - 1));
    limit = least(limit, unpack->slot_bytes - least(at, unpack->slot_bytes));
    bytes = count_blocks(request, slot, limit);
    if (bytes > limit)
        return false;
    read->bytes = bytes;
    read->at = 0;
    read->target = (struct piece_target){.buffer = lender->memory + at};
    slot->source = read->target.buffer;
    lender->used_bytes = at + bytes;
    return true;
}

bool spn__unpack_is_least(const struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    return io_has_blocks(request) &&
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

    if (!io_has_blocks(request))
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
    begin(io, number, index);
    return true;
}

/* -- stored entries -- */

static bool is_whole(const struct io_pak_read *pak, uint32_t block)
{
    uint64_t left =
        pak->range.content.bytes - (uint64_t)block * PAK_BLOCK_BYTES;
    uint32_t bytes = left < PAK_BLOCK_BYTES ? (uint32_t)left : PAK_BLOCK_BYTES;

    return spn__pak_part(&pak->range, block, bytes).is_whole;
}

/* Blocks before it have arrived. */
static uint32_t arrived_limit(const struct io_request *request)
{
    const struct pak_range *range = &request->pak.range;

    if (request->done_bytes == request->bytes)
        return range->block_limit;
    return (uint32_t)((range->offset + request->done_bytes) / PAK_BLOCK_BYTES);
}

/* The next blocks to verify: none of a part, for there is nothing to compare
 * it with. */
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

/* False when there are more that lack a slot. */
static bool verify(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    uint32_t limit = arrived_limit(request);
    uint32_t count;

    while ((count = find_whole(pak, limit)) > 0) {
        struct unpack_slot *slot;
        uint32_t number;

        if (io->unpack.plain.count == 0)
            return false;
        number = take_slot(&io->unpack, &io->unpack.plain);
        slot = &io->unpack.slots[number];
        slot->source = NULL;
        slot->first_block = pak->next_block;
        slot->block_count = count;
        pak->next_block += count;
        begin(io, number, index);
    }
    return true;
}

void spn__unpack_verify(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    if (!io_has_blocks(request))
        (void)verify(io, index);
}

/* -- slots come back -- */

static const char *what_is_wrong(spn_status status)
{
    return status == SPN_ERR_CHECKSUM ? "checksum of a block"
                                      : "compressed block";
}

/* The read ends with its first block that is bad, as far as it is known. */
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
    if (io_has_blocks(request))
        spn__io_note_unpack(io, request, add);
}

static void take_back(struct io *io, uint32_t number)
{
    const struct unpack_slot *slot = &io->unpack.slots[number];
    uint32_t index = slot->request;
    struct io_pak_read *pak = &io->requests[index].pak;

    note(io, slot);
    SPN_ASSERT(pak->slots_out > 0);
    pak->slots_out--;
    if (slot->uses_memory)
        spn__pak_end_use(pak->mount);
    if (pak->is_ending && pak->slots_out == 0)
        spn__io_end(io, index, pak->end_status);
    free_slot(io, number);
}

/* Those that wait to be verified try to end again. */
static bool end_unverified(struct io *io)
{
    uint32_t count = io->unverified.count;

    if (count == 0 || io->unpack.plain.count == 0)
        return false;
    for (; count > 0; count--) {
        uint32_t index = io->unverified.first;

        io->unverified.first = io->requests[index].next;
        io->unverified.count--;
        spn__io_end(io, index, io->requests[index].pak.end_status);
    }
    return true;
}

bool spn__unpack_collect(struct io *io)
{
    uint32_t count = io->unpack.unsubmitted.count;
    bool worked = false;
    uint32_t number;

    while (spn__ring_pop(&io->unpack.done, &number)) {
        take_back(io, number);
        worked = true;
    }
    worked = end_unverified(io) || worked;
    for (; count > 0; count--) {
        number = spn__unpack_list_take(&io->unpack, &io->unpack.unsubmitted);
        submit(io, number);
    }
    return worked;
}

bool spn__unpack_waits_for_jobs(const struct io *io)
{
    return io->unpack.unsubmitted.count > 0;
}

bool spn__unpack_is_idle(const struct io *io)
{
    return io->unpack.free.count + io->unpack.plain.count ==
           io->unpack.slot_count;
}

/* -- the end -- */

/* Bytes that are good from the front on. */
static uint64_t good_bytes(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;
    uint64_t bytes = request->done_bytes;
    uint64_t limit = pak->bad_block;

    if (io_has_blocks(request)) {
        bytes = pak->range.bytes;
        if (limit > pak->next_block)
            limit = pak->next_block;
    }
    if (limit == IO_NONE || limit >= pak->range.block_limit)
        return bytes;
    if (limit <= pak->range.first_block)
        return 0;
    limit = limit * PAK_BLOCK_BYTES - pak->range.offset;
    return limit < bytes ? limit : bytes;
}

bool spn__unpack_puts_off(struct io *io, uint32_t index, spn_status *status)
{
    struct io_request *request = &io->requests[index];
    struct io_pak_read *pak = &request->pak;
    bool is_verified = true;

    spn__unpack_drop(io, index);
    if (*status == SPN_OK && pak->refusal == SPN_OK && !io_has_blocks(request))
        is_verified = verify(io, index);
    if (pak->slots_out == 0 && is_verified) {
        if (*status == SPN_OK)
            *status = pak->refusal;
        pak->good_bytes = good_bytes(request);
        return false;
    }
    pak->is_ending = true;
    pak->end_status = *status;
    if (pak->slots_out == 0)
        spn__io_list_add(io, &io->unverified, index);
    return true;
}
