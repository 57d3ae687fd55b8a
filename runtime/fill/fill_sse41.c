/* fill_sse41.c - the fill's kernels, four vertices at a time.
 *
 * Only the vector operations are here; fill_vector.h has the kernels. Empty
 * where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#include "fill/fill_store_sse41.h"

#define VECTOR_LANES 4u
typedef __m128 vf;
typedef __m128i vi;

#define vf_set(x) _mm_set1_ps(x)
#define vf_load(p) _mm_loadu_ps((const void *)(p))
#define vf_store(p, a) _mm_storeu_ps((void *)(p), a)
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_sub(a, b) _mm_sub_ps(a, b)
#define vf_mul(a, b) _mm_mul_ps(a, b)
#define vf_div(a, b) _mm_div_ps(a, b)
#define vf_sqrt(a) _mm_sqrt_ps(a)
#define vf_max(a, b) _mm_max_ps(a, b)
#define vf_min(a, b) _mm_min_ps(a, b)
#define vf_and(a, b) _mm_and_ps(a, b)
#define vf_xor(a, b) _mm_xor_ps(a, b)
#define vf_andnot(a, b) _mm_andnot_ps(a, b)
#define vf_select(mask, yes, no) _mm_blendv_ps(no, yes, mask)
#define vf_bits(a) _mm_castps_si128(a)
#define vi_set(x) _mm_set1_epi32((int)(x))
#define vi_lanes() _mm_setr_epi32(1, 2, 4, 8)
#define vi_store(p, a) _mm_storeu_si128((__m128i *)(void *)(p), a)
#define vi_add(a, b) _mm_add_epi32(a, b)
#define vi_sub(a, b) _mm_sub_epi32(a, b)
#define vi_mul(a, b) _mm_mullo_epi32(a, b)
#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_left(a, n) _mm_slli_epi32(a, n)
#define vi_right(a, n) _mm_srli_epi32(a, n)
#define vi_greater(a, b) _mm_cmpgt_epi32(a, b)
#define vi_equal(a, b) _mm_cmpeq_epi32(a, b)
#define vi_select(mask, yes, no) _mm_blendv_epi8(no, yes, mask)
#define vi_floats(a) _mm_castsi128_ps(a)
#define vi_to_float(a) _mm_cvtepi32_ps(a)

static inline vi load_words(const void *values)
{
    return _mm_loadu_si128(values);
}

static inline vi load_halves(const void *values)
{
    return _mm_cvtepu16_epi32(_mm_loadl_epi64(values));
}

/* q of fill.h, of two quaternions. */
static inline vi between2(vi floor, vi ceil, vi alpha)
{
    const vi two = _mm_madd_epi16(floor, ceil);
    const vi turn =
        _mm_srai_epi32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)), 31);
    const vi nearer = _mm_sub_epi16(_mm_xor_si128(ceil, turn), turn);
    const vi moved = _mm_slli_epi16(_mm_sub_epi16(nearer, floor), 5);

    return _mm_add_epi16(_mm_slli_epi16(floor, 5),
                         _mm_mulhrs_epi16(moved, alpha));
}

/* 2^16 q of four, and |q|^2. */
static inline vi interpolate(const void *floor, const void *ceil, int16_t alpha,
                             vi q[4])
{
    const uint8_t *f = floor;
    const uint8_t *c = ceil;
    const vi alphas = _mm_set1_epi16(alpha);
    const vi high = vi_set(0xffff0000u);
    const vi a = between2(load_words(f), load_words(c), alphas);
    const vi b = between2(load_words(f + 16), load_words(c + 16), alphas);
    const vi xy = vf_bits(
        _mm_shuffle_ps(vi_floats(a), vi_floats(b), _MM_SHUFFLE(2, 0, 2, 0)));
    const vi zw = vf_bits(
        _mm_shuffle_ps(vi_floats(a), vi_floats(b), _MM_SHUFFLE(3, 1, 3, 1)));

    q[0] = vi_left(xy, 16);
    q[1] = vi_and(xy, high);
    q[2] = vi_left(zw, 16);
    q[3] = vi_and(zw, high);
    return vi_add(_mm_madd_epi16(xy, xy), _mm_madd_epi16(zw, zw));
}

/* Three u16 of four items, in 24 bytes: numbers 0 to 7 of them are in `a`, 4 to
 * 11 in `b`. A negative index gives a zero byte. */
static inline void load_triples(const void *values, vi out[3])
{
    const uint8_t *at = values;
    const vi a = load_words(at);
    const vi b = load_words(at + 8);
    const vi first_xy =
        _mm_setr_epi8(0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, -1, -1, -1, -1);
    const vi last_xy = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                     -1, 10, 11, 12, 13);
    const vi z = _mm_setr_epi8(4, 5, -1, -1, 10, 11, -1, -1, 8, 9, -1, -1, 14,
                               15, -1, -1);
    const vi xy =
        vi_or(_mm_shuffle_epi8(a, first_xy), _mm_shuffle_epi8(b, last_xy));

    out[0] = vi_and(xy, vi_set(0xffffu));
    out[1] = vi_right(xy, 16);
    out[2] = _mm_shuffle_epi8(_mm_blend_epi16(a, b, 0x90), z);
}

#include "fill/fill_vector.h"

void spn__fill_ops_sse41(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_sse41(struct fill_ops *ops)
{
    (void)ops;
}

#endif
