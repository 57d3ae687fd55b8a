/* planes_avx2.c - bit planes to residuals, 256 vertices at a time.
 *
 * Only the vector operations are here; planes_vector.h has the kernel. Empty
 * where the compiler was not told to use AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#if defined(__AVX2__)

#include "base/assert.h"

#include <immintrin.h>

#define VECTOR_BYTES 32u
typedef __m256i vi;

#define vi_load(p) _mm256_loadu_si256((const void *)(p))
#define vi_zero() _mm256_setzero_si256()
#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_xor(a, b) _mm256_xor_si256(a, b)
#define vi_is_zero(a) (_mm256_testz_si256(a, a) != 0)
#define vi_set8(x) _mm256_set1_epi8(x)
#define vi_set16(x) _mm256_set1_epi16((short)(x))
#define vi_add16(a, b) _mm256_add_epi16(a, b)
#define vi_left16(a, n) _mm256_slli_epi16(a, n)
#define vi_right16(a, n) _mm256_srli_epi16(a, n)
#define vi_blend16(a, b, mask) _mm256_blend_epi16(a, b, mask)
#define vi_shuffle8(a, order) _mm256_shuffle_epi8(a, order)
#define WORD(i) (char)(2 * (i)), (char)(2 * (i) + 1)
#define LANE(a, b, c, d, e, f, g, h)                                           \
    WORD(a), WORD(b), WORD(c), WORD(d), WORD(e), WORD(f), WORD(g), WORD(h)
#define vi_shuffler(a, b, c, d, e, f, g, h)                                    \
    _mm256_setr_epi8(LANE(a, b, c, d, e, f, g, h), LANE(a, b, c, d, e, f, g, h))
#define vi_low8(a, b) _mm256_unpacklo_epi8(a, b)
#define vi_high8(a, b) _mm256_unpackhi_epi8(a, b)
#define vi_low16(a, b) _mm256_unpacklo_epi16(a, b)
#define vi_high16(a, b) _mm256_unpackhi_epi16(a, b)
#define vi_low32(a, b) _mm256_unpacklo_epi32(a, b)
#define vi_high32(a, b) _mm256_unpackhi_epi32(a, b)
#define vi_low64(a, b) _mm256_unpacklo_epi64(a, b)
#define vi_high64(a, b) _mm256_unpackhi_epi64(a, b)
#define vi_store_lanes(p, lane, a)                                             \
    (_mm_storeu_si128((void *)(p), _mm256_castsi256_si128(a)),                 \
     _mm_storeu_si128((void *)((p) + (lane)), _mm256_extracti128_si256(a, 1)))

#include "codec/classic/planes_vector.h"

void spn__planes_ops_avx2(struct predict_ops *ops)
{
    ops->join_u16 = join_u16;
}

#else

void spn__planes_ops_avx2(struct predict_ops *ops)
{
    (void)ops;
}

#endif
