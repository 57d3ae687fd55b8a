/* lift_parts.h - divides the vertices of a mesh into compact parts of even
 * size.
 *
 * A part is encoded by itself, and vertices on its border are predicted worse.
 * To keep borders short, the set of vertices is halved again and again, each
 * time across the longest side of its bounding box.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PARTS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PARTS_H

#include <stdint.h>

/* The least number of parts of at most `part_vertices` vertices. */
uint32_t lift_parts_count(uint32_t vertex_count, uint32_t part_vertices);

/* The place of the part's first vertex in the order of lift_parts_split. `part`
 * may be part_count: the end of the order. */
uint32_t lift_parts_first(uint32_t vertex_count, uint32_t part_count,
                          uint32_t part);

/* The part of the vertex at `place` of that order. */
uint32_t lift_parts_find(uint32_t vertex_count, uint32_t part_count,
                         uint32_t place);

/* Fill `order` with the numbers of all vertices, part after part, rising within
 * a part. `positions`: three numbers a vertex. Vertices at one position stay in
 * one part where the sizes allow it. */
void lift_parts_split(const uint16_t *positions, uint32_t vertex_count,
                      uint32_t part_count, uint32_t *order);

#endif
