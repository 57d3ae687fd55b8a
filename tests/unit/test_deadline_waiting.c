/* test_deadline_waiting.c
 *
 * Goal: for any number of waiting reads, the scheduler weighs those that may
 *   be next. Of few reads it weighs all. Of many it weighs the neighbours of
 *   the head, the earliest deadlines that can still be met, and the reads whose
 *   age limits end first. No read starves.
 * Method: the drive of tests/support/deadline_fixture.h, thousands of reads,
 *   and random additions, changes and removals with the check after each.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/deadline_waiting.h"
#include "support/deadline_fixture.h"

#include <stdlib.h>

#define READS 32767u

static struct deadline_pool pool;
static struct deadline_waiting waiting;
static void *memory;

static void open_waiting(uint32_t reads)
{
    struct carve carve = {.limit = SIZE_MAX};

    start_bare(&plain);
    spn__deadline_pool_init(NULL, &carve, reads);
    carve.limit = carve.used;
    carve.used = 0;
    free(memory);
    memory = aligned_alloc(64, (carve.limit + 63) / 64 * 64);
    CHECK(memory != NULL);
    carve.base = memory;
    spn__deadline_pool_init(&pool, &carve, reads);
    CHECK(!carve.is_over);
    spn__deadline_waiting_init(&waiting, &pool, &rules);
}

static void wait_for(uint32_t subject, struct deadline_item item)
{
    item.subject = subject;
    pool.items[subject] = item;
    spn__deadline_waiting_add(&waiting, subject);
}

static void offer(uint64_t now_us)
{
    spn__deadline_waiting_offer(&waiting, &scheduler, &head, now_us);
}

static bool is_offered(uint32_t subject)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scheduler.count; i++)
        count += scheduler.items[i].subject == subject;
    CHECK(count <= 1);
    return count == 1;
}

static void waiting_offers_all_of_a_few(void)
{
    open_waiting(READS);
    for (uint32_t i = 0; i < DEADLINE_ITEMS_MAX; i++)
        wait_for(i * 100, item_at((uint64_t)i * MB, MB, DEADLINE_BULK,
                                  i % 3 ? NOW_US - i : NOW_US + i));
    offer(NOW_US);
    CHECK_EQ(scheduler.count, DEADLINE_ITEMS_MAX);
    for (uint32_t i = 0; i < DEADLINE_ITEMS_MAX; i++)
        CHECK(is_offered(i * 100));
    CHECK_EQ(scheduler.unoffered.count, 0);
    CHECK_EQ(scheduler.unoffered.unexpired, 0);
}

/* 5,000 reads lie a megabyte apart, with the head between two of them. Offered
 * are the reads next to the head, four far away with deadlines, the two that
 * have waited longest, and one of many idle reads. */
static void waiting_offers_neighbours_and_the_first_deadlines(void)
{
    open_waiting(READS);
    head.offset = 2500 * (uint64_t)MB - 1000;
    for (uint32_t i = 0; i < 5000; i++) {
        struct deadline_item item = item_at(
            (uint64_t)i * MB, 1000, DEADLINE_BULK, NOW_US + 9 * SECOND_US);

        if (i >= 4990 && i < 4994)
            item.deadline_us = NOW_US + 200 * MS;
        if (i == 4000 || i == 100)
            item.arrival_us = NOW_US - 40 * SECOND_US;
        /* Their deadlines were missed long ago, and they are not near, so they
         * displace no other read. */
        if (i < 1000 && i != 100)
            item.deadline_us = NOW_US - SECOND_US;
        wait_for(i, item);
    }
    for (uint32_t i = 5000; i < 8000; i++) {
        struct deadline_item item =
            item_at((uint64_t)i * MB, 1000, DEADLINE_BULK, NO_DEADLINE);

        item.is_idle = true;
        item.arrival_us = NOW_US - 50 * SECOND_US - (i == 7777);
        wait_for(i, item);
    }
    offer(NOW_US);
    CHECK_EQ(scheduler.count, DEADLINE_ITEMS_MAX);
    for (uint32_t i = 2480; i < 2540; i++)
        CHECK(is_offered(i));
    for (uint32_t i = 4990; i < 4994; i++)
        CHECK(is_offered(i));
    CHECK(is_offered(4000));
    CHECK(is_offered(100));
    CHECK(is_offered(7777));
    CHECK_EQ(scheduler.unoffered.count + scheduler.unoffered.unexpired > 8000,
             true);
    CHECK(spn__deadline_waiting_check(&waiting));
    /* An urgent read at any place. */
    waiting.pool->items[8000] = item_at(1, 1000, DEADLINE_BULK, NO_DEADLINE);
    pool.items[8000].is_urgent = true;
    pool.items[8000].subject = 8000;
    spn__deadline_waiting_add(&waiting, 8000);
    offer(NOW_US);
    CHECK(is_offered(8000));
    CHECK_EQ(scheduler.items[choose_item()].subject, 8000);
}

