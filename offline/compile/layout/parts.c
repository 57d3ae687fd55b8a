/* parts.c - divides meshes, fills tiles, numbers blocks and blobs.
 *
 * The order of everything follows from the clip alone. Blocks and blobs are
 * numbered by the runtime's own functions. It looks at no vertex but for the
 * reflection flags.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/layout/parts.h"

#include "cache/cache_box.h"
#include "cache/cache_layout.h"
#include "compile/report/refusals.h"

#include <inttypes.h>

enum cache_reflection layout_reflection(const struct clip_mesh *mesh)
{
    uint32_t reflected = 0;

    if (!mesh->reflection)
        return CACHE_REFLECTION_NONE;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        reflected += mesh->reflection[i] != 0;
    if (reflected == 0)
        return CACHE_REFLECTION_NONE;
    return reflected == mesh->vertex_count ? CACHE_REFLECTION_ALL
                                           : CACHE_REFLECTION_MIXED;
}

/* Parts of a mesh: as few as possible. */
static uint32_t part_count_of(const struct clip_mesh *mesh)
{
    return (mesh->vertex_count - 1) / CACHE_TILE_VERTICES_MAX + 1;
}

static bool validate_counts(const struct clip *clip, struct diag *diag)
{
    uint64_t index_count[2] = {0, 0};

    if (clip->frame_count < 1 || clip->frame_count > CACHE_FRAMES_MAX)
        return refusal_report(diag, clip->file_name, REFUSAL_TOO_LARGE, NULL,
                              "%u frames, at most %u", clip->frame_count,
                              CACHE_FRAMES_MAX);
    if (clip->node_count > CACHE_NODES_MAX)
        return refusal_report(diag, clip->file_name, REFUSAL_TOO_LARGE, NULL,
                              "%u nodes, at most %u", clip->node_count,
                              CACHE_NODES_MAX);
    if (clip->mesh_count > CACHE_MESHES_MAX)
        return refusal_report(diag, clip->file_name, REFUSAL_TOO_LARGE, NULL,
                              "%u meshes, at most %u", clip->mesh_count,
                              CACHE_MESHES_MAX);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &clip->meshes[m];

        if (mesh->vertex_count == 0)
            return diag_refuse(diag, clip->file_name, DIAG_NO_OFFSET,
                               mesh->path, "a mesh without vertices");
        index_count[layout_index_bytes(mesh) / 4] += mesh->index_count;
    }
    for (int i = 0; i < 2; i++)
        if (index_count[i] > UINT32_MAX)
            return refusal_report(
                diag, clip->file_name, REFUSAL_TOO_LARGE, NULL,
                "%" PRIu64 " indices of the triangles of all meshes with %s "
                "vertices, at most %u",
                index_count[i], i == 0 ? "up to 65536" : "more than 65536",
                UINT32_MAX);
    return true;
}

/* Which tile each mesh starts in; large meshes take a tile for each part.
 * `open` is the tile that small meshes with these masks go into. */
struct open_tile {
    uint32_t masks;
    uint32_t tile;
    uint32_t vertex_count;
};

static bool is_lifted(const struct lift_plan *plan, uint32_t mesh)
{
    return plan && plan->meshes[mesh].is_lifted;
}

static uint32_t assign_tiles(const struct clip *clip,
                             const struct lift_plan *plan, struct arena *arena,
                             uint32_t *first_tile)
{
    /* static and animated mask are disjoint: 3^4 pairs at most */
    struct open_tile *open = ARENA_NEW(arena, struct open_tile, 81);
    uint32_t open_count = 0;
    uint32_t tile_count = 0;

    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &clip->meshes[m];
        uint32_t masks = (uint32_t)mesh->static_mask << 8 | mesh->animated_mask;
        uint32_t k = 0;

        first_tile[m] = tile_count;
        if (mesh->vertex_count > CACHE_TILE_VERTICES_MAX ||
            is_lifted(plan, m)) {
            tile_count += part_count_of(mesh);
            continue;
        }
        while (k < open_count && open[k].masks != masks)
            k++;
        if (k == open_count)
            open_count++;
        else if (mesh->vertex_count <=
                 CACHE_TILE_VERTICES_MAX - open[k].vertex_count) {
            first_tile[m] = open[k].tile;
            open[k].vertex_count += mesh->vertex_count;
            continue;
        }
        open[k] = (struct open_tile){masks, tile_count, mesh->vertex_count};
        tile_count++;
    }
    return tile_count;
}

