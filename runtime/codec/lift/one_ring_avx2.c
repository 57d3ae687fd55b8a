/* one_ring_avx2.c - guessed QTangents, eight vertices a vector.
 *
 * Only the vector operations are here; one_ring_vector.h has the kernel. Never
 * compiled with fused operations: those round once where two are asked for.
 * Empty where the compiler was not told to use AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define VECTOR_LANES 8u
typedef __m256 vf;

#define vf_set(x) _mm256_set1_ps(x)
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_sub(a, b) _mm256_sub_ps(a, b)
#define vf_mul(a, b) _mm256_mul_ps(a, b)
#define vf_div(a, b) _mm256_div_ps(a, b)
#define vf_sqrt(a) _mm256_sqrt_ps(a)
#define vf_max(a, b) _mm256_max_ps(a, b)
#define vf_equal(a, b) _mm256_cmp_ps(a, b, _CMP_EQ_OQ)
#define vf_select(a, b, mask) _mm256_blendv_ps(a, b, mask)
#define vf_weights(p)                                                          \
    _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)(p))))

struct places;
ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r);
ONE_RING_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                       const vf q[4]);

#include "codec/lift/one_ring_vector.h"

ONE_RING_INLINE __m128i two(const int16_t *positions, const uint16_t *r)
{
    const __m128i first =
        _mm_loadl_epi64((const void *)(positions + 4 * (size_t)r[0]));

    return _mm_castpd_si128(_mm_loadh_pd(
        _mm_castsi128_pd(first), (const void *)(positions + 4 * (size_t)r[1])));
}

/* Vertices 0 and 1 in the low half, 4 and 5 in the high one. */
ONE_RING_INLINE __m256 pairs(const int16_t *positions, const uint16_t *r)
{
    const __m256i low = _mm256_castsi128_si256(two(positions, r));

    return _mm256_castsi256_ps(
        _mm256_inserti128_si256(low, two(positions, r + 4), 1));
}

ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r)
{
    const __m256 a = pairs(positions, r);
    const __m256 b = pairs(positions, r + 2);
    const __m256i xy = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    const __m256i zw = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    /* Low bits of a float from 2^23 on: larger by so much. */
    const __m256i high = _mm256_set1_epi32(0x4b000000);
    const struct places p = {
        {_mm256_castsi256_ps(_mm256_blend_epi16(xy, high, 0xaa)),
         _mm256_castsi256_ps(
             _mm256_blend_epi16(_mm256_srli_epi32(xy, 16), high, 0xaa)),
         _mm256_castsi256_ps(_mm256_blend_epi16(zw, high, 0xaa))},
        _mm256_castsi256_ps(
            _mm256_blend_epi16(_mm256_srli_epi32(zw, 16), high, 0xaa))};
    return p;
}

ONE_RING_INLINE void store_two(int16_t *out, const uint8_t *to, __m128i two)
{
    _mm_storel_epi64((void *)(out + 4 * (size_t)to[0]), two);
    _mm_storeh_pi((void *)(out + 4 * (size_t)to[1]), _mm_castsi128_ps(two));
}

ONE_RING_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                       const vf q[4])
{
    const __m256i xy =
        _mm256_packs_epi32(_mm256_cvtps_epi32(q[0]), _mm256_cvtps_epi32(q[1]));
    const __m256i zw =
        _mm256_packs_epi32(_mm256_cvtps_epi32(q[2]), _mm256_cvtps_epi32(q[3]));
    const __m256i xz = _mm256_unpacklo_epi16(xy, zw); /* x z x z ... */
    const __m256i yw = _mm256_unpackhi_epi16(xy, zw);
    const __m256i even = _mm256_unpacklo_epi16(xz, yw); /* 0 1 and 4 5 */
    const __m256i odd = _mm256_unpackhi_epi16(xz, yw);  /* 2 3 and 6 7 */

    store_two(out, to, _mm256_castsi256_si128(even));
    store_two(out, to + 2, _mm256_castsi256_si128(odd));
    store_two(out, to + 4, _mm256_extracti128_si256(even, 1));
    store_two(out, to + 6, _mm256_extracti128_si256(odd, 1));
}

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
