/* tally.c - sum up waits, and sort them for percentiles. */
/* SPDX-License-Identifier: MIT */
#include "simulate/tally.h"

#include "common/compare.h"

#include <stdlib.h>
#include <string.h>

#define MILLION 1000000u

void tally_init(struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
}

void tally_free(struct tally *tally)
{
    arena_free(&tally->arena);
    tally_init(tally);
}

static void note_wait(struct tally_class *c, uint64_t wait_us)
{
    if (c->longest_us < wait_us)
        c->longest_us = wait_us;
}

static void keep_wait(struct tally *tally, struct tally_class *c,
                      uint64_t wait_us)
{
    c->waits_us = arena_grow(&tally->arena, c->waits_us, c->count, &c->capacity,
                             sizeof *c->waits_us);
    c->waits_us[c->count++] = wait_us;
    c->sum_us += wait_us;
    note_wait(c, wait_us);
}

static uint64_t since(uint64_t arrival_us, uint64_t now_us)
{
    return now_us > arrival_us ? now_us - arrival_us : 0;
}

void tally_end(struct tally *tally, enum deadline_class class, uint64_t bytes,
               uint64_t arrival_us, uint64_t deadline_us, uint64_t end_us)
{
    struct tally_class *c = &tally->classes[class];

    keep_wait(tally, c, since(arrival_us, end_us));
    c->bytes += bytes;
    c->late += end_us > deadline_us;
}

void tally_miss(struct tally *tally, enum deadline_class class,
                uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us)
{
    struct tally_class *c = &tally->classes[class];

    note_wait(c, since(arrival_us, now_us));
    c->missed++;
    c->late += deadline_us != UINT64_MAX;
}

void tally_waits(struct tally *tally, enum deadline_class class,
                 uint64_t arrival_us, uint64_t deadline_us, uint64_t now_us)
{
    struct tally_class *c = &tally->classes[class];

    c->waiting++;
    note_wait(c, since(arrival_us, now_us));
    if (now_us <= deadline_us)
        return;
    keep_wait(tally, c, since(arrival_us, now_us));
    c->late++;
}

void tally_add(struct tally *tally, const struct tally *more)
{
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++) {
        struct tally_class *c = &tally->classes[i];

        for (uint64_t k = 0; k < more->classes[i].count; k++)
            keep_wait(tally, c, more->classes[i].waits_us[k]);
        note_wait(c, more->classes[i].longest_us);
        c->missed += more->classes[i].missed;
        c->waiting += more->classes[i].waiting;
        c->late += more->classes[i].late;
        c->bytes += more->classes[i].bytes;
    }
}

uint64_t tally_class_count(const struct tally_class *c)
{
    return c->count + c->missed;
}

uint64_t tally_count(const struct tally *tally)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        count += tally_class_count(&tally->classes[i]);
    return count;
}

uint64_t tally_late(const struct tally *tally)
{
    uint64_t late = 0;

    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        late += tally->classes[i].late;
    return late;
}

uint64_t tally_waiting(const struct tally *tally)
{
    uint64_t waiting = 0;

    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        waiting += tally->classes[i].waiting;
    return waiting;
}

uint64_t tally_longest_us(const struct tally *tally)
{
    uint64_t longest_us = 0;

    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        if (tally->classes[i].longest_us > longest_us)
            longest_us = tally->classes[i].longest_us;
    return longest_us;
}

uint64_t tally_late_ppm(const struct tally *tally)
{
    uint64_t count = tally_count(tally);

    return count ? tally_late(tally) * MILLION / count : 0;
}

uint64_t tally_wait_us(struct tally *tally, enum deadline_class class,
                       uint32_t permille)
{
    struct tally_class *c = &tally->classes[class];
    uint64_t index = c->count * permille / 1000;

    if (c->count == 0)
        return 0;
    qsort(c->waits_us, (size_t)c->count, sizeof *c->waits_us,
          compare_u64_items);
    return c->waits_us[index < c->count ? index : c->count - 1];
}
