/* fill_avx2.c - the fill's kernels, eight vertices at a time.
 *
 * Only the vector operations are here; fill_vector.h has the kernels. Empty
 * where the compiler was not told to use AVX2 and F16C.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#if defined(__AVX2__) && defined(__F16C__)

#include <immintrin.h>

#include "fill/fill_store_sse41.h"

#define VECTOR_LANES 8u
typedef __m256 vf;
typedef __m256i vi;

#define vf_set(x) _mm256_set1_ps(x)
#define vf_load(p) _mm256_loadu_ps((const void *)(p))
#define vf_store(p, a) _mm256_storeu_ps((void *)(p), a)
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_sub(a, b) _mm256_sub_ps(a, b)
#define vf_mul(a, b) _mm256_mul_ps(a, b)
#define vf_div(a, b) _mm256_div_ps(a, b)
#define vf_sqrt(a) _mm256_sqrt_ps(a)
#define vf_max(a, b) _mm256_max_ps(a, b)
#define vf_min(a, b) _mm256_min_ps(a, b)
#define vf_and(a, b) _mm256_and_ps(a, b)
#define vf_xor(a, b) _mm256_xor_ps(a, b)
#define vf_andnot(a, b) _mm256_andnot_ps(a, b)
#define vf_select(mask, yes, no) _mm256_blendv_ps(no, yes, mask)
#define vf_bits(a) _mm256_castps_si256(a)
#define vi_set(x) _mm256_set1_epi32((int)(x))
#define vi_lanes() _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128)
#define vi_store(p, a) _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define vi_add(a, b) _mm256_add_epi32(a, b)
#define vi_sub(a, b) _mm256_sub_epi32(a, b)
#define vi_mul(a, b) _mm256_mullo_epi32(a, b)
#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_left(a, n) _mm256_slli_epi32(a, n)
#define vi_right(a, n) _mm256_srli_epi32(a, n)
#define vi_greater(a, b) _mm256_cmpgt_epi32(a, b)
#define vi_equal(a, b) _mm256_cmpeq_epi32(a, b)
#define vi_select(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define vi_floats(a) _mm256_castsi256_ps(a)
#define vi_to_float(a) _mm256_cvtepi32_ps(a)

static inline vi load_words(const void *values)
{
    return _mm256_loadu_si256(values);
}

static inline vi load_halves(const void *values)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(values));
}

/* Two vectors of 16 bytes, low lane first. */
static inline vi load_lanes(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)low)),
        _mm_loadu_si128((const void *)high), 1);
}

/* q of fill.h, of four quaternions. */
static inline vi between4(vi floor, vi ceil, vi alpha)
{
    const vi two = _mm256_madd_epi16(floor, ceil);
    const vi turn = _mm256_srai_epi32(
        _mm256_add_epi32(two, _mm256_shuffle_epi32(two, 0xb1)), 31);
    const vi nearer = _mm256_sub_epi16(_mm256_xor_si256(ceil, turn), turn);
    const vi moved = _mm256_slli_epi16(_mm256_sub_epi16(nearer, floor), 5);

    return _mm256_add_epi16(_mm256_slli_epi16(floor, 5),
                            _mm256_mulhrs_epi16(moved, alpha));
}

/* 2^16 q of eight, and |q|^2; shuffles stay in a lane of four. */
static inline vi interpolate(const void *floor, const void *ceil, int16_t alpha,
                             vi q[4])
{
    const uint8_t *f = floor;
    const uint8_t *c = ceil;
    const vi alphas = _mm256_set1_epi16(alpha);
    const vi high = vi_set(0xffff0000u);
    const vi a = between4(load_lanes(f, f + 32), load_lanes(c, c + 32), alphas);
    const vi b = between4(load_lanes(f + 16, f + 48),
                          load_lanes(c + 16, c + 48), alphas);
    const vi xy = vf_bits(
        _mm256_shuffle_ps(vi_floats(a), vi_floats(b), _MM_SHUFFLE(2, 0, 2, 0)));
    const vi zw = vf_bits(
        _mm256_shuffle_ps(vi_floats(a), vi_floats(b), _MM_SHUFFLE(3, 1, 3, 1)));

    q[0] = vi_left(xy, 16);
    q[1] = vi_and(xy, high);
    q[2] = vi_left(zw, 16);
    q[3] = vi_and(zw, high);
    return vi_add(_mm256_madd_epi16(xy, xy), _mm256_madd_epi16(zw, zw));
}

/* Three u16 of eight items. In each lane are four, in 24 bytes: numbers 0 to 7
 * of them are in `a`, 4 to 11 in `b`. A negative index gives a zero byte. */
static inline void load_triples(const void *values, vi out[3])
{
    const uint8_t *at = values;
    const vi a = load_lanes(at, at + 24);
    const vi b = load_lanes(at + 8, at + 32);
    const vi first_xy = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, -1, -1, -1, -1));
    const vi last_xy = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 10, 11, 12, 13));
    const vi z = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        4, 5, -1, -1, 10, 11, -1, -1, 8, 9, -1, -1, 14, 15, -1, -1));
    const vi xy = vi_or(_mm256_shuffle_epi8(a, first_xy),
                        _mm256_shuffle_epi8(b, last_xy));

    out[0] = vi_and(xy, vi_set(0xffffu));
    out[1] = vi_right(xy, 16);
    out[2] = _mm256_shuffle_epi8(_mm256_blend_epi16(a, b, 0x90), z);
}

/* Of what is no number the sign and one bit. */
#define HAS_HALF_OF
static inline vi half_of(vf v)
{
    const vi half =
        _mm256_cvtepu16_epi32(_mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
    const vi none = vf_bits(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));

    return vi_select(none, vi_and(half, vi_set(0xfe00u)), half);
}

#include "fill/fill_vector.h"

void spn__fill_ops_avx2(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_avx2(struct fill_ops *ops)
{
    (void)ops;
}

#endif
