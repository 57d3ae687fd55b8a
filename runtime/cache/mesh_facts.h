/* mesh_facts.h - what the tables say of the content of a static mesh, as bytes.
 *
 * The content hash of a mesh (mesh_hash.h) begins with these bytes: counts,
 * ranges and names, in the order of FORMAT.md. Two meshes have the same facts
 * if the bytes are equal. Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_MESH_FACTS_H
#define SPN_CACHE_MESH_FACTS_H

#include "base/hash64.h"
#include "cache/cache_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of the bytes. */
size_t spn__mesh_facts_bytes(const struct cache_tables *tables,
                             const struct cache_mesh *mesh);
void spn__mesh_facts_write(const struct cache_tables *tables,
                           const struct cache_mesh *mesh, uint8_t *bytes);
bool spn__mesh_facts_are(const struct cache_tables *tables,
                         const struct cache_mesh *mesh, const uint8_t *bytes,
                         size_t count);
/* Read the bytes: the number of the material range that has an index.
 *
 * index  less than the mesh's index_count */
uint32_t spn__mesh_facts_material(const struct cache_mesh *mesh,
                                  const uint8_t *bytes, uint32_t index);
void spn__mesh_facts_hash(const struct cache_tables *tables,
                          const struct cache_mesh *mesh, struct hash64 *hash);

#endif
