/* lift_sse41.c - lifting for SSE4.1: the kernels of lift_vector.h.
 *
 * Two vertices a vector. Empty in builds without SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_kernels.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "codec/lift/lift_formulas.h"

#include "codec/lift/lift_vector.h"

void spn__lift_ops_sse41(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__lift_ops_sse41(struct lift_ops *ops)
{
    (void)ops;
}

#endif
