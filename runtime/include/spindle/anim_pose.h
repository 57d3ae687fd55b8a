/* anim_pose.h - poses: the transforms of all joints of a skeleton at one time.
 *
 * Terms
 *
 *   transform    rotation, translation and scale. It maps a point p to
 *                translation + rotation * (scale * p)
 *   rotation     a unit quaternion x y z w; (0 0 0 1) is none. q and -q are the
 *                same rotation
 *   translation  metres
 *   scale        a factor along each axis; (1 1 1) is none
 *   local        a transform relative to the joint's parent. That of a root is
 *                relative to the model
 *   model space  transforms relative to the model
 *   parents      for each joint the number of its parent, which is smaller than
 *                its own, or SPN_ANIM_NO_PARENT of a root
 *
 * A pose is in memory of the caller, as a structure of arrays (spn_anim_pose)
 * or as an array of structures (spn_anim_transform). The first is what
 * functions compute with: they process eight joints at a time.
 *
 * Results are the same, bit by bit, on every machine, for the same inputs.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_POSE_H
#define SPINDLE_ANIM_POSE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parent of a root. */
#define SPN_ANIM_NO_PARENT 0xffffu

/* Most joints of a pose. */
#define SPN_ANIM_JOINTS_MAX 4096u

/* Alignment of the values of a pose, in bytes. */
#define SPN_ANIM_POSE_ALIGN 32u

/* Joints of an array of a pose: joint_count rounded up to a multiple of 8. */
#define SPN_ANIM_POSE_STRIDE(joint_count) (((joint_count) + 7u) & ~7u)

/* Bytes of the values of a pose. */
#define SPN_ANIM_POSE_BYTES(joint_count)                                       \
    (40u * SPN_ANIM_POSE_STRIDE(joint_count))

/* A transform of one joint; of a pose, an array of them, with joint_count
 * elements. */
typedef struct spn_anim_transform {
    float rotation[4];
    float translation[3];
    float scale[3];
} spn_anim_transform;

/* A pose as a structure of arrays. There are 10 arrays of `stride` floats, one
 * after the other: rotation x, y, z, w; translation x, y, z; scale x, y, z. So
 * number k of joint j is values[k * stride + j].
 *
 * Elements from joint_count on mean nothing, but functions read and write them:
 * they must be numbers that are not infinite. */
typedef struct spn_anim_pose {
    float *values;        /* SPN_ANIM_POSE_BYTES(joint_count) bytes, aligned to
                           * SPN_ANIM_POSE_ALIGN. The caller owns them */
    uint32_t joint_count; /* 1..SPN_ANIM_JOINTS_MAX */
    uint32_t stride;      /* SPN_ANIM_POSE_STRIDE(joint_count) */
    uint32_t cpu;         /* instruction sets that functions may use for it;
                           * 0: none. Results are the same */
} spn_anim_pose;

#ifdef __cplusplus
}
#endif
#endif
