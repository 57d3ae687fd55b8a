/* hash64.c - XXH64 of contiguous memory. */
/* SPDX-License-Identifier: MIT */
#include "base/hash64.h"

#include "base/endian.h"

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u
#define LANES 4u
#define LANE_BYTES 8u
#define STEP_BYTES (LANES * LANE_BYTES)

static inline uint64_t rotate(uint64_t value, unsigned left)
{
    return value << left | value >> (64 - left);
}

static inline uint64_t mix(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

/* Hash all whole steps, and advance *at to their end. */
static uint64_t take_steps(const uint8_t **at, size_t step_count, uint64_t seed)
{
    static const uint8_t turns[LANES] = {1, 7, 12, 18};
    uint64_t lanes[LANES] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed,
                             seed - PRIME_1};
    uint64_t hash = 0;

    for (size_t i = 0; i < step_count; i++)
        for (unsigned k = 0; k < LANES; k++, *at += LANE_BYTES)
            lanes[k] = mix(lanes[k], spn_load_u64le(*at));
    for (unsigned k = 0; k < LANES; k++)
        hash += rotate(lanes[k], turns[k]);
    for (unsigned k = 0; k < LANES; k++)
        hash = (hash ^ mix(0, lanes[k])) * PRIME_1 + PRIME_4;
    return hash;
}

uint64_t spn__hash64(const void *data, size_t size, uint64_t seed)
{
    const uint8_t *at = data;
    size_t left = size % STEP_BYTES;
    uint64_t hash = seed + PRIME_5;

    if (size >= STEP_BYTES)
        hash = take_steps(&at, size / STEP_BYTES, seed);
    hash += size;
    for (; left >= 8; left -= 8, at += 8)
        hash =
            rotate(hash ^ mix(0, spn_load_u64le(at)), 27) * PRIME_1 + PRIME_4;
    if (left >= 4) {
        hash =
            rotate(hash ^ spn_load_u32le(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4;
        at += 4;
    }
    for (; left > 0; left--, at++)
        hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;

    hash ^= hash >> 33;
    hash *= PRIME_2;
    hash ^= hash >> 29;
    hash *= PRIME_3;
    return hash ^ hash >> 32;
}
