/* one_ring_sse41.c - guessed QTangents, four vertices a vector.
 *
 * Only the vector operations are here; one_ring_vector.h has the kernel. Empty
 * where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#include "base/mem.h"

#define VECTOR_LANES 4u
typedef __m128 vf;

#define vf_set(x) _mm_set1_ps(x)
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_sub(a, b) _mm_sub_ps(a, b)
#define vf_mul(a, b) _mm_mul_ps(a, b)
#define vf_div(a, b) _mm_div_ps(a, b)
#define vf_sqrt(a) _mm_sqrt_ps(a)
#define vf_max(a, b) _mm_max_ps(a, b)
#define vf_equal(a, b) _mm_cmpeq_ps(a, b)
#define vf_select(a, b, mask) _mm_blendv_ps(a, b, mask)

ONE_RING_INLINE vf vf_weights(const int8_t *weights)
{
    int32_t four;

    memcpy(&four, weights, sizeof four);
    return _mm_cvtepi32_ps(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
}

struct places;
ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r);
ONE_RING_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                       const vf q[4]);

#include "codec/lift/one_ring_vector.h"

ONE_RING_INLINE __m128i pair(const int16_t *positions, const uint16_t *r)
{
    return _mm_unpacklo_epi64(
        _mm_loadl_epi64((const void *)(positions + 4 * (size_t)r[0])),
        _mm_loadl_epi64((const void *)(positions + 4 * (size_t)r[1])));
}

ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r)
{
    const __m128 a = _mm_castsi128_ps(pair(positions, r));
    const __m128 b = _mm_castsi128_ps(pair(positions, r + 2));
    const __m128i xy = _mm_castps_si128(_mm_shuffle_ps(a, b, 0x88));
    const __m128i zw = _mm_castps_si128(_mm_shuffle_ps(a, b, 0xdd));
    /* Low bits of a float from 2^23 on: larger by so much. */
    const __m128i high = _mm_set1_epi32(0x4b000000);
    const struct places p = {
        {_mm_castsi128_ps(_mm_blend_epi16(xy, high, 0xaa)),
         _mm_castsi128_ps(_mm_blend_epi16(_mm_srli_epi32(xy, 16), high, 0xaa)),
         _mm_castsi128_ps(_mm_blend_epi16(zw, high, 0xaa))},
        _mm_castsi128_ps(_mm_blend_epi16(_mm_srli_epi32(zw, 16), high, 0xaa))};
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
    const __m128i xy =
        _mm_packs_epi32(_mm_cvtps_epi32(q[0]), _mm_cvtps_epi32(q[1]));
    const __m128i zw =
        _mm_packs_epi32(_mm_cvtps_epi32(q[2]), _mm_cvtps_epi32(q[3]));
    const __m128i xz = _mm_unpacklo_epi16(xy, zw); /* x z x z ... */
    const __m128i yw = _mm_unpackhi_epi16(xy, zw);

    store_two(out, to, _mm_unpacklo_epi16(xz, yw));
    store_two(out, to + 2, _mm_unpackhi_epi16(xz, yw));
}

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
