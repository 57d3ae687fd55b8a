/* ear_clipping.h - triangulates a polygon in the plane by ear clipping, the
 * shortest diagonals first.
 *
 * An ear is a convex corner b with neighbours a and c such that no other corner
 * of the polygon is inside the triangle a, b, c. Clipping the ear emits that
 * triangle and removes b: the diagonal a-c becomes an edge. Only reflex corners
 * (those that are not convex) can be inside the triangle of a convex corner.
 * The shortest diagonal is clipped first, which keeps triangles round.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_EAR_CLIPPING_H
#define OFFLINE_COMPILE_MESH_EAR_CLIPPING_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Corners that may be examined for each corner of a polygon, summed over all
 * tests for ears. The limit bounds the time of a polygon to some microseconds
 * a corner. A polygon of 10,000 corners cannot reach it. Beyond the limit no
 * corner counts as an ear: the remaining corners are clipped without a test,
 * and their triangles may be flipped.
 */
#define EAR_CLIPPING_EXAMINED_PER_CORNER 32768u

/* Memory for one polygon, reused for the next one. Corners are numbered from 0
 * in the order of the polygon. */
struct ear_clipping {
    const double (*plane)[2]; /* x and y of each corner; the caller's */
    uint32_t count;           /* corners of the polygon */
    /* Neighbours of each corner that is not clipped yet. */
    uint32_t *next;
    uint32_t *previous;
    /* Corners sorted along the longer side of the polygon's bounding box. */
    struct ear_clipping_place {
        double at;       /* coordinate along that side */
        double point[2]; /* both coordinates */
        uint32_t corner;
        bool is_reflex; /* false for a clipped corner */
    } * sorted;
    uint32_t *rank; /* of each corner: its index in `sorted` */
    /* Of each corner, the squared length of the diagonal that clipping it
     * leaves; INFINITY if it is not an ear. */
    double *length;
    /* A tournament of the corners by length, then by number: the winners of
     * the nodes 2 i and 2 i + 1 meet in node i, and corner k is node
     * count + k. winner[1] is the next ear. */
    uint32_t *winner;
    /* EAR_CLIPPING_EXAMINED_PER_CORNER; lowered by tests. */
    uint32_t examined_per_corner;
    uint64_t examined_left; /* in the polygon at hand */
};

/* Allocate for polygons of at most `corners_max` corners. The memory belongs to
 * `arena`. */
void ear_clipping_open(struct ear_clipping *ears, uint32_t corners_max,
                       struct arena *arena);

/* Triangulate a counter-clockwise polygon of `count` corners, at least 3, into
 * count - 2 counter-clockwise triangles, three corner numbers each. The result
 * depends on the input alone. If the polygon intersects itself, there may be no
 * ear left: then the remaining corners are clipped in their order, and some
 * triangles are clockwise. */
void ear_clipping_clip(struct ear_clipping *ears, const double (*plane)[2],
                       uint32_t count, uint32_t *triangles);

/* Twice the signed area of a, b, c; positive when they are counter-clockwise.
 */
static inline double orient2d(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

#endif
