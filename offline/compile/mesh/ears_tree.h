/* ears_tree.h - is there a reflex corner in a triangle?
 *
 * The corners of a polygon in boxes, each halved by number along its longer
 * side, that know how many of their corners are reflex. A box that lies
 * beyond an edge of the triangle is passed over. Rounding preserves order, so
 * the box's own corners speak for all within: the answer is that of a look at
 * every corner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_EARS_TREE_H
#define OFFLINE_COMPILE_MESH_EARS_TREE_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct ears_tree *ears_tree_new(uint32_t corners_max, struct arena *arena);

/* A polygon none of whose corners is reflex yet. `boxes_max`: that may be
 * looked at from now on. */
void ears_tree_begin(struct ears_tree *tree, const double (*plane)[2],
                     uint32_t count, uint64_t boxes_max);

void ears_tree_set_reflex(struct ears_tree *tree, uint32_t corner,
                          bool is_reflex);

/* In the triangle or on its edges, but not at the place of its corners. True,
 * too, when no more boxes may be looked at. */
bool ears_tree_has_reflex(struct ears_tree *tree, const double *a,
                          const double *b, const double *c);

/* Is p in the triangle, or on its edges, but at none of its corners? A corner
 * that repeats the place of another (the two sides of a bridge to a hole) is
 * not in its way. */
bool ears_is_inside(const double *a, const double *b, const double *c,
                    const double *p);

/* Twice the area of a, b, c; positive when they turn left. */
static inline double ears_turn(const double *a, const double *b,
                               const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

#endif
