/* anim_blend.h - several poses to one: weighted blends, additive poses.
 *
 * Order. First blend the poses of clips that are not additive; then add
 * additive poses, one after the other. The order of these matters for
 * rotations: spn_anim_pose_add does the additive rotation first, in the joint's
 * own space.
 *
 * anim_pose.h explains the terms, threads and errors. Poses are local, and have
 * the same number of joints; SPN_ERR_ARG otherwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_BLEND_H
#define SPINDLE_ANIM_BLEND_H

#include <spindle/anim_pose.h>
#include <spindle/features.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if SPN_WITH_ANIM

/* Blend poses with weights.
 *
 * Weights are divided by their sum, which is added from the first to the last.
 * Each number of the result is the sum of weight * number, in the same order.
 * Of a rotation, the sign is taken that is nearer to the sum so far, and the
 * result is brought to unit length. So the order of poses matters only where
 * rotations are about 180 degrees apart.
 *
 * poses    [count]; those with weight 0 are not read
 * weights  [count]; >= 0, finite, and not all 0; SPN_ERR_ARG otherwise
 * count    1 or more
 * out      it may be poses[0], but not another one: SPN_ERR_ARG */
spn_status spn_anim_pose_blend(const spn_anim_pose *const *poses,
                               const float *weights, uint32_t count,
                               const spn_anim_pose *out);

/* Blend poses with a weight for each joint: the weight of pose i in joint j is
 * weights[i] * masks[i][j]. To play a clip with the upper body over another
 * one, blend both with masks that add up to 1 in every joint.
 *
 * masks  [count]: for each pose [joint_count of it], >= 0 and finite; NULL: 1
 *        for all its joints. NULL: no pose has a mask
 *
 * The others as spn_anim_pose_blend. SPN_ERR_ARG also if a joint has weight 0
 * in all poses. */
spn_status spn_anim_pose_blend_masked(const spn_anim_pose *const *poses,
                                      const float *weights,
                                      const float *const *masks, uint32_t count,
                                      const spn_anim_pose *out);

/* Blend float tracks with weights, as spn_anim_pose_blend.
 *
 * floats       [count][float_count]; those with weight 0 are not read
 * float_count  0 or more
 * out          [float_count]; it may be floats[0], but not another one */
spn_status spn_anim_floats_blend(const float *const *floats,
                                 const float *weights, uint32_t count,
                                 uint32_t float_count, float *out);

/* Compute an additive pose: what leads from a base to a pose. The base is
 * usually a frame of a clip, or the rest pose.
 *
 *   rotation     (inverse of the base's) * pose's, the shorter way round
 *   translation  pose's - base's
 *   scale        pose's / base's; 1 where the base's is 0
 *
 * out  it may be `pose` or `base` */
spn_status spn_anim_pose_subtract(const spn_anim_pose *pose,
                                  const spn_anim_pose *base,
                                  const spn_anim_pose *out);

/* Add an additive pose to a pose. With the base of the additive pose and weight
 * 1, the result is the pose that it was made of.
 *
 *   rotation     pose's * additive's: the additive rotation is done first, in
 *                the joint's own space. Its angle is that of the additive pose
 *                times the weight
 *   translation  pose's + additive's * weight
 *   scale        pose's * (1 + (additive's - 1) * weight)
 *
 * weight  0 to 1; SPN_ERR_ARG otherwise
 * out     it may be `pose` or `additive` */
spn_status spn_anim_pose_add(const spn_anim_pose *pose,
                             const spn_anim_pose *additive, float weight,
                             const spn_anim_pose *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
