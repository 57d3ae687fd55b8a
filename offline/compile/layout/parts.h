/* parts.h - divides the meshes of a clip into the parts, tiles, blocks and
 * blobs of a cache.
 *
 * A part is a run of vertices of one mesh. A tile is what is decoded at once:
 * it has one block for each animated channel, and holds one or more parts. A
 * mesh of more than 8192 vertices is divided into parts of even size, each in a
 * tile of its own, and so is a lifted mesh. Small meshes with the same channels
 * share tiles, in the order of the clip. Blobs hold static data.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LAYOUT_PARTS_H
#define OFFLINE_COMPILE_LAYOUT_PARTS_H

#include "cache/cache_tables.h"
#include "compile/clip/clip.h"
#include "compile/encode/lift/lift_plan.h"

/* The runtime's tables as far as they describe geometry. Everything lies in the
 * arena of layout_make. */
struct layout {
    /* Counts of the arrays, and of indices, as in struct cache_header. */
    uint32_t part_count;
    uint32_t tile_count;
    uint32_t block_count;
    uint32_t blob_count;
    uint32_t animated_node_count;
    uint32_t animated_affine_count;
    uint32_t index16_count;
    uint32_t index32_count;
    uint32_t box_bytes;
    struct cache_part *parts;
    struct cache_tile *tiles;
    struct cache_block *blocks;
    struct cache_blob *blobs;
    uint32_t tables_blob[CHANNEL_COUNT]; /* as in struct cache_tables */
    bool is_lifted;                      /* at least one tile is lifted */
    uint32_t *animated_nodes;            /* per row of transforms: the node */
    uint32_t *first_part;  /* per mesh: its first element of `parts` */
    uint32_t *first_index; /* per mesh: its first index, among the indices of
                               * the same width (2 or 4 bytes) */
};

/* Bytes of an index of the mesh: 2 or 4. */
static inline uint32_t layout_index_bytes(const struct clip_mesh *mesh)
{
    return mesh->vertex_count <= 65536 ? 2 : 4;
}

/* The mesh as far as the functions of cache/cache_box.h read it to find the
 * sizes of its boxes. */
struct cache_mesh layout_box_mesh(const struct clip_mesh *mesh);

/* Do tangent frames of the mesh mirror: none, all, or a bit for each vertex? */
enum cache_reflection layout_reflection(const struct clip_mesh *mesh);

/* Returns false if the clip exceeds a limit of the format, which `diag`
 * reports. `plan`: NULL if nothing is lifted. */
bool layout_make(const struct clip *clip, const struct lift_plan *plan,
                 struct arena *arena, struct diag *diag, struct layout *layout);

/* Number blocks and blobs. Must be called again after predictor_blob of a tile
 * has changed to or from CACHE_NONE. */
void layout_number(struct layout *layout, struct arena *arena);

#endif
