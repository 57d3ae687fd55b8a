/* numbering.c - a hash table from pairs to numbers. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/numbering.h"

void numbering_begin(struct numbering *numbering, uint32_t pairs_max,
                     struct arena *arena)
{
    *numbering = (struct numbering){.mask = 15};
    while (numbering->mask / 2 < pairs_max)
        numbering->mask = numbering->mask * 2 + 1;
    numbering->slots =
        ARENA_NEW(arena, struct numbering_slot, (size_t)numbering->mask + 1);
}

/* The finalizer of splitmix64: each input bit changes about half of the
 * output. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 31;
    return x;
}

uint32_t numbering_of(struct numbering *numbering, uint32_t a, uint32_t b)
{
    uint64_t pair = (uint64_t)a << 32 | b;
    uint32_t at = (uint32_t)mix(pair) & numbering->mask;
    struct numbering_slot *slot = &numbering->slots[at];

    while (slot->number_plus_one != 0 && slot->pair != pair) {
        at = (at + 1) & numbering->mask;
        slot = &numbering->slots[at];
    }
    if (slot->number_plus_one == 0)
        *slot = (struct numbering_slot){pair, ++numbering->count};
    return slot->number_plus_one - 1;
}
