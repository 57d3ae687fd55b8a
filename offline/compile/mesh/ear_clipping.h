/* ear_clipping.h - triangulates a polygon in the plane by ear clipping, the
 * shortest diagonals first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_EAR_CLIPPING_H
#define OFFLINE_COMPILE_MESH_EAR_CLIPPING_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Boxes of the tree that may be visited for each corner of a polygon, summed
 * over all its ears. A few hundred suffice for a million corners of ordinary
 * polygons. Beyond the limit the remaining corners are clipped without a test.
 */
#define EAR_CLIPPING_BOXES_PER_CORNER 4096u

struct reflex_tree;

/* Memory for one polygon, reused for the next one. */
struct ear_clipping {
    const double (*plane)[2];
    uint32_t count;
    struct {
        uint32_t *next;
        uint32_t *previous;
    } corners; /* a ring of those that remain */
    bool *is_reflex;
    uint32_t ear_count;
    uint32_t *heap;           /* ears, from 1: what is at i goes before 2 i and
                               * 2 i + 1 */
    uint32_t *place_of;       /* of each corner in the heap; 0: no ear */
    double *length;           /* of each ear: the square of its cut's length */
    struct reflex_tree *tree; /* NULL: room for small polygons only */
};

void ear_clipping_open(struct ear_clipping *ears, uint32_t corners_max,
                       struct arena *arena);

/* Triangulate a counter-clockwise polygon of `count` corners into count - 2
 * counter-clockwise triangles, three corner numbers each. The result depends
 * on the input alone. A polygon that crosses itself may have no ear left: then
 * any corner is clipped. */
void ear_clipping_clip(struct ear_clipping *ears, const double (*plane)[2],
                       uint32_t count, uint32_t *triangles);

#endif
