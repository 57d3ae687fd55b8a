/* one_ring_sse41.c - derived QTangents for SSE4.1: the kernels of
 * one_ring_vector.h.
 *
 * Empty in builds without SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__SSE4_1__)

#include "base/simd_sse41.h"
#include "codec/lift/one_ring_vector.h"

void spn__one_ring_ops_sse41(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

#else

void spn__one_ring_ops_sse41(struct one_ring_ops *ops)
{
    (void)ops;
}

#endif
