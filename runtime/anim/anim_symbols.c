/* anim_symbols.c - the counts of symbols, from the model of anim_symbols.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_symbols.h"

#define MAGNITUDE_MAX (ANIM_ESCAPE / 2) /* of quotients that have symbols */
#define ONE (1u << 16)

/* w(0) ... w(MAGNITUDE_MAX). Returns the sum of all weights. */
static uint32_t weigh(uint32_t shape, uint32_t weight[MAGNITUDE_MAX + 1])
{
    const uint32_t mean = (9 + 2 * (shape % 4)) << shape / 4;
    const uint32_t ratio = mean * ONE / (mean + 192);
    const uint32_t noise = shape > 0;
    uint32_t before = ratio; /* p(-1) = p(1) */
    uint32_t power = ONE;
    uint32_t sum = 0;

    for (uint32_t n = 0; n <= MAGNITUDE_MAX; n++) {
        const uint32_t after = power * ratio / ONE;

        weight[n] = 6 * power + noise * (before + after);
        sum += n == 0 ? weight[n] : 2 * weight[n];
        before = power;
        power = after;
    }
    return sum;
}

void spn__anim_symbol_counts(uint32_t shape, uint16_t counts[ANIM_SYMBOLS])
{
    uint32_t weight[MAGNITUDE_MAX + 1];
    const uint32_t sum = weigh(shape, weight);
    uint32_t left = ANIM_SLOTS - ANIM_ESCAPE_COUNT;

    for (uint32_t n = 1; n <= MAGNITUDE_MAX; n++) {
        const uint32_t count =
            (weight[n] * (ANIM_SLOTS - ANIM_ESCAPE_COUNT) + sum / 2) / sum;

        counts[2 * n - 1] = (uint16_t)count;
        counts[2 * n] = (uint16_t)count;
        left -= 2 * count;
    }
    counts[0] = (uint16_t)left;
    counts[ANIM_ESCAPE] = ANIM_ESCAPE_COUNT;
}

void spn__anim_symbols_init(struct anim_symbols *symbols)
{
    for (uint32_t s = 0; s < ANIM_SHAPES; s++) {
        uint16_t counts[ANIM_SYMBOLS];
        uint32_t *slot = symbols->slots[s];

        spn__anim_symbol_counts(s, counts);
        for (uint32_t i = 0; i < ANIM_SYMBOLS; i++)
            for (uint32_t k = 0; k < counts[i]; k++)
                *slot++ = anim_slot(counts[i], anim_zigzag_inverse(i), k);
    }
}
