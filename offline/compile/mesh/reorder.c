/* reorder.c - meshoptimizer's vertex cache optimization for one material.
 *
 * Its cost grows with the number of vertices that it is given. Therefore the
 * vertices of the range are first numbered without gaps. meshoptimizer keeps
 * the order of the corners in each triangle.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/reorder.h"

#include <meshoptimizer.h>

void reorder_range(uint32_t *indices, uint32_t index_count, uint32_t *seen,
                   struct arena *scratch)
{
    uint32_t *dense = ARENA_NEW(scratch, uint32_t, index_count);
    uint32_t *ordered = ARENA_NEW(scratch, uint32_t, index_count);
    uint32_t *vertices = ARENA_NEW(scratch, uint32_t, index_count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < index_count; i++) {
        uint32_t *number = &seen[indices[i]];
        if (*number == 0) {
            vertices[count] = indices[i];
            *number = ++count;
        }
        dense[i] = *number - 1;
    }
    for (uint32_t i = 0; i < count; i++)
        seen[vertices[i]] = 0;
    if (index_count == 0)
        return;
    meshopt_optimizeVertexCache(ordered, dense, index_count, count);
    for (uint32_t i = 0; i < index_count; i++)
        indices[i] = vertices[ordered[i]];
}

uint32_t reorder_vertices(uint32_t *indices, uint32_t index_count,
                          uint32_t vertex_count, uint32_t *old_of,
                          struct arena *scratch)
{
    uint32_t *number_of = ARENA_NEW(scratch, uint32_t, vertex_count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < index_count; i++) {
        uint32_t *number = &number_of[indices[i]];
        if (*number == 0) {
            old_of[count] = indices[i];
            *number = ++count;
        }
        indices[i] = *number - 1;
    }
    return count;
}
