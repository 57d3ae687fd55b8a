/* cache_info.h - what a cache that is READY reports about itself.
 *
 * The arguments were checked by api_geom.c, so nothing can fail. Reads only.
 * Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_INFO_H
#define SPN_PLAY_CACHE_INFO_H

#include "play/cache.h"

#include <spindle/geom_cache.h>
#include <stdint.h>

/* The implementations of spn_cache_get_info, spn_cache_get_mesh,
 * spn_cache_get_material and spn_cache_get_scene_node (geom_cache.h). */
void spn__cache_get_info(const struct cache *c, spn_cache_info *out);
void spn__cache_get_mesh(const struct cache *c, uint32_t mesh,
                         spn_mesh_info *out);
void spn__cache_get_material(const struct cache *c, uint32_t mesh,
                             uint32_t material, spn_material_range *out);
void spn__cache_get_node(const struct cache *c, uint32_t index,
                         spn_scene_node_info *out);

/* Copy a mesh's triangle indices.
 *
 * index_bytes  size of an index in `indices`: 2 or 4. All indices of the mesh
 *              must fit */
void spn__cache_copy_indices(const struct cache *c, uint32_t mesh,
                             uint32_t index_bytes, void *indices);

#endif
