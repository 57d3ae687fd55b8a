/* pose_vector.h - the kernels of poses, for the vectors of simd_sse41.h,
 * simd_avx2.h or simd_neon.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_VECTOR_H
#define SPN_ANIM_POSE_POSE_VECTOR_H

#include "anim/pose/pose_blend_vector.h"
#include "anim/pose/pose_matrix_vector.h"
#include "anim/pose/pose_ops.h"
#include "anim/pose/pose_tracks_vector.h"

static const struct pose_ops vector_ops = {
    .tracks = vector_tracks,
    .matrices = vector_matrices,
    .weigh = vector_weigh,
    .normalize = vector_normalize,
    .subtract = vector_subtract,
    .add = vector_add,
};

#endif
