/* test_pace.c
 *
 * Goal: the pace of a medium is derived from its pieces, and stays valid for
 * any piece.
 * Method: pieces of discs with known rates and seek times; extreme values.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "observe/decode_pace.h"
#include "observe/pace.h"

/* 20 MB/s, 100 ms: the pieces of a read of 1 MiB in four parts. */
static void add_read(struct pace *pace, uint64_t seek_us)
{
    for (uint32_t i = 0; i < 4; i++)
        spn__pace_add(pace, 262144, 13107 + (i ? 0 : seek_us), i > 0);
}

static void pace_is_estimated_from_consecutive_reads(void)
{
    struct pace pace = {0};

    CHECK_EQ_U(spn__pace_read_us(&pace, 1000000), 0);
    CHECK_EQ(spn__pace_read_bytes(&pace, UINT32_MAX), 0);
    add_read(&pace, 100000);
    CHECK_EQ(pace.us_per_mib, 52428);
    /* The first piece was not known to be a pure transfer. */
    CHECK_EQ(pace.seek_us, 113107);
    for (uint32_t i = 0; i < 40; i++)
        add_read(&pace, 100000);
    CHECK_NEAR(pace.seek_us, 100000, 100);
    CHECK_NEAR((double)spn__pace_read_us(&pace, 1048576), 152428, 100);
    /* 200 ms at 20 MB/s. */
    CHECK_NEAR(spn__pace_read_bytes(&pace, UINT32_MAX), 4000000, 4000);
    CHECK_EQ(spn__pace_read_bytes(&pace, 1048576), 1048576);
}

static void pace_follows_a_change(void)
{
    struct pace pace = {0};

    for (uint32_t i = 0; i < 4; i++)
        add_read(&pace, 100000);
    for (uint32_t i = 0; i < 40; i++)
        add_read(&pace, 10000);
    CHECK_NEAR(pace.seek_us, 10000, 600);
}

static void pace_counts_short_pieces_as_seek_time(void)
{
    struct pace pace = {0};

    spn__pace_add(&pace, 4096, 9000, true);
    CHECK(!pace.is_known);
    spn__pace_add(&pace, 4096, 9000, false);
    CHECK(pace.is_known);
    CHECK_EQ(pace.us_per_mib, 0);
    /* Then all of it counts as seek time. */
    CHECK_EQ_U(spn__pace_read_us(&pace, 100000), 9000);
    CHECK_EQ(spn__pace_read_bytes(&pace, UINT32_MAX), 0);
}

static void pace_stays_valid_for_extreme_pieces(void)
{
    static const uint64_t values[] = {
        0, 1, 65535, 65536, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
    enum { COUNT = sizeof values / sizeof values[0] };

    for (uint32_t b = 0; b < COUNT; b++)
        for (uint32_t t = 0; t < COUNT; t++) {
            struct pace pace = {0};

            test_context("%llu bytes in %llu us", (unsigned long long)values[b],
                         (unsigned long long)values[t]);
            for (uint32_t i = 0; i < 4; i++)
                spn__pace_add(&pace, values[b], values[t], i % 2 == 0);
            CHECK(pace.us_per_mib <= 60000000);
            CHECK(pace.seek_us <= 60000000);
            CHECK(spn__pace_read_bytes(&pace, 1000) <= 1000);
            CHECK(spn__pace_read_us(&pace, UINT64_MAX) < (uint64_t)1 << 40);
        }
}

/* Without frames left, only a measurement above what is known counts: also if
 * its load in 1/256 exceeds 32 bits. */
static void a_large_load_is_measured(void)
{
    struct decode_pace pace = {0};
    uint64_t before;

    for (int i = 0; i < 8; i++) {
        spn__decode_pace_launch(&pace, 1u << 23);
        spn__decode_pace_begin(&pace);
        spn__decode_pace_end(&pace, 1u << 23);
        spn__decode_pace_update(&pace, 1000000);
    }
    before = spn__decode_pace_capacity(&pace);
    CHECK(before > 0);
    spn__decode_pace_launch(&pace, 1u << 24);
    spn__decode_pace_begin(&pace);
    spn__decode_pace_end(&pace, 1u << 24);
    spn__decode_pace_update(&pace, 1000000);
    CHECK(spn__decode_pace_capacity(&pace) > before);
}

TEST_MAIN(TEST(pace_is_estimated_from_consecutive_reads),
          TEST(pace_follows_a_change),
          TEST(pace_counts_short_pieces_as_seek_time),
          TEST(pace_stays_valid_for_extreme_pieces),
          TEST(a_large_load_is_measured))
