/* residual_coder_neon.c - residuals for 64-bit ARM: the kernels of
 * residual_coder_vector.h.
 *
 * Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"
#include "codec/lift/residual_coder_vector.h"

void spn__residual_ops_neon(struct residual_ops *ops)
{
    ops->decode = decode_groups;
}

#else

void spn__residual_ops_neon(struct residual_ops *ops)
{
    (void)ops;
}

#endif
