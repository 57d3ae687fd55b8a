/* pose_transform.h - transforms of single joints. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_TRANSFORM_H
#define SPN_ANIM_POSE_POSE_TRANSFORM_H

#include <spindle/anim_pose.h>

/* spn_anim_transform_multiply. */
void spn__joint_multiply(const spn_anim_transform *parent,
                         const spn_anim_transform *child,
                         spn_anim_transform *out);
/* rotation * v. `result` may be `v`. */
void spn__joint_rotate(const float rotation[4], const float v[3],
                       float result[3]);
/* The transform of a joint of a pose, and the reverse. */
void spn__pose_get(const spn_anim_pose *pose, uint32_t joint,
                   spn_anim_transform *out);
void spn__pose_set(const spn_anim_pose *pose, uint32_t joint,
                   const spn_anim_transform *transform);

#endif
