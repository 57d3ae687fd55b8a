/* checksum.c - XXH32, in pieces of any length.
 *
 * Four lanes take 16 bytes per step. Up to 15 bytes are stored in `pending`
 * until a step is complete. The length is modulo 2^32, as in the specification.
 */
/* SPDX-License-Identifier: MIT */
#include "base/checksum.h"

#include "base/endian.h"
#include "base/mem.h"

#define PRIME_1 0x9E3779B1u
#define PRIME_2 0x85EBCA77u
#define PRIME_3 0xC2B2AE3Du
#define PRIME_4 0x27D4EB2Fu
#define PRIME_5 0x165667B1u
#define STEP_BYTES 16u

static inline uint32_t rotate(uint32_t value, unsigned left)
{
    return value << left | value >> (32 - left);
}

static inline uint32_t mix(uint32_t lane, uint32_t word)
{
    return rotate(lane + word * PRIME_2, 13) * PRIME_1;
}

static void take_steps(struct checksum *sum, const uint8_t *bytes,
                       size_t step_count)
{
    uint32_t a = sum->lane[0];
    uint32_t b = sum->lane[1];
    uint32_t c = sum->lane[2];
    uint32_t d = sum->lane[3];

    for (size_t i = 0; i < step_count; i++, bytes += STEP_BYTES) {
        a = mix(a, spn_load_u32le(bytes));
        b = mix(b, spn_load_u32le(bytes + 4));
        c = mix(c, spn_load_u32le(bytes + 8));
        d = mix(d, spn_load_u32le(bytes + 12));
    }
    sum->lane[0] = a;
    sum->lane[1] = b;
    sum->lane[2] = c;
    sum->lane[3] = d;
}

void spn__checksum_begin(struct checksum *sum, uint32_t seed)
{
    memset(sum, 0, sizeof *sum);
    sum->seed = seed;
    sum->lane[0] = seed + PRIME_1 + PRIME_2;
    sum->lane[1] = seed + PRIME_2;
    sum->lane[2] = seed;
    sum->lane[3] = seed - PRIME_1;
}

void spn__checksum_add(struct checksum *sum, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    size_t step_count;

    if (bytes == 0)
        return;
    sum->total_low += (uint32_t)bytes;
    if (bytes < STEP_BYTES - sum->pending_bytes) {
        memcpy(sum->pending + sum->pending_bytes, at, bytes);
        sum->pending_bytes += (uint32_t)bytes;
        return;
    }
    sum->is_large = 1;
    if (sum->pending_bytes) {
        size_t missing = STEP_BYTES - sum->pending_bytes;

        memcpy(sum->pending + sum->pending_bytes, at, missing);
        take_steps(sum, sum->pending, 1);
        at += missing;
        bytes -= missing;
    }
    step_count = bytes / STEP_BYTES;
    take_steps(sum, at, step_count);
    sum->pending_bytes = (uint32_t)(bytes % STEP_BYTES);
    if (sum->pending_bytes)
        memcpy(sum->pending, at + step_count * STEP_BYTES, sum->pending_bytes);
}

uint32_t spn__checksum_end(const struct checksum *sum)
{
    uint32_t hash = sum->seed + PRIME_5;
    uint32_t at = 0;

    if (sum->is_large)
        hash = rotate(sum->lane[0], 1) + rotate(sum->lane[1], 7) +
               rotate(sum->lane[2], 12) + rotate(sum->lane[3], 18);
    hash += sum->total_low;

    for (; sum->pending_bytes - at >= 4; at += 4)
        hash = rotate(hash + spn_load_u32le(sum->pending + at) * PRIME_3, 17) *
               PRIME_4;
    for (; at < sum->pending_bytes; at++)
        hash = rotate(hash + sum->pending[at] * PRIME_5, 11) * PRIME_1;

    hash ^= hash >> 15;
    hash *= PRIME_2;
    hash ^= hash >> 13;
    hash *= PRIME_3;
    return hash ^ hash >> 16;
}

uint32_t spn__checksum(const void *data, size_t bytes, uint32_t seed)
{
    struct checksum sum;

    spn__checksum_begin(&sum, seed);
    spn__checksum_add(&sum, data, bytes);
    return spn__checksum_end(&sum);
}
