/* mesh_pieces.c - find, measure and compare the pieces of static meshes. */
/* SPDX-License-Identifier: MIT */
#include "mesh/mesh_pieces.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "cache/blob_decoder.h"
#include "cache/mesh_facts.h"

/* -- the pieces of a mesh in the cache -- */

struct mesh_piece spn__mesh_channel_piece(const struct cache_decoder *c,
                                          const struct cache_part *part,
                                          enum channel channel)
{
    const struct cache_tile *tile = &c->tables->tiles[part->tile];
    const uint32_t bytes = channel_vertex_bytes(channel);

    return (struct mesh_piece){.blob = tile->blob[channel],
                               .at = part->tile_vertex * bytes,
                               .bytes = part->vertex_count * bytes,
                               .is_all = tile->part_count == 1};
}

struct mesh_piece spn__mesh_reflection_piece(const struct cache_decoder *c,
                                             const struct cache_part *part)
{
    const struct cache_tile *tile = &c->tables->tiles[part->tile];
    const uint32_t first = part->tile_vertex / 8;
    const uint32_t limit = (part->tile_vertex + part->vertex_count + 7) / 8;

    return (struct mesh_piece){.blob = tile->reflection_blob,
                               .at = first,
                               .bytes = limit - first,
                               .is_all = tile->part_count == 1};
}

bool spn__mesh_part_has_reflections(const struct cache_decoder *c,
                                    const struct cache_part *part)
{
    return c->tables->meshes[part->mesh].reflection == CACHE_REFLECTION_MIXED &&
           c->tables->tiles[part->tile].reflection_blob != CACHE_NONE;
}

static uint32_t index_per_blob(const struct cache_mesh *mesh)
{
    return cache_indices_per_blob(mesh->index_bytes);
}

uint32_t spn__mesh_run_count(const struct cache_mesh *mesh)
{
    const uint32_t per_blob = index_per_blob(mesh);

    if (mesh->index_count == 0)
        return 0;
    return (uint32_t)(((uint64_t)mesh->first_index % per_blob +
                       mesh->index_count + per_blob - 1) /
                      per_blob);
}

struct mesh_piece spn__mesh_index_piece(const struct cache_decoder *c,
                                        const struct cache_mesh *mesh,
                                        uint32_t run, uint32_t *first)
{
    const uint32_t bytes = mesh->index_bytes;
    const uint32_t per_blob = index_per_blob(mesh);
    const uint32_t all =
        bytes == 2 ? c->header->index16_count : c->header->index32_count;
    const uint32_t blob = mesh->first_index / per_blob + run;
    const uint32_t from = max_u32(blob * per_blob, mesh->first_index);
    const uint32_t blob_limit =
        blob * per_blob + min_u32(per_blob, all - blob * per_blob);
    const uint32_t limit =
        min_u32(blob_limit, mesh->first_index + mesh->index_count);

    *first = from - mesh->first_index;
    return (struct mesh_piece){
        .blob = spn__blob_first_index(c->header, bytes) + blob,
        .at = from % per_blob * bytes,
        .bytes = (limit - from) * bytes,
        .is_all = from == blob * per_blob && limit == blob_limit};
}

/* -- what a mesh takes -- */

static void plan_piece(const struct mesh_piece *p, uint32_t page_shift,
                       struct carve *carve, struct mesh_plan *plan)
{
    const uint32_t pages = (p->bytes + ((1u << page_shift) - 1)) >> page_shift;

    if (p->bytes <= MESH_SMALL_BYTES_MAX) {
        (void)SPN_CARVE(carve, uint8_t, p->bytes);
        return;
    }
    plan->own_pages += pages;
    plan->own_bytes += p->bytes;
    if (p->is_all)
        plan->moved_pages += pages;
}

struct static_mesh *spn__mesh_carve_record(const struct cache_decoder *c,
                                           uint32_t mesh, struct carve *carve)
{
    const struct cache_mesh *info = &c->tables->meshes[mesh];
    const size_t facts_bytes = spn__mesh_facts_bytes(c->tables, info);
    const uint32_t runs = spn__mesh_run_count(info);
    struct static_mesh *m = SPN_CARVE(carve, struct static_mesh, 1);
    struct static_part *parts =
        SPN_CARVE(carve, struct static_part, info->part_count);
    struct static_run *run = SPN_CARVE(carve, struct static_run, runs);
    heap_handle *blocks = SPN_CARVE(
        carve, heap_handle,
        (size_t)info->part_count * (CHANNEL_COUNT + 1) + (size_t)runs);
    uint8_t *facts = SPN_CARVE(carve, uint8_t, facts_bytes);

    if (!m)
        return NULL;
    m->parts = parts;
    m->part_count = info->part_count;
    m->runs = run;
    m->run_count = runs;
    m->blocks = blocks;
    m->more_facts = facts;
    m->more_facts_bytes = facts_bytes;
    return m;
}

