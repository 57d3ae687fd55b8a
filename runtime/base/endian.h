/* endian.h - little-endian numbers at any address, on any machine.
 *
 * The functions work byte by byte. Compilers turn each into one load or store,
 * but estimate its size before that; so they are always inlined.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_ENDIAN_H
#define SPN_BASE_ENDIAN_H

#include "base/compiler.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

SPN_INLINE uint16_t spn_load_u16le(const void *bytes)
{
    const uint8_t *b = bytes;
    return (uint16_t)(b[0] | b[1] << 8);
}

SPN_INLINE uint32_t spn_load_u32le(const void *bytes)
{
    const uint8_t *b = bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

SPN_INLINE uint64_t spn_load_u64le(const void *bytes)
{
    const uint8_t *b = bytes;
    return spn_load_u32le(b) | (uint64_t)spn_load_u32le(b + 4) << 32;
}

SPN_INLINE float spn_load_f32le(const void *bytes)
{
    uint32_t bits = spn_load_u32le(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

SPN_INLINE double spn_load_f64le(const void *bytes)
{
    uint64_t bits = spn_load_u64le(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

SPN_INLINE void spn_store_u16le(void *bytes, uint16_t value)
{
    uint8_t *b = bytes;
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
}

SPN_INLINE void spn_store_u32le(void *bytes, uint32_t value)
{
    uint8_t *b = bytes;
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
    b[2] = (uint8_t)(value >> 16);
    b[3] = (uint8_t)(value >> 24);
}

SPN_INLINE void spn_store_u64le(void *bytes, uint64_t value)
{
    uint8_t *b = bytes;
    spn_store_u32le(b, (uint32_t)value);
    spn_store_u32le(b + 4, (uint32_t)(value >> 32));
}

SPN_INLINE void spn_store_f32le(void *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    spn_store_u32le(bytes, bits);
}

SPN_INLINE void spn_store_f64le(void *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    spn_store_u64le(bytes, bits);
}

/* Convert an array of little-endian 16-bit values to the byte order of the
 * machine, in place. No effect on little-endian machines. */
static inline void spn_swap_u16le(void *values, size_t count)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint8_t *b = values;
    for (size_t i = 0; i < count; i++, b += 2) {
        uint8_t low = b[0];
        b[0] = b[1];
        b[1] = low;
    }
#else
    (void)values;
    (void)count;
#endif
}

#endif
