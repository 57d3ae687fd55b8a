/* bench_deadline.c - the time of the deadline scheduler's operations on every
 * drive: one choice among waiting reads, one among reads with four copies each,
 * and removing a read from the medium's queue.
 *
 * Scattered reads of all classes wait; some are late, some due. Before each
 * choice one read leaves and another arrives. In the output, "bytes" is the
 * number of waiting reads. A second figure is the drive's shortest seek, for
 * comparison.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "support/bench.h"

#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_deadline.h"
#include "read/io_start.h"
#include "read/pak_entries.h"
#include "read/pak_mount.h"
#include "read/pak_nearest.h"
#include "schedule/deadline_waiting.h"
#include "support/io_rig.h"
#include "support/tiny_pak.h"

#include <stdio.h>
#include <stdlib.h>

#define NOW_US (UINT64_C(1000) * 1000000)
#define VARIANTS 64u
#define READS_MAX 32767u

struct work {
    struct forecast forecast;
    struct deadline_scheduler scheduler;
    struct deadline_pool pool;
    struct deadline_waiting waiting;
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
    struct deadline_item *item = &work->pool.items[subject];
    uint64_t bytes = 1 + test_random_below(random, 1048576);

    *item = (struct deadline_item){
        .arrival_us = NOW_US - test_random_below(random, 5000000),
        .deadline_us = NOW_US - 500000 + test_random_below(random, 6000000),
        .key = test_random_u64(random),
        .subject = subject,
        .class =
            (enum deadline_class)test_random_below(random, DEADLINE_CLASSES)};
    spn__forecast_range(&work->forecast,
                        test_random_u64(random) % (work->disc - bytes), bytes,
                        &item->begin, &item->end);
    spn__deadline_waiting_add(&work->waiting, subject);
}

/* One whole choice, from the waiting reads to the reads of one run. */
static void choose(struct work *work)
{
    const struct forecast_place *head = &work->heads[work->turn++ % VARIANTS];
    uint32_t subject = test_random_below(&work->random, work->count);
    uint32_t coalesced[DEADLINE_COALESCE_MAX];

    spn__deadline_waiting_remove(&work->waiting, subject);
    add_read(work, subject);
    spn__deadline_waiting_offer(&work->waiting, &work->scheduler, head, NOW_US);
    work->sum += spn__deadline_coalesce(
        &work->scheduler, spn__deadline_choose(&work->scheduler, head, NOW_US),
        coalesced);
}

static void choose_all(void *user)
{
    for (uint32_t i = 0; i < VARIANTS; i++)
        choose(user);
}

static void start(struct work *work, void *memory, size_t bytes, uint32_t count)
{
    struct carve carve = {.base = memory, .limit = bytes};

    spn__deadline_init(&work->scheduler, &carve, READS_MAX, &work->forecast,
                       &spn__deadline_rules);
    spn__deadline_pool_init(&work->pool, &carve, READS_MAX);
    if (carve.is_over)
        exit(1);
    spn__deadline_waiting_init(&work->waiting, &work->pool,
                               &spn__deadline_rules);
    work->random.state = 1;
    work->count = count;
    for (uint32_t v = 0; v < VARIANTS; v++)
        spn__forecast_place(&work->forecast,
                            test_random_u64(&work->random) % work->disc,
                            &work->heads[v]);
    for (uint32_t i = 0; i < count; i++)
        add_read(work, i);
}

/* -- copies -- */

#define FILES 700u
#define FILE_BYTES 4096u
#define COPIES 4u

struct copies {
    struct rig rig;
    struct tiny_pak tiny;
    struct rig_read reads[READS_MAX];
    struct test_random random;
};

static void make_pak(struct tiny_pak *tiny)
{
    static char names[FILES][8];
    static uint8_t data[FILES][FILE_BYTES];
    static struct tiny_pak_file files[FILES];

    for (uint32_t i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "%u", i);
        data[i][0] = (uint8_t)i;
        data[i][1] = (uint8_t)(i >> 8);
        files[i] = (struct tiny_pak_file){.name = names[i],
                                          .data = data[i],
                                          .bytes = FILE_BYTES,
                                          .copy_count = COPIES};
    }
    tiny_pak_make(tiny, files, FILES);
}

