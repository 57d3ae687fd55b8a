/* cache_lift.h - what a cache holds of the spindle prediction.
 *
 * Tables and shapes are blobs; in memory each is the arrays that the decoder
 * wants. Rings follow from shapes and indices. Shared by the runtime and the
 * tool.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_LIFT_H
#define SPN_CACHE_CACHE_LIFT_H

#include "cache/cache_file.h"
#include "codec/lift/index_wire.h"
#include "codec/lift/lift.h"
#include "codec/lift/lift_wire.h"

#include <spindle/features.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a blob in memory: those of its arrays, or its raw bytes. */
size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob);

static inline bool cache_blob_is_index(const struct cache_blob *blob)
{
    return blob->kind == CACHE_BLOB_INDEX16 || blob->kind == CACHE_BLOB_INDEX32;
}

/* Is its coding its own? It is then unpacked by the block codec's rules for
 * raw bytes, of which it has stored_bytes. */
static inline bool cache_blob_is_own(const struct cache_blob *blob)
{
    return SPN_WITH_LIFTED_MESHES &&
           (blob->kind >= CACHE_BLOB_SHAPE ||
            (cache_blob_is_index(blob) && blob->coding == CODING_LIFTED));
}

/* Does it become something else than its raw bytes? */
static inline bool cache_blob_is_lift(const struct cache_blob *blob)
{
    return SPN_WITH_LIFTED_MESHES &&
           (blob->kind == CACHE_BLOB_TABLES || cache_blob_is_own(blob));
}

/* Room for any reading but that of rings. */
union cache_lift_work {
    struct wire_hierarchy shape;
    struct wire_indices indices;
};

/* Tables, a shape or indices from their raw bytes to arrays; all but indices
 * are judged. `data` has the size above, aligned to 8. */
SPN_NODISCARD spn_status spn__cache_lift_join(const struct cache_tables *tables,
                                              const struct cache_blob *blob,
                                              const uint8_t *raw, size_t bytes,
                                              void *data,
                                              union cache_lift_work *work,
                                              struct spn_fault *fault);

static inline bool cache_mesh_is_lifted(const struct cache_tables *tables,
                                        uint32_t mesh)
{
    const struct cache_mesh *m = &tables->meshes[mesh];

    return cache_tile_is_lifted(
        &tables->tiles[tables->parts[m->first_part].tile]);
}

/* The indices of a mesh in runs as blobs have them; `runs`: of its width. */
struct one_ring_indices spn__cache_lift_indices(
    const struct cache_tables *tables, uint32_t mesh, uint8_t *const *runs);

/* The rings of a tile whose shape is there, judged. `more`: bytes behind those
 * of `raw`; NULL: none. `blob_data`: of each blob; that of the rings is filled.
 */
SPN_NODISCARD spn_status spn__cache_lift_join_rings(
    const struct cache_tables *tables, uint32_t tile, const uint8_t *raw,
    size_t bytes, const struct range_source *more,
    const struct one_ring_indices *indices, uint8_t *const *blob_data,
    struct wire_one_rings *work, struct spn_fault *fault);

/* The shape of a lifted tile; `blob_data`: of each blob. */
struct lift_hierarchy spn__cache_lift_shape(const struct cache_tables *tables,
                                            uint32_t tile,
                                            uint8_t *const *blob_data);

/* Whose values stand at each place in the channels of a tile, and its bit in
 * the reflections; NULL: they are in order. */
const uint16_t *spn__cache_lift_order(const struct cache_tables *tables,
                                      uint32_t tile, uint8_t *const *blob_data);

/* QTangents that are guessed by UVs, too: they are decoded after those, which
 * are the next block. */
static inline bool cache_block_waits(const struct cache_tables *tables,
                                     uint32_t block)
{
    const struct cache_block *b = &tables->blocks[block];

    return b->kind == CACHE_BLOCK_CHANNEL && b->channel == CHANNEL_QTANGENT &&
           tables->tiles[b->tile].rings_by_uvs;
}

/* The rings of a tile that has some. */
struct one_rings spn__cache_lift_rings(const struct cache_tables *tables,
                                       uint32_t tile,
                                       uint8_t *const *blob_data);

/* Shape and tables of a channel of a tile; no frames, no rings. */
struct lift_stream spn__cache_lift_stream(const struct cache_tables *tables,
                                          enum channel channel,
                                          const struct lift_hierarchy *shape,
                                          uint8_t *const *blob_data);

#endif
