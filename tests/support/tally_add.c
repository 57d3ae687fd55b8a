/* tally_add.c - add the waits and the counts of each class. */
/* SPDX-License-Identifier: MIT */
#include "support/tally_add.h"

#include "base/minmax.h"

static void add_class(struct tally_class *c, const struct tally_class *more,
                      struct arena *arena)
{
    for (uint64_t k = 0; k < more->count; k++) {
        c->waits_us = arena_grow(arena, c->waits_us, c->count, &c->capacity,
                                 sizeof *c->waits_us);
        c->waits_us[c->count++] = more->waits_us[k];
    }
    c->sum_us += more->sum_us;
    c->longest_us = max_u64(c->longest_us, more->longest_us);
    c->missed += more->missed;
    c->waiting += more->waiting;
    c->late += more->late;
    c->bytes += more->bytes;
}

void tally_add(struct tally *tally, const struct tally *more)
{
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        add_class(&tally->classes[i], &more->classes[i], &tally->arena);
}
