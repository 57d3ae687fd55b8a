/* lift_avx2.c - lifting for AVX2: the kernels of lift_vector.h and
 * one_ring_vector.h. residual_coder_avx2.c has the residual decoder, whose
 * vectors are smaller.
 *
 * A vector holds four vertices. Their references are loaded by four different
 * instruction sequences, because the machine executes only one or two shuffles
 * or blends of the same kind at a time. Empty in builds without AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_kernels.h"

#if defined(__AVX2__)

#include "base/simd_avx2.h"
#include "codec/lift/lift_formulas.h"

/* Reference r[0] of one vertex and of the next three. Beside the third lies the
 * vertex behind it, which is the layer's first or an earlier one. */
#define HAS_GATHER
LIFT_INLINE vi gather(const int16_t *values, const uint16_t *r)
{
    const __m128i two = half_gather64(values, r[0], r[4]);
    const __m128i third =
        _mm_loadu_si128((const void *)(values + 4 * (size_t)r[8]));
    const vi three =
        _mm256_inserti128_si256(_mm256_castsi128_si256(two), third, 1);
    int64_t fourth;

    memcpy(&fourth, values + 4 * (size_t)r[12], sizeof fourth);
    return _mm256_blend_epi32(three, _mm256_set1_epi64x(fourth), 0xc0);
}

#include "codec/lift/lift_vector.h"
#include "codec/lift/one_ring_vector.h"

void spn__lift_ops_avx2(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

void spn__one_ring_ops_avx2(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

#else

void spn__lift_ops_avx2(struct lift_ops *ops)
{
    (void)ops;
}

void spn__one_ring_ops_avx2(struct one_ring_ops *ops)
{
    (void)ops;
}

#endif
