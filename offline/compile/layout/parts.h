/* parts.h - the layout of a cache: parts, tiles, blocks and blobs.
 *
 * Meshes of more than 8192 vertices are divided into contiguous runs of even
 * size, each a tile of its own, and so is every part of a lifted mesh; small
 * meshes with the same channel masks fill tiles together, in the order of the
 * clip.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LAYOUT_PARTS_H
#define OFFLINE_COMPILE_LAYOUT_PARTS_H

#include "cache/cache_tables.h"
#include "compile/clip/clip.h"
#include "compile/encode/lift/lift_plan.h"

/* The runtime's own tables, as far as the geometry's layout goes. */
struct layout {
    uint32_t part_count;
    uint32_t tile_count;
    uint32_t block_count;
    uint32_t blob_count;
    uint32_t animated_node_count;
    uint32_t animated_affine_count;
    uint32_t index16_count;
    uint32_t index32_count;
    struct cache_part *parts;
    struct cache_tile *tiles;
    struct cache_block *blocks;
    struct cache_blob *blobs;
    uint32_t tables_blob[CHANNEL_COUNT];
    bool is_lifted;           /* some tile */
    uint32_t *animated_nodes; /* row -> node */
    uint32_t *first_part;     /* per mesh */
    uint32_t *first_index;    /* per mesh, in the array of its width */
};

/* Bytes of an index of this mesh. */
static inline uint32_t layout_index_bytes(const struct clip_mesh *mesh)
{
    return mesh->vertex_count <= 65536 ? 2 : 4;
}

/* One value for all vertices, or a bit for each. */
enum cache_reflection layout_reflection(const struct clip_mesh *mesh);

/* False when the clip is larger than the format: refused through `diag`.
 * `plan`: of what is lifted; NULL: nothing. */
bool layout_make(const struct clip *clip, const struct lift_plan *plan,
                 struct arena *arena, struct diag *diag, struct layout *layout);

/* Number blocks and blobs; again after predictor_blob of a tile changed
 * between CACHE_NONE and anything else. */
void layout_number(struct layout *layout, struct arena *arena);

#endif
