/* anim_pose.c - shapes of poses, and model space. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_check.h"
#include "anim/pose/pose_ops.h"
#include "anim/pose/pose_transform.h"
#include "base/cpu.h"
#include "base/mem.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

uint32_t spn_anim_detect_cpu(void)
{
    return spn__cpu_detect();
}

spn_status spn_anim_pose_to_transforms(const spn_anim_pose *pose,
                                       spn_anim_transform *transforms)
{
    if (!is_pose(pose) || !transforms)
        return SPN_ERR_ARG;
    for (uint32_t j = 0; j < pose->joint_count; j++)
        spn__pose_get(pose, j, &transforms[j]);
    return SPN_OK;
}

spn_status spn_anim_pose_from_transforms(const spn_anim_transform *transforms,
                                         const spn_anim_pose *out)
{
    if (!transforms || !is_pose(out))
        return SPN_ERR_ARG;
    /* The last one also behind the last joint. */
    for (uint32_t j = 0; j < out->stride; j++)
        spn__pose_set(
            out, j,
            &transforms[j < out->joint_count ? j : out->joint_count - 1]);
    return SPN_OK;
}

spn_status spn_anim_transform_multiply(const spn_anim_transform *parent,
                                       const spn_anim_transform *child,
                                       spn_anim_transform *out)
{
    if (!parent || !child || !out)
        return SPN_ERR_ARG;
    spn__joint_multiply(parent, child, out);
    return SPN_OK;
}

spn_status spn_anim_pose_to_matrices(const spn_anim_pose *pose,
                                     const uint16_t *parents, float *matrices)
{
    const struct pose_ops *ops;

    if (!is_pose(pose) || !parents || !matrices)
        return SPN_ERR_ARG;
    ops = spn__pose_ops(pose->cpu);
    ops->matrices(pose, parents, matrices);
    return SPN_OK;
}

/* spn__joint_multiply on arrays: transforms as structures would pass through
 * memory. */
static void multiply_by_parent(float *values, size_t n, uint32_t parent,
                               uint32_t joint)
{
    const float *p = values + parent;
    float *c = values + joint;
    const float x = p[0];
    const float y = p[n];
    const float z = p[2 * n];
    const float w = p[3 * n];
    const float bx = c[0];
    const float by = c[n];
    const float bz = c[2 * n];
    const float bw = c[3 * n];
    const float tx = p[7 * n] * c[4 * n];
    const float ty = p[8 * n] * c[5 * n];
    const float tz = p[9 * n] * c[6 * n];
    const float ux = y * tz - z * ty;
    const float uy = z * tx - x * tz;
    const float uz = x * ty - y * tx;
    const float vx = ux + ux;
    const float vy = uy + uy;
    const float vz = uz + uz;

    c[0] = ((w * bx + x * bw) + y * bz) - z * by;
    c[n] = ((w * by + y * bw) + z * bx) - x * bz;
    c[2 * n] = ((w * bz + z * bw) + x * by) - y * bx;
    c[3 * n] = ((w * bw - x * bx) - y * by) - z * bz;
    c[4 * n] = p[4 * n] + ((tx + w * vx) + (y * vz - z * vy));
    c[5 * n] = p[5 * n] + ((ty + w * vy) + (z * vx - x * vz));
    c[6 * n] = p[6 * n] + ((tz + w * vz) + (x * vy - y * vx));
    for (size_t k = 7; k < 10; k++)
        c[k * n] = p[k * n] * c[k * n];
}

spn_status spn_anim_pose_to_model(const spn_anim_pose *pose,
                                  const uint16_t *parents,
                                  const spn_anim_pose *out)
{
    if (!are_poses(pose, out) || !parents)
        return SPN_ERR_ARG;
    if (out->values != pose->values)
        memcpy(out->values, pose->values,
               SPN_ANIM_POSE_BYTES(pose->joint_count));
    for (uint32_t j = 0; j < pose->joint_count; j++)
        if (parents[j] < j)
            multiply_by_parent(out->values, out->stride, parents[j], j);
    return SPN_OK;
}

spn_status spn_anim_pose_get_joint(const spn_anim_pose *pose,
                                   const uint16_t *parents, uint32_t joint,
                                   spn_anim_transform *out)
{
    spn_anim_transform all;

    if (!is_pose(pose) || !parents || joint >= pose->joint_count || !out)
        return SPN_ERR_ARG;
    spn__pose_get(pose, joint, &all);
    while (parents[joint] < joint) {
        spn_anim_transform parent;

        joint = parents[joint];
        spn__pose_get(pose, joint, &parent);
        spn__joint_multiply(&parent, &all, &all);
    }
    *out = all;
    return SPN_OK;
}

#endif
