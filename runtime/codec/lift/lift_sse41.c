/* lift_sse41.c - lifting for SSE4.1: the kernels of lift_vector.h,
 * one_ring_vector.h and residual_coder_vector.h.
 *
 * Two vertices a vector. Empty in builds without SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_kernels.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "codec/lift/lift_formulas.h"
#include "codec/lift/lift_vector.h"
#include "codec/lift/one_ring_vector.h"
#include "codec/lift/residual_coder_vector.h"

void spn__lift_ops_sse41(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

void spn__one_ring_ops_sse41(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    ops->decode = decode_stripes;
}

#else

void spn__lift_ops_sse41(struct lift_ops *ops)
{
    (void)ops;
}

void spn__one_ring_ops_sse41(struct one_ring_ops *ops)
{
    (void)ops;
}

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    (void)ops;
}

#endif
