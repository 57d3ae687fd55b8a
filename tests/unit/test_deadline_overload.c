/* test_deadline_overload.c
 *
 * Goal: overload is detected from the total time of the reads, and bytes that
 *   several reads share count once. The same holds for the first run.
 * Method: a drive on which each seek takes 105 ms and each megabyte 100 ms,
 *   and reads that share bytes, such as those of players of one clip.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/deadline_overload.h"
#include "support/deadline_fixture.h"

/* UINT32_MAX: not overloaded. */
static uint32_t overloaded(void)
{
    uint32_t found;

    (void)choose_item(); /* works out what the question needs */
    found = spn__deadline_find_overloaded(&scheduler);
    return found == scheduler.count ? UINT32_MAX : found;
}

/* Four reads that end at the same byte: 100 ms at once, 250 one by one. */
static void add_four(uint64_t offset, uint64_t deadline_us)
{
    for (uint32_t i = 0; i < 4; i++)
        add_item(offset + i * (MB / 4), MB - i * (MB / 4), DEADLINE_STREAM,
                 deadline_us);
}

/* Two such places take 305 ms, from the first byte on. */
static void overload_counts_shared_bytes_once(void)
{
    start_bare(&plain);
    add_four(100 * MB, NOW_US + 306 * MS);
    add_four(200 * MB, NOW_US + 306 * MS);
    CHECK_EQ(overloaded(), UINT32_MAX);
    start_bare(&plain);
    add_four(100 * MB, NOW_US + 304 * MS);
    add_four(200 * MB, NOW_US + 304 * MS);
    CHECK_EQ(overloaded(), 0);
    /* Reads that are never joined are read one by one: 605 ms. */
    start_bare(&plain);
    add_four(100 * MB, NOW_US + 604 * MS);
    add_four(200 * MB, NOW_US + 604 * MS);
    for (uint32_t i = 0; i < scheduler.count; i++)
        scheduler.items[i].file = UINT32_MAX - i;
    CHECK(overloaded() != UINT32_MAX);
}

/* 10 MB, two within them, and of 10 MB more the half behind their end. */
static void overload_counts_the_rest_of_a_shared_range(void)
{
    start_bare(&plain);
    add_item(100 * MB, 10 * MB, DEADLINE_STREAM, NOW_US + 2006 * MS);
    add_item(101 * MB, MB, DEADLINE_STREAM, NOW_US + 2006 * MS);
    add_item(103 * MB, MB, DEADLINE_STREAM, NOW_US + 2006 * MS);
    add_item(105 * MB, 10 * MB, DEADLINE_STREAM, NOW_US + 2006 * MS);
    add_item(200 * MB, 4 * MB, DEADLINE_STREAM, NOW_US + 2006 * MS);
    CHECK_EQ(overloaded(), UINT32_MAX);
    for (uint32_t i = 0; i < scheduler.count; i++)
        scheduler.items[i].deadline_us -= 2 * MS;
    CHECK(overloaded() != UINT32_MAX);
}

/* A megabyte, and three others within it, take 205 ms, 51 each; the two small
 * ones elsewhere take 125, 63 each. */
static void overload_begins_where_most_is_shared(void)
{
    start_bare(&plain);
    add_item(300 * MB, MB / 10, DEADLINE_STREAM, NOW_US + 330 * MS);
    add_item(300 * MB + MB / 10, MB / 10, DEADLINE_STREAM, NOW_US + 330 * MS);
    add_item(400 * MB, MB / 100, DEADLINE_STREAM, NOW_US + 330 * MS);
    add_item(500 * MB, MB, DEADLINE_STREAM, NOW_US + 330 * MS);
    for (uint32_t i = 1; i < 4; i++)
        add_item(500 * MB + i * (MB / 4), MB / 10, DEADLINE_STREAM,
                 NOW_US + 330 * MS);
    CHECK_EQ(overloaded(), 3);
}

/* Within the first read two others lie: a run that begins with the one seeks to
 * the other, 103 ms each; elsewhere there are two for 73 each. */
static void overload_counts_no_bytes_of_a_read_that_is_left_out(void)
{
    start_bare(&plain);
    spn__forecast_place(&forecast, 101 * MB, &head);
    add_item(100 * MB, 10 * MB, DEADLINE_STREAM, NOW_US + 1120 * MS);
    add_item(101 * MB, MB, DEADLINE_STREAM, NOW_US + 1120 * MS);
    add_item(102 * MB + MB / 5, MB / 100, DEADLINE_STREAM, NOW_US + 1120 * MS);
    add_item(300 * MB, MB / 5, DEADLINE_STREAM, NOW_US + 1120 * MS);
    add_item(300 * MB + MB / 5, MB / 5, DEADLINE_STREAM, NOW_US + 1120 * MS);
    CHECK_EQ(overloaded(), 3);
}

TEST_MAIN(TEST(overload_counts_shared_bytes_once),
          TEST(overload_counts_the_rest_of_a_shared_range),
          TEST(overload_begins_where_most_is_shared),
          TEST(overload_counts_no_bytes_of_a_read_that_is_left_out))
