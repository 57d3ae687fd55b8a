/* reflex_tree.h - finds reflex corners of a polygon inside a triangle.
 *
 * A binary tree of bounding boxes over the corners. The corners of a box are
 * sorted along its longer side and halved by number. Each box counts its reflex
 * corners. A box that lies beyond an edge of the triangle is skipped. Rounding
 * is monotonic, so a test of the box's own corners holds for all points in it:
 * the answer equals that of a test of every corner.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_REFLEX_TREE_H
#define OFFLINE_COMPILE_MESH_REFLEX_TREE_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct reflex_tree *reflex_tree_new(uint32_t corners_max, struct arena *arena);

/* Begin a polygon; none of its corners is reflex yet. At most `boxes_max` boxes
 * are visited until the next begin. */
void reflex_tree_begin(struct reflex_tree *tree, const double (*plane)[2],
                       uint32_t count, uint64_t boxes_max);

void reflex_tree_set_reflex(struct reflex_tree *tree, uint32_t corner,
                            bool is_reflex);

/* Is a reflex corner inside the triangle a, b, c, as reflex_tree_is_inside
 * defines it? Also true when boxes_max is used up. */
bool reflex_tree_has_reflex(struct reflex_tree *tree, const double *a,
                            const double *b, const double *c);

/* Is p inside the triangle or on an edge, and not at one of its corners? Two
 * corners of a polygon may have the same position: the sides of a bridge to a
 * hole. */
bool reflex_tree_is_inside(const double *a, const double *b, const double *c,
                           const double *p);

/* Twice the signed area of a, b, c; positive when they are counter-clockwise.
 */
static inline double orient2d(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

#endif
