/* pose_avx2.c - poses for AVX2: the kernels of pose_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_ops.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"

#include "anim/pose/pose_vector.h"

const struct pose_ops *spn__pose_ops_avx2(void)
{
    return &vector_ops;
}

#else

const struct pose_ops *spn__pose_ops_avx2(void)
{
    return NULL;
}

#endif
