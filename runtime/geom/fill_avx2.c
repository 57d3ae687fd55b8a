/* fill_avx2.c - the fill's kernels, eight vertices at a time.
 *
 * Only the vector operations are here; fill_vector.h has the kernels. Empty
 * where the compiler was not told to use AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "geom/fill_store_sse41.h"

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
#define vf_less(a, b) _mm256_cmp_ps(a, b, _CMP_LT_OS)
#define vf_at_least(a, b) _mm256_cmp_ps(a, b, _CMP_GE_OS)
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
#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_left(a, n) _mm256_slli_epi32(a, n)
#define vi_right(a, n) _mm256_srli_epi32(a, n)
#define vi_right_signed(a, n) _mm256_srai_epi32(a, n)
#define vi_greater(a, b) _mm256_cmpgt_epi32(a, b)
#define vi_equal(a, b) _mm256_cmpeq_epi32(a, b)
#define vi_select(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define vi_floats(a) _mm256_castsi256_ps(a)
#define vi_to_float(a) _mm256_cvtepi32_ps(a)

static inline vi load_words(const void *values)
{
    return _mm256_loadu_si256(values);
}

/* Two vectors of 16 bytes, low lane first. */
static inline vi load_lanes(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)low)),
        _mm_loadu_si128((const void *)high), 1);
}

/* Low and high words of eight items of 8 bytes; shuffles stay in a lane of
 * four items. */
static inline void load_pairs(const void *values, vi *low, vi *high)
{
    const uint8_t *at = values;
    const vf a = vi_floats(load_lanes(at, at + 32));
    const vf b = vi_floats(load_lanes(at + 16, at + 48));

    *low = vf_bits(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
    *high = vf_bits(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Three u16 of eight items: in each lane items 0 and 1 from the first 16 of 24
 * bytes, 2 and 3 from the last 16, where they start at byte 4. */
static inline void load_triples(const void *values, vi out[3])
{
    const uint8_t *at = values;
    const vi a = load_lanes(at, at + 24);
    const vi b = load_lanes(at + 8, at + 32);
    /* A negative index gives a zero byte, for all three components. */
    vi first = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, -127, -127, 6, 7, -127, -127, -127, -127, -127,
                      -127, -127, -127, -127, -127));
    vi last = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-127, -127, -127, -127, -127, -127, -127, -127, 4, 5,
                      -127, -127, 10, 11, -127, -127));

    for (int k = 0; k < 3; k++) {
        out[k] =
            vi_or(_mm256_shuffle_epi8(a, first), _mm256_shuffle_epi8(b, last));
        first = _mm256_add_epi8(first, _mm256_set1_epi8(2));
        last = _mm256_add_epi8(last, _mm256_set1_epi8(2));
    }
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

#include "geom/fill_vector.h"

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
