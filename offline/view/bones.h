/* bones.h - skeletons in a pose as a list of triangles: an octahedron from each
 * joint to each of its children, and one around each root.
 *
 * window/bones_draw.h draws the list. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_BONES_H
#define OFFLINE_VIEW_BONES_H

#include "common/arena.h"

#include <stdint.h>

struct bone_vertex {
    float position[3];
    float normal[3]; /* of its triangle */
    uint8_t rgba[4]; /* square roots of linear RGB: surface.frag squares them */
};

/* Vertices of an octahedron: 8 triangles. */
#define BONE_VERTICES 24u

/* An array of the arena. */
struct bones {
    struct arena *arena;
    struct bone_vertex *vertices;
    uint64_t count;
    uint64_t capacity;
};

/* A skeleton in a pose. */
struct bone_pose {
    const float *matrices;   /* 12 floats for each joint: 3 rows of 4, to model
                              * space (spn_anim_pose_to_matrices) */
    const uint16_t *parents; /* one that is not smaller than the joint's own
                              * number means a root */
    uint32_t joint_count;
};

/* Add the triangles of a skeleton.
 *
 * offset  of model space
 * radius  of the octahedron of a root
 * rgb     linear */
void bones_add(struct bones *bones, const struct bone_pose *pose,
               const float offset[3], float radius, const float rgb[3]);

/* Enlarge a box by the joints of a skeleton. */
void bones_enlarge(const struct bone_pose *pose, float box_min[3],
                   float box_max[3]);

#endif
