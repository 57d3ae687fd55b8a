/* skin_error.h - distances at the skin between two poses of a skeleton.
 *
 * The skin is three virtual vertices for each joint, at a distance of 3 cm
 * along its axes. They are moved by the joint and all its parents.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_SKIN_ERROR_H
#define OFFLINE_ANIM_TOOL_SKIN_ERROR_H

#include "anim/dense_clip.h"
#include "common/arena.h"

#define SKIN_SHELL_METRES 0.03

/* Workspace for the poses of one skeleton. */
struct skin_error {
    uint32_t joint_count;
    const struct dense_joint *joints;
    double (*a)[16];
    double (*b)[16];
};

void skin_error_init(struct skin_error *skin, const struct dense_joint *joints,
                     uint32_t joint_count, struct arena *arena);

/* The largest distance in metres of a vertex between two poses; *joint becomes
 * the joint of the vertex. */
double skin_error_measure(struct skin_error *skin,
                          const struct joint_transform *a,
                          const struct joint_transform *b, uint32_t *joint);

#endif
