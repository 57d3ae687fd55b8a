/* mesh_hash.h - the content hash of a static mesh.
 *
 * A mesh none of whose channels is animated has a hash of its content in the
 * file. Two meshes with the same content can be drawn from the same buffers, in
 * one call: so the content is all that spn_cache_get_mesh and
 * spn_cache_get_material say of the mesh and its materials, but the name of the
 * mesh; its indices; and its decoded channels and reflections, vertex by
 * vertex. Not part of it are the name, the transforms and the visibility of
 * whatever shows the mesh, and how the file stores it: parts, tiles, codecs.
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