/* For any number of waiting idle reads of any age, other reads go first. For
 * any number of other reads, an idle read is eventually offered. */
static void waiting_offers_idle_reads_eventually(void)
{
    for (uint32_t idle_first = 0; idle_first < 2; idle_first++) {
        uint32_t idle_count = idle_first ? 2000 : 1;
        uint32_t other_count = idle_first ? 1 : 2000;
        uint32_t dispatches = 0;

        test_context("%u", idle_first);
        open_waiting(READS);
        for (uint32_t i = 0; i < idle_count + other_count; i++) {
            struct deadline_item item =
                item_at(i * (uint64_t)MB, MB, DEADLINE_BULK, NO_DEADLINE);

            item.is_idle = i < idle_count;
            if (item.is_idle)
                item.arrival_us -= 40 * SECOND_US + i;
            wait_for(i, item);
        }
        for (; dispatches <= DEADLINE_IDLE_DISPATCHES; dispatches++) {
            uint32_t next;

            offer(NOW_US);
            next = choose_item();
            if (scheduler.items[next].is_idle)
                break;
            spn__deadline_serve(&scheduler, next, MB, NOW_US);
        }
        CHECK_EQ(dispatches, DEADLINE_IDLE_DISPATCHES);
        CHECK_EQ(scheduler.items[choose_item()].subject, idle_count - 1);
    }
}

static struct deadline_item draw_item(struct test_random *random,
                                      uint64_t now_us)
{
    struct deadline_item item = item_at(
        (uint64_t)test_random_below(random, 9000) * MB, 1000,
        (enum deadline_class)test_random_below(random, DEADLINE_CLASSES),
        test_random_below(random, 5) == 0
            ? NO_DEADLINE
            : now_us + test_random_below(random, 4 * SECOND_US));
    uint32_t kind = test_random_below(random, 20);

    item.arrival_us = now_us;
    item.is_urgent = kind == 0;
    item.is_idle = kind > 15;
    item.has_copies = kind == 7;
    return item;
}

static void waiting_check_passes_after_random_changes(void)
{
    enum { SUBJECTS = 600 };
    static bool is_in[SUBJECTS];
    struct test_random random = {9};
    uint64_t now_us = NOW_US;

    open_waiting(SUBJECTS);
    for (uint32_t i = 0; i < SUBJECTS; i++)
        is_in[i] = false;
    for (uint32_t step = 0; step < 4000; step++) {
        uint32_t subject = test_random_below(&random, SUBJECTS);
        struct deadline_item item = draw_item(&random, now_us);

        test_context("seed 9, step %u", step);
        item.subject = subject;
        if (!is_in[subject]) {
            wait_for(subject, item);
            is_in[subject] = true;
        } else if (step % 2) {
            spn__deadline_waiting_change(&waiting, subject, &item);
        } else {
            spn__deadline_waiting_remove(&waiting, subject);
            spn__deadline_waiting_remove(&waiting, subject);
            is_in[subject] = false;
        }
        if (step % 16 == 0) {
            now_us += test_random_below(&random, 300 * MS);
            offer(now_us);
            CHECK_EQ(scheduler.count, waiting.count < DEADLINE_ITEMS_MAX
                                          ? waiting.count
                                          : DEADLINE_ITEMS_MAX);
            CHECK(spn__deadline_waiting_check(&waiting));
        }
    }
}

/* A thousand of two thousand reads lie in several places. Each is returned once
 * before any is returned again, also while reads move to other places and
 * others leave. */
static void waiting_rotates_over_reads_with_several_places(void)
{
    static uint32_t dispatches[READS];

    open_waiting(READS);
    CHECK_EQ(spn__deadline_waiting_next_copied(&waiting), ORDER_NONE);
    for (uint32_t i = 0; i < 2000; i++) {
        struct deadline_item item =
            item_at((uint64_t)i * MB, 1000, DEADLINE_BULK, NO_DEADLINE);

        item.has_copies = i % 2;
        wait_for(i, item);
        dispatches[i] = 0;
    }
    for (uint32_t turn = 0; turn < 3000; turn++) {
        uint32_t next = spn__deadline_waiting_next_copied(&waiting);
        struct deadline_item item = pool.items[next];

        CHECK_EQ(next % 2, 1);
        CHECK_EQ(dispatches[next]++, turn / 1000);
        spn__forecast_range(&forecast, turn * (uint64_t)MB, 1000, &item.begin,
                            &item.end);
        spn__deadline_waiting_change(&waiting, next, &item);
        if (turn % 2 == 0 && turn < 2000)
            spn__deadline_waiting_remove(&waiting, turn);
    }
    CHECK(spn__deadline_waiting_check(&waiting));
    /* A read that has begun has only one place. The last one leaves none with
     * several places. */
    for (uint32_t i = 1; i < 2000; i += 2) {
        struct deadline_item item = pool.items[i];

        CHECK_EQ(spn__deadline_waiting_next_copied(&waiting) % 2, 1);
        item.has_copies = false;
        spn__deadline_waiting_change(&waiting, i, &item);
    }
    CHECK_EQ(spn__deadline_waiting_next_copied(&waiting), ORDER_NONE);
    CHECK(spn__deadline_waiting_check(&waiting));
}

