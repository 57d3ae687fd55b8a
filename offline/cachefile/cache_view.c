/* cache_view.c - one frame as it is shown, and its vertices as floats.
 *
 * Tiles become meshes again here. Floats are made by the runtime's fill.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_nodes.h"
#include "cache/cache_tables.h"
#include "cachefile/cache_reader_state.h"
#include "cachefile/frame_slots.h"

#include <string.h>

void cache_reader_scatter(const struct cache_reader *r, uint32_t tile,
                          enum channel channel, const uint8_t *values,
                          const bool *is_skipped, struct arena *arena,
                          struct mesh_channels *meshes)
{
    const struct cache_tile *t = &r->tables.tiles[tile];
    const size_t vertex_bytes = channel_vertex_bytes(channel);
    const uint16_t *order =
        spn__cache_lift_order(&r->tables, tile, r->blob_data);

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *part = &r->tables.parts[t->first_part + k];
        uint8_t **out = &meshes[part->mesh].channel[channel];

        if (is_skipped && is_skipped[part->mesh])
            continue;
        if (!*out)
            *out = arena_alloc(arena, r->tables.meshes[part->mesh].vertex_count,
                               vertex_bytes);
        if (!order) {
            memcpy(*out + part->first_vertex * vertex_bytes,
                   values + part->tile_vertex * vertex_bytes,
                   part->vertex_count * vertex_bytes);
            continue;
        }
        for (uint32_t i = 0; i < part->vertex_count; i++)
            memcpy(*out + (part->first_vertex + order[i]) * vertex_bytes,
                   values + i * vertex_bytes, vertex_bytes);
    }
}

/* -- vertices as floats -- */

bool cache_reader_has_mesh(const struct cache_reader *r,
                           const struct cache_reader_frame *frame,
                           uint32_t mesh)
{
    const struct cache_mesh *m = &r->tables.meshes[mesh];

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (((m->static_mask | m->animated_mask) & CHANNEL_BIT(c)) &&
            !frame->meshes[mesh].channel[c])
            return false;
    return true;
}

void cache_reader_fill(const struct cache_reader *r,
                       const struct cache_reader_frame *frame, uint32_t mesh,
                       struct arena *arena, struct cache_reader_vertices *out)
{
    static const spn_vertex_layout position = {
        .stride = 12, .position = {.format = SPN_FORMAT_F32X3}};
    static const spn_vertex_layout normal = {
        .stride = 12, .normal = {.format = SPN_FORMAT_F32X3}};
    static const spn_vertex_layout tangent = {
        .stride = 16, .tangent = {.format = SPN_FORMAT_F32X4}};
    static const spn_vertex_layout uv = {.stride = 8,
                                         .uv = {.format = SPN_FORMAT_F32X2}};
    static const spn_vertex_layout color = {
        .stride = 4, .color = {.format = SPN_FORMAT_UNORM8X4}};
    static const spn_vertex_layout second_uv = {
        .stride = 8, .second_uv = {.format = SPN_FORMAT_F32X2}};
    static const spn_vertex_layout velocity = {
        .stride = 12, .velocity = {.format = SPN_FORMAT_F32X3}};
    const struct cache_reader_mesh *values = &frame->meshes[mesh];
    struct fill_source source = {
        .count = r->tables.meshes[mesh].vertex_count,
        .reflection = r->static_meshes[mesh].reflection,
    };
    struct fill_constants constants;

