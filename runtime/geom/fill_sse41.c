/* fill_sse41.c - the fill's kernels, four vertices at a time.
 *
 * Only the vector operations are here; fill_vector.h has the kernels. Empty
 * where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#include "geom/fill_store_sse41.h"

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
#define vf_less(a, b) _mm_cmplt_ps(a, b)
#define vf_at_least(a, b) _mm_cmpge_ps(a, b)
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
#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_left(a, n) _mm_slli_epi32(a, n)
#define vi_right(a, n) _mm_srli_epi32(a, n)
#define vi_right_signed(a, n) _mm_srai_epi32(a, n)
#define vi_greater(a, b) _mm_cmpgt_epi32(a, b)
#define vi_equal(a, b) _mm_cmpeq_epi32(a, b)
#define vi_select(mask, yes, no) _mm_blendv_epi8(no, yes, mask)
#define vi_floats(a) _mm_castsi128_ps(a)
#define vi_to_float(a) _mm_cvtepi32_ps(a)

static inline vi load_words(const void *values)
{
    return _mm_loadu_si128(values);
}

/* Low and high words of four items of 8 bytes. */
static inline void load_pairs(const void *values, vi *low, vi *high)
{
    const uint8_t *at = values;
    const vf a = vi_floats(load_words(at));
    const vf b = vi_floats(load_words(at + 16));

    *low = vf_bits(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
    *high = vf_bits(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Three u16 of four items: items 0 and 1 from the first 16 bytes, 2 and 3 from
 * the last 16 of 24, where they start at byte 4. */
static inline void load_triples(const void *values, vi out[3])
{
    const uint8_t *at = values;
    const vi a = load_words(at);
    const vi b = load_words(at + 8);
    /* A negative index gives a zero byte, for all three components. */
    vi first = _mm_setr_epi8(0, 1, -127, -127, 6, 7, -127, -127, -127, -127,
                             -127, -127, -127, -127, -127, -127);
    vi last = _mm_setr_epi8(-127, -127, -127, -127, -127, -127, -127, -127, 4,
                            5, -127, -127, 10, 11, -127, -127);

    for (int k = 0; k < 3; k++) {
        out[k] = vi_or(_mm_shuffle_epi8(a, first), _mm_shuffle_epi8(b, last));
        first = _mm_add_epi8(first, _mm_set1_epi8(2));
        last = _mm_add_epi8(last, _mm_set1_epi8(2));
    }
}

#include "geom/fill_vector.h"

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
