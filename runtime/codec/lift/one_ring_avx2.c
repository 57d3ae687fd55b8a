/* one_ring_avx2.c - derived QTangents for AVX2: the kernels of
 * one_ring_vector.h.
 *
 * Empty in builds without AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"
#include "codec/lift/one_ring_vector.h"

void spn__one_ring_ops_avx2(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

#else

void spn__one_ring_ops_avx2(struct one_ring_ops *ops)
{
    (void)ops;
}

#endif
