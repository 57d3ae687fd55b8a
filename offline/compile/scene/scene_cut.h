/* scene_cut.h - where to cut the tree of parts into nodes.
 *
 * A node is a stack of parts, a path down the tree that ends at its own part.
 * Some cuts there have to be:
 *
 *   - what never inherits starts a node without a parent. What inherits at
 *     times, or is to be whole, does, too, with all its ancestors in its stack;
 *   - a stack that moves and has several children stays a node, which they
 *     share.
 *
 * Everything else could fold. But where a product is skewed in any frame,
 * rotation, translation and scale cannot hold it, and the node takes a matrix:
 * eight bytes more in each frame, unless a cut elsewhere keeps the parts apart.
 * Of all ways to cut, the one is taken whose nodes are smallest: entries, names
 * and rows of all frames as they lie in the file, before block compression; of
 * ways as small, the one that folds more.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_CUT_H
#define OFFLINE_COMPILE_SCENE_SCENE_CUT_H

#include "compile/scene/scene.h"

/* What became of a part. */
struct scene_cut {
    uint32_t top;     /* first part of its stack */
    int32_t parent;   /* part whose node is the parent of its node; -1 */
    bool is_kept;     /* its stack is a node */
    bool is_constant; /* the stack's product never changes */
    bool is_affine;   /* it is skewed at some time */
};

/* `times` are those of all frames. False: a local matrix was refused. */
bool scene_cut(const struct scene_part *parts, uint32_t part_count,
               const struct scene_locals *locals, const double *times,
               uint32_t time_count, struct arena *arena,
               struct scene_cut *cuts);

#endif
