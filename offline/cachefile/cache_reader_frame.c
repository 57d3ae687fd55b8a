/* cache_reader_frame.c - any frame of a cache, decoded.
 *
 * What a frame refers to lies in its group or is the group's anchor, and comes
 * earlier in the order of ranks. So: mark what is wanted from the last rank to
 * the first, decode from the first to the last. Frames stay in slots until
 * nothing wants them; only where a group refers back very far are there more
 * slots than READER_SLOTS.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_private.h"

#include <string.h>

/* -- slots -- */

static struct reader_slot *find(struct cache_reader *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->slot_count; i++)
        if (r->slots[i]->number == number) {
            r->slots[i]->last_use = ++r->clock;
            return r->slots[i];
        }
    return NULL;
}

/* Place of a frame in last_use; CACHE_GROUP_FRAMES_MAX is the anchor's. */
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
static struct reader_slot *take_slot(struct cache_reader *r,
                                     const struct cache_group *g, uint32_t rank)
{
    struct reader_slot *best = NULL;

    for (uint32_t i = 0; i < r->slot_count; i++) {
        struct reader_slot *slot = r->slots[i];
        const uint32_t *last = last_use_of(r, g, slot->number);

        if (last && *last > rank)
            continue;
        if (!best || slot->last_use < best->last_use)
            best = slot;
    }
    if (!best || r->slot_count < READER_SLOTS) {
        best = ARENA_NEW(&r->arena, struct reader_slot, 1);
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

const uint8_t *cache_reader_directory(struct cache_reader *r, uint32_t number)
{
    const struct cache_frame *frame = &r->frames[number];
    const uint8_t *directory = r->map.data + frame->offset;
    struct spn_fault fault = {0};
    spn_status status = spn__cache_file_directory(
        &r->header, r->tables.blocks, frame, number, directory, &fault);

    if (status == SPN_OK)
        return directory;
    cache_reader_refuse(r, frame->offset, number, &fault);
    return NULL;
}

/* The values of a block in the frame that reference `k` names. */
static const void *reference(struct cache_reader *r, uint32_t number,
                             uint32_t k, uint32_t block)
{
    const struct cache_frame *frame = &r->frames[number];
    uint32_t target = (uint32_t)((int64_t)number + frame->reference[k]);
    const struct reader_slot *slot;

    if (k >= frame->reference_count)
        return NULL;
    slot = find(r, target);
    return slot ? slot->values[block] : NULL;
}

/* Of `count` references; false when one of them is not there. */
static bool references(struct cache_reader *r, uint32_t number, uint32_t block,
                       uint32_t count, const void *values[CACHE_REFERENCES_MAX])
{
    for (uint32_t k = 0; k < count; k++) {
        values[k] = reference(r, number, k, block);
        if (!values[k])
            return false;
    }
    return true;
}

/* NULL: there is no such block, or it is not there. */
static const void *values_of(const struct cache_reader *r,
                             const struct reader_slot *slot, uint32_t block)
{
    return block < r->header.block_count ? slot->values[block] : NULL;
}

static spn_status decode_lifted(struct cache_reader *r, uint32_t number,
                                uint32_t block,
                                const struct cache_block_entry *entry,
                                const struct reader_slot *slot, void *values,
                                struct spn_fault *fault)
{
    const struct cache_block *b = &r->tables.blocks[block];
    const struct cache_tile *tile = &r->tables.tiles[b->tile];
    const void *from[CACHE_REFERENCES_MAX];
    uint32_t count = spn__cache_file_lifted_frames(values, entry->stored_bytes);

    if (count > r->frames[number].reference_count)
        count = r->frames[number].reference_count;
    fault->what = CACHE_FAULT_ABSENT;
    if (!references(r, number, block, count, from))
        return SPN_ERR_FORMAT;
    return cache_reader_decode_lifted(
        r, b->tile, (enum channel)b->channel, entry->stored_bytes, from, count,
        values_of(r, slot, tile->block[CHANNEL_POSITION]),
        values_of(r, slot, tile->block[CHANNEL_UV]), values, fault);
}

static spn_status decode_classic(struct cache_reader *r, uint32_t number,
                                 uint32_t block,
                                 const struct cache_block_entry *entry,
                                 void *values, struct spn_fault *fault)
{
    const struct cache_block *b = &r->tables.blocks[block];
    struct predict_stream s = {
        .channel = (enum channel)b->channel,
        .coding = (enum coding)entry->coding,
        .a = entry->a,
        .b = entry->b,
        .c = entry->c,
        .count = b->count,
        .entries = r->entries[b->tile],
    };

    if (s.coding == CODING_TEMPORAL) {
        const uint32_t count = r->frames[number].reference_count;
        const void *from[CACHE_REFERENCES_MAX];

        fault->what = CACHE_FAULT_ABSENT;
        if (!references(r, number, block, count, from))
            return SPN_ERR_FORMAT;
        spn__cache_file_classic(&s, from, count);
    }
    fault->what = CACHE_FAULT_CODING;
    if (s.coding == CODING_SPATIAL && !s.entries)
        return SPN_ERR_FORMAT;
    return spn__predict_decode(&r->predict, &s, values);
}

static bool decode_channel(struct cache_reader *r, uint32_t number,
                           uint32_t block, uint64_t offset,
                           const struct cache_block_entry *entry,
                           const struct reader_slot *slot, void *values)
{
    struct spn_fault fault = {0};
    const spn_status status =
        entry->coding == CODING_LIFTED
            ? decode_lifted(r, number, block, entry, slot, values, &fault)
            : decode_classic(r, number, block, entry, values, &fault);

    if (status == SPN_OK)
        return true;
    spn__cache_file_coding_fault(status, fault.what, entry->coding, 0, &fault);
    return cache_reader_refuse(r, offset, number, &fault);
}

static bool decode_block(struct cache_reader *r, uint32_t number,
                         uint32_t block, const struct cache_block_entry *entry,
                         struct reader_slot *slot)
{
    const struct cache_block *b = &r->tables.blocks[block];
    uint64_t offset = r->frames[number].offset + entry->offset;
    bool is_nodes = b->kind == CACHE_BLOCK_NODES;
    struct spn_fault fault = {0};
    spn_status status;
    uint8_t *values;

    values = is_nodes
                 ? cache_reader_unpack(r, offset, entry->stored_bytes,
                                       entry->checksum, entry->is_raw, 1,
                                       b->raw_bytes, &slot->arena, number)
                 : cache_reader_unpack_channel(r, offset, entry,
                                               (enum channel)b->channel,
                                               b->count, &slot->arena, number);
    if (!values)
        return false;
    if (is_nodes) {
        status = spn__cache_file_nodes(b, values, &fault);
        /* The place is one in the unpacked bytes: say the block's. */
        fault.offset = 0;
        if (status != SPN_OK)
            return cache_reader_refuse(r, offset, number, &fault);
    } else if (!decode_channel(r, number, block, offset, entry, slot, values)) {
        return false;
    }
    slot->values[block] = values;
    return true;
}

/* Its references are in slots. */
static bool decode_frame(struct cache_reader *r, uint32_t number,
                         struct reader_slot *slot)
{
    const uint8_t *directory = cache_reader_directory(r, number);
    uint32_t offset = spn__cache_file_directory_bytes(&r->header);
    struct cache_block_entry waits = {.is_absent = true};

    if (!directory)
        return false;
    for (uint32_t i = 0; i < r->header.block_count; i++) {
        struct cache_block_entry entry;

        spn__cache_file_block_entry(directory, i, offset, &entry);
        offset += entry.stored_bytes;
        if (cache_block_waits(&r->tables, i)) {
            waits = entry;
            continue;
        }
        if (!entry.is_absent && !decode_block(r, number, i, &entry, slot))
            return false;
        if (!waits.is_absent && !decode_block(r, number, i - 1, &waits, slot))
            return false;
        waits.is_absent = true;
    }
    slot->number = number;
    return true;
}

/* -- what it refers to -- */

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

/* Index frames, as an anchor is, have no references. */
static struct reader_slot *decode(struct cache_reader *r, uint32_t number)
{
    const struct cache_group *g = &r->groups[r->frames[number].group];
    struct reader_slot *slot = find(r, number);
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

/* -- the frame as it is shown -- */

static void view_nodes(struct cache_reader *r, const struct reader_slot *slot)
{
    const struct cache_header *h = &r->header;
    struct transform *transforms =
        ARENA_NEW(&r->view_arena, struct transform, h->node_count);
    bool *visible = ARENA_NEW(&r->view_arena, bool, h->node_count);

    for (uint32_t n = 0; n < h->node_count; n++) {
        transforms[n] = r->tables.nodes[n].initial;
        visible[n] = r->tables.nodes[n].is_visible;
    }
    for (uint32_t i = 0; i < h->block_count; i++) {
        const struct cache_block *b = &r->tables.blocks[i];

        if (b->kind != CACHE_BLOCK_NODES)
            continue;
        for (uint32_t row = 0; row < b->count; row++) {
            uint32_t n = r->tables.animated_nodes[b->first + row];

            spn__cache_file_node(b, slot->values[i], row, &transforms[n],
                                 &visible[n]);
        }
    }
    r->view.transforms = transforms;
    r->view.visible = visible;
}

struct view_target {
    struct cache_reader *reader;
    struct cache_reader_mesh *meshes;
    enum channel channel;
    const bool *is_absent; /* per mesh */
};

static uint8_t *view_target(void *user, uint32_t mesh)
{
    const struct view_target *t = user;
    struct cache_reader *r = t->reader;
    const void **channel = &t->meshes[mesh].channel[t->channel];
    void *memory;

    if (t->is_absent[mesh])
        return NULL;
    if (!*channel) {
        memory =
            arena_alloc(&r->view_arena, r->tables.meshes[mesh].vertex_count,
                        channel_vertex_bytes(t->channel));
        *channel = memory;
        return memory;
    }
    memcpy(&memory, channel, sizeof memory);
    return memory;
}

static void view_channels(struct cache_reader *r,
                          const struct reader_slot *slot,
                          struct cache_reader_mesh *meshes)
{
    bool *is_absent = ARENA_NEW(&r->view_arena, bool, r->header.mesh_count);
    struct view_target target = {
        .reader = r, .meshes = meshes, .is_absent = is_absent};

    for (uint32_t i = 0; i < r->header.block_count; i++) {
        const struct cache_block *b = &r->tables.blocks[i];
        const struct cache_tile *tile;

        if (b->kind != CACHE_BLOCK_CHANNEL || slot->values[i])
            continue;
        tile = &r->tables.tiles[b->tile];
        for (uint32_t k = 0; k < tile->part_count; k++)
            is_absent[r->tables.parts[tile->first_part + k].mesh] = true;
    }
    for (uint32_t i = 0; i < r->header.block_count; i++) {
        const struct cache_block *b = &r->tables.blocks[i];

        if (b->kind != CACHE_BLOCK_CHANNEL || !slot->values[i])
            continue;
        target.channel = (enum channel)b->channel;
        cache_reader_scatter(r, b->tile, target.channel, slot->values[i],
                             view_target, &target);
    }
}

static bool view_meshes(struct cache_reader *r, const struct reader_slot *slot,
                        uint32_t number)
{
    const struct cache_header *h = &r->header;
    struct cache_reader_mesh *meshes =
        ARENA_NEW(&r->view_arena, struct cache_reader_mesh, h->mesh_count);

    r->view.meshes = meshes;
    for (uint32_t m = 0; m < h->mesh_count; m++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
            meshes[m].channel[c] = r->meshes[m].channel[c];
    view_channels(r, slot, meshes);
    for (uint32_t n = 0; n < h->node_count; n++) {
        uint32_t m = r->tables.nodes[n].mesh;

        if (m == CACHE_NONE || !r->view.visible[n])
            continue;
        meshes[m].is_shown = true;
        if (!cache_reader_has_mesh(r, &r->view, m))
            return diag_refuse(r->diag, r->path, r->frames[number].offset,
                               r->tables.names + r->tables.meshes[m].name,
                               "frame %u shows it and lacks its vertices",
                               (unsigned)number);
    }
    return true;
}

const struct cache_reader_frame *cache_reader_frame(struct cache_reader *r,
                                                    uint32_t number)
{
    const struct reader_slot *slot;

    if (r->view.number == number)
        return &r->view;
    r->view.number = CACHE_NONE;
    if (number >= r->header.frame_count) {
        diag_refuse(r->diag, r->path, DIAG_NO_OFFSET, NULL,
                    "there is no frame %u", (unsigned)number);
        return NULL;
    }
    slot = decode(r, number);
    if (!slot)
        return NULL;
    arena_reset(&r->view_arena);
    view_nodes(r, slot);
    if (!view_meshes(r, slot, number))
        return NULL;
    r->view.number = number;
    return &r->view;
}
