/* reorder.h - triangles in the order that GPUs like, vertices by first use. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_REORDER_H
#define OFFLINE_COMPILE_MESH_REORDER_H

#include "common/arena.h"

#include <stdint.h>

/* Reorder the triangles of one range of indices (one material) for the
 * vertex cache, in place. `vertex_count` bounds the indices. `seen` has a
 * number for each vertex, all zero before the first range, and is left zero
 * again: its size is that of the mesh, the cost that of the range. */
void reorder_range(uint32_t *indices, uint32_t index_count, uint32_t *seen,
                   struct arena *scratch);

/* Number vertices by first use. `old_of` gets, for each new number, the old
 * one. Returns how many vertices are used. */
uint32_t reorder_vertices(uint32_t *indices, uint32_t index_count,
                          uint32_t vertex_count, uint32_t *old_of,
                          struct arena *scratch);

#endif
