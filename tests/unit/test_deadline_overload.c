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

    (void)choose_item(); /* computes the data for the following call */
    found = spn__deadline_find_overloaded(&scheduler);
    return found == scheduler.count ? UINT32_MAX : found;
}

/* Add four reads that end at the same byte. Together they take 100 ms, one by
 * one 250 ms. */
static void add_four(uint64_t offset, uint64_t deadline_us)
{
    for (uint32_t i = 0; i < 4; i++)
        add_item(offset + i * (MB / 4), MB - i * (MB / 4), DEADLINE_STREAM,
                 deadline_us);
}

/* Two such places take 305 ms, including the seek to the first byte. */
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
    /* Reads that cannot be coalesced are read one by one, in 605 ms. */
    start_bare(&plain);
    add_four(100 * MB, NOW_US + 604 * MS);
    add_four(200 * MB, NOW_US + 604 * MS);
    for (uint32_t i = 0; i < scheduler.count; i++)
        scheduler.items[i].file = UINT32_MAX - i;
    CHECK(overloaded() != UINT32_MAX);
}

/* A read of 10 MB, two reads within it, and a read of 10 MB whose second half
 * lies behind it. */
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

/* A read of a megabyte and three reads within it take 205 ms, 51 ms each. The
 * two small reads elsewhere take 125 ms, 63 ms each. */
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

/* Two other reads lie within the first one. A run that begins with it seeks to
 * another read, 103 ms for each read. Elsewhere two reads take 73 ms each. */
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
