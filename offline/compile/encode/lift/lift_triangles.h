/* lift_triangles.h - the stored order of a lifted mesh's triangles and
 * vertices.
 *
 * Triangles are sorted by part, so the one-rings of a part's vertices
 * (one_ring_walk.h) come from a short range of triangles. Vertices are numbered
 * by their first use in the triangles, so what a GPU fetches lies close
 * together.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRIANGLES_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRIANGLES_H

#include "codec/lift/one_ring_walk.h"
#include "common/arena.h"
#include "compile/clip/clip.h"

#include <stdint.h>

/* `order`: on entry the vertices of the mesh as lift_parts_split orders them;
 * on return each part's vertices in the order of their first use in its
 * triangles, vertices without a triangle last. Writes all triangles to
 * `indices`: material by material, within a material part by part, else in
 * their old order. A triangle with corners in several parts belongs to the
 * first of them. The indices are places in `order`. */
void lift_triangles_order(const struct clip_mesh *mesh, uint32_t part_count,
                          uint32_t *order, uint32_t *indices);

/* Find for each part the range of triangles (of the indices above) that holds
 * all its triangles. A range that would be longer than triangle_range_max is
 * cut there. */
void lift_triangles_ranges(const uint32_t *indices, uint32_t index_count,
                           uint32_t vertex_count, uint32_t part_count,
                           struct triangle_range *ranges);

#endif
