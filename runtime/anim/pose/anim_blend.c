/* anim_blend.c - several poses to one. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_check.h"
#include "anim/pose/pose_ops.h"
#include "base/minmax.h"

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

/* Joints that are blended at a time. */
#define BLOCK 64u /* a multiple of 8 */

struct blend {
    const spn_anim_pose *const *poses;
    const float *weights;
    const float *const *masks; /* NULL: none */
    uint32_t count;
    float sum; /* of the weights; 0: they are not good */
};

static const float *mask_of(const struct blend *b, uint32_t pose)
{
    return b->masks ? b->masks[pose] : NULL;
}

/* The weight of a pose in a joint. A pose may have more places than joints. */
static float weight_of(const struct blend *b, uint32_t pose, uint32_t joint,
                       uint32_t joint_count)
{
    const float *mask = mask_of(b, pose);

    return mask && joint < joint_count ? b->weights[pose] * mask[joint]
                                       : b->weights[pose];
}

/* Are masks finite, and does each joint have a weight? */
static bool check_masks(const struct blend *b, uint32_t joint_count)
{
    for (uint32_t j = 0; b->masks && j < joint_count; j++) {
        float sum = 0;

        for (uint32_t i = 0; i < b->count; i++) {
            const float *mask = mask_of(b, i);

            if (!(b->weights[i] > 0))
                continue;
            if (mask && !(mask[j] >= 0 && mask[j] <= FINITE_MAX))
                return false;
            sum += weight_of(b, i, j, joint_count);
        }
        if (!(sum > 0 && sum <= FINITE_MAX))
            return false;
    }
    return true;
}

static bool check_blend(const struct blend *b, const spn_anim_pose *out)
{
    if (!b->poses || !b->weights || !is_pose(out) || !(b->sum > 0))
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->weights[i] > 0 &&
            (!are_poses(b->poses[i], out) ||
             (i > 0 && b->poses[i]->values == out->values)))
            return false;
    return check_masks(b, out->joint_count);
}

/* The share of a pose in the joints of a block.
 *
 * sums  [joint of the block]; of weights, with masks only */
static void share_block(const struct blend *b, uint32_t pose, uint32_t first,
                        uint32_t count, uint32_t joint_count, const float *sums,
                        float *shares)
{
    const float share = b->weights[pose] / b->sum;

    for (uint32_t j = 0; j < count && !b->masks; j++)
        shares[j] = share;
    for (uint32_t j = 0; j < count && b->masks; j++)
        shares[j] = weight_of(b, pose, first + j, joint_count) / sums[j];
}

static void blend_block(const struct blend *b, const struct pose_ops *ops,
                        uint32_t first, const spn_anim_pose *out)
{
    const uint32_t count = min_u32(out->stride - first, BLOCK);
    float sums[BLOCK] = {0};
    float shares[BLOCK];
    bool is_first = true;

    for (uint32_t i = 0; b->masks && i < b->count; i++)
        for (uint32_t j = 0; b->weights[i] > 0 && j < count; j++)
            sums[j] += weight_of(b, i, first + j, out->joint_count);
    for (uint32_t i = 0; i < b->count; i++) {
        if (!(b->weights[i] > 0))
            continue;
        share_block(b, i, first, count, out->joint_count, sums, shares);
        ops->weigh(b->poses[i], first, count, shares, is_first, out);
        is_first = false;
    }
}

spn_status spn_anim_pose_blend_masked(const spn_anim_pose *const *poses,
                                      const float *weights,
                                      const float *const *masks, uint32_t count,
                                      const spn_anim_pose *out)
{
    const struct blend b = {poses, weights, masks, count,
                            weights ? sum_of(weights, count) : 0};
    const struct pose_ops *ops;

    if (!check_blend(&b, out))
        return SPN_ERR_ARG;
    ops = spn__pose_ops(out->cpu);
    for (uint32_t first = 0; first < out->stride; first += BLOCK)
        blend_block(&b, ops, first, out);
    ops->normalize(out);
    return SPN_OK;
}

spn_status spn_anim_pose_blend(const spn_anim_pose *const *poses,
                               const float *weights, uint32_t count,
                               const spn_anim_pose *out)
{
    return spn_anim_pose_blend_masked(poses, weights, NULL, count, out);
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