static uint32_t slots_of(const struct lift_plan *plan, uint32_t mesh,
                         uint32_t part)
{
    const struct one_rings *rings = plan->meshes[mesh].rings;

    return rings
               ? rings[part]
                     .first_slot[one_ring_batch_count(rings[part].vertex_count)]
               : 0;
}

static void add_parts(struct layout *l, const struct clip *clip,
                      const struct lift_plan *plan, uint32_t m, uint32_t tile,
                      uint32_t *next)
{
    const struct clip_mesh *mesh = &clip->meshes[m];
    uint32_t count = part_count_of(mesh);

    l->first_part[m] = *next;
    for (uint32_t k = 0; k < count; k++) {
        struct cache_part *part = &l->parts[(*next)++];
        struct cache_tile *t = &l->tiles[tile + k];
        uint32_t first = (uint32_t)((uint64_t)mesh->vertex_count * k / count);
        uint32_t limit =
            (uint32_t)((uint64_t)mesh->vertex_count * (k + 1) / count);

        part->mesh = m;
        part->first_vertex = first;
        part->vertex_count = limit - first;
        part->tile = tile + k;
        part->tile_vertex = t->vertex_count;
        if (t->part_count == 0)
            t->first_part = *next - 1;
        t->part_count++;
        t->vertex_count += part->vertex_count;
        t->static_mask = mesh->static_mask;
        t->animated_mask = mesh->animated_mask;
        t->predictor_blob = t->animated_mask ? 0 : CACHE_NONE;
        if (is_lifted(plan, m)) {
            t->predictor_blob = CACHE_NONE;
            t->layer_count = plan->meshes[m].parts[k].layer_count;
            t->one_ring_slots = slots_of(plan, m, k);
            t->one_rings_by_uvs =
                t->one_ring_slots > 0 && plan->meshes[m].rings[k].by_uvs;
            t->channel_weights = (plan->meshes[m].parts[k].channel_weights[0]
                                      ? LIFT_CHANNEL_WEIGHTS_SPACE
                                      : 0) |
                                 (plan->meshes[m].parts[k].channel_weights[1]
                                      ? LIFT_CHANNEL_WEIGHTS_TIME
                                      : 0);
        }
        if (layout_reflection(mesh) == CACHE_REFLECTION_MIXED)
            t->reflection_blob = 0;
    }
}

/* Meshes in the order of their tiles: parts of a tile follow each other. */
static void fill_tiles(struct layout *l, const struct clip *clip,
                       const struct lift_plan *plan, struct arena *arena,
                       const uint32_t *first_tile)
{
    uint32_t *start = ARENA_NEW(arena, uint32_t, l->tile_count + 1);
    uint32_t *order = ARENA_NEW(arena, uint32_t, clip->mesh_count);
    uint32_t next = 0;

    for (uint32_t m = 0; m < clip->mesh_count; m++)
        start[first_tile[m] + 1]++;
    for (uint32_t t = 0; t < l->tile_count; t++)
        start[t + 1] += start[t];
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        order[start[first_tile[m]]++] = m;
    for (uint32_t t = 0; t < l->tile_count; t++)
        l->tiles[t].reflection_blob = CACHE_NONE;
    for (uint32_t i = 0; i < clip->mesh_count; i++)
        add_parts(l, clip, plan, order[i], first_tile[order[i]], &next);
}

struct cache_mesh layout_box_mesh(const struct clip_mesh *mesh)
{
    struct cache_mesh out = {.static_mask = mesh->static_mask,
                             .animated_mask = mesh->animated_mask,
                             .box_shift = mesh->box_shift};

