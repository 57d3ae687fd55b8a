/* reorder.h - orders triangles for the vertex cache of a GPU, and numbers
 * vertices by first use.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_REORDER_H
#define OFFLINE_COMPILE_MESH_REORDER_H

#include "common/arena.h"

#include <stdint.h>

/* Reorder the triangles of one material, in place.
 *
 * indices      three vertices for each triangle
 * seen         a number for each vertex of the mesh, all zero; zero again after
 *              the call, so that the next range can use it
 *
 * The cost depends on the size of the range, not on that of the mesh. */
void reorder_range(uint32_t *indices, uint32_t index_count, uint32_t *seen,
                   struct arena *scratch);

/* Number vertices in the order of their first use, and replace the indices.
 *
 * old_of  filled: the old number of each new one (room for `vertex_count`)
 *
 * Returns the number of vertices that are used. */
uint32_t reorder_vertices(uint32_t *indices, uint32_t index_count,
                          uint32_t vertex_count, uint32_t *old_of,
                          struct arena *scratch);

#endif
