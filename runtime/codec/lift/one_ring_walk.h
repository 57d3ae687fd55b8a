/* one_ring_walk.h - finds the one-ring of a vertex from the triangles.
 *
 * A one-ring is the neighbours of a vertex, in their order around it. Files do
 * not store the neighbours. The runtime finds them when it opens a cache, and
 * the compiler finds the same ones from the same triangles. Call
 * spn__one_ring_corners_find() once for a part, then spn__one_ring_walk() for
 * each vertex.
 *
 * A part is a range of a mesh's vertices: those of one tile. A place is the
 * number of a vertex in the order of the tile's hierarchy. Welded vertices
 * (lift_hierarchy.h) have the same position, and count as one: the first of
 * them. The functions work on memory of the caller and keep no state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_WALK_H
#define SPN_CODEC_LIFT_ONE_RING_WALK_H

#include "codec/lift/one_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A one-ring. A slot holds one neighbour. The sector of a slot lies between its
 * neighbour and that of the slot before; before slot 0 comes the last slot. */
struct one_ring {
    uint32_t count;                      /* slots, 0..ONE_RING_SLOTS_MAX */
    uint16_t vertex[ONE_RING_SLOTS_MAX]; /* the place of the neighbour */
    /* No triangle fills the sector of the slot. If no slot has a gap, the ring
     * is closed: the vertex is not on a border. */
    bool is_gap[ONE_RING_SLOTS_MAX];
    bool is_again[ONE_RING_SLOTS_MAX]; /* an earlier slot has this neighbour */
};

/* The triangles of a mesh: three indices for each. The indices of all meshes
 * lie one after another in several arrays, the runs. */
struct one_ring_indices {
    uint8_t *const *runs; /* the arrays; numbers in native byte order */
    uint32_t bytes;       /* bytes of an index: 2 or 4 */
    uint32_t per_run;     /* indices of each array */
    uint32_t first; /* number of the mesh's first index, from runs[0] on */
    uint32_t count; /* indices of the mesh */
};

/* Index i of the mesh. */
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
    uint32_t count; /* at most triangle_range_max() */
};

/* The most triangles of a range. A surface has about two triangles for each
 * vertex, and triangles of other parts may lie between them. The bound keeps
 * the work in proportion to the number of vertices, whatever the order of the
 * triangles is. */
static inline uint32_t triangle_range_max(uint32_t vertex_count)
{
    return 32 * vertex_count;
}

/* A part: vertices [first, first + vertex_count) of the mesh. A triangle counts
 * only if it is in the range and has all corners in the part. */
struct one_ring_part {
    const struct one_ring_indices *indices;
    struct triangle_range range;
    uint32_t first;
    uint32_t vertex_count; /* at most ONE_RING_WALK_VERTICES_MAX */
    /* For each place: the vertex, counted from `first`. NULL: the place of each
     * vertex is its number. */
    const uint16_t *members;
    /* weld[v * weld_stride] is the place of the first vertex with the position
     * of place v, v >= weld_first. Places below weld_first are not welded. */
    const uint16_t *weld;
    uint32_t weld_stride;
    uint32_t weld_first;
};

#define ONE_RING_WALK_VERTICES_MAX 8192u
/* The most corners of triangles. On a surface six triangles meet at a vertex on
 * average. If there are more corners, the first triangle that does not fit and
 * all later ones are ignored. */
#define ONE_RING_WALK_CORNERS_MAX (7u * ONE_RING_WALK_VERTICES_MAX)

/* The triangles of each vertex. Those of place v have the numbers
 * first[v] .. first[v + 1] - 1; from[i] and to[i] are the places of the other
 * two corners of triangle i, in their order around it. */
struct one_ring_corners {
    uint16_t place[ONE_RING_WALK_VERTICES_MAX]; /* of each vertex of the part */
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
