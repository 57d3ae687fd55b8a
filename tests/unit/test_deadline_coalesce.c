/* test_deadline_coalesce.c
 *
 * Goal: neighbouring reads are coalesced into one run, from its front on, where
 *   that is cheaper and breaks no deadline.
 * Method: the drive of tests/support/deadline_fixture.h.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/deadline_fixture.h"

static uint32_t coalesced[DEADLINE_COALESCE_MAX];

static uint32_t coalesce(void)
{
    return spn__deadline_coalesce(&scheduler, choose_item(), coalesced);
}

static void scheduler_coalesces_through_a_gap_that_is_cheaper(void)
{
    /* A gap that takes 105 ms at 10 MB/s, and a block at either end of it. */
    static const uint64_t gaps[] = {0, 1000, 1049000, 1050000, 1051000};
    static const uint32_t counts[] = {2, 2, 2, 1, 1};

    for (uint32_t i = 0; i < 5; i++) {
        start_bare(&plain);
        add_item(100 * MB, 100000, DEADLINE_BULK, NO_DEADLINE);
        add_item(100 * MB + 100000 + gaps[i], 100000, DEADLINE_BULK,
                 NO_DEADLINE);
        test_context("gap %llu", (unsigned long long)gaps[i]);
        CHECK_EQ(coalesce(), counts[i]);
        CHECK_EQ(coalesced[0], 0);
    }
}

static void scheduler_coalesces_only_forward(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_SOUND].credit = 2048;
    add_item(100 * MB, 100000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 100000, 100000, DEADLINE_SOUND, NO_DEADLINE);
    add_item(100 * MB + 200000, 100000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 1);
    CHECK_EQ(coalesce(), 2);
    CHECK_EQ(coalesced[0], 1);
    CHECK_EQ(coalesced[1], 2);
}

static void scheduler_begins_a_run_where_the_head_is(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_SOUND].credit = 2048;
    head.offset = 100 * MB + 2000;
    /* The drive's buffer still holds two blocks behind the head. */
    add_item(100 * MB + 1000, 1000, DEADLINE_SOUND, NO_DEADLINE);
    add_item(100 * MB, 1000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB - 1000, 1000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(coalesce(), 2);
    CHECK_EQ(coalesced[0], 1);
    CHECK_EQ(coalesced[1], 0);
}

/* If the head must seek anyway, the run begins at a read shortly before the
 * chosen one. */
static void scheduler_begins_a_run_at_its_first_near_read(void)
{
    start_bare(&plain);
    rules.classes[DEADLINE_SOUND].credit = 2048;
    add_item(100 * MB, 1000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 1000, 1000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 2000, 1000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 3000, 1000, DEADLINE_SOUND, NO_DEADLINE);
    CHECK_EQ(choose_item(), 3);
    CHECK_EQ(coalesce(), 4);
    CHECK_EQ(coalesced[0], 0);
    /* Without the third read the others are too far back. */
    scheduler.items[2].file = 1;
    CHECK_EQ(choose_item(), 3);
    CHECK_EQ(coalesce(), 1);
    CHECK_EQ(coalesced[0], 3);
}

static void scheduler_begins_with_pressing_reads(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        start_bare(&plain);
        add_item(100 * MB, 1000, DEADLINE_BULK, NO_DEADLINE);
        add_item(100 * MB + 1000, 1000, DEADLINE_BULK, NO_DEADLINE)->key = 6;
        scheduler.items[1].is_urgent = i == 1;
        if (i == 2)
            scheduler.items[1].arrival_us -= 31 * SECOND_US;
        test_context("%u", i);
        CHECK_EQ(choose_item(), 1);
        CHECK_EQ(coalesce(), i == 0 ? 2 : 1);
        CHECK_EQ(coalesced[0], i == 0 ? 0 : 1);
    }
}

