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
 * functions compute with: they process several joints at a time.
 *
 * The functions of this header, of anim_blend.h and of anim_motion.h need no
 * runtime. They keep nothing, and may be called on any thread. Their results
 * are the same, bit by bit, on every machine and with every spn_anim_pose.cpu:
 * single precision, rounded to nearest after each operation.
 *
 * All return SPN_OK, or SPN_ERR_ARG if a pointer is NULL, or if a pose has
 * another stride than its joint_count demands, or no joints or too many.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_POSE_H
#define SPINDLE_ANIM_POSE_H

#include <spindle/features.h>
#include <spindle/status.h>
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
    uint32_t cpu;         /* instruction sets that functions may use for it, of
                           * spn_anim_detect_cpu; 0: none. Of several poses,
                           * that of the output counts */
} spn_anim_pose;

#if SPN_WITH_ANIM

/* The instruction sets of this processor, for spn_anim_pose.cpu. Takes some
 * hundred cycles, more in a virtual machine: call it once. */
uint32_t spn_anim_detect_cpu(void);

/* Copy a pose to an array of transforms, or the reverse.
 *
 * transforms  [joint_count of the pose] */
spn_status spn_anim_pose_to_transforms(const spn_anim_pose *pose,
                                       spn_anim_transform *transforms);
spn_status spn_anim_pose_from_transforms(const spn_anim_transform *transforms,
                                         const spn_anim_pose *out);

/* Compute the matrix of each joint to model space: the product of the
 * transforms of its parents and its own, also where scales differ by axis. With
 * AVX2 about 0.3 us for 100 joints.
 *
 * pose      local transforms
 * parents   [joint]; one that is not smaller than the joint's own number means
 *           a root, as SPN_ANIM_NO_PARENT
 * matrices  output: 12 floats for each joint, 3 rows of 4, for column vectors
 */
spn_status spn_anim_pose_to_matrices(const spn_anim_pose *pose,
                                     const uint16_t *parents, float *matrices);

/* Compute the transform of each joint to model space. A transform cannot skew:
 * if a parent has scales that differ by axis, and the joint is rotated, then
 * only the matrix is exact. It takes about twice the time of matrices.
 *
 * pose  local transforms
 * out   output, of as many joints; it may be `pose` */
spn_status spn_anim_pose_to_model(const spn_anim_pose *pose,
                                  const uint16_t *parents,
                                  const spn_anim_pose *out);

/* The same of one joint; only its parents are computed.
 *
 * joint  below joint_count; SPN_ERR_ARG otherwise */
spn_status spn_anim_pose_get_joint(const spn_anim_pose *pose,
                                   const uint16_t *parents, uint32_t joint,
                                   spn_anim_transform *out);

/* Compute parent * child: the transform that does `child` first, then `parent`.
 *
 *   rotation     that of the parent times that of the child
 *   translation  parent's + parent's rotation * (parent's scale * child's)
 *   scale        the product, axis by axis
 *
 * out  it may be `parent` or `child` */
spn_status spn_anim_transform_multiply(const spn_anim_transform *parent,
                                       const spn_anim_transform *child,
                                       spn_anim_transform *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
