/* pose_check.h - validation of poses that the game passes. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_CHECK_H
#define SPN_ANIM_POSE_POSE_CHECK_H

#include <spindle/anim_pose.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool is_pose(const spn_anim_pose *pose)
{
    return pose && pose->values && pose->joint_count > 0 &&
           pose->joint_count <= SPN_ANIM_JOINTS_MAX &&
           pose->stride == SPN_ANIM_POSE_STRIDE(pose->joint_count);
}

static inline bool are_poses(const spn_anim_pose *a, const spn_anim_pose *b)
{
    return is_pose(a) && is_pose(b) && a->joint_count == b->joint_count;
}

#endif
