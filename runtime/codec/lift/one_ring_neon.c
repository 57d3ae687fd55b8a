/* one_ring_neon.c - derived QTangents for 64-bit ARM: the kernels of
 * one_ring_vector.h.
 *
 * Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"
#include "codec/lift/one_ring_vector.h"

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

#else

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    (void)ops;
}

#endif
