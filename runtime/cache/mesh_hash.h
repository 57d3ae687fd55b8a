/* mesh_hash.h - the content hash of a static mesh.
 *
 * The file has a hash of the content of each mesh that is static, i.e. without
 * animated channels. Two meshes with the same content can be drawn from the
 * same buffers, in one call. The content is:
 *
 *   - what spn_cache_get_mesh and spn_cache_get_material say of the mesh and
 *     its materials, without name and first vertex of the mesh;
 *   - its indices;
 *   - its decoded channels and reflections, vertex by vertex.
 *
 * Names, transforms and visibility of scene nodes do not count, nor does the
 * form in which the file stores the mesh: parts, tiles, codecs.
 *
 * FORMAT.md lists the bytes that are hashed. Whoever finds an equal hash
 * compares the content, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_MESH_HASH_H
#define SPN_CACHE_MESH_HASH_H

#include "cache/decoder.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool cache_mesh_is_static(const struct cache_mesh *mesh)
{
    return mesh->animated_mask == 0;
}

/* Compute the hash of a static mesh.
 *
 * cache    all its blobs are decoded
 * scratch  BLOCK_RAW_BYTES_MAX bytes, aligned to 4 */
uint64_t spn__mesh_hash(const struct cache_decoder *cache, uint32_t mesh,
                        uint8_t *scratch);

/* Compare it with the hash in the file. A mesh that is not static is accepted.
 * The offset of a fault counts from the start of the file. Otherwise as
 * above. */
SPN_NODISCARD spn_status
spn__mesh_hash_validate(const struct cache_decoder *cache, uint32_t mesh,
                        uint8_t *scratch, struct spn_fault *fault);

#endif
