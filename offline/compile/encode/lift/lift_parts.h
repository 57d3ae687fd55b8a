/* lift_parts.h - a mesh cut into compact parts of even size.
 *
 * What lies on the border of a part is predicted worse, so borders should be
 * short: the vertices are halved, and halved again, across the longest side
 * of their box.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PARTS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PARTS_H

#include <stdint.h>

/* Parts of at most `part_vertices`, as few as possible. */
uint32_t lift_parts_count(uint32_t vertex_count, uint32_t part_vertices);

/* First vertex of a part in the order below; of part `part_count`: the end. */
uint32_t lift_parts_first(uint32_t vertex_count, uint32_t part_count,
                          uint32_t part);

/* The part of the vertex at a place of that order. */
uint32_t lift_parts_find(uint32_t vertex_count, uint32_t part_count,
                         uint32_t place);

/* Fill `order` with all vertices, part after part, within a part as they were.
 * `positions`: three numbers a vertex; vertices at one place stay together
 * where sizes allow it. */
void lift_parts_cut(const uint16_t *positions, uint32_t vertex_count,
                    uint32_t part_count, uint32_t *order);

#endif
