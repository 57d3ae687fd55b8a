/* hash64.c - XXH64, step by step of 32 bytes. */
/* SPDX-License-Identifier: MIT */
#include "base/hash64.h"

#include "base/endian.h"
#include "base/mem.h"

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

/* Hash whole steps. */
static void take_steps(uint64_t lanes[LANES], const uint8_t *at,
                       size_t step_count)
{
    for (size_t i = 0; i < step_count; i++)
        for (unsigned k = 0; k < LANES; k++, at += LANE_BYTES)
            lanes[k] = mix(lanes[k], spn_load_u64le(at));
}

void spn__hash64_begin(struct hash64 *hash, uint64_t seed)
{
    *hash = (struct hash64){.lanes = {seed + PRIME_1 + PRIME_2, seed + PRIME_2,
                                      seed, seed - PRIME_1},
                            .seed = seed};
}

void spn__hash64_add(struct hash64 *hash, const void *data, size_t size)
{
    const uint8_t *at = data;
    size_t take;

    if (size == 0)
        return;
    hash->total += size;
    if (hash->pending_bytes > 0) {
        take = STEP_BYTES - hash->pending_bytes;
        if (take > size)
            take = size;
        memcpy(hash->pending + hash->pending_bytes, at, take);
        hash->pending_bytes += (uint32_t)take;
        at += take;
        size -= take;
        if (hash->pending_bytes < STEP_BYTES)
            return;
        take_steps(hash->lanes, hash->pending, 1);
        hash->pending_bytes = 0;
    }
    take_steps(hash->lanes, at, size / STEP_BYTES);
    hash->pending_bytes = (uint32_t)(size % STEP_BYTES);
    memcpy(hash->pending, at + (size - hash->pending_bytes),
           hash->pending_bytes);
}

static uint64_t join_lanes(const uint64_t lanes[LANES])
{
    static const uint8_t turns[LANES] = {1, 7, 12, 18};
    uint64_t hash = 0;

    for (unsigned k = 0; k < LANES; k++)
        hash += rotate(lanes[k], turns[k]);
    for (unsigned k = 0; k < LANES; k++)
        hash = (hash ^ mix(0, lanes[k])) * PRIME_1 + PRIME_4;
    return hash;
}

uint64_t spn__hash64_end(const struct hash64 *state)
{
    const uint8_t *at = state->pending;
    uint32_t left = state->pending_bytes;
    uint64_t hash = state->total >= STEP_BYTES ? join_lanes(state->lanes)
                                               : state->seed + PRIME_5;

    hash += state->total;
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

uint64_t spn__hash64(const void *data, size_t size, uint64_t seed)
{
    struct hash64 hash;

    spn__hash64_begin(&hash, seed);
    spn__hash64_add(&hash, data, size);
    return spn__hash64_end(&hash);
}
