/* unpacking.c - slots, and the job of a block.
 *
 * A block is decoded directly to its destination if all its bytes are needed
 * and the destination is contiguous. Otherwise it is decoded into the worker's
 * scratch, and the needed bytes are copied. Two jobs never write the same byte,
 * because the blocks of a read do not overlap in its destination.
 */
/* SPDX-License-Identifier: MIT */
#include "read/unpacking.h"

#include "base/assert.h"
#include "base/block_codec.h"
#include "base/checksum.h"
#include "base/jobs.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/wire.h"
#include "read/engine.h"
#include "read/io_listen.h"

SPN_STATIC_ASSERT(PAK_BLOCK_BYTES == BLOCK_RAW_BYTES_MAX, a_block_is_a_block);

/* -- slots -- */

void spn__unpack_list_add(struct unpack *unpack, struct unpack_list *list,
                          uint32_t slot)
{
    unpack->slots[slot].next = IO_NONE;
    if (list->count++ == 0)
        list->first = slot;
    else
        unpack->slots[list->last].next = slot;
    list->last = slot;
}

uint32_t spn__unpack_list_take(const struct unpack *unpack,
                               struct unpack_list *list)
{
    uint32_t slot = list->first;

    SPN_ASSERT(list->count > 0);
    list->first = unpack->slots[slot].next;
    list->count--;
    return slot;
}

void spn__unpack_update_used(struct unpack *unpack)
{
    uint32_t used = unpack->memory_count - unpack->free.count;

    atomic_store_relaxed(&unpack->used_count, used);
    /* A reset of the peak at the same time may miss this value. */
    if (used > atomic_load_relaxed(&unpack->used_peak))
        atomic_store_relaxed(&unpack->used_peak, used);
}

uint64_t spn__unpack_bytes(const struct unpack *unpack)
{
    return (uint64_t)atomic_load_relaxed(&unpack->used_count) *
           unpack->slot_bytes;
}

uint64_t spn__unpack_bytes_peak(const struct unpack *unpack)
{
    return (uint64_t)atomic_load_relaxed(&unpack->used_peak) *
           unpack->slot_bytes;
}

void spn__unpack_reset_peak(struct unpack *unpack)
{
    atomic_store_relaxed(&unpack->used_peak,
                         atomic_load_relaxed(&unpack->used_count));
}

/* Bytes of a slot: one and a half times the larger of a piece and a block, and
 * the bytes that alignment adds at both ends. */
static uint32_t slot_bytes_of(const struct unpack_config *config)
{
    uint32_t bytes = max_u32(config->piece_bytes, PAK_BLOCK_BYTES);

    return bytes + bytes / 2 + 2 * PIECE_ALIGN_MAX;
}

static uint32_t memory_count_of(const struct unpack_config *config,
                                uint32_t slot_bytes)
{
    uint64_t count =
        config->bytes / slot_bytes + (config->bytes % slot_bytes != 0);

    return (uint32_t)max_u64(2, min_u64(count, UINT16_MAX));
}

static void carve_slots(struct unpack *unpack, struct carve *carve)
{
    unpack->slots = SPN_CARVE(carve, struct unpack_slot, unpack->slot_count);
    for (uint32_t i = 0; i < unpack->memory_count; i++) {
        uint8_t *memory =
            spn__carve_raw(carve, 1, unpack->slot_bytes, PIECE_ALIGN_MAX);

        if (unpack->slots)
            unpack->slots[i].memory = memory;
    }
    for (uint32_t i = 0; unpack->slots && i < unpack->slot_count; i++)
        spn__unpack_list_add(
            unpack,
            i < unpack->memory_count ? &unpack->free : &unpack->borrowers, i);
}

void spn__unpack_init(struct unpack *unpack, struct carve *carve,
                      const struct unpack_config *config)
{
    memset(unpack, 0, sizeof *unpack);
    unpack->lender = IO_NONE;
    unpack->slot_bytes = slot_bytes_of(config);
    unpack->memory_count = memory_count_of(config, unpack->slot_bytes);
    unpack->slot_count = unpack->memory_count + UNPACK_BORROWER_COUNT;
    unpack->reserved_count =
        unpack->memory_count / 4 ? unpack->memory_count / 4 : 1;
    unpack->codec_count = config->codec_count;
    unpack->workspace_at = config->workspace_at;
    unpack->codecs = SPN_CARVE(carve, const spn_codec *, config->codec_count);
    for (uint32_t i = 0; unpack->codecs && i < config->codec_count; i++)
        unpack->codecs[i] = config->codecs[i];
    spn__word_queue_init(&unpack->done, carve, unpack->slot_count);
    carve_slots(unpack, carve);
}