/* One read is at the device, which never answers; the others wait. */
static void start_copies(struct copies *c, uint32_t count)
{
    static uint8_t buffer[FILE_BYTES];
    struct rig_config config = {
        .read_count = READS_MAX, .pak_count = 1, .heap_pages = 256};
    spn_pak pak;

    config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find("x360_dvd12x");
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    rig_open(&c->rig, &config);
    slow_platform_add(&c->rig.slow, "p", c->tiny.bytes, c->tiny.size);
    CHECK_EQ(spn__pak_mount(c->rig.io, "p", &pak), SPN_OK);
    rig_run(&c->rig);
    c->rig.slow.command_us = 1000;
    c->random.state = 1;
    for (uint32_t i = 0; i < count; i++) {
        spn_read_desc desc =
            rig_desc(&c->rig, &c->reads[i], 0, 0, FILE_BYTES, buffer);
        char name[8];

        snprintf(name, sizeof name, "%u", test_random_below(&c->random, FILES));
        CHECK_EQ(spn__io_find_entry(c->rig.io, pak, name, &desc.entry), SPN_OK);
        rig_start(&c->rig, &desc, &c->reads[i]);
        if (i == 0)
            rig_step_io(&c->rig);
    }
    rig_step_io(&c->rig);
}

/* A choice of the medium, with the head at a random place. */
static void choose_copies(void *user)
{
    struct copies *c = user;
    struct io *io = c->rig.io;
    struct io_medium *medium = &io->media[SPN_MEDIUM_HARD_DISK];
    struct deadline_scheduler *scheduler = &medium->scheduler->scheduler;
    uint32_t coalesced[DEADLINE_COALESCE_MAX];

    for (uint32_t i = 0; i < VARIANTS; i++) {
        struct forecast_place head;

        medium->head = test_random_below(&c->random, (uint32_t)c->tiny.size);
        spn__forecast_place(&medium->drive->forecast, medium->head, &head);
        spn__pak_choose_nearest(io, medium);
        spn__deadline_waiting_offer(&medium->scheduler->waiting, scheduler,
                                    &head, NOW_US);
        (void)spn__deadline_coalesce(
            scheduler, spn__deadline_choose(scheduler, &head, NOW_US),
            coalesced);
    }
}

/* Remove a random read and enqueue it again at the end. */
static void leave_queue(void *user)
{
    struct copies *c = user;
    struct queue *queue =
        &c->rig.io->media[SPN_MEDIUM_HARD_DISK].requests.queue;

    for (uint32_t i = 0; i < VARIANTS; i++) {
        struct queue_entry entry =
            queue->entries[test_random_below(&c->random, queue->count)];

        spn__queue_remove(queue, entry.subject);
        spn__queue_push(queue, entry.key, entry.arrival, entry.subject);
    }
}

static void measure_copies(void)
{
    static const uint32_t counts[] = {64, 1024, READS_MAX};
    static struct copies c;

    make_pak(&c.tiny);
    for (uint32_t i = 0; i < 3; i++) {
        start_copies(&c, counts[i]);
        printf("choose_copies/x360_dvd12x,%u,%.2f,\n", counts[i],
               bench_best_us(choose_copies, &c, 20) / VARIANTS);
        printf("leave_and_join/x360_dvd12x,%u,%.2f,\n", counts[i],
               bench_best_us(leave_queue, &c, 20) / VARIANTS);
    }
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
            printf("scheduler_choose/%s,%u,%.2f,%u\n", p->name, counts[i],
                   bench_best_us(choose_all, &work, 20) / VARIANTS,
                   spn__drive_seek_us(p, 0, p->ecc_bytes));
        }
    }
    measure_copies();
    return work.sum == 0;
}