/* The seek takes 105 ms, each of the two reads 0.1 ms. */
static void scheduler_begins_a_run_where_no_deadline_is_broken(void)
{
    const uint64_t own_us = NOW_US + SEEK_US + 200;
    const uint64_t other_us = own_us + SEEK_US + 100 * MS;

    start_bare(&plain);
    add_item(100 * MB, 1000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 1000, 1000, DEADLINE_BULK, own_us)->key = 6;
    add_item(500 * MB, MB, DEADLINE_STREAM, other_us)->key = 8;
    rules.classes[DEADLINE_STREAM].penalty = 0;
    CHECK_EQ(choose_item(), 1);
    CHECK_EQ(coalesce(), 2);
    CHECK_EQ(coalesced[0], 0);
    scheduler.items[1].deadline_us = own_us - 1;
    CHECK_EQ(choose_item(), 1);
    CHECK_EQ(coalesce(), 1);
    CHECK_EQ(coalesced[0], 1);
    scheduler.items[1].deadline_us = NO_DEADLINE;
    scheduler.items[2].deadline_us = other_us - 1;
    CHECK_EQ(choose_item(), 1);
    CHECK_EQ(coalesce(), 1);
}

static void scheduler_coalesces_overlapping_reads(void)
{
    start_bare(&plain);
    add_item(100 * MB, 500000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB, 500000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 100000, 100000, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB + 400000, 200000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(coalesce(), 4);
    CHECK_EQ(coalesced[0], 0);
}

static void scheduler_coalesces_only_one_file(void)
{
    start_bare(&plain);
    add_item(100 * MB, 100000, DEADLINE_BULK, NO_DEADLINE)->file = 1;
    add_item(100 * MB + 100000, 100000, DEADLINE_BULK, NO_DEADLINE)->file = 2;
    add_item(100 * MB + 200000, 100000, DEADLINE_BULK, NO_DEADLINE)->file = 1;
    CHECK_EQ(coalesce(), 2);
    CHECK_EQ(coalesced[1], 2);
}

static void scheduler_runs_have_an_end(void)
{
    /* 3 MiB are 3145728 bytes, which is room for 15 reads of 200 kB. */
    start_bare(&plain);
    for (uint32_t i = 0; i < 40; i++)
        add_item(100 * MB + i * 200000, 200000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(coalesce(), 15);
    start_bare(&plain);
    for (uint32_t i = 0; i < 40; i++)
        add_item(100 * MB + i * 2000, 2000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(coalesce(), DEADLINE_COALESCE_MAX);
    /* A larger read is coalesced only with reads of the same bytes. */
    start_bare(&plain);
    add_item(100 * MB, 8 * MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(100 * MB, 8 * MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(104 * MB, 8 * MB, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(coalesce(), 3);
    start_bare(&plain);
    add_item(100 * MB, 8 * MB, DEADLINE_BULK, NO_DEADLINE);
    add_item(108 * MB, 1000, DEADLINE_BULK, NO_DEADLINE);
    CHECK_EQ(coalesce(), 1);
}

static void scheduler_coalesces_nothing_that_breaks_a_deadline(void)
{
    /* The first read takes 105 + 10 ms, the coalesced one 50 ms more, the third
     * 105 + 100 ms. */
    const uint64_t just_us = NOW_US + 2 * SEEK_US + (10 + 50 + 100) * MS;

    start_bare(&plain);
    rules.classes[DEADLINE_STREAM].penalty = 0;
    add_item(100 * MB, 100000, DEADLINE_CLIP, NO_DEADLINE)->key = 1;
    add_item(100 * MB + 100000, 500000, DEADLINE_BULK, NO_DEADLINE);
    add_item(500 * MB, MB, DEADLINE_STREAM, just_us);
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(coalesce(), 2);
    scheduler.items[2].deadline_us = just_us - 1;
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(coalesce(), 1);
    /* This deadline is missed in both cases. */
    scheduler.items[2].deadline_us = just_us - 50 * MS;
    CHECK_EQ(coalesce(), 1);
    scheduler.items[2].deadline_us = just_us - 50 * MS - 1;
    CHECK_EQ(choose_item(), 0);
    CHECK_EQ(coalesce(), 2);
}

TEST_MAIN(TEST(scheduler_coalesces_through_a_gap_that_is_cheaper),
          TEST(scheduler_coalesces_only_forward),
          TEST(scheduler_begins_a_run_where_the_head_is),
          TEST(scheduler_begins_a_run_at_its_first_near_read),
          TEST(scheduler_begins_with_pressing_reads),
          TEST(scheduler_begins_a_run_where_no_deadline_is_broken),
          TEST(scheduler_coalesces_overlapping_reads),
          TEST(scheduler_coalesces_only_one_file),
          TEST(scheduler_runs_have_an_end),
          TEST(scheduler_coalesces_nothing_that_breaks_a_deadline))
