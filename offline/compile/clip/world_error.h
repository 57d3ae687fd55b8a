/* world_error.h - find and correct errors of world matrices in single
 * precision.
 *
 * The runtime multiplies the local matrices of nodes down the tree in floats.
 * If a parent moves its children far away and a child moves back, the world
 * matrix of the child loses digits. This module compares world matrices in
 * floats with the same products in doubles, in all frames. The parent of a node
 * with a large error is folded into the node (compile/scene/scene.h): its local
 * matrix is then a product of doubles, rounded once. A root with a large error
 * becomes affine.
 *
 * The error of a node is the distance between the two positions of a corner of
 * its box, the largest of the 8 corners. The box is that of its mesh over all
 * frames; for a node without a mesh, a unit cube around its origin. The size of
 * the scene is the diagonal of the box around the corners of all visible meshes
 * in all frames (in a scene without meshes, of all nodes).
 *
 * Far from the origin of the world floats are coarse, and no fold can help:
 * an error that the coordinates explain is not corrected. If it is larger than
 * the precision of the options, motion is lost, and a warning says so.
 *
 * Distances are in scene units. Each thread fills errors of its own;
 * world_errors_merge combines them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_WORLD_ERROR_H
#define OFFLINE_COMPILE_CLIP_WORLD_ERROR_H

#include "compile/clip/clip_frame.h"
#include "compile/clip/frame_box.h"

/* An error is corrected if it is larger than this share of the scene's size,
 * and larger than this share of the corner's own coordinates. */
#define WORLD_ERROR_SHARE 1e-6
/* A warning is printed if the error remains larger than this share of the
 * scene's size. */
#define WORLD_ERROR_SHARE_MAX 1e-5

struct world_errors {
    double *correctable;  /* of each node: the largest error; corners where the
                           * coordinates explain it do not count */
    double *visible;      /* of each node: the largest error while the node is
                           * visible, coordinates disregarded */
    struct frame_box box; /* around all visible corners, in the world */
};

/* Allocate and clear, for the nodes of a clip. */
void world_errors_init(struct world_errors *errors, uint32_t node_count,
                       struct arena *arena);

/* Add the errors of all nodes in a frame. `matrices` are finite as floats;
 * `visible` has one flag for each node; `worlds` is scratch memory, one for
 * each node. */
void world_errors_add_frame(struct world_errors *errors,
                            const struct clip *clip,
                            const struct node_matrices *matrices,
                            const bool *visible, struct node_world *worlds);

/* Take the larger of each error, and the box around both boxes. */
void world_errors_merge(struct world_errors *errors,
                        const struct world_errors *more, uint32_t node_count);

/* Mark parts of the clip (is_detached, is_forced_affine) so that the next
 * scene_fold (compile/scene/scene.h) corrects large errors. `round` counts the
 * calls from 0; later rounds fold more ancestors. Returns false if nothing was
 * marked: no error is large, or none can be corrected. */
bool world_errors_correct(const struct world_errors *errors, struct clip *clip,
                          uint32_t round);

/* Add a warning for each node that still has a large error. */
void world_errors_warn(const struct world_errors *errors, struct clip *clip);

#endif
