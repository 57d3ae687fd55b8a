/* test_deadline.c
 *
 * Goal: each rule of the deadline scheduler decides at its exact limit, and no
 *   read starves, whatever arrives.
 * Method: a drive on which each seek takes 105 ms and each megabyte 100 ms, so
 *   that costs are simple; then a long run of random reads on a real drive.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "harness.h"
#include "support/deadline_fixture.h"

#include <stdlib.h>
#include <string.h>

/* -- positioning -- */

static void scheduler_chooses_the_nearest_read(void)
{
    start_bare(spn_drive_profile_find("x360_dvd12x"));
    spn__forecast_place(&forecast, UINT64_C(1000) * MB, &head);
    add_item(UINT64_C(3000) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(UINT64_C(1100) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(UINT64_C(10) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 1);
    /* A read that begins at the head needs no positioning. */
    add_item(UINT64_C(1000) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 3);
    /* Distance is by radius: offsets of the second layer run inward. */
    start_bare(spn_drive_profile_find("x360_dvd12x"));
    add_item(UINT64_C(3572) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(UINT64_C(7100) * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 1);
}

/* Reading the second of two neighbours first leaves the first one behind, also
 * if small reads that the drive still has lie between them. */
static void scheduler_begins_where_neighbours_begin(void)
{
    start_bare(&plain);
    add_item(100 * MB, 50000, DEADLINE_BULK, NO_DEADLINE)->key = 9;
    add_item(100 * MB + 50000, 1000, DEADLINE_BULK, NO_DEADLINE)->key = 8;
    add_item(100 * MB + 51000, 1000, DEADLINE_BULK, NO_DEADLINE)->key = 7;
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(scheduler.estimates[1].return_us, SEEK_US);
    CHECK_EQ(scheduler.estimates[2].return_us, SEEK_US);
    /* Returning to small reads alone takes no time. */
    scheduler.items[0].begin.offset = scheduler.items[0].end.offset = 90 * MB;
    CHECK_EQ(choose_item(), 2);
}

/* At the head: the drive must return for a read that it passes. */
static void scheduler_leaves_no_read_behind_for_little(void)
{
    start_bare(&plain);
    head.offset = 100 * MB + 2000;
    add_item(100 * MB + 1000, 50000, DEADLINE_BULK, NO_DEADLINE)->key = 9;
    add_item(100 * MB + 2000, 4000, DEADLINE_SOUND, NO_DEADLINE)->key = 8;
    rules.classes[DEADLINE_SOUND].credit = 500;
    CHECK_EQ(choose_item(), 0);
    rules.classes[DEADLINE_SOUND].credit = 1025;
    CHECK_EQ(choose_item(), 1);
    /* A read that is behind the head is behind it for both choices. */
    add_item(100 * MB - 50000, 10000, DEADLINE_BULK, NO_DEADLINE)->key = 1;
    rules.classes[DEADLINE_SOUND].credit = 0;
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(scheduler.estimates[0].return_us, 0);
}

static void scheduler_takes_the_smallest_key_of_equals(void)
{
    start_bare(&plain);
    add_item(200 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->key = 9;
    add_item(300 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->key = 8;
    add_item(400 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->key = 8;
    CHECK_EQ(choose_item(), 1);
    scheduler.items[2].key = UINT64_C(1) << 63;
    CHECK_EQ(choose_item(), 1);
    scheduler.items[0].key = 0;
    CHECK_EQ(choose_item(), 0);
}

/* -- deadlines -- */

static void scheduler_keeps_a_deadline_that_can_be_kept(void)
{
    /* The other read first (a seek and 100 ms), then this one. */
    uint64_t just_us = NOW_US + 2 * SEEK_US + 200 * MS;

    start_bare(&plain);
    add_item(0, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_STREAM, 0);
    head.offset = 0;
    /* The other begins at the head: 100 ms. */
    scheduler.items[1].deadline_us = just_us - SEEK_US;
    CHECK_EQ(choose_item(), 0);
    scheduler.items[1].deadline_us = just_us - SEEK_US - rules.tardy_us;
    CHECK_EQ(choose_item(), 1);
    /* A read that is slightly late has a small penalty, less than a seek. */
    scheduler.items[1].deadline_us = just_us - SEEK_US - 1;
    CHECK_EQ(choose_item(), 0);
}

static void scheduler_weighs_the_deadlines_it_breaks(void)
{
    start_bare(&plain);
    rules.tardy_us = 1;
    /* The second one is late: 2 seeks and 200 ms are 410 ms. */
    add_item(100 * MB, MB, DEADLINE_CLIP, NOW_US + 380 * MS);
    add_item(500 * MB, MB, DEADLINE_STREAM, NOW_US + 380 * MS);
    rules.classes[DEADLINE_CLIP].penalty = 500;
    rules.classes[DEADLINE_STREAM].penalty = 501;
    CHECK_EQ(choose_item(), 1);
    rules.classes[DEADLINE_CLIP].penalty = 502;
    CHECK_EQ(choose_item(), 0);
}

static void scheduler_drops_or_renews_missed_deadlines(void)
{
    start_bare(&plain);
    rules.tardy_us = 1;
    rules.classes[DEADLINE_STREAM].renew_us = 4 * SECOND_US;
    /* The deadline of a sound that cannot be in time is dropped. */
    add_item(0, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB, MB, DEADLINE_SOUND, NOW_US - 1);
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(scheduler.binding_count, 0);
    CHECK(scheduler.estimates[1].deadline_us == DEADLINE_NEVER);
    /* The deadline of a stream is renewed by whole periods. */
    scheduler.items[1].class = DEADLINE_STREAM;
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(scheduler.binding_count, 1);
    CHECK_EQ(scheduler.estimates[1].deadline_us, 4 * SECOND_US - 1);
    scheduler.items[1].deadline_us = NOW_US - 8 * SECOND_US;
    choose_item();
    CHECK_EQ(scheduler.estimates[1].deadline_us, 4 * SECOND_US);
    /* The earliest deadline that is not missed: a seek and 100 ms. */
    scheduler.items[1].deadline_us = NOW_US + SEEK_US + 100 * MS;
    choose_item();
    CHECK_EQ(scheduler.estimates[1].deadline_us, SEEK_US + 100 * MS);
    scheduler.items[1].deadline_us--;
    choose_item();
    CHECK_EQ(scheduler.estimates[1].deadline_us,
             SEEK_US + 100 * MS - 1 + 4 * SECOND_US);
}

static void scheduler_binds_bulk_only_when_it_is_due(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_BULK].binding_us = SECOND_US;
    add_item(0, MB, DEADLINE_CLIP, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_BULK, NOW_US + SECOND_US + 1);
    choose_item();
    CHECK_EQ(scheduler.binding_count, 0);
    scheduler.items[1].deadline_us--;
    choose_item();
    CHECK_EQ(scheduler.binding_count, 1);
}

static void scheduler_looks_at_the_nearest_24_deadlines(void)
{
    start_bare(&plain);
    for (uint32_t i = 0; i < 40; i++)
        add_item((uint64_t)i * 100 * MB, MB, DEADLINE_STREAM,
                 NOW_US + (i * 7 % 40 + 1) * SECOND_US);
    choose_item();
    CHECK_EQ(scheduler.binding_count, DEADLINE_BINDING_MAX);
    for (uint32_t k = 0; k < DEADLINE_BINDING_MAX; k++)
        CHECK_EQ_U(scheduler.items[scheduler.binding[k]].deadline_us,
                   NOW_US + (k + 1) * SECOND_US);
}

static void scheduler_raises_urgency_before_a_deadline(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_CLIP].urgency = 1024;
    rules.classes[DEADLINE_CLIP].penalty = 0;
    rules.urgent_us = 500 * MS;
    rules.calm_us = 1500 * MS;
    rules.classes[DEADLINE_BULK].credit = 512;
    /* With a second of slack the urgency is half: half a seek. */
    add_item(100 * MB, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_CLIP,
             NOW_US + SEEK_US + 100 * MS + 1500 * MS);
    CHECK_EQ(choose_item(), 0);
    scheduler.items[1].deadline_us -= 499 * MS;
    CHECK_EQ(choose_item(), 0);
    scheduler.items[1].deadline_us -= 2 * MS;
    CHECK_EQ(choose_item(), 1);
}

/* -- classes and age -- */

static void scheduler_credits_classes(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_SOUND].credit = 1;
    add_item(100 * MB, MB, DEADLINE_CLIP, NO_DEADLINE)->key = 1;
    add_item(500 * MB, MB, DEADLINE_SOUND, NO_DEADLINE)->key = 2;
    rules.classes[DEADLINE_SOUND].credit = 20;
    CHECK_EQ(choose_item(), 1);
    rules.classes[DEADLINE_CLIP].credit = 20;
    CHECK_EQ(choose_item(), 0);
    rules.classes[DEADLINE_CLIP].credit = -20;
    rules.classes[DEADLINE_SOUND].credit = -19;
    CHECK_EQ(choose_item(), 1);
}

static void scheduler_lets_reads_age(void)
{
    start_bare(&plain);
    rules.age = 100; /* almost a tenth of a seek for each second */
    add_item(0, MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        NOW_US - 10 * SECOND_US;
    CHECK_EQ(choose_item(), 0);
    scheduler.items[1].arrival_us = NOW_US - 11 * SECOND_US;
    CHECK_EQ(choose_item(), 1);
}

static void scheduler_lowers_penalties_with_a_backlog(void)
{
    start_bare(&plain);
    rules.tardy_us = 1;
    rules.classes[DEADLINE_STREAM].penalty = 2100;
    rules.backlog = 10;
    rules.penalty_backoff = 1024;
    add_item(0, 10 * MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_STREAM, NOW_US + 300 * MS);
    while (scheduler.count < 11)
        add_item(5000 * (uint64_t)MB, MB, DEADLINE_BULK, NO_DEADLINE);
    /* A penalty of two seeks divided by two is more than a seek, divided by
     * three less. */
    CHECK_EQ(choose_item(), 1);
    add_item(5000 * (uint64_t)MB, MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 0);
}

/* -- overdue, idle and urgent reads -- */

static void scheduler_serves_overdue_reads_every_other_time(void)
{
    start_bare(&plain);
    add_item(0, MB, DEADLINE_CLIP, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        NOW_US - rules.classes[DEADLINE_BULK].age_limit_us - 1;
    add_item(800 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        NOW_US - rules.classes[DEADLINE_BULK].age_limit_us - 2;
    CHECK_EQ(choose_item(), 1);
    CHECK_EQ(choose_item(), 1); /* a choice changes no state */
    spn__deadline_serve(&scheduler, 1, MB, NOW_US);
    CHECK_EQ(choose_item(), 0);
    spn__deadline_serve(&scheduler, 0, MB, NOW_US);
    CHECK_EQ(choose_item(), 1);
    scheduler.items[2].arrival_us += 1;
    scheduler.items[1].arrival_us += 1;
    CHECK_EQ(choose_item(), 2);
    scheduler.items[2].arrival_us += 1;
    CHECK_EQ(choose_item(), 0);
}

/* A pass goes upward, then starts from the lowest offset. A read that becomes
 * overdue later waits for the next pass, so no read is left out for ever. */
static void scheduler_makes_passes_over_overdue_reads(void)
{
    uint64_t overdue_us;

    start_bare(&plain);
    overdue_us = NOW_US - rules.classes[DEADLINE_BULK].age_limit_us - 1;
    add_item(0, MB, DEADLINE_CLIP, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us = overdue_us;
    add_item(800 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        overdue_us - 9;
    add_item(600 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        overdue_us + 1;
    head.offset = 510 * MB;
    CHECK_EQ(choose_item(), 2);
    CHECK_EQ(spn__deadline_choose(&scheduler, &head, NOW_US + 1), 2);
    head.offset = 810 * MB;
    CHECK_EQ(spn__deadline_choose(&scheduler, &head, NOW_US + 1), 1);
    /* Both have been read. */
    scheduler.items[1].arrival_us = NOW_US;
    scheduler.items[2].arrival_us = NOW_US;
    CHECK_EQ(spn__deadline_choose(&scheduler, &head, NOW_US + 1), 3);
}

/* Age limits as in medium.h: 20 s, for bulk 30 s. */
static void scheduler_has_age_limits_by_class(void)
{
    static const uint32_t age_limit_s[DEADLINE_CLASSES] = {
        [DEADLINE_SOUND] = 20,
        [DEADLINE_CLIP] = 20,
        [DEADLINE_STREAM] = 20,
        [DEADLINE_BULK] = 30};

    for (uint32_t c = 0; c < DEADLINE_CLASSES; c++) {
        struct deadline_item *item;

        start_bare(&plain);
        test_context("class %u", c);
        rules.classes[c].age_limit_us =
            spn__deadline_rules.classes[c].age_limit_us;
        add_item(0, MB, (enum deadline_class)c, NO_DEADLINE);
        item = add_item(800 * MB, MB, (enum deadline_class)c, NO_DEADLINE);
        item->arrival_us = NOW_US - (uint64_t)age_limit_s[c] * 1000 * MS;
        CHECK_EQ(choose_item(), 0);
        item->arrival_us--;
        CHECK_EQ(choose_item(), 1);
    }
}

/* Their deadlines count among idle reads only. */
static void scheduler_knows_deadlines_of_idle_reads(void)
{
    start_bare(&plain);
    add_item(0, 10 * MB, DEADLINE_BULK, NO_DEADLINE)->is_idle = true;
    add_item(500 * MB, MB, DEADLINE_BULK, NOW_US + 450 * MS)->is_idle = true;
    rules.classes[DEADLINE_BULK].penalty = 8192;
    CHECK_EQ(choose_item(), 1);
    add_item(0, 10 * MB, DEADLINE_CLIP, NO_DEADLINE);
    add_item(600 * MB, MB, DEADLINE_CLIP, NO_DEADLINE);
    CHECK_EQ(choose_item(), 2);
}

/* Idle reads wait for all others, near or far, and are no part of the backlog.
 * An overdue one is served at intervals. */
static void scheduler_serves_idle_reads_last(void)
{
    uint64_t age_limit_us;

    start_bare(&plain);
    rules.backlog = 1;
    rules.penalty_backoff = 10240;
    rules.tardy_us = 1;
    rules.classes[DEADLINE_STREAM].penalty = 2100;
    age_limit_us = rules.classes[DEADLINE_BULK].age_limit_us;
    for (uint32_t i = 0; i < 20; i++)
        add_item(0, MB, DEADLINE_BULK, NO_DEADLINE)->is_idle = true;
    add_item(400 * MB, 10 * MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 20);
    add_item(500 * MB, MB, DEADLINE_STREAM, NOW_US + 300 * MS);
    scheduler.items[21].is_urgent = true;
    CHECK_EQ(choose_item(), 21);
    scheduler.items[21].is_urgent = false;
    /* The penalty is the same as without the idle reads. */
    rules.backlog = 2;
    CHECK_EQ(choose_item(), 21);
    scheduler.items[7].arrival_us = NOW_US - age_limit_us - 1;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < DEADLINE_IDLE_DISPATCHES; i++) {
            CHECK_EQ(choose_item(), 21);
            spn__deadline_serve(&scheduler, 21, MB, NOW_US);
        }
        CHECK_EQ(choose_item(), 7);
        spn__deadline_serve(&scheduler, 7, MB, NOW_US);
    }
    /* Its dispatch continues as any other. */
    for (uint32_t i = 0; i < DEADLINE_IDLE_DISPATCHES; i++)
        spn__deadline_serve(&scheduler, 21, MB, NOW_US);
    CHECK_EQ(choose_item(), 7);
    spn__deadline_serve(&scheduler, 7, MB, NOW_US);
    scheduler.items[7].is_begun = true;
    CHECK_EQ(choose_item(), 7);
    spn__deadline_serve(&scheduler, 7, DEADLINE_DISPATCH_BYTES_MAX, NOW_US);
    CHECK_EQ(choose_item(), 21);
}

/* Long reads come in pieces: a dispatch continues at the head up to its limit,
 * and ends when another read is chosen. */
static void scheduler_continues_a_dispatch(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_BULK].penalty = 8192;
    rules.classes[DEADLINE_CLIP].penalty = 8192;
    head.offset = 500 * MB;
    /* The read with a deadline has the lower cost wherever it is. */
    add_item(500 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us =
        NOW_US - rules.classes[DEADLINE_BULK].age_limit_us - 1;
    add_item(800 * MB, MB, DEADLINE_BULK, NOW_US + SEEK_US + 110 * MS);
    CHECK_EQ(choose_item(), 0);
    spn__deadline_serve(&scheduler, 0, DEADLINE_DISPATCH_BYTES_MAX - 1, NOW_US);
    scheduler.items[0].is_begun = true;
    CHECK_EQ(choose_item(), 0);
    spn__deadline_serve(&scheduler, 0, 1, NOW_US);
    CHECK_EQ(choose_item(), 1);
    /* The dispatch of the other read has the same limit, */
    spn__deadline_serve(&scheduler, 1, DEADLINE_DISPATCH_BYTES_MAX - 1, NOW_US);
    head.offset = 800 * MB;
    scheduler.items[1].is_begun = true;
    CHECK_EQ(choose_item(), 1);
    spn__deadline_serve(&scheduler, 1, 1, NOW_US);
    CHECK_EQ(choose_item(), 0);
    /* and ends when continuing has not the least cost. */
    spn__deadline_serve(&scheduler, 0, MB, NOW_US);
    spn__deadline_serve(&scheduler, 1, MB, NOW_US);
    scheduler.items[1].deadline_us = NO_DEADLINE;
    add_item(900 * MB, MB, DEADLINE_CLIP, NOW_US + SEEK_US + 110 * MS);
    CHECK_EQ(choose_item(), 0);
}

static void scheduler_serves_urgent_reads_first(void)
{
    start_bare(&plain);
    add_item(0, MB, DEADLINE_STREAM, NOW_US + 150 * MS);
    add_item(100 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->arrival_us = 0;
    add_item(500 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->is_urgent = true;
    CHECK_EQ(choose_item(), 2);
    /* Among urgent reads the costs decide. */
    add_item(100 * MB, MB, DEADLINE_BULK, NO_DEADLINE)->is_urgent = true;
    scheduler.items[3].key = 9;
    CHECK_EQ(choose_item(), 2);
    scheduler.items[3].deadline_us = NOW_US + 210 * MS;
    CHECK_EQ(choose_item(), 3);
    /* They do not change the dispatch. */
    spn__deadline_serve(&scheduler, 3, MB, NOW_US);
    scheduler.items[2].is_urgent = false;
    scheduler.items[3].is_urgent = false;
    CHECK_EQ(choose_item(), 1);
}

static void scheduler_continues_a_read_that_was_begun(void)
{
    start_bare(&plain);
    head.offset = 100 * MB;
    add_item(100 * MB, 10 * MB, DEADLINE_BULK, NO_DEADLINE)->is_begun = true;
    add_item(500 * MB, MB, DEADLINE_SOUND, NO_DEADLINE);
    /* A credit of more than a seek is too small, */
    rules.classes[DEADLINE_SOUND].credit = 1100;
    CHECK_EQ(choose_item(), 0);
    /* one of more than two seeks, there and back, is enough. */
    rules.classes[DEADLINE_SOUND].credit = 2100;
    CHECK_EQ(choose_item(), 1);
    rules.classes[DEADLINE_SOUND].credit = 1100;
    scheduler.items[0].is_begun = false;
    CHECK_EQ(choose_item(), 1);
}

static void scheduler_begins_at_the_front_of_neighbours(void)
{
    start_bare(spn_drive_profile_find("x360_dvd12x"));
    spn__forecast_place(&forecast, 300 * MB, &head);
    for (uint32_t i = 0; i < 10; i++)
        add_item(200 * MB + (9 - i) * 70000, 65536, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 9);
    /* If they are too far apart for one run, the nearest is next. */
    start_bare(spn_drive_profile_find("x360_dvd12x"));
    spn__forecast_place(&forecast, 300 * MB, &head);
    for (uint32_t i = 0; i < 10; i++)
        add_item(200 * MB + (9 - i) * 2 * MB, 65536, DEADLINE_BULK,
                 NO_DEADLINE);
    CHECK_EQ(choose_item(), 0);
}

static uint32_t coalesced[DEADLINE_COALESCE_MAX];

/* -- long runs -- */

struct pending {
    struct deadline_item item;
    uint64_t bytes;
};

static struct pending pendings[DEADLINE_ITEMS_MAX];
static uint32_t pending_count;

static void arrive(struct test_random *random, uint64_t now_us)
{
    struct pending *p = &pendings[pending_count++];
    uint64_t disc = spn__drive_disc_bytes(forecast.profile);
    uint32_t kind = test_random_below(random, 8);

    p->bytes = 1 + test_random_below(random, 1048576);
    p->item = (struct deadline_item){.arrival_us = now_us};
    p->item.class = kind < 3   ? DEADLINE_SOUND
                    : kind < 5 ? DEADLINE_STREAM
                    : kind < 7 ? DEADLINE_CLIP
                               : DEADLINE_BULK;
    p->item.deadline_us =
        kind == 6 ? NO_DEADLINE : now_us + test_random_below(random, 3000000);
    p->item.is_idle = kind == 7 && test_random_below(random, 2);
    p->item.key = test_random_u64(random);
    spn__forecast_range(&forecast, test_random_u64(random) % (disc - p->bytes),
                        p->bytes, &p->item.begin, &p->item.end);
}

static bool contains(const uint32_t *indices, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (indices[i] == index)
            return true;
    return false;
}

/* As many reads wait at any time as there is room for. */
static void scheduler_starves_no_read(void)
{
    static const uint32_t rooms[] = {1, 2, 17, 64, DEADLINE_ITEMS_MAX};

    for (uint32_t r = 0; r < 5; r++) {
        struct test_random random = {r + 1};
        uint64_t now_us = 0;
        uint64_t longest_us[2] = {0}; /* not idle; idle */
        uint64_t longest_read_us = 0;
        uint64_t age_limit_us;
        uint32_t served[DEADLINE_CLASSES] = {0};

        start_with(spn_drive_profile_find("x360_dvd12x"));
        pending_count = 0;
        for (uint32_t n = 0; n < 6000; n++) {
            uint32_t chosen;
            uint32_t count;
            uint64_t end = 0;
            uint64_t begin_us = now_us;
            const struct deadline_item *first;

            test_context("room %u, choice %u", rooms[r], n);
            while (pending_count < rooms[r])
                arrive(&random, now_us);
            spn__deadline_clear(&scheduler);
            for (uint32_t i = 0; i < pending_count; i++)
                spn__deadline_offer(&scheduler, &pendings[i].item);
            chosen = spn__deadline_choose(&scheduler, &head, now_us);
            CHECK(chosen < pending_count);
            count = spn__deadline_coalesce(&scheduler, chosen, coalesced);
            CHECK(count >= 1 && count <= DEADLINE_COALESCE_MAX);
            CHECK(contains(coalesced, count, chosen));
            for (uint32_t i = 0; i < count; i++)
                CHECK(
                    !contains(coalesced + i + 1, count - i - 1, coalesced[i]));
            spn__deadline_serve(&scheduler, chosen, MB, now_us);
            first = &scheduler.items[coalesced[0]];
            now_us += (uint64_t)scheduler.estimates[coalesced[0]].position_us;
            for (uint32_t i = 0; i < count; i++) {
                const struct deadline_item *item =
                    &scheduler.items[coalesced[i]];

                CHECK(item->begin.offset >= first->begin.offset);
                if (end < item->end.offset) {
                    end = item->end.offset;
                    head = item->end;
                }
            }
            now_us += spn__forecast_transfer_us(&forecast, &first->begin,
                                                end - first->begin.offset);
            if (now_us - begin_us > longest_read_us)
                longest_read_us = now_us - begin_us;
            for (uint32_t i = pending_count; i-- > 0;)
                if (contains(coalesced, count, i)) {
                    uint64_t wait_us = now_us - pendings[i].item.arrival_us;

                    uint64_t *longest = &longest_us[pendings[i].item.is_idle];

                    served[pendings[i].item.class]++;
                    *longest = wait_us > *longest ? wait_us : *longest;
                    pendings[i] = pendings[--pending_count];
                }
        }
        for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
            CHECK(served[i] > 300);
        age_limit_us = rules.classes[DEADLINE_BULK].age_limit_us;
        /* One of sixteen dispatches serves an idle read. */
        CHECK(longest_us[0] <=
              age_limit_us + 4 * rooms[r] * longest_read_us * 16 / 15);
        CHECK(longest_us[1] <= age_limit_us + 16 * rooms[r] * longest_read_us);
    }
}

/* Reads without deadlines take no more time than in order of arrival, and not
 * much more than in order of place. */
static double time_of_batch(bool is_scheduled, uint32_t count, uint64_t seed,
                            bool is_upward)
{
    struct test_random random = {seed};
    double us = 0;

    spn__forecast_place(&forecast, 0, &head);
    pending_count = 0;
    while (pending_count < count) {
        arrive(&random, 0);
        pendings[pending_count - 1].item.class = DEADLINE_BULK;
        pendings[pending_count - 1].item.deadline_us = NO_DEADLINE;
        pendings[pending_count - 1].item.is_idle = false;
    }
    for (; pending_count > 0; pending_count--) {
        uint32_t next = 0;

        spn__deadline_clear(&scheduler);
        for (uint32_t i = 0; i < pending_count; i++) {
            spn__deadline_offer(&scheduler, &pendings[i].item);
            if (is_upward && pendings[i].item.begin.radius_nm <
                                 pendings[next].item.begin.radius_nm)
                next = i;
        }
        if (is_scheduled)
            next = spn__deadline_choose(&scheduler, &head, 0);
        us += spn__forecast_position_us(&forecast, &head,
                                        &pendings[next].item.begin);
        head = pendings[next].item.end;
        memmove(&pendings[next], &pendings[next + 1],
                (pending_count - next - 1) * sizeof pendings[0]);
    }
    return us;
}

static void scheduler_wastes_little_time(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        double scheduled = 0;
        double upward = 0;

        start_with(p);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            double us = time_of_batch(true, 20, seed, false);

            test_context("%s, seed %llu", p->name, (unsigned long long)seed);
            CHECK(us <= time_of_batch(false, 20, seed, false));
            scheduled += us;
            upward += time_of_batch(false, 20, seed, true);
        }
        test_context("%s: %g and %g", p->name, scheduled, upward);
        CHECK(scheduled <= upward * 1.1);
    }
}

static void check_finds_damage(void)
{
    struct deadline_scheduler good;

    start_bare(&plain);
    add_item(0, MB, DEADLINE_BULK, NO_DEADLINE);
    choose_item();
    good = scheduler;
#define NOTICES(damage)                                                        \
    do {                                                                       \
        struct deadline_item item = scheduler.items[0];                        \
        damage;                                                                \
        CHECK(!spn__deadline_check(&scheduler));                               \
        scheduler = good;                                                      \
        scheduler.items[0] = item;                                             \
    } while (0)
    NOTICES(scheduler.count = scheduler.capacity + 1);
    NOTICES(scheduler.capacity = DEADLINE_ITEMS_MAX + 1);
    NOTICES(scheduler.since_idle = DEADLINE_IDLE_DISPATCHES + 1);
    NOTICES(scheduler.binding_count = DEADLINE_BINDING_MAX + 1);
    NOTICES(scheduler.seek_us = 0);
    NOTICES(scheduler.items[0].class = DEADLINE_CLASSES);
    NOTICES(scheduler.items[0].is_urgent = scheduler.items[0].is_idle = true);
    NOTICES(scheduler.items[0].end.offset = 0;
            scheduler.items[0].begin.offset = 1);
#undef NOTICES
    CHECK(spn__deadline_check(&scheduler));
}

TEST_MAIN(TEST(scheduler_chooses_the_nearest_read),
          TEST(scheduler_begins_where_neighbours_begin),
          TEST(scheduler_leaves_no_read_behind_for_little),
          TEST(scheduler_takes_the_smallest_key_of_equals),
          TEST(scheduler_keeps_a_deadline_that_can_be_kept),
          TEST(scheduler_weighs_the_deadlines_it_breaks),
          TEST(scheduler_drops_or_renews_missed_deadlines),
          TEST(scheduler_binds_bulk_only_when_it_is_due),
          TEST(scheduler_looks_at_the_nearest_24_deadlines),
          TEST(scheduler_raises_urgency_before_a_deadline),
          TEST(scheduler_credits_classes), TEST(scheduler_lets_reads_age),
          TEST(scheduler_lowers_penalties_with_a_backlog),
          TEST(scheduler_serves_overdue_reads_every_other_time),
          TEST(scheduler_makes_passes_over_overdue_reads),
          TEST(scheduler_has_age_limits_by_class),
          TEST(scheduler_knows_deadlines_of_idle_reads),
          TEST(scheduler_serves_idle_reads_last),
          TEST(scheduler_continues_a_dispatch),
          TEST(scheduler_serves_urgent_reads_first),
          TEST(scheduler_continues_a_read_that_was_begun),
          TEST(scheduler_begins_at_the_front_of_neighbours),

          TEST(check_finds_damage), TEST(scheduler_starves_no_read),
          TEST(scheduler_wastes_little_time))
