/* pose_sample.c - the rest pose, and over it what the clip stores. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_sample.h"

#include "anim/pose/pose_ops.h"
#include "base/mem.h"

void spn__pose_sample(const struct anim_tracks *tracks,
                      const spn_anim_pose *rest, struct anim_frame from,
                      struct anim_frame to, float u, const spn_anim_pose *pose,
                      float *floats)
{
    const struct pose_ops *ops = spn__pose_ops(pose->cpu);
    struct anim_between b = {
        .values = pose->values, .number_step = pose->stride, .joint_step = 1};

    if (pose->values != rest->values)
        memcpy(pose->values, rest->values,
               SPN_ANIM_POSE_BYTES(rest->joint_count));
    spn__anim_between_init(&b, tracks, from, to, u);
    ops->tracks(tracks, &b);
    spn__anim_pose_rest(tracks, &b, floats);
}