uint32_t spn__unpack_borrowed(const struct unpack *unpack, uint32_t slot)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < unpack->slot_count; i++)
        count += unpack->slots[i].users > 0 && unpack->slots[i].lender == slot;
    return count;
}

/* Whether a list ends after `count` slots, all of which are free or used as
 * they have to be. */
static bool is_list_good(const struct unpack *unpack,
                         const struct unpack_list *list, bool is_free)
{
    uint32_t slot = list->first;
    uint32_t last = IO_NONE;

    for (uint32_t i = 0; i < list->count; i++) {
        if (slot >= unpack->slot_count ||
            (unpack->slots[slot].users == 0) != is_free)
            return false;
        last = slot;
        slot = unpack->slots[slot].next;
    }
    return list->count == 0 || (slot == IO_NONE && last == list->last);
}

bool spn__unpack_check(const struct unpack *unpack)
{
    uint32_t used = unpack->memory_count - unpack->free.count;
    uint32_t free_count = 0;

    for (uint32_t i = 0; i < unpack->slot_count; i++) {
        uint32_t users = unpack->slots[i].users;
        uint32_t borrowed = spn__unpack_borrowed(unpack, i);

        if (users < borrowed || users > borrowed + 1 ||
            unpack->slots[i].used_bytes > unpack->slot_bytes ||
            (unpack->slots[i].memory != NULL) != (i < unpack->memory_count))
            return false;
        free_count += users == 0;
    }
    return free_count == unpack->free.count + unpack->borrowers.count &&
           is_list_good(unpack, &unpack->free, true) &&
           is_list_good(unpack, &unpack->borrowers, true) &&
           is_list_good(unpack, &unpack->unsubmitted, false) &&
           atomic_load_relaxed(&unpack->used_count) == used &&
           atomic_load_relaxed(&unpack->used_peak) >= used;
}

bool spn__unpack_is_idle(const struct unpack *unpack)
{
    return unpack->free.count + unpack->borrowers.count == unpack->slot_count;
}

void spn__unpack_set_io(struct unpack *unpack, struct io *io)
{
    for (uint32_t i = 0; i < unpack->slot_count; i++)
        unpack->slots[i].io = io;
}

const spn_codec *spn__unpack_codec(const struct unpack *unpack, uint32_t codec)
{
    return spn__block_codec_find(codec, unpack->codecs, unpack->codec_count);
}

/* -- jobs -- */

/* A block of a slot. */
struct place {
    const struct io_request *request;
    struct pak_block block;
    struct pak_part part;
    const uint8_t *source; /* NULL: the bytes are at the destination */
    struct piece_target target;
    uint64_t at; /* in the target, of the part */
};

static struct place place_of(const struct unpack_slot *slot, uint32_t number)
{
    struct place p = {.request = &slot->io->requests[slot->request]};
    const struct io_pak_read *pak = &p.request->pak;
    const struct pak_content *content = &pak->range.content;

    p.block = spn__pak_block(&pak->mount->index, content, number);
    p.part = spn__pak_part(&pak->range, number, p.block.bytes);
    if (slot->source)
        p.source = slot->source +
                   (p.block.offset - spn__pak_block(&pak->mount->index, content,
                                                    slot->first_block)
                                         .offset);
    /* A copy, because the io thread changes the cursor of the request's. */
    p.target.buffer = p.request->target.buffer;
    p.target.extents = p.request->target.extents;
    p.target.heap = p.request->target.heap;
    p.target.block = p.request->target.block;
    p.at = p.request->target_start + p.part.at;
    return p;
}

static void bring_home(struct place *p, const uint8_t *raw)
{
    const uint8_t *from = raw + p->part.skip;
    uint32_t left = p->part.bytes;

    while (left > 0) {
        uint32_t run;
        uint8_t *to = spn__piece_address(&p->target, p->at, &run);
        uint32_t bytes = run < left ? run : left;

        memcpy(to, from, bytes);
        p->at += bytes;
        from += bytes;
        left -= bytes;
    }
}

