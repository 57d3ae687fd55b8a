/* residual_coder_sse41.c - triples of residuals for SSE4.1.
 *
 * Empty where the compiler was not told to use SSE4.1.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#if defined(__SSE4_1__)

#include <smmintrin.h>

#include "codec/lift/residual_coder_sse41.h"

static inline uint64_t expand_plain(const uint32_t *entries, int16_t *residuals)
{
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 4) {
        const __m128i e = _mm_loadu_si128((const void *)(entries + v));
        const __m128i q = _mm_srli_epi32(e, 8);

        escapes |= escapes_of(e) << v;
        _mm_storeu_si128((void *)(residuals + 4 * v), _mm_cvtepi8_epi16(q));
        _mm_storeu_si128((void *)(residuals + 4 * v + 8),
                         _mm_cvtepi8_epi16(_mm_srli_si128(q, 8)));
    }
    return escapes;
}

#include "codec/lift/residual_coder_vector.h"

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    ops->decode = decode_groups;
}

#else

void spn__residual_ops_sse41(struct residual_ops *ops)
{
    (void)ops;
}

#endif
