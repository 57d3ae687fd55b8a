/* encode_group.c - all frames of a clip, one group after the other.
 *
 * Frames are numbered as they are shown, and lie in the file in that order.
 * A group's frames stand in slots: slot 0 is the index frame that leads it
 * (frame 0, or the last of the group before), the last slot its own. The lead
 * is encoded together with the group that follows it, because which of its
 * tiles are needed depends on both.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encoder.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "compile/refusals.h"
#include "compile/tables.h"
#include "geom/cache_wire.h"

#include <math.h>
#include <string.h>

struct group_loop {
    struct encoder *e;
    uint32_t first; /* number of slot 0 */
    uint32_t count; /* slots after slot 0; 0 for a clip of one frame */
    struct frame_values *slots;
    /* tiles that are visible somewhere in the group or its lead, and the
     * same of the group before */
    bool *is_needed;
    bool *was_needed;
    struct stream_result *results; /* slot by slot, block by block */
    /* frames on their way into slots */
    struct arena *arenas; /* a ring: frame n is in n % arena_count */
    uint32_t arena_count;
    struct clip_frame *frames;
    bool *is_produced;
    uint32_t produced; /* frames so far */
};

static bool has_b_frames(const struct encoder *e)
{
    return !e->job->options->no_b_frames;
}

/* ---- values of a frame
 * ------------------------------------------------------- */

static void gather_nodes(const struct encoder *e, const struct cache_block *b,
                         const struct clip_frame *frame, uint8_t *out)
{
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t node = e->layout.animated_nodes[b->first + i];

        out += tables_store_transform(out, &frame->nodes[node].transform);
    }
    for (uint32_t i = 0; i < b->count; i++)
        out[i] =
            frame->nodes[e->layout.animated_nodes[b->first + i]].is_visible;
}

static void gather_channel(const struct encoder *e, const struct cache_block *b,
                           const struct clip_frame *frame, uint8_t *out)
{
    const struct cache_tile *tile = &e->layout.tiles[b->tile];
    uint32_t vertex_bytes = channel_vertex_bytes((enum channel)b->channel);

    for (uint32_t k = 0; k < tile->part_count; k++) {
        const struct cache_part *part = &e->layout.parts[tile->first_part + k];
        const uint8_t *values = frame->meshes[part->mesh].channel[b->channel];
        uint8_t *target = out + (size_t)part->tile_vertex * vertex_bytes;
        size_t bytes = (size_t)part->vertex_count * vertex_bytes;

        /* A hidden mesh may come without values. */
        if (values)
            memcpy(target, values + (size_t)part->first_vertex * vertex_bytes,
                   bytes);
        else
            memset(target, 0, bytes);
    }
}

static void gather_frame(const struct encoder *e,
                         const struct clip_frame *frame,
                         struct frame_values *out)
{
    const struct layout *l = &e->layout;

    out->number = frame->number;
    memcpy(out->box_min, frame->box_min, sizeof out->box_min);
    memcpy(out->box_max, frame->box_max, sizeof out->box_max);
    for (uint32_t t = 0; t < l->tile_count; t++)
        out->is_visible[t] = false;
    for (uint32_t p = 0; p < l->part_count; p++)
        if (frame->meshes[l->parts[p].mesh].is_visible)
            out->is_visible[l->parts[p].tile] = true;
    for (uint32_t i = 0; i < l->block_count; i++) {
        if (l->blocks[i].kind == CACHE_BLOCK_NODES)
            gather_nodes(e, &l->blocks[i], frame, out->bytes + e->block_at[i]);
        else
            gather_channel(e, &l->blocks[i], frame,
                           out->bytes + e->block_at[i]);
    }
}

