/* lift_avx2.c - the lifting kernels, four vertices a vector.
 *
 * Only the vector operations are here; lift_vector.h has the kernels. The
 * references of four vertices are loaded to their places in four different
 * ways: of each kind of shuffle and blend the machine does but one or two at a
 * time. Empty where the compiler was not told to use AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "base/mem.h"
#include "codec/lift/lift_formulas.h"

#define LANE_VERTICES 4u
typedef __m256i vi;

#define vi_load(p) _mm256_loadu_si256((const void *)(p))
#define vi_store(p, a) _mm256_storeu_si256((void *)(p), a)
#define vi_set16(x) _mm256_set1_epi16(x)
#define vi_add(a, b) _mm256_add_epi16(a, b)
#define vi_sub(a, b) _mm256_sub_epi16(a, b)
#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_xor(a, b) _mm256_xor_si256(a, b)
#define vi_andnot(not, a) _mm256_andnot_si256(not, a)
#define vi_greater(a, b) _mm256_cmpgt_epi16(a, b)
#define vi_absolute(a) _mm256_abs_epi16(a)
#define vi_max(a, b) _mm256_max_epi16(a, b)
#define vi_select(a, b, mask) _mm256_blendv_epi8(a, b, mask)
#define vi_half(a, b) _mm256_mulhrs_epi16(a, b)
#define vi_low(a, b) _mm256_mullo_epi16(a, b)
#define vi_top(a) _mm256_slli_epi16(a, 15)
#define vi_signed(a, by) _mm256_sign_epi16(a, by)
#define vi_zip_low16(a, b) _mm256_unpacklo_epi16(a, b)
#define vi_zip_high16(a, b) _mm256_unpackhi_epi16(a, b)
#define vi_zip_low32(a, b) _mm256_unpacklo_epi32(a, b)
#define vi_zip_high32(a, b) _mm256_unpackhi_epi32(a, b)
#define vi_zip_low64(a, b) _mm256_unpacklo_epi64(a, b)
#define vi_zip_high64(a, b) _mm256_unpackhi_epi64(a, b)

/* Planes hold the vertices 0 1 4 5 8 9 12 13 2 3 6 7 10 11 14 15. */
LIFT_INLINE vi vi_fourth(const int16_t *fourth)
{
    return _mm256_permutevar8x32_epi32(
        vi_load(fourth), _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}

LIFT_INLINE vi vi_dot(vi a, vi b)
{
    const vi two = _mm256_madd_epi16(a, b);

    return _mm256_srai_epi32(
        _mm256_add_epi32(two, _mm256_shuffle_epi32(two, 0xb1)), 16);
}

LIFT_INLINE vi vi_times2(const int16_t *times)
{
    return _mm256_cvtepu32_epi64(_mm_loadu_si128((const void *)times));
}

LIFT_INLINE vi vi_times3(const int16_t *times)
{
    const vi spread = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1));
    const __m128i low = _mm_loadu_si128((const void *)times);
    const __m128i high = _mm_loadu_si128((const void *)(times + 6));

    return _mm256_shuffle_epi8(
        _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), spread);
}

LIFT_INLINE vi vi_last(vi a, vi b)
{
    return _mm256_blend_epi16(a, _mm256_slli_epi64(b, 32), 0x88);
}

LIFT_INLINE void vi_store2(uint16_t *out, vi a)
{
    const vi pairs = _mm256_permutevar8x32_epi32(
        a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));

    _mm_storeu_si128((void *)out, _mm256_castsi256_si128(pairs));
}

LIFT_INLINE void vi_store3(uint16_t *out, vi a)
{
    const vi close = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1));
    const vi four = _mm256_shuffle_epi8(a, close);

    _mm_storeu_si128((void *)out, _mm256_castsi256_si128(four));
    _mm_storeu_si128((void *)(out + 6), _mm256_extracti128_si256(four, 1));
}

LIFT_INLINE vi everywhere(const int16_t *values, uint32_t vertex)
{
    int64_t four;

    memcpy(&four, values + 4 * (size_t)vertex, sizeof four);
    return _mm256_set1_epi64x(four);
}

/* Reference `r[0]` of one vertex and of the next three. Beside the third lies
 * the vertex behind it, which is the layer's first or an earlier one. */
LIFT_INLINE vi gather(const int16_t *values, const uint16_t *r)
{
    const __m128i first =
        _mm_loadl_epi64((const void *)(values + 4 * (size_t)r[0]));
    const __m128i two = _mm_castpd_si128(_mm_loadh_pd(
        _mm_castsi128_pd(first), (const void *)(values + 4 * (size_t)r[4])));
    const __m128i third =
        _mm_loadu_si128((const void *)(values + 4 * (size_t)r[8]));
    const vi three =
        _mm256_inserti128_si256(_mm256_castsi128_si256(two), third, 1);

    return _mm256_blend_epi32(three, everywhere(values, r[12]), 0xc0);
}

LIFT_INLINE vi load_weights(const int8_t *weights)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)weights));
}