    spn__fill_constants(&r->tables.meshes[mesh], &constants);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        source.floor[c] = source.ceil[c] = values->channel[c];
    *out = (struct cache_reader_vertices){.count = source.count};
    out->positions = arena_alloc(arena, source.count, 12);
    spn__fill_run(&r->fill, &constants, &source, &position, out->positions);
    out->normals = arena_alloc(arena, source.count, 12);
    spn__fill_run(&r->fill, &constants, &source, &normal, out->normals);
    out->tangents = arena_alloc(arena, source.count, 16);
    spn__fill_run(&r->fill, &constants, &source, &tangent, out->tangents);
    if (values->channel[CHANNEL_UV]) {
        out->uvs = arena_alloc(arena, source.count, 8);
        spn__fill_run(&r->fill, &constants, &source, &uv, out->uvs);
    }
    if (values->channel[CHANNEL_COLOR]) {
        out->colors = arena_alloc(arena, source.count, 4);
        spn__fill_run(&r->fill, &constants, &source, &color, out->colors);
    }
    if (values->channel[CHANNEL_SECOND_UV]) {
        out->second_uvs = arena_alloc(arena, source.count, 8);
        spn__fill_run(&r->fill, &constants, &source, &second_uv,
                      out->second_uvs);
    }
    if (values->channel[CHANNEL_VELOCITY]) {
        out->velocities = arena_alloc(arena, source.count, 12);
        spn__fill_run(&r->fill, &constants, &source, &velocity,
                      out->velocities);
    }
}

/* -- one frame as it is shown -- */

static void view_nodes(struct cache_reader *r, const struct frame_slot *slot)
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

            spn__cache_nodes_read(b, slot->values[i], row, &transforms[n],
                                  &visible[n]);
        }
    }
    r->view.transforms = transforms;
    r->view.visible = visible;
}

/* A mesh is complete in a frame only if all its tiles are. */
static void mark_absent(const struct cache_reader *r,
                        const struct frame_slot *slot, bool *is_absent)
{
    for (uint32_t i = 0; i < r->header.block_count; i++) {
        const struct cache_block *b = &r->tables.blocks[i];
        const struct cache_tile *tile;

        if (b->kind != CACHE_BLOCK_CHANNEL || slot->values[i])
            continue;
        tile = &r->tables.tiles[b->tile];
        for (uint32_t k = 0; k < tile->part_count; k++)
            is_absent[r->tables.parts[tile->first_part + k].mesh] = true;
    }
}

static void view_channels(struct cache_reader *r, const struct frame_slot *slot,
                          struct cache_reader_mesh *meshes)
{
    const uint32_t count = r->header.mesh_count;
    bool *is_absent = ARENA_NEW(&r->view_arena, bool, count);
    struct mesh_channels *channels =
        ARENA_NEW(&r->view_arena, struct mesh_channels, count);

    mark_absent(r, slot, is_absent);
    for (uint32_t i = 0; i < r->header.block_count; i++) {
        const struct cache_block *b = &r->tables.blocks[i];

        if (b->kind == CACHE_BLOCK_CHANNEL && slot->values[i])
            cache_reader_scatter(r, b->tile, (enum channel)b->channel,
                                 slot->values[i], is_absent, &r->view_arena,
                                 channels);
    }
    for (uint32_t m = 0; m < count; m++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
            meshes[m].channel[c] = r->static_channels[m].channel[c]
                                       ? r->static_channels[m].channel[c]
                                       : channels[m].channel[c];
}

static bool view_meshes(struct cache_reader *r, const struct frame_slot *slot,
                        uint32_t number)
{
    const struct cache_header *h = &r->header;
    struct cache_reader_mesh *meshes =
        ARENA_NEW(&r->view_arena, struct cache_reader_mesh, h->mesh_count);

    r->view.meshes = meshes;
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
    const struct frame_slot *slot;

    if (r->view.number == number)
        return &r->view;
    r->view.number = CACHE_NONE;
    if (number >= r->header.frame_count) {
        diag_refuse(r->diag, r->path, DIAG_NO_OFFSET, NULL,
                    "there is no frame %u", (unsigned)number);
        return NULL;
    }
    slot = frame_slots_decode(r, number);
    if (!slot)
        return NULL;
    arena_reset(&r->view_arena);
    view_nodes(r, slot);
    if (!view_meshes(r, slot, number))
        return NULL;
    r->view.number = number;
    return &r->view;
}
