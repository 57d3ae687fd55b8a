/* pose_neon.c - poses for 64-bit ARM: the kernels of pose_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_ops.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"

#include "anim/pose/pose_vector.h"

const struct pose_ops *spn__pose_ops_neon(void)
{
    return &vector_ops;
}

#else

const struct pose_ops *spn__pose_ops_neon(void)
{
    return NULL;
}

#endif
