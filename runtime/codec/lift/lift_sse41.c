/* lift_sse41.c - the lifting kernels, two vertices a vector.
 *
 * Only the vector operations are here; lift_vector.h has the kernels. Empty
 * where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#include "base/mem.h"
#include "codec/lift/lift_formulas.h"

#define LANE_VERTICES 2u
typedef __m128i vi;

#define vi_load(p) _mm_loadu_si128((const void *)(p))
#define vi_store(p, a) _mm_storeu_si128((void *)(p), a)
#define vi_set16(x) _mm_set1_epi16(x)
#define vi_add(a, b) _mm_add_epi16(a, b)
#define vi_sub(a, b) _mm_sub_epi16(a, b)
#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_xor(a, b) _mm_xor_si128(a, b)
#define vi_andnot(not, a) _mm_andnot_si128(not, a)
#define vi_greater(a, b) _mm_cmpgt_epi16(a, b)
#define vi_absolute(a) _mm_abs_epi16(a)
#define vi_max(a, b) _mm_max_epi16(a, b)
#define vi_select(a, b, mask) _mm_blendv_epi8(a, b, mask)
#define vi_half(a, b) _mm_mulhrs_epi16(a, b)
#define vi_low(a, b) _mm_mullo_epi16(a, b)
#define vi_top(a) _mm_slli_epi16(a, 15)
#define vi_signed(a, by) _mm_sign_epi16(a, by)
#define vi_zip_low16(a, b) _mm_unpacklo_epi16(a, b)
#define vi_zip_high16(a, b) _mm_unpackhi_epi16(a, b)
#define vi_zip_low32(a, b) _mm_unpacklo_epi32(a, b)
#define vi_zip_high32(a, b) _mm_unpackhi_epi32(a, b)
#define vi_zip_low64(a, b) _mm_unpacklo_epi64(a, b)
#define vi_zip_high64(a, b) _mm_unpackhi_epi64(a, b)
#define vi_fourth(p) vi_load(p)

LIFT_INLINE vi vi_dot(vi a, vi b)
{
    const vi two = _mm_madd_epi16(a, b);

    return _mm_srai_epi32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)), 16);
}

LIFT_INLINE vi vi_times2(const int16_t *times)
{
    return _mm_cvtepu32_epi64(_mm_loadl_epi64((const void *)times));
}

LIFT_INLINE vi vi_times3(const int16_t *times)
{
    const vi spread =
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1);

    return _mm_shuffle_epi8(vi_load(times), spread);
}

LIFT_INLINE vi vi_last(vi a, vi b)
{
    return _mm_blend_epi16(a, _mm_slli_epi64(b, 32), 0x88);
}

LIFT_INLINE void vi_store2(uint16_t *out, vi a)
{
    _mm_storel_epi64((void *)out, _mm_shuffle_epi32(a, 0x08));
}

LIFT_INLINE void vi_store3(uint16_t *out, vi a)
{
    const vi close =
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);

    vi_store(out, _mm_shuffle_epi8(a, close));
}

/* Reference `r[0]` of one vertex and of the next. */
LIFT_INLINE vi gather(const int16_t *values, const uint16_t *r)
{
    return _mm_unpacklo_epi64(
        _mm_loadl_epi64((const void *)(values + 4 * (size_t)r[0])),
        _mm_loadl_epi64((const void *)(values + 4 * (size_t)r[4])));
}

LIFT_INLINE vi load_weights(const int8_t *weights)
{
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const void *)weights));
}

LIFT_INLINE vi vi_nearest(const uint16_t *r, const int8_t *weights)
{
    const vi none = _mm_cmpeq_epi16(load_weights(weights), _mm_setzero_si128());
    const vi one = vi_andnot(none, vi_load(r));
    const vi two = _mm_max_epu16(
        one, _mm_or_si128(_mm_slli_epi32(one, 16), _mm_srli_epi32(one, 16)));

    return _mm_max_epu16(two, _mm_shuffle_epi32(two, 0xb1));
}

/* 256 times weight j of each vertex, at all of its numbers. */
#define SPREAD(w, j)                                                           \
    _mm_shuffle_epi8(w, _mm_setr_epi8(-1, j, -1, j, -1, j, -1, j, -1, 4 + (j), \
                                      -1, 4 + (j), -1, 4 + (j), -1, 4 + (j)))

LIFT_INLINE vi vi_near(const int16_t *rest, const uint16_t *r,
                       const int8_t *weights)
{
    const vi w = _mm_loadl_epi64((const void *)weights);
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
    return _mm_srai_epi32(
        _mm_slli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(32)), 10), 16);
}

LIFT_INLINE vi vi_space(const int16_t *values, const uint16_t *r,
                        const int8_t *weights, vi *side)
{
    const vi w = load_weights(weights);
    const vi a = gather(values, r);
    const vi b = gather(values, r + 1);
    const vi c = gather(values, r + 2);
    const vi d = gather(values, r + 3);
    const vi one = _mm_add_epi32(
        _mm_madd_epi16(vi_zip_low16(a, b), _mm_shuffle_epi32(w, 0x00)),
        _mm_madd_epi16(vi_zip_low16(c, d), _mm_shuffle_epi32(w, 0x55)));
    const vi two = _mm_add_epi32(
        _mm_madd_epi16(vi_zip_high16(a, b), _mm_shuffle_epi32(w, 0xaa)),
        _mm_madd_epi16(vi_zip_high16(c, d), _mm_shuffle_epi32(w, 0xff)));

    /* Bit 5 to the top, where it stays when the number is cut to 16 bits. */
    *side = _mm_packs_epi32(_mm_slli_epi32(one, 26), _mm_slli_epi32(two, 26));
    return _mm_packs_epi32(round_down(one), round_down(two));
}

LIFT_INLINE vi root_of(vi sum, vi *side)
{
    const vi one = _mm_set1_epi32(LIFT_SQUARE);
    const vi d = _mm_min_epi32(
        _mm_max_epi32(_mm_sub_epi32(one, sum), _mm_setzero_si128()), one);

    /* Below 2^24, so exact; and never half way between two integers. */
    const __m128 root = _mm_sqrt_ps(_mm_cvtepi32_ps(d));
    const vi whole = _mm_cvtps_epi32(root);

    *side = _mm_castps_si128(_mm_cmplt_ps(root, _mm_cvtepi32_ps(whole)));
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
    const vi low = root_of(_mm_add_epi32(_mm_madd_epi16(ab_low, ab_low),
                                         _mm_madd_epi16(cd_low, cd_low)),
                           &side_low);
    const vi high = root_of(_mm_add_epi32(_mm_madd_epi16(ab_high, ab_high),
                                          _mm_madd_epi16(cd_high, cd_high)),
                            &side_high);

    *side = _mm_packs_epi32(side_low, side_high);
    return _mm_packs_epi32(low, high);
}

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
