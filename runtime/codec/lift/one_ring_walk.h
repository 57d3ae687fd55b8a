/* one_ring_walk.h - the ring of neighbours around a vertex, from the triangles.
 *
 * Both the compiler and the runtime walk, with the same triangles in the same
 * order, so rings need not be stored. Vertices are those of a part; welded
 * ones stand for the first at their place.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RING_WALK_H
#define SPN_CODEC_LIFT_RING_WALK_H

#include "codec/lift/one_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Slot by slot; between a slot and the one before lies a triangle, unless
 * there is a gap. Before the first slot comes the last: where there is no gap
 * either, the ring is closed. */
struct one_ring {
    uint32_t count; /* 0..ONE_RING_SLOTS_MAX */
    uint16_t vertex[ONE_RING_SLOTS_MAX];
    bool is_gap[ONE_RING_SLOTS_MAX];
    bool is_again[ONE_RING_SLOTS_MAX]; /* a vertex that an earlier slot has */
};

/* Indices of a mesh, in runs of 16 or 32 bits each. */
struct one_ring_indices {
    uint8_t *const *runs;
    uint32_t bytes;   /* 2 or 4 */
    uint32_t per_run; /* indices */
    uint32_t first;   /* of the mesh, from the start of run 0 */
    uint32_t count;
};

static inline uint32_t one_ring_index(const struct one_ring_indices *n,
                                      uint32_t i)
{
    const uint32_t at = n->first + i;
    const void *run = n->runs[at / n->per_run];

    return n->bytes == 2 ? ((const uint16_t *)run)[at % n->per_run]
                         : ((const uint32_t *)run)[at % n->per_run];
}

/* Triangles of a mesh among which those of a part are. */
struct triangle_range {
    uint32_t first;
    uint32_t count; /* at most as below */
};

/* Some two triangles of a surface belong to a vertex; between those of a part
 * may lie others. Bounded by the part, so the work of all parts is in
 * proportion to their vertices, whatever the order of the triangles. */
static inline uint32_t triangle_range_max(uint32_t vertex_count)
{
    return 32 * vertex_count;
}

/* A part's vertices: [first, first + vertex_count) of the mesh. Triangles that
 * leave it, or its range, do not count. */
struct one_ring_part {
    const struct one_ring_indices *indices;
    struct triangle_range range;
    uint32_t first;
    uint32_t vertex_count;   /* at most ONE_RING_WALK_VERTICES_MAX */
    const uint16_t *members; /* the vertex at each place, which are what rings
                              * are of; NULL: the same */
    /* of each place from weld_first on, `weld_stride` apart: the first there is
     * at it; others are their own */
    const uint16_t *weld;
    uint32_t weld_stride;
    uint32_t weld_first;
};

#define ONE_RING_WALK_VERTICES_MAX 8192u
/* On a surface six triangles meet at a vertex, on average; what is beyond so
 * many for all is left out. */
#define ONE_RING_WALK_CORNERS_MAX (7u * ONE_RING_WALK_VERTICES_MAX)

/* Around each vertex: the other corners of its triangles, in their order. */
struct one_ring_corners {
    uint16_t place[ONE_RING_WALK_VERTICES_MAX]; /* of each vertex */
    uint16_t first[ONE_RING_WALK_VERTICES_MAX + 1];
    uint16_t from[ONE_RING_WALK_CORNERS_MAX];
    uint16_t to[ONE_RING_WALK_CORNERS_MAX];
};

void spn__one_ring_corners_find(const struct one_ring_part *part,
                                struct one_ring_corners *out);

/* The vertex at whose place `v` is. */
static inline uint32_t one_ring_welded(const struct one_ring_part *part,
                                       uint32_t v)
{
    return v < part->weld_first ? v : part->weld[v * (size_t)part->weld_stride];
}

/* The ring of a vertex that is not welded to another. */
void spn__one_ring_walk(const struct one_ring_corners *corners, uint32_t v,
                        struct one_ring *ring);

#endif