void spn__mesh_plan(const struct cache_decoder *c, uint32_t mesh,
                    uint32_t page_shift, struct mesh_plan *plan)
{
    const struct cache_mesh *info = &c->tables->meshes[mesh];
    struct carve carve = {.limit = SIZE_MAX};
    uint32_t first;

    *plan = (struct mesh_plan){0};
    (void)spn__mesh_carve_record(c, mesh, &carve);
    for (uint32_t i = 0; i < info->part_count; i++) {
        const struct cache_part *part = &c->tables->parts[info->first_part + i];
        struct mesh_piece piece;

        for (uint32_t k = 0; k < CHANNEL_COUNT; k++)
            if (info->static_mask & CHANNEL_BIT(k)) {
                piece = spn__mesh_channel_piece(c, part, (enum channel)k);
                plan_piece(&piece, page_shift, &carve, plan);
            }
        if (spn__mesh_part_has_reflections(c, part)) {
            piece = spn__mesh_reflection_piece(c, part);
            plan_piece(&piece, page_shift, &carve, plan);
        }
    }
    for (uint32_t i = 0; i < spn__mesh_run_count(info); i++) {
        const struct mesh_piece piece =
            spn__mesh_index_piece(c, info, i, &first);

        plan_piece(&piece, page_shift, &carve, plan);
    }
    /* The next bundle in the pack is aligned, too. */
    plan->bundle_bytes = (carve.used + 63) & ~(size_t)63;
}

/* -- comparison -- */

static bool reflection_at(const struct static_part *part, uint32_t vertex)
{
    const uint32_t bit = part->reflection_first + vertex - part->first_vertex;

    return (uint32_t)part->reflection[bit / 8] >> (bit % 8) & 1u;
}

/* Compare the vertices [from, limit) of the mesh: both parts have them. */
static bool are_vertices_equal(const struct cache_decoder *c,
                               const struct cache_part *part,
                               const struct static_part *other, uint32_t from,
                               uint32_t limit)
{
    const uint32_t mask = c->tables->meshes[part->mesh].static_mask;
    const struct cache_tile *tile = &c->tables->tiles[part->tile];

    for (uint32_t k = 0; k < CHANNEL_COUNT; k++) {
        const uint32_t bytes = channel_vertex_bytes((enum channel)k);

        if ((mask & CHANNEL_BIT(k)) &&
            memcmp(c->blob_data[tile->blob[k]] +
                       (size_t)(part->tile_vertex + from - part->first_vertex) *
                           bytes,
                   other->channel[k] +
                       (size_t)(from - other->first_vertex) * bytes,
                   (size_t)(limit - from) * bytes) != 0)
            return false;
    }
    for (uint32_t v = from;
         spn__mesh_part_has_reflections(c, part) && v < limit; v++) {
        const uint32_t bit = part->tile_vertex + v - part->first_vertex;

        if (((uint32_t)c->blob_data[tile->reflection_blob][bit / 8] >>
                 (bit % 8) &
             1u) != (uint32_t)reflection_at(other, v))
            return false;
    }
    return true;
}

bool spn__mesh_part_is_equal(const struct cache_decoder *c,
                             const struct cache_part *part,
                             const struct static_mesh *m)
{
    const uint32_t limit = part->first_vertex + part->vertex_count;
    uint32_t from = part->first_vertex;

    for (uint32_t i = 0; i < m->part_count && from < limit; i++) {
        const struct static_part *other = &m->parts[i];
        const uint32_t end =
            min_u32(other->first_vertex + other->vertex_count, limit);

        if (end <= from)
            continue;
        if (!are_vertices_equal(c, part, other, from, end))
            return false;
        from = end;
    }
    return from == limit;
}

bool spn__mesh_run_is_equal(const struct cache_decoder *c,
                            const struct cache_mesh *info, uint32_t run,
                            const struct static_mesh *m)
{
    uint32_t from;
    const struct mesh_piece piece = spn__mesh_index_piece(c, info, run, &from);
    const uint8_t *data = mesh_piece_data(c, &piece);
    const uint32_t first = from;
    const uint32_t limit = from + piece.bytes / info->index_bytes;

    for (uint32_t i = 0; i < m->run_count && from < limit; i++) {
        const struct static_run *other = &m->runs[i];
        const uint32_t end = min_u32(other->first + other->count, limit);

        if (end <= from)
            continue;
        if (memcmp(data + (size_t)(from - first) * info->index_bytes,
                   other->indices +
                       (size_t)(from - other->first) * info->index_bytes,
                   (size_t)(end - from) * info->index_bytes) != 0)
            return false;
        from = end;
    }
    return from == limit;
}
