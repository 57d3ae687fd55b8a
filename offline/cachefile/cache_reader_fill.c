/* cache_reader_fill.c - quantized vertices to floats, by the runtime's fill. */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_private.h"

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
        .reflection = r->meshes[mesh].reflection,
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
