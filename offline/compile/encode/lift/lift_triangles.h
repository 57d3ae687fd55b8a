/* lift_triangles.h - triangles part by part, and vertices by first use there.
 *
 * What is around the vertices of a part (one_ring_walk.h) then lies in a short
 * range of the triangles, and what a GPU fetches lies close together.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRIANGLES_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRIANGLES_H

#include "codec/lift/one_ring_walk.h"
#include "common/arena.h"
#include "compile/clip/clip.h"

#include <stdint.h>

/* `order`: a mesh's vertices as lift_parts_cut has them; then in each part by
 * their first use in its triangles, those of none last. Writes the triangles
 * to `indices`, material by material, in each part by part (of a triangle that
 * joins several: the first of them), otherwise as they were. They number
 * vertices as `order` has them. */
void lift_triangles_order(const struct clip_mesh *mesh, uint32_t part_count,
                          uint32_t *order, uint32_t *indices);

/* Among which triangles (of such indices) those of each part are. Where they
 * are too far apart, as many of them as the format knows (triangle_range_max).
 */
void lift_triangles_ranges(const uint32_t *indices, uint32_t index_count,
                           uint32_t vertex_count, uint32_t part_count,
                           struct triangle_range *ranges);

#endif
