/* scene_cut.h - choose which parts of a scene become nodes.
 *
 * The stack of a node is a path of parts (scene.h). So a choice of nodes is a
 * set of cuts that divide the tree of parts into paths. Some cuts are required:
 *
 *   - A part that never inherits starts the stack of a root node.
 *   - A part that inherits at some times only, or that is detached, has a root
 *     node too. Its stack begins at its outermost ancestor or, if an ancestor
 *     never inherits, at the nearest such ancestor.
 *   - A stack that moves and has several children remains a node, which they
 *     share.
 *
 * The other cuts are free. Without them a node may have shear in some frame;
 * then it is affine: it stores a matrix, which takes eight bytes more in each
 * frame than translation, rotation and scale. A cut that separates the parts
 * avoids this. scene_cut takes the cuts that give the fewest bytes: node
 * entries, names, and the rows of all frames, before block compression. Among
 * equal results it takes the one with fewer nodes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_SCENE_SCENE_CUT_H
#define OFFLINE_COMPILE_SCENE_SCENE_CUT_H

#include "compile/scene/scene.h"

/* The result for one part. Its stack is the path from `top` to the part. */
struct scene_cut {
    uint32_t top;   /* first part of the stack */
    int32_t parent; /* part whose node is the parent of this one's; -1: none */
    bool is_node;   /* the stack is a node; otherwise it is the beginning of
                     * the stacks of nodes below */
    bool is_constant; /* the product of the stack never changes */
    bool is_affine;   /* the product has shear at some time */
};

/* Fill cuts[0..part_count). `times` are the times of all frames. Scratch memory
 * is taken from the arena. Returns false if a callback of `source` did. */
bool scene_cut(const struct scene_part *parts, uint32_t part_count,
               const struct scene_source *source, const double *times,
               uint32_t time_count, struct arena *arena,
               struct scene_cut *cuts);

#endif
