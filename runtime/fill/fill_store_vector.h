/* fill_store_vector.h - the kernel fill_ops.store: transpose columns of words
 * (fill_ops.h) to interleaved vertices, four vertices at a time.
 *
 * A file of an instruction set includes this file once. Before, it must define
 * the type words4, a vector of four 32-bit words, and these operations:
 *
 *   words4_load, words4_store   four words at any address
 *   words4_store_low            store the first two words
 *   words4_low32, words4_high32 interleave the words of the low or high halves
 *                               of two vectors
 *   words4_low64, words4_high64 the low or high halves of two vectors
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_STORE_VECTOR_H
#define SPN_FILL_FILL_STORE_VECTOR_H

#include "base/mem.h"
#include "fill/fill_ops.h"

static inline void store_word(uint8_t *target, const uint32_t *word)
{
    memcpy(target, word, 4);
}

/* Store one column. */
static inline void store_1(uint8_t *target, const uint32_t *bytes,
                           const uint32_t *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        store_word(target + bytes[i], in + i);
}

static inline void store_2x4(uint8_t *target, const uint32_t *bytes,
                             const uint32_t *in, size_t pitch)
{
    const words4 a = words4_load(in);
    const words4 b = words4_load(in + pitch);
    const words4 low = words4_low32(a, b);
    const words4 high = words4_high32(a, b);

    words4_store_low(target + bytes[0], low);
    words4_store_low(target + bytes[1], words4_high64(low, low));
    words4_store_low(target + bytes[2], high);
    words4_store_low(target + bytes[3], words4_high64(high, high));
}

static inline void store_4x4(uint8_t *target, const uint32_t *bytes,
                             const uint32_t *in, size_t pitch)
{
    const words4 a = words4_load(in);
    const words4 b = words4_load(in + pitch);
    const words4 c = words4_load(in + 2 * pitch);
    const words4 d = words4_load(in + 3 * pitch);
    const words4 ab_low = words4_low32(a, b);
    const words4 ab_high = words4_high32(a, b);
    const words4 cd_low = words4_low32(c, d);
    const words4 cd_high = words4_high32(c, d);

    words4_store(target + bytes[0], words4_low64(ab_low, cd_low));
    words4_store(target + bytes[1], words4_high64(ab_low, cd_low));
    words4_store(target + bytes[2], words4_low64(ab_high, cd_high));
    words4_store(target + bytes[3], words4_high64(ab_high, cd_high));
}

static void store_columns(uint8_t *target, const uint32_t *bytes,
                          const uint32_t *in, size_t pitch,
                          uint32_t column_count, uint32_t count)
{
    const uint32_t fours = column_count > 1 ? count & ~3u : 0;

    if (column_count == 4)
        for (uint32_t i = 0; i < fours; i += 4)
            store_4x4(target, bytes + i, in + i, pitch);
    else
        for (uint32_t i = 0; i < fours; i += 4)
            store_2x4(target, bytes + i, in + i, pitch);
    if (column_count == 3)
        store_1(target + 8, bytes, in + 2 * pitch, fours);
    for (uint32_t k = 0; k < column_count; k++)
        store_1(target + 4 * k, bytes + fours, in + k * pitch + fours,
                count - fours);
}

#endif
