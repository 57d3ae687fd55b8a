/* residual_coder_sse41.c - residuals for SSE4.1: the kernels of
 * residual_coder_vector.h.
 *
 * Empty in builds without SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "codec/lift/residual_coder_vector.h"

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    ops->decode = decode_groups;
}

#else

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    (void)ops;
}

#endif
