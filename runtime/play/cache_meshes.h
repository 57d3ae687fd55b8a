/* cache_meshes.h - give the static meshes of a cache to the registry.
 *
 * When the blobs of a cache are decoded and its content hashes are right, its
 * static meshes are moved to the registry (mesh/mesh_registry.h). If the
 * registry has a mesh with the same hash, all bytes are compared. If they are
 * equal, the cache refers to that mesh, and frees its own bytes. Otherwise a
 * new mesh is added: it takes over the large blobs that hold nothing else, and
 * gets a copy of all other data.
 *
 * Blobs of static tiles, and runs of indices that no animated mesh has, are
 * freed on the way. A run of at most 64 KiB that an animated mesh has, too,
 * stays as it is.
 *
 * An update handles at most CACHE_MESHES_STEP_BYTES, so that it takes no longer
 * than about 0.2 ms. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_MESHES_H
#define SPN_PLAY_CACHE_MESHES_H

#include "mesh/mesh_registry.h"
#include "play/cache.h"

#include <spindle/status.h>

/* Bytes that one call compares and copies, apart from one piece. */
#define CACHE_MESHES_STEP_BYTES (1u << 20)

/* Go on from cache.meshes.part.
 *
 * SPN_OK             all meshes are in the registry
 * SPN_PENDING        call it again at the next update
 * SPN_NO_MEMORY_NOW  the same
 * SPN_ERR_MEMORY     there can never be enough memory */
spn_status spn__cache_meshes_step(struct cache *c);

/* Give up all meshes, also those that are not complete. */
void spn__cache_meshes_release(struct cache *c);

/* The static mesh with this number in the cache; NULL: it is animated. */
static inline const struct static_mesh *cache_static_mesh(const struct cache *c,
                                                          uint32_t mesh)
{
    return c->meshes.table[mesh];
}

/* Pages that the static meshes of the cache take if no other cache has
 * them. */
static inline uint32_t cache_mesh_pages(const struct cache *c)
{
    return c->meshes.alone_pages;
}

#endif
