/* one_ring_walk.h - finds the one-ring of a vertex from the triangles.
 *
 * A one-ring is the neighbours of a vertex in their order around it. The
 * runtime walks from triangle to triangle when it opens a cache, and the
 * compiler does the same with the same triangles, so files do not store rings.
 * A part is a range of a mesh's vertices: the vertices of one tile. A place is
 * the number of a vertex in the order of the tile's hierarchy. Welded vertices
 * (lift_hierarchy.h) count as the first vertex with the same position. Calls
 * work on the caller's memory and keep nothing.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_WALK_H
#define SPN_CODEC_LIFT_ONE_RING_WALK_H

#include "codec/lift/one_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A one-ring. A sector lies between a slot and the slot before; the last slot
 * comes before slot 0. */
struct one_ring {
    uint32_t count;                      /* slots, 0..ONE_RING_SLOTS_MAX */
    uint16_t vertex[ONE_RING_SLOTS_MAX]; /* the neighbour's place */
    /* No triangle fills the slot's sector. The ring is closed, and the vertex
     * on no border, if no slot has a gap. */
    bool is_gap[ONE_RING_SLOTS_MAX];
    bool is_again[ONE_RING_SLOTS_MAX]; /* an earlier slot has the neighbour */
};

/* The triangles of a mesh: three indices each, in arrays of equal length. */
struct one_ring_indices {
    uint8_t *const *runs; /* the arrays, in native byte order */
    uint32_t bytes;       /* of an index: 2 or 4 */
    uint32_t per_run;     /* indices of an array */
    uint32_t first; /* the mesh's first index, from the start of runs[0] */
    uint32_t count; /* the mesh's indices */
};

static inline uint32_t one_ring_index(const struct one_ring_indices *n,
                                      uint32_t i)
{
    const uint32_t at = n->first + i;
    const void *run = n->runs[at / n->per_run];

    return n->bytes == 2 ? ((const uint16_t *)run)[at % n->per_run]
                         : ((const uint32_t *)run)[at % n->per_run];
}

/* A range of a mesh's triangles that contains all triangles of a part. */
struct triangle_range {
    uint32_t first;
    uint32_t count; /* at most as below */
};

/* The most triangles of a range. A surface has about two triangles for each
 * vertex, and triangles of other parts may lie between. The bound keeps the
 * work in proportion to the vertices, whatever the order of the triangles. */
static inline uint32_t triangle_range_max(uint32_t vertex_count)
{
    return 32 * vertex_count;
}

/* A part: vertices [first, first + vertex_count) of the mesh. Only triangles
 * that are in its range and have all corners in the part count. */
struct one_ring_part {
    const struct one_ring_indices *indices;
    struct triangle_range range;
    uint32_t first;
    uint32_t vertex_count; /* at most ONE_RING_WALK_VERTICES_MAX */
    /* The vertex of each place, from the part's first on; NULL: vertex i has
     * place i. */
    const uint16_t *members;
    /* weld[v * weld_stride] is the place of the first vertex with the position
     * of place v, v >= weld_first. Places below weld_first are not welded. */
    const uint16_t *weld;
    uint32_t weld_stride;
    uint32_t weld_first;
};

#define ONE_RING_WALK_VERTICES_MAX 8192u
/* Corners of triangles that count. On a surface six triangles meet at a vertex
 * on average; the first triangle that does not fit and all later ones are left
 * out. */
#define ONE_RING_WALK_CORNERS_MAX (7u * ONE_RING_WALK_VERTICES_MAX)

/* For each vertex v, the two other corners of each of its triangles, in the
 * order of the triangles: from[i] and to[i] with first[v] <= i < first[v + 1].
 */
struct one_ring_corners {
    uint16_t place[ONE_RING_WALK_VERTICES_MAX]; /* of each of the part's */
    uint16_t first[ONE_RING_WALK_VERTICES_MAX + 1];
    uint16_t from[ONE_RING_WALK_CORNERS_MAX];
    uint16_t to[ONE_RING_WALK_CORNERS_MAX];
};

/* Fill `out` from the triangles of a part. */
void spn__one_ring_corners_find(const struct one_ring_part *part,
                                struct one_ring_corners *out);

/* The first place with the same position as place `v`. */
static inline uint32_t one_ring_welded(const struct one_ring_part *part,
                                       uint32_t v)
{
    return v < part->weld_first ? v : part->weld[v * (size_t)part->weld_stride];
}

/* Find the one-ring of place `v`, which is not welded to an earlier one. */
void spn__one_ring_walk(const struct one_ring_corners *corners, uint32_t v,
                        struct one_ring *ring);

#endif
