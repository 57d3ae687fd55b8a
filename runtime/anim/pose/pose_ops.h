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

struct pose_ops {
    /* spn__anim_pose_tracks; joint_step is 1. */
    void (*tracks)(const struct anim_tracks *tracks,
                   const struct anim_between *b);
};

/* The best set. `cpu` is a mask of SPN_CPU_...; 0: scalar. */
const struct pose_ops *spn__pose_ops(uint32_t cpu);

/* The set of an instruction set; NULL if the build has no code for it. */
const struct pose_ops *spn__pose_ops_sse41(void);
const struct pose_ops *spn__pose_ops_avx2(void);
const struct pose_ops *spn__pose_ops_neon(void);

#endif