static void produce_turn(void *user, uint32_t index, uint32_t worker)
{
    struct group_loop *g = user;
    const struct clip_source *source = g->e->job->source;
    uint32_t number = g->produced + index;
    uint32_t at = number % g->arena_count;

    (void)worker;
    arena_reset(&g->arenas[at]);
    memset(&g->frames[at], 0, sizeof g->frames[at]);
    g->frames[at].number = number;
    g->is_produced[at] =
        source->produce(source->user, number, &g->arenas[at], &g->frames[at]);
}

/* Fill slots with the next frames, up to number `limit`; the one before the
 * first is still in its arena, for the signs to follow. */
static bool produce(struct group_loop *g, uint32_t limit)
{
    const struct clip_source *source = g->e->job->source;

    while (g->produced < limit) {
        uint32_t count = limit - g->produced;

        if (count > g->arena_count - 1)
            count = g->arena_count - 1;
        workers_run(g->e->workers, count, produce_turn, g);
        for (uint32_t i = 0; i < count; i++, g->produced++) {
            uint32_t n = g->produced;
            struct clip_frame *frame = &g->frames[n % g->arena_count];

            if (!g->is_produced[n % g->arena_count])
                return diag_has_failed(g->e->diag)
                           ? false
                           : cache_writer_internal(g->e->diag,
                                                   g->e->clip->file_name,
                                                   "frame %u is missing", n);
            source->follow(source->user,
                           n > 0 ? &g->frames[(n - 1) % g->arena_count] : NULL,
                           frame);
            gather_frame(g->e, frame, &g->slots[n - g->first]);
        }
    }
    return true;
}

/* ---- blocks of a frame
 * --------------------------------------------------------- */

static bool is_index(const struct group_loop *g, uint32_t slot)
{
    return slot == 0 || slot == g->count || !has_b_frames(g->e);
}

/* Slots of F, C, P, Q; slot 0 stands in for what lies before it. */
static void reference_slots(const struct group_loop *g, uint32_t slot,
                            uint32_t reference[CACHE_REFERENCES_MAX])
{
    reference[0] = 0;
    reference[1] = g->count;
    reference[2] = slot - 1;
    reference[3] = slot >= 2 ? slot - 2 : 0;
}

static const void *value_at(const struct group_loop *g, uint32_t slot,
                            uint32_t block)
{
    return g->slots[slot].bytes + g->e->block_at[block];
}

static bool encode_block(struct group_loop *g, struct encoder_thread *thread,
                         uint32_t slot, uint32_t block,
                         struct stream_result *result)
{
    struct encoder *e = g->e;
    const struct cache_block *b = &e->layout.blocks[block];
    const void *values = value_at(g, slot, block);
    struct predict_stream stream = {.count = b->count};

    memset(result, 0, sizeof *result);
    if (b->kind == CACHE_BLOCK_NODES) {
        struct spn_fault fault = {0};

        if (spn__cache_file_nodes(b, values, &fault) != SPN_OK)
            return cache_writer_internal(
                e->diag, e->clip->file_name, "frame %u, node %u: bad %s",
                g->slots[slot].number, (unsigned)fault.value, fault.what);
        return encoder_bytes(e, thread, values, b->raw_bytes, result);
    }
    if (!g->is_needed[b->tile] && !(slot == 0 && g->was_needed[b->tile])) {
        result->is_absent = true;
        return true;
    }
    stream.channel = (enum channel)b->channel;
    stream.entries = e->entries[b->tile];
    if (!is_index(g, slot)) {
        uint32_t reference[CACHE_REFERENCES_MAX];

        reference_slots(g, slot, reference);
        stream.floor_index = value_at(g, reference[0], block);
        stream.ceil_index = value_at(g, reference[1], block);
        stream.previous = value_at(g, reference[2], block);
        stream.previous_two = value_at(g, reference[3], block);
    }
    return encoder_stream(e, thread, &stream, values, result);
}

static void encode_turn(void *user, uint32_t index, uint32_t worker)
{
    struct group_loop *g = user;
    uint32_t block_count = g->e->layout.block_count;

    /* A failure is in the diag, which is asked after the loop. */
    (void)encode_block(g, &g->e->threads[worker], index / block_count,
                       index % block_count, &g->results[index]);
}

