/* bench_sweep.c - one choice among reads that wait, on every drive.
 *
 * Scattered reads of all classes, some late, some due: each choice sees others,
 * and one read leaves and another comes before each. The line of a benchmark,
 * but bytes are the reads that wait; and beside a choice stands what the
 * shortest seek of the drive takes.
 */
/* SPDX-License-Identifier: MIT */
#include "support/bench.h"

#include "disc/drive.h"
#include "harness.h"
#include "schedule/sweep_waiting.h"

#include <stdio.h>
#include <stdlib.h>

#define NOW_US (UINT64_C(1000) * 1000000)
#define VARIANTS 64u
#define READS_MAX 32767u

struct work {
    struct forecast forecast;
    struct sweep sweep;
    struct sweep_pool pool;
    struct sweep_waiting waiting;
    struct forecast_place heads[VARIANTS];
    struct test_random random;
    uint64_t disc;
    uint32_t count;
    uint32_t turn;
    uint32_t sum;
};

static void add_read(struct work *work, uint32_t subject)
{
    struct test_random *random = &work->random;
    struct sweep_item *item = &work->pool.items[subject];
    uint64_t bytes = 1 + test_random_below(random, 1048576);

    *item = (struct sweep_item){
        .arrival_us = NOW_US - test_random_below(random, 5000000),
        .deadline_us = NOW_US - 500000 + test_random_below(random, 6000000),
        .key = test_random_u64(random),
        .subject = subject,
        .class = (enum sweep_class)test_random_below(random, SWEEP_CLASSES)};
    spn__forecast_range(&work->forecast,
                        test_random_u64(random) % (work->disc - bytes), bytes,
                        &item->begin, &item->end);
    spn__sweep_waiting_add(&work->waiting, subject);
}

/* All of it, from the reads that wait to the run that is read. */
static void choose(struct work *work)
{
    const struct forecast_place *head = &work->heads[work->turn++ % VARIANTS];
    uint32_t subject = test_random_below(&work->random, work->count);
    uint32_t joined[SWEEP_JOIN_MAX];

    spn__sweep_waiting_remove(&work->waiting, subject);
    add_read(work, subject);
    spn__sweep_waiting_offer(&work->waiting, &work->sweep, head, NOW_US);
    work->sum += spn__sweep_join(
        &work->sweep, spn__sweep_choose(&work->sweep, head, NOW_US), joined);
}

static void choose_all(void *user)
{
    for (uint32_t i = 0; i < VARIANTS; i++)
        choose(user);
}

static void start(struct work *work, void *memory, size_t bytes, uint32_t count)
{
    struct carve carve = {.base = memory, .limit = bytes};

    spn__sweep_init(&work->sweep, &carve, READS_MAX, &work->forecast,
                    &spn__sweep_rules);
    spn__sweep_pool_init(&work->pool, &carve, READS_MAX);
    if (carve.is_over)
        exit(1);
    spn__sweep_waiting_init(&work->waiting, &work->pool, &spn__sweep_rules);
    work->random.state = 1;
    work->count = count;
    for (uint32_t v = 0; v < VARIANTS; v++)
        spn__forecast_place(&work->forecast,
                            test_random_u64(&work->random) % work->disc,
                            &work->heads[v]);
    for (uint32_t i = 0; i < count; i++)
        add_read(work, i);
}

int main(void)
{
    static const uint32_t counts[] = {4, 16, 64, 1024, READS_MAX};
    static _Alignas(64) uint8_t memory[16u << 20];
    static struct work work;
    const spn_drive_profile *p;

    printf("name,reads,us,shortest seek us\n");
    for (uint32_t d = 0; (p = spn_drive_profile_at(d)) != NULL; d++) {
        spn__forecast_init(&work.forecast, p);
        work.disc = spn__drive_disc_bytes(p);
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            start(&work, memory, sizeof memory, counts[i]);
            printf("sweep_choose/%s,%u,%.2f,%u\n", p->name, counts[i],
                   bench_best_us(choose_all, &work, 20) / VARIANTS,
                   spn__drive_seek_us(p, 0, p->ecc_bytes));
        }
    }
    return work.sum == 0;
}
