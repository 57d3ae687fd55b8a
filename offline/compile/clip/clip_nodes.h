/* clip_nodes.h - check all nodes of a clip in all frames, and measure how they
 * scale their meshes.
 *
 * Used by clip_open, between the fold of the scene and the choice of the
 * meshes' precision (clip_precision.h). Matrices are those of math/tns.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_NODES_H
#define OFFLINE_COMPILE_CLIP_CLIP_NODES_H

#include "compile/clip/clip_state.h"
#include "compile/clip/world_error.h"

/* The largest scaling of a mesh, over all its nodes and all frames. */
struct mesh_scaling {
    double scale[3]; /* of each mesh axis, its largest length in the world;
                      * world units per mesh unit */
    double stretch;  /* the largest result of matrix_stretch; 0: all are below
                      * MESH_STRETCH_MIN */
    uint32_t node;   /* if stretch > 0: the first node that has it, */
    uint32_t frame;  /* and its first frame that has it */
};
/* A matrix with a smaller matrix_stretch stretches no direction more than 2.5
 * times as much as another. An angle of 0.2 degrees in the mesh then stays
 * below 0.5 degrees in the world. */
#define MESH_STRETCH_MIN 3.9

/* Refuse matrices that are not finite in single precision. Update `scalings`,
 * one for each mesh, zeroed before the first call. Mark nodes whose visibility
 * changes as animated. Store the errors of single precision in `errors`. Runs
 * on all jobs. Returns false after a refusal, the same for any number of jobs.
 */
bool clip_validate_nodes(struct clip *clip, struct mesh_scaling *scalings,
                         struct world_errors *errors);

#endif
