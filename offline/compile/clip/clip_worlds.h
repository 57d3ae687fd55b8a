/* clip_worlds.h - what single precision makes of world matrices.
 *
 * The runtime multiplies nodes down the tree, each of them floats. Where a
 * parent goes far away and its child comes back, what the floats of both
 * cannot hold is left over, and may be more than the scene can spare. Such a
 * parent is folded into the child, whose node then has the product of doubles;
 * a node that is off on its own becomes a matrix.
 *
 * What is validated are the corners of a mesh's box, or of a box of one unit
 * around the origin of a node without a mesh. The size of a scene is the
 * diagonal of the box around those corners of all that is seen in any frame.
 *
 * Far from the origin of the world floats have no more, and nothing can be
 * corrected; but a motion of less than their step is lost there. So what is
 * seen and off by more than the precision that was asked for is told, too,
 * whatever the reason.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_WORLDS_H
#define OFFLINE_COMPILE_CLIP_CLIP_WORLDS_H

#include "compile/clip/clip_private.h"
#include "compile/clip/frame_box.h"

/* A corner that is off by a larger share of the scene's size is corrected, if
 * it is off by that share of its own coordinates, too: far from the origin
 * floats have no more. */
#define WORLDS_SHARE 1e-6
/* What is still off by a larger share of the size is told. */
#define WORLDS_SHARE_MAX 1e-5

struct worlds {
    double *off;  /* of each node: how far its worst corner is off, 0 when no
                   * farther than its coordinates explain */
    double *lost; /* of each node: how far the worst corner that is seen is
                   * off, whatever its coordinates */
    struct frame_box box;
};
void worlds_begin(struct worlds *worlds, uint32_t node_count,
                  struct arena *arena);
/* Look at all nodes of a frame, whose matrices are finite as floats, too.
 * `places`: the caller's, of each node. */
void worlds_look(struct worlds *worlds, const struct clip *clip,
                 const struct node_matrices *matrices, const bool *visible,
                 struct frame_place *places);
void worlds_merge(struct worlds *worlds, const struct worlds *more,
                  uint32_t node_count);

/* Mark parts so that folding anew corrects what is off. False: there is nothing
 * to be corrected, or no way. `round` counts from 0. */
bool worlds_correct(const struct worlds *worlds, struct clip *clip,
                    uint32_t round);
void worlds_warn(const struct worlds *worlds, struct clip *clip);

#endif
