/* cache_info.h - what a READY cache says about itself.
 *
 * Arguments were checked; nothing can fail. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_INFO_H
#define SPN_PLAY_CACHE_INFO_H

#include "play/cache.h"

#include <spindle/geom.h>
#include <stdint.h>

void spn__cache_get_info(const struct cache *c, spn_cache_info *out);
void spn__cache_get_mesh(const struct cache *c, uint32_t mesh,
                         spn_mesh_info *out);
void spn__cache_get_material(const struct cache *c, uint32_t mesh,
                             uint32_t material, spn_material_range *out);
void spn__cache_get_node(const struct cache *c, uint32_t index,
                         spn_scene_node_info *out);
/* Frame buffers that one node has out at a time at most: what lies within the
 * time that frames are decoded ahead, a group at both ends, and what is shown.
 * Never more than the frames that it may hold, and two. The cache is READY. */
uint32_t spn__cache_frame_buffers(const struct cache *c, uint32_t ahead_us,
                                  uint32_t frames_max);
/* As uint16_t (2) or uint32_t (4); they fit. */
void spn__cache_copy_indices(const struct cache *c, uint32_t mesh,
                             uint32_t index_bytes, void *indices);

#endif
