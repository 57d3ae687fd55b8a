/* ears.h - a polygon in the plane becomes triangles, ear by ear. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_EARS_H
#define OFFLINE_COMPILE_MESH_EARS_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Boxes of corners that may be looked at for each corner of a polygon, all its
 * ears together. A few hundred are enough for a million corners, unless they
 * were made to need more: what is left then is cut anyhow. */
#define EARS_BOXES_PER_CORNER 4096u

struct ears_tree;

/* Room for a polygon, used again for the next. */
struct ears {
    const double (*plane)[2];
    uint32_t count;
    struct {
        uint32_t *next;
        uint32_t *previous;
    } corners; /* a ring of those that remain */
    bool *is_reflex;
    uint32_t ear_count;
    uint32_t *heap;         /* ears, from 1: what is at i goes before 2 i and
                             * 2 i + 1 */
    uint32_t *place_of;     /* of each corner in the heap; 0: no ear */
    double *length;         /* of each ear: the square of its cut's length */
    struct ears_tree *tree; /* NULL: room for small polygons only */
};

void ears_open(struct ears *ears, uint32_t corners_max, struct arena *arena);

/* Cut a polygon that runs counter-clockwise into count - 2 triangles: three
 * corners each, in its own direction; the same ones always. One that crosses
 * itself may have no ear left: then any corner goes. */
void ears_clip(struct ears *ears, const double (*plane)[2], uint32_t count,
               uint32_t *triangles);

#endif
