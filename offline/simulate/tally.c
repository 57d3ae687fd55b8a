/* tally.c - sum up waits, and sort them for percentiles. */
/* SPDX-License-Identifier: MIT */
#include "simulate/tally.h"

#include "base/minmax.h"
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
    c->longest_us = max_u64(c->longest_us, wait_us);
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

uint64_t tally_class_count(const struct tally_class *c)
{
    return c->count + c->missed;
}

struct tally_sums tally_sum(const struct tally *tally)
{
    struct tally_sums sums = {0};

    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++) {
        const struct tally_class *c = &tally->classes[i];

        sums.count += tally_class_count(c);
        sums.late += c->late;
        sums.waiting += c->waiting;
        sums.longest_us = max_u64(sums.longest_us, c->longest_us);
    }
    return sums;
}

uint64_t tally_late_ppm(const struct tally *tally)
{
    const struct tally_sums sums = tally_sum(tally);

    return sums.count ? sums.late * MILLION / sums.count : 0;
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
