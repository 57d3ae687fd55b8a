/* pose_sse41.c - poses for SSE4.1: the kernels of pose_vector.h.
 *
 * Without this instruction set in the compiler's flags the file has no kernels.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_ops.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"

#include "anim/pose/pose_vector.h"

const struct pose_ops *spn__pose_ops_sse41(void)
{
    return &vector_ops;
}

#else

const struct pose_ops *spn__pose_ops_sse41(void)
{
    return NULL;
}

#endif
