/* predict_sse41.c - temporal prediction, 16 bytes at a time.
 *
 * Only the vector operations are here; predict_vector.h has the kernels.
 * Empty where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#define VECTOR_BYTES 16u
typedef __m128i vi;

#define vi_load(p) _mm_loadu_si128((const void *)(p))
#define vi_store(p, a) _mm_storeu_si128((void *)(p), a)
#define vi_zero() _mm_setzero_si128()
#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_andnot(a, b) _mm_andnot_si128(a, b)
#define vi_set16(x) _mm_set1_epi16((short)(x))
#define vi_add16(a, b) _mm_add_epi16(a, b)
#define vi_sub16(a, b) _mm_sub_epi16(a, b)
#define vi_mul16(a, b) _mm_mullo_epi16(a, b)
#define vi_mulhi16(a, b) _mm_mulhi_epu16(a, b)
#define vi_left16(a, n) _mm_slli_epi16(a, n)
#define vi_right16(a, n) _mm_srli_epi16(a, n)
#define vi_min16(a, b) _mm_min_epu16(a, b)
#define vi_equal16(a, b) _mm_cmpeq_epi16(a, b)
#define vi_greater16(a, b) _mm_cmpgt_epi16(a, b)
#define vi_add8(a, b) _mm_add_epi8(a, b)
/* Halves; narrow puts them back in the same order. */
#define vi_wide_low(a) _mm_unpacklo_epi8(a, vi_zero())
#define vi_wide_high(a) _mm_unpackhi_epi8(a, vi_zero())
#define vi_narrow(low, high) _mm_packus_epi16(low, high)

#include "codec/classic/predict_vector.h"

void spn__predict_ops_sse41(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_sse41(struct predict_ops *ops)
{
    (void)ops;
}

#endif