    out.range[CHANNEL_POSITION] = mesh->range[CHANNEL_POSITION];
    return out;
}

/* False if they exceed the limit of the format, which `diag` reports. */
static bool measure_boxes(struct layout *l, const struct clip *clip,
                          struct diag *diag)
{
    uint64_t bits = 0;

    for (uint32_t p = 0; p < l->part_count; p++) {
        const struct cache_mesh mesh =
            layout_box_mesh(&clip->meshes[l->parts[p].mesh]);

        bits += spn__cache_box_bits(&mesh);
    }
    if (bits / 8 >= CACHE_BOX_BYTES_MAX)
        return refusal_report(diag, clip->file_name, REFUSAL_TOO_LARGE, NULL,
                              "%" PRIu64 " bytes of boxes of meshes in each "
                              "frame, at most %u",
                              bits / 8 + 1, CACHE_BOX_BYTES_MAX);
    l->box_bytes = (uint32_t)((bits + 7) / 8);
    return true;
}

void layout_number(struct layout *l, struct arena *arena)
{
    l->block_count = (uint32_t)spn__cache_layout_blocks(
        l->animated_node_count, l->animated_affine_count, l->tiles,
        l->tile_count, NULL, 0);
    l->blocks = ARENA_NEW(arena, struct cache_block, l->block_count);
    (void)spn__cache_layout_blocks(l->animated_node_count,
                                   l->animated_affine_count, l->tiles,
                                   l->tile_count, l->blocks, l->block_count);
    l->blob_count = (uint32_t)spn__cache_layout_blobs(
        l->index16_count, l->index32_count, l->tiles, l->tile_count,
        l->tables_blob, NULL, 0);
    l->blobs = ARENA_NEW(arena, struct cache_blob, l->blob_count);
    (void)spn__cache_layout_blobs(l->index16_count, l->index32_count, l->tiles,
                                  l->tile_count, l->tables_blob, l->blobs,
                                  l->blob_count);
}

/* Rows of animated nodes: matrices last. */
static void number_nodes(struct layout *l, const struct clip *clip)
{
    for (int is_affine = 0; is_affine < 2; is_affine++)
        for (uint32_t n = 0; n < clip->node_count; n++) {
            if (!clip->nodes[n].is_animated ||
                clip->nodes[n].is_affine != is_affine)
                continue;
            l->animated_nodes[l->animated_node_count++] = n;
            l->animated_affine_count += (uint32_t)is_affine;
        }
}

bool layout_make(const struct clip *clip, const struct lift_plan *plan,
                 struct arena *arena, struct diag *diag, struct layout *layout)
{
    struct layout l = {.is_lifted = plan && plan->lifted_count > 0};
    uint32_t *first_tile;

    if (!validate_counts(clip, diag))
        return false;
    l.first_part = ARENA_NEW(arena, uint32_t, clip->mesh_count);
    l.first_index = ARENA_NEW(arena, uint32_t, clip->mesh_count);
    l.animated_nodes = ARENA_NEW(arena, uint32_t, clip->node_count);
    first_tile = ARENA_NEW(arena, uint32_t, clip->mesh_count);
    number_nodes(&l, clip);
    for (uint32_t m = 0; m < clip->mesh_count; m++) {
        const struct clip_mesh *mesh = &clip->meshes[m];
        uint32_t *total =
            layout_index_bytes(mesh) == 2 ? &l.index16_count : &l.index32_count;

        l.first_index[m] = *total;
        *total += mesh->index_count;
        l.part_count += part_count_of(mesh);
    }
    l.tile_count = assign_tiles(clip, plan, arena, first_tile);
    l.parts = ARENA_NEW(arena, struct cache_part, l.part_count);
    l.tiles = ARENA_NEW(arena, struct cache_tile, l.tile_count);
    fill_tiles(&l, clip, plan, arena, first_tile);
    if (!measure_boxes(&l, clip, diag))
        return false;
    layout_number(&l, arena);
    *layout = l;
    return true;
}
