/* residual_coder_sse41.h - entries of tables to residuals, 16 bytes at a time.
 *
 * For the files of SSE4.1 and AVX2, which bring the intrinsics. A field of k
 * bits at any of 8 places lies in 16 bits that begin at a byte when k is 9 or
 * less: the bytes are shuffled there, multiplied up to the top and shifted
 * down.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RESIDUAL_CODER_SSE41_H
#define SPN_CODEC_LIFT_RESIDUAL_CODER_SSE41_H

#include "codec/lift/residual_coder.h"

/* For k = 1..9: where field i's 16 bits begin, and what lifts it to the top. */
#define FIELD(k, i) ((i) * (k) / 8), ((i) * (k) / 8 + 1)
#define FIELDS(k)                                                              \
    {                                                                          \
        FIELD(k, 0), FIELD(k, 1), FIELD(k, 2), FIELD(k, 3), FIELD(k, 4),       \
            FIELD(k, 5), FIELD(k, 6), FIELD(k, 7)                              \
    }
#define LIFT(k, i) (1u << (16 - (k) - (i) * (k) % 8))
#define LIFTS(k)                                                               \
    {                                                                          \
        LIFT(k, 0), LIFT(k, 1), LIFT(k, 2), LIFT(k, 3), LIFT(k, 4),            \
            LIFT(k, 5), LIFT(k, 6), LIFT(k, 7)                                 \
    }

static inline __m128i low_fields(const uint8_t *raw, uint32_t k)
{
    static const uint8_t fields[9][16] = {FIELDS(1), FIELDS(2), FIELDS(3),
                                          FIELDS(4), FIELDS(5), FIELDS(6),
                                          FIELDS(7), FIELDS(8), FIELDS(9)};
    static const uint16_t lifts[9][8] = {LIFTS(1), LIFTS(2), LIFTS(3),
                                         LIFTS(4), LIFTS(5), LIFTS(6),
                                         LIFTS(7), LIFTS(8), LIFTS(9)};
    const __m128i bytes = _mm_loadu_si128((const void *)raw);
    const __m128i at = _mm_loadu_si128((const void *)fields[k - 1]);
    const __m128i lift = _mm_loadu_si128((const void *)lifts[k - 1]);
    const __m128i top = _mm_mullo_epi16(_mm_shuffle_epi8(bytes, at), lift);

    return _mm_srl_epi16(top, _mm_cvtsi32_si128((int)(16 - k)));
}

/* Escapes among four entries: bit 7 to the sign. */
static inline uint64_t escapes_of(__m128i entries)
{
    return (uint64_t)(uint32_t)_mm_movemask_ps(
        _mm_castsi128_ps(_mm_slli_epi32(entries, 24)));
}

static inline uint64_t expand_low(const uint32_t *entries, const uint8_t *raw,
                                  uint32_t k, int16_t *residuals)
{
    const __m128i shift = _mm_cvtsi32_si128((int)k);
    const __m128i half = _mm_set1_epi16((short)(1 << (k - 1)));
    const __m128i zero = _mm_setzero_si128();
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 8) {
        const __m128i a = _mm_loadu_si128((const void *)(entries + v));
        const __m128i b = _mm_loadu_si128((const void *)(entries + v + 4));
        const __m128i x = _mm_sub_epi16(low_fields(raw, k), half);
        const __m128i y = _mm_sub_epi16(low_fields(raw + k, k), half);
        const __m128i z = _mm_sub_epi16(low_fields(raw + 2 * k, k), half);
        const __m128i xy_low = _mm_unpacklo_epi16(x, y);
        const __m128i xy_high = _mm_unpackhi_epi16(x, y);
        const __m128i z_low = _mm_unpacklo_epi16(z, zero);
        const __m128i z_high = _mm_unpackhi_epi16(z, zero);
        const __m128i low[4] = {_mm_unpacklo_epi32(xy_low, z_low),
                                _mm_unpackhi_epi32(xy_low, z_low),
                                _mm_unpacklo_epi32(xy_high, z_high),
                                _mm_unpackhi_epi32(xy_high, z_high)};
        const __m128i qa = _mm_srli_epi32(a, 8);
        const __m128i qb = _mm_srli_epi32(b, 8);
        const __m128i q[4] = {qa, _mm_srli_si128(qa, 8), qb,
                              _mm_srli_si128(qb, 8)};

        escapes |= (escapes_of(a) | escapes_of(b) << 4) << v;
        for (int i = 0; i < 4; i++)
            _mm_storeu_si128(
                (void *)(residuals + 4 * v + 8 * i),
                _mm_add_epi16(_mm_sll_epi16(_mm_cvtepi8_epi16(q[i]), shift),
                              low[i]));
        raw += 3 * k;
    }
    return escapes;
}

/* Nibbles to the top of 16 bits by multiplying, and down with their sign. */
static inline uint32_t expand_quads(const uint32_t *entries, int16_t *fourth)
{
    const __m128i first =
        _mm_setr_epi8(2, 3, 2, 3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7);
    const __m128i second = _mm_setr_epi8(10, 11, 10, 11, 10, 11, 10, 11, 14, 15,
                                         14, 15, 14, 15, 14, 15);
    const __m128i lift = _mm_setr_epi16(4096, 256, 16, 1, 4096, 256, 16, 1);
    uint64_t escapes = 0;

    for (uint32_t i = 0; i < RESIDUAL_BLOCK / 4; i += 4) {
        const __m128i e = _mm_loadu_si128((const void *)(entries + i));
        const __m128i a = _mm_mullo_epi16(_mm_shuffle_epi8(e, first), lift);
        const __m128i b = _mm_mullo_epi16(_mm_shuffle_epi8(e, second), lift);

        escapes |= escapes_of(e) << i;
        _mm_storeu_si128((void *)(fourth + 4 * i), _mm_srai_epi16(a, 12));
        _mm_storeu_si128((void *)(fourth + 4 * i + 8), _mm_srai_epi16(b, 12));
    }
    return (uint32_t)escapes;
}

#endif
