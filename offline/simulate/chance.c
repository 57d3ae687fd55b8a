/* chance.c - integer logarithms by repeated squaring, powers by bisection. */
/* SPDX-License-Identifier: MIT */
#include "simulate/chance.h"

#include "disc/drive_math.h"

/* Fractional bits of a logarithm. */
#define LOG_BITS 24u
/* 2^32 ln 2 */
#define LN2 UINT64_C(2977044472)

void chance_start(struct chance *chance, uint64_t seed, uint32_t number)
{
    struct chance mix = {seed};

    /* Mix seed and number, so that near seeds give unrelated sequences. */
    chance->state = chance_u64(&mix) ^ number * UINT64_C(0xd1342543de82ef95);
    chance->state = chance_u64(chance);
}

uint64_t chance_u64(struct chance *chance)
{
    uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t chance_below(struct chance *chance, uint64_t limit)
{
    /* Take the high half of the product. Values differ in probability by at
     * most limit / 2^64. */
    return spn__mul_div(chance_u64(chance), limit, UINT64_C(1) << 63) / 2;
}

/* 2^LOG_BITS log2(value), rounded down; value > 0. */
static uint64_t log2_of(uint64_t value)
{
    uint32_t whole = 63;
    uint64_t mantissa; /* fixed point: 1 is 2^31 */
    uint64_t log;

    while (!(value >> whole))
        whole--;
    mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole);
    log = whole;
    for (uint32_t bit = 0; bit < LOG_BITS; bit++) {
        mantissa = mantissa * mantissa >> 31;
        log = log << 1 | mantissa >> 32;
        mantissa >>= mantissa >> 32;
    }
    return log;
}

uint64_t chance_size(struct chance *chance, uint64_t low, uint64_t high)
{
    uint64_t span = log2_of(high) - log2_of(low) + 1;
    uint64_t log = log2_of(low) + chance_below(chance, span);

    /* Bisect for the smallest value whose logarithm is not smaller. */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (log2_of(middle) < log)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t chance_wait(struct chance *chance, uint64_t mean)
{
    /* -log2 of a number in (0, 1]. */
    uint64_t log = (UINT64_C(32) << LOG_BITS) -
                   log2_of(chance_below(chance, UINT64_C(1) << 32) + 1);

    return spn__mul_div(spn__mul_div(log, LN2, UINT64_C(1) << 32), mean,
                        UINT64_C(1) << LOG_BITS);
}
