/* planes_sse41.c - bit planes to residuals, 128 vertices at a time.
 *
 * Only the vector operations are here; planes_vector.h has the kernel. Empty
 * where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#if defined(__SSE4_1__)

#include "base/assert.h"

#include <smmintrin.h>

#define VECTOR_BYTES 16u
typedef __m128i vi;

#define vi_load(p) _mm_loadu_si128((const void *)(p))
#define vi_zero() _mm_setzero_si128()
#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_xor(a, b) _mm_xor_si128(a, b)
#define vi_is_zero(a) (_mm_testz_si128(a, a) != 0)
#define vi_set8(x) _mm_set1_epi8(x)
#define vi_set16(x) _mm_set1_epi16((short)(x))
#define vi_add16(a, b) _mm_add_epi16(a, b)
#define vi_left16(a, n) _mm_slli_epi16(a, n)
#define vi_right16(a, n) _mm_srli_epi16(a, n)
#define vi_blend16(a, b, mask) _mm_blend_epi16(a, b, mask)
#define vi_shuffle8(a, order) _mm_shuffle_epi8(a, order)
#define WORD(i) (char)(2 * (i)), (char)(2 * (i) + 1)
#define vi_shuffler(a, b, c, d, e, f, g, h)                                    \
    _mm_setr_epi8(WORD(a), WORD(b), WORD(c), WORD(d), WORD(e), WORD(f),        \
                  WORD(g), WORD(h))
#define vi_low8(a, b) _mm_unpacklo_epi8(a, b)
#define vi_high8(a, b) _mm_unpackhi_epi8(a, b)
#define vi_low16(a, b) _mm_unpacklo_epi16(a, b)
#define vi_high16(a, b) _mm_unpackhi_epi16(a, b)
#define vi_low32(a, b) _mm_unpacklo_epi32(a, b)
#define vi_high32(a, b) _mm_unpackhi_epi32(a, b)
#define vi_low64(a, b) _mm_unpacklo_epi64(a, b)
#define vi_high64(a, b) _mm_unpackhi_epi64(a, b)
#define vi_store_lanes(p, lane, a)                                             \
    ((void)(lane), _mm_storeu_si128((void *)(p), a))

#include "codec/classic/planes_vector.h"

void spn__planes_ops_sse41(struct predict_ops *ops)
{
    ops->join_u16 = join_u16;
}

#else

void spn__planes_ops_sse41(struct predict_ops *ops)
{
    (void)ops;
}

#endif