/* ---- writing
 * ----------------------------------------------------------------------- */

static uint8_t *join_frame(const struct encoder *e, uint32_t number,
                           const struct stream_result *results,
                           struct arena *arena, uint64_t *bytes)
{
    uint32_t block_count = e->layout.block_count;
    uint32_t directory_bytes = spn__cache_file_directory_bytes(
        &(struct cache_header){.block_count = block_count});
    struct wire_directory_head *head;
    struct wire_directory_entry *entry;
    uint8_t *joined;
    uint8_t *next;

    *bytes = directory_bytes;
    for (uint32_t i = 0; i < block_count; i++)
        *bytes += results[i].stored_bytes;
    joined = arena_alloc(arena, (size_t)*bytes, 1);
    head = (void *)joined;
    entry = (void *)(joined + CACHE_DIRECTORY_HEAD_BYTES);
    next = joined + directory_bytes;
    for (uint32_t i = 0; i < block_count; i++, entry++) {
        const struct stream_result *r = &results[i];

        if (r->is_absent)
            continue;
        spn_store_u32le(entry->stored,
                        r->stored_bytes | (r->is_raw ? WIRE_RAW_BIT : 0));
        spn_store_u32le(entry->checksum, r->checksum);
        entry->coding[0] = (uint8_t)r->coding;
        entry->a[0] = r->a;
        entry->b[0] = r->b;
        entry->c[0] = r->c;
        memcpy(next, r->stored, r->stored_bytes);
        next += r->stored_bytes;
    }
    spn_store_u32le(head->number, number);
    spn_store_u32le(head->checksum,
                    spn__checksum(head->number,
                                  directory_bytes - sizeof head->checksum,
                                  WIRE_SEED));
    return joined;
}

static int64_t time_us(const struct encoder *e, uint32_t number)
{
    const double *seconds = e->clip->frame_seconds;

    return llround((seconds[number] - seconds[0]) * 1e6);
}

/* The frame in `slot`, of group `group`. */
static bool write_slot(struct group_loop *g, uint32_t slot, uint32_t group)
{
    struct encoder *e = g->e;
    uint32_t number = g->slots[slot].number;
    struct cache_frame frame = {.group = group, .type = CACHE_FRAME_INDEX};
    struct arena arena;
    uint64_t bytes;
    uint8_t *joined;
    bool is_written;

    frame.time_us = time_us(e, number);
    memcpy(frame.box_min, g->slots[slot].box_min, sizeof frame.box_min);
    memcpy(frame.box_max, g->slots[slot].box_max, sizeof frame.box_max);
    if (!is_index(g, slot)) {
        uint32_t reference[CACHE_REFERENCES_MAX];

        reference_slots(g, slot, reference);
        frame.type = CACHE_FRAME_B;
        frame.reference_count = CACHE_REFERENCES_MAX;
        for (int k = 0; k < 4; k++)
            frame.reference[k] = (int16_t)((int)reference[k] - (int)slot);
        /* The first waits for both index frames, the others for the one
         * before them, which has waited for the rest. */
        frame.wait_mask = slot == 1 ? 1u | 2u : 4u;
    }
    arena_init(&arena);
    joined =
        join_frame(e, number, g->results + (size_t)slot * e->layout.block_count,
                   &arena, &bytes);
    if (bytes > UINT32_MAX)
        is_written =
            refusal_report(e->diag, e->clip->file_name, REFUSAL_TOO_LARGE, NULL,
                           "frame %u", number);
    else
        is_written = cache_writer_frame(&e->writer, number,
                                        e->clip->frame_seconds[number], &frame,
                                        joined, (uint32_t)bytes);
    arena_free(&arena);
    return is_written;
}

/* Encode slots [0, slot_count) and write them; slot 0 belongs to the group
 * before, but for the first. */
