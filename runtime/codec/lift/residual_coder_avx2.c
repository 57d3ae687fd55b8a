/* residual_coder_avx2.c - residuals for AVX2: the kernels of
 * residual_coder_vector.h.
 *
 * Blocks without low bits are expanded 32 bytes at a time, the others as for
 * SSE4.1. Empty in builds without AVX2.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#if defined(__AVX2__)

#include "base/simd_sse41.h"

#include <immintrin.h>

/* Most runs have no low bits. */
#define HAS_EXPAND_PLAIN
static inline uint64_t expand_plain(const uint32_t *entries, int16_t *residuals)
{
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v += 4) {
        const vi e = vi_load(entries + v);

        escapes |= (uint64_t)vi_signs32(vi_left32(e, 24)) << v;
        _mm256_storeu_si256((void *)(residuals + 4 * v),
                            _mm256_cvtepi8_epi16(vi_right32(e, 8)));
    }
    return escapes;
}

#include "codec/lift/residual_coder_vector.h"

void spn__residual_ops_avx2(struct residual_ops *ops)
{
    ops->decode = decode_stripes;
}

#else

void spn__residual_ops_avx2(struct residual_ops *ops)
{
    (void)ops;
}

#endif