LIFT_INLINE vi vi_nearest(const uint16_t *r, const int8_t *weights)
{
    const vi none =
        _mm256_cmpeq_epi16(load_weights(weights), _mm256_setzero_si256());
    const vi one = vi_andnot(none, vi_load(r));
    const vi two =
        _mm256_max_epu16(one, _mm256_or_si256(_mm256_slli_epi32(one, 16),
                                              _mm256_srli_epi32(one, 16)));

    return _mm256_max_epu16(two, _mm256_shuffle_epi32(two, 0xb1));
}

/* 256 times weight j of each vertex, at all of its numbers. */
#define SPREAD(w, j)                                                           \
    _mm256_shuffle_epi8(w, _mm256_setr_epi8(-1, j, -1, j, -1, j, -1, j, -1,    \
                                            4 + (j), -1, 4 + (j), -1, 4 + (j), \
                                            -1, 4 + (j), -1, 8 + (j), -1,      \
                                            8 + (j), -1, 8 + (j), -1, 8 + (j), \
                                            -1, 12 + (j), -1, 12 + (j), -1,    \
                                            12 + (j), -1, 12 + (j)))

LIFT_INLINE vi vi_near(const int16_t *rest, const uint16_t *r,
                       const int8_t *weights)
{
    const vi w =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)weights));
    const vi a = vi_half(gather(rest, r), SPREAD(w, 0));
    const vi b = vi_half(gather(rest, r + 1), SPREAD(w, 1));
    const vi c = vi_half(gather(rest, r + 2), SPREAD(w, 2));
    const vi d = vi_half(gather(rest, r + 3), SPREAD(w, 3));
    const vi sum = vi_add(vi_add(a, b), vi_add(c, d));

    return vi_add(sum, sum);
}

/* Low 16 bits of (sum + 32) >> 6: those bits are taken to the top first. */
LIFT_INLINE vi round_down(vi sum)
{
    return _mm256_srai_epi32(
        _mm256_slli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(32)), 10),
        16);
}

LIFT_INLINE vi vi_space(const int16_t *values, const uint16_t *r,
                        const int8_t *weights, vi *side)
{
    const vi w = load_weights(weights);
    const vi a = gather(values, r);
    const vi b = gather(values, r + 1);
    const vi c = gather(values, r + 2);
    const vi d = gather(values, r + 3);
    const vi one = _mm256_add_epi32(
        _mm256_madd_epi16(vi_zip_low16(a, b), _mm256_shuffle_epi32(w, 0x00)),
        _mm256_madd_epi16(vi_zip_low16(c, d), _mm256_shuffle_epi32(w, 0x55)));
    const vi two = _mm256_add_epi32(
        _mm256_madd_epi16(vi_zip_high16(a, b), _mm256_shuffle_epi32(w, 0xaa)),
        _mm256_madd_epi16(vi_zip_high16(c, d), _mm256_shuffle_epi32(w, 0xff)));

    /* Bit 5 to the top, where it stays when the number is cut to 16 bits. */
    *side = _mm256_packs_epi32(_mm256_slli_epi32(one, 26),
                               _mm256_slli_epi32(two, 26));
    return _mm256_packs_epi32(round_down(one), round_down(two));
}

LIFT_INLINE vi root_of(vi sum, vi *side)
{
    const vi one = _mm256_set1_epi32(LIFT_SQUARE);
    const vi d = _mm256_min_epi32(
        _mm256_max_epi32(_mm256_sub_epi32(one, sum), _mm256_setzero_si256()),
        one);

    /* Below 2^24, so exact; and never half way between two integers. */
    const __m256 root = _mm256_sqrt_ps(_mm256_cvtepi32_ps(d));
    const vi whole = _mm256_cvtps_epi32(root);

    *side = _mm256_castps_si256(
        _mm256_cmp_ps(root, _mm256_cvtepi32_ps(whole), _CMP_LT_OQ));
    return whole;
}

LIFT_INLINE vi vi_root(vi a, vi b, vi c, vi d, vi *side)
{
    const vi ab_low = vi_zip_low16(a, b);
    const vi ab_high = vi_zip_high16(a, b);
    const vi cd_low = vi_zip_low16(c, d);
    const vi cd_high = vi_zip_high16(c, d);
    vi side_low;
    vi side_high;
    const vi low = root_of(_mm256_add_epi32(_mm256_madd_epi16(ab_low, ab_low),
                                            _mm256_madd_epi16(cd_low, cd_low)),
                           &side_low);
    const vi high =
        root_of(_mm256_add_epi32(_mm256_madd_epi16(ab_high, ab_high),
                                 _mm256_madd_epi16(cd_high, cd_high)),
                &side_high);

    *side = _mm256_packs_epi32(side_low, side_high);
    return _mm256_packs_epi32(low, high);
}

#include "codec/lift/lift_vector.h"

void spn__lift_ops_avx2(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__lift_ops_avx2(struct lift_ops *ops)
{
    (void)ops;
}

#endif
