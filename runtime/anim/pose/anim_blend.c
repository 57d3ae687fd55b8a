/* anim_blend.c - several poses to one. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_check.h"
#include "anim/pose/pose_ops.h"

#include <spindle/anim_blend.h>
#include <spindle/features.h>

#if SPN_WITH_ANIM

#define FINITE_MAX 3.4e38f

/* The sum of weights; 0 if they are not good. */
static float sum_of(const float *weights, uint32_t count)
{
    float sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!(weights[i] >= 0 && weights[i] <= FINITE_MAX))
            return 0;
        sum += weights[i];
    }
    return sum <= FINITE_MAX ? sum : 0;
}

spn_status spn_anim_pose_blend(const spn_anim_pose *const *poses,
                               const float *weights, uint32_t count,
                               const spn_anim_pose *out)
{
    const struct pose_ops *ops;
    bool is_first = true;
    float sum;

    if (!poses || !weights || !is_pose(out))
        return SPN_ERR_ARG;
    sum = sum_of(weights, count);
    if (!(sum > 0))
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] > 0 && (!are_poses(poses[i], out) ||
                               (i > 0 && poses[i]->values == out->values)))
            return SPN_ERR_ARG;
    ops = spn__pose_ops(out->cpu);
    for (uint32_t i = 0; i < count; i++) {
        if (!(weights[i] > 0))
            continue;
        ops->weigh(poses[i], weights[i] / sum, is_first, out);
        is_first = false;
    }
    ops->normalize(out);
    return SPN_OK;
}

spn_status spn_anim_floats_blend(const float *const *floats,
                                 const float *weights, uint32_t count,
                                 uint32_t float_count, float *out)
{
    bool is_first = true;
    float sum;

    if (!floats || !weights || !out)
        return SPN_ERR_ARG;
    sum = sum_of(weights, count);
    if (!(sum > 0))
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] > 0 && (!floats[i] || (i > 0 && floats[i] == out)))
            return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++) {
        const float weight = weights[i] / sum;

        if (!(weights[i] > 0))
            continue;
        for (uint32_t k = 0; k < float_count; k++)
            out[k] = is_first ? floats[i][k] * weight
                              : out[k] + floats[i][k] * weight;
        is_first = false;
    }
    return SPN_OK;
}

spn_status spn_anim_pose_subtract(const spn_anim_pose *pose,
                                  const spn_anim_pose *base,
                                  const spn_anim_pose *out)
{
    const struct pose_ops *ops;

    if (!are_poses(pose, out) || !are_poses(base, out))
        return SPN_ERR_ARG;
    ops = spn__pose_ops(out->cpu);
    ops->subtract(pose, base, out);
    return SPN_OK;
}

spn_status spn_anim_pose_add(const spn_anim_pose *pose,
                             const spn_anim_pose *additive, float weight,
                             const spn_anim_pose *out)
{
    const struct pose_ops *ops;
    struct anim_slerp slerp[2];

    if (!are_poses(pose, out) || !are_poses(additive, out) ||
        !(weight >= 0 && weight <= 1))
        return SPN_ERR_ARG;
    spn__anim_slerp_init(&slerp[0], 1.0f - weight);
    spn__anim_slerp_init(&slerp[1], weight);
    ops = spn__pose_ops(out->cpu);
    ops->add(pose, additive, slerp, out);
    return SPN_OK;
}

#endif
