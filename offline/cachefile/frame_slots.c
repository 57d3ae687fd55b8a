/* frame_slots.c - any frame of a cache, decoded, and what it refers to.
 *
 * The frames that a frame refers to are of its own group, or the anchor frame
 * of the group. They have lower ranks (cache_frame.decode_rank). mark() goes
 * from the last rank to the first and marks what is needed; decoding goes from
 * the first rank to the last. Frames stay in slots until no marked frame needs
 * them. There are more slots than FRAME_SLOTS only where a group refers back
 * very far.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/frame_slots.h"

#include "cache/frame_decoder.h"

/* Frames that stay decoded: a B frame and its references, and some more so
 * that alternating between a few frames is cheap, too. */
#define FRAME_SLOTS 12u

void frame_slots_init(struct cache_reader *r)
{
    r->slots = ARENA_NEW(&r->arena, struct frame_slot *,
                         FRAME_SLOTS + CACHE_GROUP_FRAMES_MAX + 1);
    r->is_wanted = ARENA_NEW(&r->arena, bool, CACHE_GROUP_FRAMES_MAX);
    r->last_use = ARENA_NEW(&r->arena, uint32_t, CACHE_GROUP_FRAMES_MAX + 1);
}

void frame_slots_free(struct cache_reader *r)
{
    for (uint32_t i = 0; i < r->slot_count; i++)
        arena_free(&r->slots[i]->arena);
}

/* -- slots -- */

static struct frame_slot *find(struct cache_reader *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i]->number == number) {
            r->slots[i]->last_use = ++r->clock;
            return r->slots[i];
        }
    return NULL;
}

/* Place of a frame in last_use; CACHE_GROUP_FRAMES_MAX is the anchor
 * frame's. */
static uint32_t *last_use_of(struct cache_reader *r,
                             const struct cache_group *g, uint32_t number)
{
    if (number == g->anchor_frame)
        return &r->last_use[CACHE_GROUP_FRAMES_MAX];
    if (number < g->first_frame || number - g->first_frame >= g->frame_count)
        return NULL;
    return &r->last_use[number - g->first_frame];
}

/* An empty slot for a frame of rank `rank`: the one used longest ago, unless
 * that rank or a later one still refers to it. */
static struct frame_slot *take_slot(struct cache_reader *r,
                                    const struct cache_group *g, uint32_t rank)
{
    struct frame_slot *best = NULL;

    for (uint32_t i = 0; i < r->slot_count; i++) {
        struct frame_slot *slot = r->slots[i];
        const uint32_t *last = last_use_of(r, g, slot->number);

        if (last && *last > rank)
            continue;
        if (!best || slot->last_use < best->last_use)
            best = slot;
    }
    if (!best || r->slot_count < FRAME_SLOTS) {
        best = ARENA_NEW(&r->arena, struct frame_slot, 1);
        arena_init(&best->arena);
        r->slots[r->slot_count++] = best;
    }
    arena_reset(&best->arena);
    best->number = CACHE_NONE;
    best->last_use = ++r->clock;
    best->values = ARENA_NEW(&best->arena, uint8_t *, r->header.block_count);
    return best;
}

/* -- one frame -- */

bool cache_reader_stored_frame(struct cache_reader *r, uint32_t number,
                               struct frame_decoder *out)
{
    struct spn_fault fault = {0};

    *out = (struct frame_decoder){.cache = &r->decoder,
                                  .frame = &r->frames[number],
                                  .number = number,
                                  .directory =
                                      r->map.data + r->frames[number].offset};
    return spn__frame_validate(out, &fault) == SPN_OK ||
           cache_reader_refuse(r, 0, number, &fault);
}

/* Unpack the blocks of a frame; a tile that lacks one is absent. */
static bool unpack_blocks(struct cache_reader *r, const struct frame_decoder *d,
                          struct frame_slot *slot, bool *is_absent)
{
    struct frame_walk walk = frame_walk_begin(d);

    while (spn__frame_walk_next(&walk)) {
        const struct cache_block *block = &r->tables.blocks[walk.block];
        const uint64_t offset = d->frame->offset + walk.entry.offset;
        struct spn_fault fault = {0};

        if (walk.entry.is_absent) {
            is_absent[block->tile] = true;
            continue;
        }
        slot->values[walk.block] = cache_reader_alloc(
            r, &slot->arena, &walk.entry, block->raw_bytes, offset, d->number);
        if (!slot->values[walk.block])
            return false;
        if (spn__frame_unpack(&walk, r->map.data + offset,
                              slot->values[walk.block], &r->scratch,
                              &fault) != SPN_OK)
            return cache_reader_refuse(r, 0, d->number, &fault);
    }
    return true;
}

