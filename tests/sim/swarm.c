/* swarm.c - levels of faults from the seed, and a random draw at each
 * opportunity. */
/* SPDX-License-Identifier: MIT */
#include "sim/swarm.h"

#include <string.h>

/* One seed of this many has no faults. */
#define CALM_SEEDS 16u

static const struct {
    const char *name;
    uint32_t once_in[3]; /* indexed by level */
} kinds[SWARM_KINDS] = {
#define SWARM_ENTRY(name, text, rare, common) {text, {0, rare, common}},
    SWARM_MAP(SWARM_ENTRY)
#undef SWARM_ENTRY
};

const char *swarm_name(enum swarm_kind kind)
{
    return kinds[kind].name;
}

static uint32_t throw(struct swarm * swarm, uint32_t kind, uint32_t limit)
{
    return test_random_below(
        kind == SWARM_HANG ? &swarm->hangs : &swarm->random, limit);
}

void swarm_init(struct swarm *swarm, uint64_t seed)
{
    bool is_calm;

    memset(swarm, 0, sizeof *swarm);
    swarm->random.state = seed * UINT64_C(0x9e3779b97f4a7c15);
    /* The seeds in test_sim must have none of these. */
    swarm->hangs.state = ~swarm->random.state ^ 126;
    is_calm = swarm_below(swarm, CALM_SEEDS) == 0;
    for (uint32_t i = 0; i < SWARM_KINDS; i++) {
        if (kinds[i].once_in[SWARM_RARE] == 0)
            continue;
        swarm->level[i] = (enum swarm_level) throw(swarm, i, 3);
        if (is_calm)
            swarm->level[i] = SWARM_OFF;
    }
}

bool swarm_draws(struct swarm *swarm, enum swarm_kind kind)
{
    uint32_t once_in = kinds[kind].once_in[swarm->level[kind]];

    return !swarm->is_over && once_in > 0 && throw(swarm, kind, once_in) == 0;
}

void swarm_hit(struct swarm *swarm, enum swarm_kind kind)
{
    swarm->hits[kind]++;
}

bool swarm_occurs(struct swarm *swarm, enum swarm_kind kind)
{
    if (!swarm_draws(swarm, kind))
        return false;
    swarm_hit(swarm, kind);
    return true;
}

uint32_t swarm_below(struct swarm *swarm, uint32_t limit)
{
    return test_random_below(&swarm->random, limit);
}

uint32_t swarm_between(struct swarm *swarm, uint32_t low, uint32_t high)
{
    return low + swarm_below(swarm, high - low + 1);
}
