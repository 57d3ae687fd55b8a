/* check_scene.h - finds the tolerances of meshes, and compares transforms and
 * visibility of nodes.
 *
 * Two steps of a comparison (check.h): check_scales once, check_nodes in each
 * frame. Both compute the world matrices of the archive's objects.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_SCENE_H
#define OFFLINE_VERIFY_CHECK_SCENE_H

#include "verify/corner_values.h"

struct check;
struct check_node;

/* The largest errors of a mesh that quantization explains, filled by
 * check_scales. */
struct mesh_tolerance {
    double axis_mm[3];  /* length, in mm of world space, of a mesh unit along
                         * each axis of the mesh: the largest of all nodes and
                         * frames */
    double position[3]; /* along each axis of the mesh, mesh units */
    /* Of each number of UVs and second UVs (UV units), colours (1/255) and
     * velocities (mesh units per second). Normals have none: theirs is an
     * angle (check_mesh.c). */
    double params[CORNER_PARAM_COUNT][CORNER_EXTENT_MAX];
};

/* How the node that distorts a mesh most transforms it in the present frame,
 * filled by check_nodes. */
struct mesh_stretch {
    double amount; /* eval_stretch of the node's world matrix; 0: no node
                          * shows the mesh */
    double
        cofactors[9]; /* of that matrix, row by row: they transform normals */
};

/* Fill check->scene_size and the tolerances of all meshes. Counts the position
 * axes whose quantization step is larger than the cache's precision. */
bool check_scales(struct check *check);

/* Compare transforms and visibility of all nodes in a frame, and fill the
 * stretch of each mesh. */
bool check_nodes(struct check *check, uint32_t frame);

/* Compute the world matrix of a node's object at `time` seconds, for row
 * vectors, with the up axis of the options. Both steps call it. */
bool check_world(struct check *check, const struct check_node *node,
                 double time, double matrix[16]);

#endif