static void take_values(const struct cache_tile *tile,
                        const struct frame_slot *slot,
                        const void *values[CHANNEL_COUNT])
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (tile->block[c] != CACHE_NONE)
            values[c] = slot->values[tile->block[c]];
}

static bool decode_tile(struct cache_reader *r, const struct frame_decoder *d,
                        struct frame_slot *slot, uint32_t number)
{
    const struct cache_tile *tile = &r->tables.tiles[number];
    struct tile_job job = {.decoder = d, .tile = number};
    struct spn_fault fault = {0};

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (tile->block[c] != CACHE_NONE)
            job.values[c] = slot->values[tile->block[c]];
    for (uint32_t k = 0; k < d->frame->reference_count; k++) {
        const struct frame_slot *from =
            find(r, (uint32_t)((int64_t)d->number + d->frame->reference[k]));

        if (from)
            take_values(tile, from, job.references[k].values);
    }
    return spn__tile_decode(&job, &r->scratch, &fault) == SPN_OK ||
           cache_reader_refuse(r, 0, d->number, &fault);
}

static void drop_tile(const struct cache_tile *tile, struct frame_slot *slot)
{
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (tile->block[c] != CACHE_NONE)
            slot->values[tile->block[c]] = NULL;
}

/* Decode a frame whose references are in slots. */
static bool decode_frame(struct cache_reader *r, uint32_t number,
                         struct frame_slot *slot)
{
    struct frame_decoder d;
    bool *is_absent = ARENA_NEW(&slot->arena, bool, r->header.tile_count);

    if (!cache_reader_stored_frame(r, number, &d) ||
        !unpack_blocks(r, &d, slot, is_absent))
        return false;
    for (uint32_t t = 0; t < r->header.tile_count; t++)
        if (is_absent[t])
            drop_tile(&r->tables.tiles[t], slot);
        else if (!decode_tile(r, &d, slot, t))
            return false;
    slot->number = number;
    return true;
}

/* -- references -- */

/* Mark the frames of the group that `number` needs and that are in no slot,
 * and the last rank at which each is used. */
static void mark(struct cache_reader *r, const struct cache_group *g,
                 uint32_t number, bool *is_anchor_wanted)
{
    *is_anchor_wanted = false;
    for (uint32_t i = 0; i < g->frame_count; i++)
        r->is_wanted[i] = false;
    for (uint32_t i = 0; i <= CACHE_GROUP_FRAMES_MAX; i++)
        r->last_use[i] = 0;
    r->is_wanted[number - g->first_frame] = true;
    for (uint32_t rank = g->frame_count; rank-- > 0;)
        for (uint32_t i = 0; i < g->frame_count; i++) {
            uint32_t n = g->first_frame + i;
            const struct cache_frame *frame = &r->frames[n];

            if (frame->decode_rank != rank || !r->is_wanted[i])
                continue;
            for (uint32_t k = 0; k < frame->reference_count; k++) {
                uint32_t target = (uint32_t)((int64_t)n + frame->reference[k]);
                uint32_t *last = last_use_of(r, g, target);

                if (last && *last < rank + 1)
                    *last = rank + 1;
                if (find(r, target))
                    continue;
                if (target == g->anchor_frame)
                    *is_anchor_wanted = true;
                else
                    r->is_wanted[target - g->first_frame] = true;
            }
        }
}

static bool decode_into_slot(struct cache_reader *r,
                             const struct cache_group *g, uint32_t number,
                             uint32_t rank)
{
    return decode_frame(r, number, take_slot(r, g, rank));
}

/* Index frames, like the anchor frame, have no references. */
const struct frame_slot *frame_slots_decode(struct cache_reader *r,
                                            uint32_t number)
{
    const struct cache_group *g = &r->groups[r->frames[number].group];
    struct frame_slot *slot = find(r, number);
    bool is_anchor_wanted;

    if (slot)
        return slot;
    mark(r, g, number, &is_anchor_wanted);
    if (is_anchor_wanted && !decode_into_slot(r, g, g->anchor_frame, 0))
        return NULL;
    for (uint32_t rank = 0; rank < g->frame_count; rank++)
        for (uint32_t i = 0; i < g->frame_count; i++) {
            uint32_t n = g->first_frame + i;

            if (r->is_wanted[i] && r->frames[n].decode_rank == rank &&
                !decode_into_slot(r, g, n, rank))
                return NULL;
        }
    return find(r, number);
}
