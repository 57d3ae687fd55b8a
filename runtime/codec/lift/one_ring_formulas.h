/* one_ring_formulas.h - constants of the guess that all instruction sets share.
 *
 * one_ring.c and one_ring_vector.h include it. ONE_RINGS.md, in this folder,
 * specifies the guess and defines the symbols N and T.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_FORMULAS_H
#define SPN_CODEC_LIFT_ONE_RING_FORMULAS_H

#include "codec/lift/one_ring.h"

/* The smallest square of a length: 2^-62. */
#define ONE_RING_SQUARE_MIN 2.168404344971009e-19f

/* Half of 511, in 64ths. With q the unit quaternion and s the length of t, u
 * and n, the kernels have a number 4 s q_i q_j for each component j, i being
 * the largest one. They divide it by the root of s times 4 s q_i^2, which is
 * 2 s q_i. The quotient is 2 q_j, so half the length scales it to 511. */
#define ONE_RING_HALF_LENGTH 16352.0f

/* What each component of N and of T is multiplied by: for N the product of two
 * steps and 2^-54; for T one step and 2^-22, or by UVs one step and 2^-39. A
 * step is at most 2^15, a sum of N is below 2^44, a sum of T below 2^27. By
 * UVs, a sum of T is below 2^44, because its terms are products of two
 * differences. So all results are below about 2^20. */
struct one_ring_scales {
    float normal[3];
    float tangent[3];
};
static inline struct one_ring_scales one_ring_scales_of(
    const struct one_rings *rings)
{
    struct one_ring_scales scales;

    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t y = rings->scale[(i + 1) % 3];
        const uint32_t z = rings->scale[(i + 2) % 3];

        scales.normal[i] = (float)(y * z) * 0x1p-54f;
        scales.tangent[i] =
            (float)rings->scale[i] * (rings->by_uvs ? 0x1p-39f : 0x1p-22f);
    }
    return scales;
}

#endif