static void waiting_finds_the_nearest_read_with_one_place(void)
{
    const uint64_t none = 77 * (uint64_t)MB;
    struct deadline_item item;

    open_waiting(READS);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, none), none);
    /* Idle reads and reads with several places do not count. */
    item = item_at(70 * (uint64_t)MB, 1000, DEADLINE_BULK, NO_DEADLINE);
    item.is_idle = true;
    wait_for(0, item);
    item.is_idle = false;
    item.has_copies = true;
    wait_for(1, item);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, none), none);
    wait_for(2, item_at(90 * (uint64_t)MB, 1000, DEADLINE_BULK, NO_DEADLINE));
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, none),
               90 * (uint64_t)MB);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 95 * (uint64_t)MB),
               90 * (uint64_t)MB);
    wait_for(3, item_at(60 * (uint64_t)MB, 1000, DEADLINE_CLIP, NOW_US - 1));
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 74 * (uint64_t)MB),
               60 * (uint64_t)MB);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 75 * (uint64_t)MB),
               90 * (uint64_t)MB);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 60 * (uint64_t)MB),
               60 * (uint64_t)MB);
    /* Also after its deadline was missed. */
    offer(NOW_US);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 50 * (uint64_t)MB),
               60 * (uint64_t)MB);
    spn__deadline_waiting_remove(&waiting, 3);
    CHECK_EQ_U(spn__deadline_waiting_nearest(&waiting, 50 * (uint64_t)MB),
               90 * (uint64_t)MB);
}

/* A thousand reads always wait for a drive that is too slow for them. */
static void waiting_starves_no_read(void)
{
    enum { SUBJECTS = 1000 };
    struct test_random random = {4};
    uint64_t now_us = NOW_US;
    uint64_t longest_us = 0;
    uint64_t longest_turn_us = 0;

    open_waiting(SUBJECTS);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        rules.classes[i] = spn__deadline_rules.classes[i];
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        struct deadline_item item = draw_item(&random, now_us);

        item.is_urgent = item.is_idle = false;
        wait_for(i, item);
    }
    for (uint32_t turn = 0; turn < 5 * SUBJECTS; turn++) {
        struct deadline_item item = draw_item(&random, now_us);
        uint64_t turn_us;
        uint32_t subject;
        uint32_t next;

        offer(now_us);
        next = spn__deadline_choose(&scheduler, &head, now_us);
        spn__deadline_serve(&scheduler, next, 1000, now_us);
        subject = scheduler.items[next].subject;
        turn_us = (uint64_t)(scheduler.estimates[next].position_us +
                             scheduler.estimates[next].service_us);
        longest_turn_us = turn_us > longest_turn_us ? turn_us : longest_turn_us;
        now_us += turn_us;
        head = scheduler.items[next].end;
        if (now_us - scheduler.items[next].arrival_us > longest_us)
            longest_us = now_us - scheduler.items[next].arrival_us;
        spn__deadline_waiting_remove(&waiting, subject);
        item.is_urgent = item.is_idle = false;
        wait_for(subject, item);
    }
    for (uint32_t i = 0; i < SUBJECTS; i++)
        if (now_us - pool.items[i].arrival_us > longest_us)
            longest_us = now_us - pool.items[i].arrival_us;
    test_context("wait %.1f s, longest read %.3f s", (double)longest_us / 1e6,
                 (double)longest_turn_us / 1e6);
    CHECK(longest_us <= rules.classes[DEADLINE_BULK].age_limit_us +
                            4 * SUBJECTS * longest_turn_us);
}

TEST_MAIN(TEST(waiting_offers_all_of_a_few),
          TEST(waiting_offers_neighbours_and_the_first_deadlines),
          TEST(waiting_offers_idle_reads_eventually),
          TEST(waiting_check_passes_after_random_changes),
          TEST(waiting_rotates_over_reads_with_several_places),
          TEST(waiting_finds_the_nearest_read_with_one_place),
          TEST(waiting_starves_no_read))