static uint32_t checksum_of(struct place *p)
{
    uint32_t left = p->block.stored_bytes;
    struct checksum sum;

    if (p->source)
        return spn__checksum(p->source, left, WIRE_SEED);
    spn__checksum_begin(&sum, WIRE_SEED);
    for (uint64_t at = p->at; left > 0;) {
        uint32_t run;
        const uint8_t *data = spn__piece_address(&p->target, at, &run);
        uint32_t bytes = run < left ? run : left;

        spn__checksum_add(&sum, data, bytes);
        at += bytes;
        left -= bytes;
    }
    return spn__checksum_end(&sum);
}

uint32_t spn__unpack_checksum(const struct unpack_slot *slot, uint32_t block)
{
    struct place p = place_of(slot, block);

    return checksum_of(&p);
}

static spn_status decode(const struct unpack *unpack, struct place *p,
                         struct job_worker *worker)
{
    const spn_codec *codec =
        spn__unpack_codec(unpack, p->request->pak.range.content.codec);
    struct piece_target ahead = p->target;
    uint8_t *home;
    uint32_t run;
    spn_status status;

    /* A block that compression does not make smaller is stored as it is. */
    if (p->block.stored_bytes == p->block.bytes) {
        bring_home(p, p->source);
        return SPN_OK;
    }
    SPN_ASSERT(codec && worker->scratch_bytes >= unpack->workspace_at);
    home = spn__piece_address(&ahead, p->at, &run);
    if (!p->part.is_whole || run < p->part.bytes)
        home = worker->scratch;
    status =
        codec->decode(p->source, p->block.stored_bytes, home, p->block.bytes,
                      worker->scratch + unpack->workspace_at +
                          spn__block_codec_workspace_at(
                              unpack->codecs, unpack->codec_count, codec));
    if (status != SPN_OK)
        return SPN_ERR_CODEC;
    if (home == worker->scratch)
        bring_home(p, home);
    return SPN_OK;
}

static spn_status unpack_block(const struct unpack_slot *slot, uint32_t number,
                               struct job_worker *worker)
{
    struct place p;

    /* The read was aborted: its bytes are not needed. */
    if (io_is_aborted(slot->io, slot->request))
        return SPN_ERR_ABORTED;
    p = place_of(slot, number);
    if (checksum_of(&p) != p.block.checksum)
        return SPN_ERR_CHECKSUM;
    return p.source ? decode(&slot->io->unpack, &p, worker) : SPN_OK;
}

/* Unpack a block, with events for the listener. The events contain only fields
 * that no other thread writes at this time. */
static spn_status unpack_and_notify(const struct unpack_slot *slot,
                                    uint32_t number, struct job_worker *worker)
{
    const struct io *io = slot->io;
    const struct io_request *request = &io->requests[slot->request];
    const struct io_pak_read *pak = &request->pak;
    struct pak_block block;
    spn_event event;

    if (!listen_is_there(&io->listen) || !slot->source)
        return unpack_block(slot, number, worker);
    block = spn__pak_block(&pak->mount->index, &pak->range.content, number);
    memset(&event, 0, sizeof event);
    event.read = io_handle(io, slot->request);
    event.task = request->task;
    event.task_class = request->task_class;
    event.medium = SPN_MEDIUM_COUNT;
    event.offset = block.offset - pak->range.stored_offset;
    event.bytes = block.stored_bytes;
    event.start_us = request->start_us;
    event.deadline_us = request->deadline_us;
    event.user = io_event_user(request);
    spn__listen_notify(&io->listen, SPN_EVENT_DECOMPRESS_BEGIN, &event);
    event.status = unpack_block(slot, number, worker);
    spn__listen_notify(&io->listen, SPN_EVENT_DECOMPRESS_END, &event);
    return event.status;
}

void spn__unpack_job(void *context, uint32_t k, struct job_worker *worker)
{
    struct unpack_slot *slot = context;
    struct io *io = slot->io;

    slot->results[k] =
        (int8_t)unpack_and_notify(slot, slot->first_block + k, worker);
    /* The subtraction is acq_rel: the last job sees the results of all others.
     */
    if (atomic_add_acq_rel(&slot->left, UINT32_MAX) != 1)
        return;
    word_queue_push_sure(&io->unpack.done, (uint32_t)(slot - io->unpack.slots));
    io_wake(io);
}
