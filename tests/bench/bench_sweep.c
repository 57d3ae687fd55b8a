/* bench_sweep.c - one choice among reads that wait, on every drive.
 *
 * Scattered reads of all classes, some late, some due: each choice sees others.
 * The line of a benchmark, but bytes are the reads that wait; and beside a
 * choice stands what the shortest seek of the drive takes.
 */
/* SPDX-License-Identifier: MIT */
#include "support/bench.h"

#include "harness.h"
#include "io/drive.h"
#include "io/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#define NOW_US (UINT64_C(1000) * 1000000)
#define VARIANTS 64u

struct work {
    struct forecast forecast;
    struct sweep sweep;
    struct sweep_item items[VARIANTS][SWEEP_ITEMS_MAX];
    struct forecast_place heads[VARIANTS];
    uint32_t count;
    uint32_t turn;
    uint32_t sum;
};

static void make_items(struct work *work)
{
    struct test_random random = {1};
    uint64_t disc = spn__drive_disc_bytes(work->forecast.profile);

    for (uint32_t v = 0; v < VARIANTS; v++) {
        spn__forecast_place(&work->forecast, test_random_u64(&random) % disc,
                            &work->heads[v]);
        for (uint32_t i = 0; i < SWEEP_ITEMS_MAX; i++) {
            struct sweep_item *item = &work->items[v][i];
            uint64_t bytes = 1 + test_random_below(&random, 1048576);

            spn__forecast_range(&work->forecast,
                                test_random_u64(&random) % (disc - bytes),
                                bytes, &item->begin, &item->end);
            item->arrival_us = NOW_US - test_random_below(&random, 5000000);
            item->deadline_us =
                NOW_US - 500000 + test_random_below(&random, 6000000);
            item->key = test_random_u64(&random);
            item->subject = i;
            item->class =
                (enum sweep_class)test_random_below(&random, SWEEP_CLASSES);
        }
    }
}

/* All of it, from the reads that wait to the run that is read. */
static void choose(void *user)
{
    struct work *work = user;
    uint32_t v = work->turn++ % VARIANTS;
    uint32_t joined[SWEEP_JOIN_MAX];

    spn__sweep_clear(&work->sweep);
    for (uint32_t i = 0; i < work->count; i++)
        spn__sweep_offer(&work->sweep, &work->items[v][i]);
    work->sum += spn__sweep_join(
        &work->sweep, spn__sweep_choose(&work->sweep, &work->heads[v], NOW_US),
        joined);
}

static void choose_all(void *user)
{
    for (uint32_t i = 0; i < VARIANTS; i++)
        choose(user);
}

int main(void)
{
    static const uint32_t counts[] = {4, 16, 64, SWEEP_ITEMS_MAX};
    const spn_drive_profile *p;
    static struct work work;
    static _Alignas(64) uint8_t memory[65536];

    printf("name,reads,us,shortest seek us\n");
    for (uint32_t d = 0; (p = spn_drive_profile_at(d)) != NULL; d++) {
        struct carve carve = {.base = memory, .limit = sizeof memory};

        spn__forecast_init(&work.forecast, p);
        spn__sweep_init(&work.sweep, &carve, SWEEP_ITEMS_MAX, &work.forecast,
                        &spn__sweep_rules);
        make_items(&work);
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            work.count = counts[i];
            printf("sweep_choose/%s,%u,%.2f,%u\n", p->name, counts[i],
                   bench_best_us(choose_all, &work, 20) / VARIANTS,
                   spn__drive_seek_us(p, 0, p->ecc_bytes));
        }
    }
    return work.sum == 0;
}
