/* fill_store_sse41.h - columns to vertices, four vertices at a time.
 *
 * Shared by the instruction sets that have 128-bit vectors of words; included
 * after <smmintrin.h> or what includes it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_FILL_STORE_SSE41_H
#define SPN_GEOM_FILL_STORE_SSE41_H

#include "base/mem.h"
#include "geom/fill.h"

static inline __m128i load_column(const uint32_t *column)
{
    return _mm_loadu_si128((const __m128i *)(const void *)column);
}

static inline void store_low(uint8_t *target, __m128i words)
{
    _mm_storel_epi64((__m128i *)(void *)target, words);
}

static inline void store_word(uint8_t *target, const uint32_t *word)
{
    memcpy(target, word, 4);
}

/* 1 column: words are already where they can be copied from. */
static inline void store_1(uint8_t *target, size_t stride, const uint32_t *in,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        store_word(target + i * stride, in + i);
}

static inline void store_2x4(uint8_t *target, size_t stride, const uint32_t *in,
                             size_t pitch)
{
    const __m128i a = load_column(in);
    const __m128i b = load_column(in + pitch);
    const __m128i low = _mm_unpacklo_epi32(a, b);
    const __m128i high = _mm_unpackhi_epi32(a, b);

    store_low(target, low);
    store_low(target + stride, _mm_unpackhi_epi64(low, low));
    store_low(target + 2 * stride, high);
    store_low(target + 3 * stride, _mm_unpackhi_epi64(high, high));
}

static inline void store_4x4(uint8_t *target, size_t stride, const uint32_t *in,
                             size_t pitch)
{
    const __m128i a = load_column(in);
    const __m128i b = load_column(in + pitch);
    const __m128i c = load_column(in + 2 * pitch);
    const __m128i d = load_column(in + 3 * pitch);
    const __m128i ab_low = _mm_unpacklo_epi32(a, b);
    const __m128i ab_high = _mm_unpackhi_epi32(a, b);
    const __m128i cd_low = _mm_unpacklo_epi32(c, d);
    const __m128i cd_high = _mm_unpackhi_epi32(c, d);
    __m128i *const rows[4] = {(__m128i *)(void *)target,
                              (__m128i *)(void *)(target + stride),
                              (__m128i *)(void *)(target + 2 * stride),
                              (__m128i *)(void *)(target + 3 * stride)};

    _mm_storeu_si128(rows[0], _mm_unpacklo_epi64(ab_low, cd_low));
    _mm_storeu_si128(rows[1], _mm_unpackhi_epi64(ab_low, cd_low));
    _mm_storeu_si128(rows[2], _mm_unpacklo_epi64(ab_high, cd_high));
    _mm_storeu_si128(rows[3], _mm_unpackhi_epi64(ab_high, cd_high));
}

static void store_columns(uint8_t *target, uint32_t stride, const uint32_t *in,
                          size_t pitch, uint32_t column_count, uint32_t count)
{
    const size_t step = stride;
    uint32_t i = 0;

    if (column_count == 1) {
        store_1(target, step, in, count);
        return;
    }
    for (; i + 4 <= count; i += 4) {
        uint8_t *at = target + i * step;

        if (column_count == 4) {
            store_4x4(at, step, in + i, pitch);
            continue;
        }
        store_2x4(at, step, in + i, pitch);
        if (column_count == 3)
            store_1(at + 8, step, in + 2 * pitch + i, 4);
    }
    for (; i < count; i++)
        for (uint32_t k = 0; k < column_count; k++)
            store_word(target + i * step + 4 * k, in + k * pitch + i);
}

#endif
