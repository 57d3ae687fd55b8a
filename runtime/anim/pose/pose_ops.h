/* pose_ops.h - the inner loops of poses, one set for each instruction set.
 *
 * anim_reference.c and pose_ops.c have the scalar ones, which are the
 * specification; pose_vector.h has those for SSE4.1, AVX2 and NEON. All give
 * the same bits.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_OPS_H
#define SPN_ANIM_POSE_POSE_OPS_H

#include "anim/pose/anim_reference.h"

#include <stdbool.h>

#define POSE_SQUARE_MIN 1e-20f
#define POSE_SQUARE_MAX 1e20f

/* Poses have the same number of joints. Where nothing else is said, an output
 * may be an input. */
struct pose_ops {
    /* spn__anim_pose_tracks; joint_step is 1. */
    void (*tracks)(const struct anim_tracks *tracks,
                   const struct anim_between *b);
    /* spn_anim_pose_to_matrices. With rows p of the parent's product and l of
     * the joint's own matrix, l_3 = (0 0 0 1), row p becomes
     * (p_0 * l_0 + p_1 * l_1) + (p_2 * l_2 + p_3 * l_3). */
    void (*matrices)(const spn_anim_pose *pose, const uint16_t *parents,
                     float *matrices);
    /* Set joints of `out` to weight * pose, or add that to them; rotations with
     * the sign that has a product with those of `out` that is not negative.
     *
     * first, count  the joints; multiples of 8
     * weights       [count] */
    void (*weigh)(const spn_anim_pose *pose, uint32_t first, uint32_t count,
                  const float *weights, bool is_first,
                  const spn_anim_pose *out);
    /* Multiply each rotation by 1 / (root of its squared length), if that is in
     * POSE_SQUARE_MIN..POSE_SQUARE_MAX. */
    void (*normalize)(const spn_anim_pose *pose);
    /* spn_anim_pose_subtract, spn_anim_pose_add. `slerp` is of 1 - weight and
     * weight. */
    void (*subtract)(const spn_anim_pose *pose, const spn_anim_pose *base,
                     const spn_anim_pose *out);
    void (*add)(const spn_anim_pose *pose, const spn_anim_pose *additive,
                const struct anim_slerp slerp[2], const spn_anim_pose *out);
};

/* The best set. `cpu` is a mask of SPN_CPU_...; 0: scalar. */
const struct pose_ops *spn__pose_ops(uint32_t cpu);

/* The set of an instruction set; NULL if the build has no code for it. */
const struct pose_ops *spn__pose_ops_sse41(void);
const struct pose_ops *spn__pose_ops_avx2(void);
const struct pose_ops *spn__pose_ops_neon(void);

#endif
