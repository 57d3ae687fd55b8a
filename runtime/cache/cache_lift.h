/* cache_lift.h - the static data of lifted tiles: from blobs to arrays.
 *
 * Lifted tiles (codec/lift/lift.h) need three kinds of static data: the
 * hierarchy of their vertices; one-rings, the neighbours around each vertex,
 * from which QTangents are predicted; and, for each channel, the code tables of
 * the residual coder, which all tiles share. Each is a blob of the file.
 * Loading expands it to the arrays that the decoder reads. Indices of triangles
 * may be coded, too, and are loaded the same way. The structs that describe a
 * hierarchy or one-rings only point to the arrays; they are made wherever they
 * are needed.
 *
 * `blob_data` is always the array of cache_decoder: for each blob, its memory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_LIFT_H
#define SPN_CACHE_CACHE_LIFT_H

#include "cache/cache_tables.h"
#include "codec/classic/predict.h"
#include "codec/lift/index_wire.h"
#include "codec/lift/lift.h"
#include "codec/lift/lift_wire.h"

#include <spindle/features.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a loaded blob: of its arrays, or of its raw bytes. */
size_t spn__cache_blob_memory(const struct cache_tables *tables,
                              const struct cache_blob *blob);

static inline bool cache_blob_is_index(const struct cache_blob *blob)
{
    return blob->kind == CACHE_BLOB_INDEX16 || blob->kind == CACHE_BLOB_INDEX32;
}

/* True for a blob that the block codec does not compress, because it has an
 * entropy coding of its own. */
static inline bool cache_blob_is_coded(const struct cache_blob *blob)
{
    return SPN_WITH_LIFTED_MESHES &&
           (blob->kind >= CACHE_BLOB_HIERARCHY ||
            (cache_blob_is_index(blob) && blob->coding == CODING_LIFTED));
}

/* True for a blob whose memory is not its raw bytes. */
static inline bool cache_blob_is_expanded(const struct cache_blob *blob)
{
    return SPN_WITH_LIFTED_MESHES &&
           (blob->kind == CACHE_BLOB_TABLES || cache_blob_is_coded(blob));
}

/* -- load -- */

/* Working memory of spn__cache_lift_load. */
union cache_lift_workspace {
    struct wire_hierarchy hierarchy;
    struct wire_indices indices;
};

/* Expand tables, a hierarchy or coded indices from the `bytes` at `raw` to
 * `data`, spn__cache_blob_memory() bytes, aligned to 8. What is loaded is
 * valid, except that indices may exceed the vertices of their mesh. */
SPN_NODISCARD spn_status spn__cache_lift_load(
    const struct cache_tables *tables, const struct cache_blob *blob,
    const uint8_t *raw, size_t bytes, void *data,
    union cache_lift_workspace *workspace, struct spn_fault *fault);

/* Load the one-rings of a tile to their memory in `blob_data`. The hierarchy of
 * the tile is loaded. `more` has the bytes behind those at `raw`; NULL: none.
 * `runs` has the memory of all blobs with indices of the mesh's width. */
SPN_NODISCARD spn_status spn__cache_lift_load_one_rings(
    const struct cache_tables *tables, uint32_t tile, const uint8_t *raw,
    size_t bytes, const struct range_source *more, uint8_t *const *runs,
    uint8_t *const *blob_data, struct wire_one_rings *workspace,
    struct spn_fault *fault);

/* -- use -- */

/* The hierarchy of a lifted tile. */
struct lift_hierarchy spn__cache_lift_hierarchy(
    const struct cache_tables *tables, uint32_t tile,
    uint8_t *const *blob_data);

/* The vertex of the tile at each place of its channels. Bits of the reflection
 * blob have the same order. NULL: places and vertices have the same numbers. */
const uint16_t *spn__cache_lift_order(const struct cache_tables *tables,
                                      uint32_t tile, uint8_t *const *blob_data);

/* The reverse: the place of each vertex. NULL: the same as above. Only with
 * SPN_WITH_RAY_CASTS. */
const uint16_t *spn__cache_lift_places(const struct cache_tables *tables,
                                       uint32_t tile,
                                       uint8_t *const *blob_data);

/* The one-rings of a tile that has some. */
struct one_rings spn__cache_lift_one_rings(const struct cache_tables *tables,
                                           uint32_t tile,
                                           uint8_t *const *blob_data);

/* Input for decoding a channel of a tile: hierarchy and tables are set,
 * reference frames and one-rings are not. */
struct lift_input spn__cache_lift_input(const struct cache_tables *tables,
                                        enum channel channel,
                                        const struct lift_hierarchy *hierarchy,
                                        uint8_t *const *blob_data);

#endif
