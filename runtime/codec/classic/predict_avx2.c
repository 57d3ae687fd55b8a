/* predict_avx2.c - temporal prediction, 32 bytes at a time.
 *
 * Only the vector operations are here; predict_vector.h has the kernels.
 * Empty where the compiler was not told to use AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define VECTOR_BYTES 32u
typedef __m256i vi;

#define vi_load(p) _mm256_loadu_si256((const void *)(p))
#define vi_store(p, a) _mm256_storeu_si256((void *)(p), a)
#define vi_zero() _mm256_setzero_si256()
#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_andnot(a, b) _mm256_andnot_si256(a, b)
#define vi_set16(x) _mm256_set1_epi16((short)(x))
#define vi_add16(a, b) _mm256_add_epi16(a, b)
#define vi_sub16(a, b) _mm256_sub_epi16(a, b)
#define vi_mul16(a, b) _mm256_mullo_epi16(a, b)
#define vi_mulhi16(a, b) _mm256_mulhi_epu16(a, b)
#define vi_left16(a, n) _mm256_slli_epi16(a, n)
#define vi_right16(a, n) _mm256_srli_epi16(a, n)
#define vi_min16(a, b) _mm256_min_epu16(a, b)
#define vi_equal16(a, b) _mm256_cmpeq_epi16(a, b)
#define vi_greater16(a, b) _mm256_cmpgt_epi16(a, b)
#define vi_add8(a, b) _mm256_add_epi8(a, b)
/* Halves of each lane; narrow puts them back in the same order. */
#define vi_wide_low(a) _mm256_unpacklo_epi8(a, vi_zero())
#define vi_wide_high(a) _mm256_unpackhi_epi8(a, vi_zero())
#define vi_narrow(low, high) _mm256_packus_epi16(low, high)

#include "codec/classic/predict_vector.h"

void spn__predict_ops_avx2(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_avx2(struct predict_ops *ops)
{
    (void)ops;
}

#endif