static bool encode_slots(struct group_loop *g, uint32_t slot_count,
                         uint32_t group)
{
    struct encoder *e = g->e;
    bool is_good;

    workers_run(e->workers, slot_count * e->layout.block_count, encode_turn, g);
    is_good = !diag_has_failed(e->diag);
    for (uint32_t slot = 0; slot < slot_count && is_good; slot++)
        is_good =
            write_slot(g, slot, slot == 0 && group > 0 ? group - 1 : group);
    for (uint32_t i = 0; i < workers_count(e->workers); i++)
        arena_reset(&e->threads[i].arena);
    if (is_good && e->job->progress)
        e->job->progress(e->job->progress_user,
                         (double)e->writer.stored / e->clip->frame_count);
    return is_good;
}

static void find_needed(struct group_loop *g)
{
    bool *was_needed = g->is_needed;

    g->is_needed = g->was_needed;
    g->was_needed = was_needed;
    for (uint32_t t = 0; t < g->e->layout.tile_count; t++) {
        g->is_needed[t] = false;
        for (uint32_t slot = 0; slot <= g->count; slot++)
            if (g->slots[slot].is_visible[t])
                g->is_needed[t] = true;
    }
}

/* The last slot leads the next group. */
static void turn_over(struct group_loop *g)
{
    struct frame_values lead = g->slots[g->count];

    g->slots[g->count] = g->slots[0];
    g->slots[0] = lead;
    g->first += g->count;
}

static bool run_groups(struct group_loop *g)
{
    struct encoder *e = g->e;
    uint32_t distance = e->job->options->index_distance;
    uint32_t last = e->clip->frame_count - 1;
    uint32_t group = 0;

    if (!produce(g, 1))
        return false;
    for (; g->first < last; group++) {
        g->count = last - g->first < distance ? last - g->first : distance;
        if (!produce(g, g->first + g->count + 1))
            return false;
        find_needed(g);
        if (!encode_slots(g, g->count, group))
            return false;
        turn_over(g);
    }
    /* What is left is the very last frame, which leads nothing. */
    g->count = 0;
    find_needed(g);
    return encode_slots(g, 1, group);
}

static void make_slots(struct group_loop *g, uint32_t slot_count,
                       struct arena *arena)
{
    struct encoder *e = g->e;

    g->slots = ARENA_NEW(arena, struct frame_values, slot_count);
    for (uint32_t i = 0; i < slot_count; i++) {
        g->slots[i].bytes = ARENA_NEW(arena, uint8_t, e->frame_bytes);
        g->slots[i].is_visible = ARENA_NEW(arena, bool, e->layout.tile_count);
    }
    g->is_needed = ARENA_NEW(arena, bool, e->layout.tile_count);
    g->was_needed = ARENA_NEW(arena, bool, e->layout.tile_count);
    g->results = ARENA_NEW(arena, struct stream_result,
                           (size_t)slot_count * e->layout.block_count);
}

bool encoder_frames(struct encoder *e)
{
    struct group_loop g = {.e = e};
    uint32_t slot_count = e->job->options->index_distance + 1;
    struct arena arena;
    bool is_good;

    arena_init(&arena);
    if (slot_count > e->clip->frame_count)
        slot_count = e->clip->frame_count;
    make_slots(&g, slot_count, &arena);
    g.arena_count = 2 * workers_count(e->workers) + 1;
    g.arenas = ARENA_NEW(&arena, struct arena, g.arena_count);
    g.frames = ARENA_NEW(&arena, struct clip_frame, g.arena_count);
    g.is_produced = ARENA_NEW(&arena, bool, g.arena_count);
    for (uint32_t i = 0; i < g.arena_count; i++)
        arena_init(&g.arenas[i]);
    is_good = run_groups(&g);
    for (uint32_t i = 0; i < g.arena_count; i++)
        arena_free(&g.arenas[i]);
    arena_free(&arena);
    return is_good;
}
