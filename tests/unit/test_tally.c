/* test_tally.c
 *
 * Goal: counts, percentiles and sums are exact, also of several runs.
 * Method: waits of known distribution; two tallies that are added.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/tally.h"
#include "support/tally_add.h"

static struct tally tally;

static void tally_counts_late_reads(void)
{
    tally_init(&tally);
    CHECK_EQ_U(tally_late_ppm(&tally), 0);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_CLIP, 990), 0);
    tally_end(&tally, DEADLINE_CLIP, 100, 1000, 2000, 2000);
    tally_end(&tally, DEADLINE_CLIP, 100, 1000, 2000, 2001);
    tally_end(&tally, DEADLINE_SOUND, 50, 1000, 900, 500);
    tally_waits(&tally, DEADLINE_BULK, 1000, 5000, 5000);
    CHECK_EQ_U(tally_sum(&tally).count, 3);
    CHECK_EQ_U(tally.classes[DEADLINE_BULK].longest_us, 4000);
    tally_waits(&tally, DEADLINE_BULK, 1000, 5000, 5001);
    CHECK_EQ_U(tally_sum(&tally).count, 4);
    CHECK_EQ_U(tally_sum(&tally).late, 2);
    CHECK_EQ_U(tally_late_ppm(&tally), 500000);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].late, 1);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].bytes, 200);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].sum_us, 2001);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].longest_us, 1001);
    /* An end before its arrival counts as no wait. */
    CHECK_EQ_U(tally.classes[DEADLINE_SOUND].longest_us, 0);
    CHECK_EQ_U(tally.classes[DEADLINE_BULK].longest_us, 4001);
    CHECK_EQ_U(tally.classes[DEADLINE_BULK].bytes, 0);
    tally_free(&tally);
}

/* A failed read does not count among the waits of completed ones. */
static void tally_counts_failed_reads_with_a_deadline_as_late(void)
{
    struct tally sum;

    tally_init(&tally);
    tally_init(&sum);
    tally_end(&tally, DEADLINE_CLIP, 100, 1000, 2000, 1500);
    tally_miss(&tally, DEADLINE_CLIP, 1000, 2000, 1400);
    tally_miss(&tally, DEADLINE_CLIP, 1000, 9000000, 4000);
    tally_miss(&tally, DEADLINE_CLIP, 1000, UINT64_MAX, 2000);
    CHECK_EQ_U(tally_sum(&tally).count, 4);
    CHECK_EQ_U(tally_class_count(&tally.classes[DEADLINE_CLIP]), 4);
    CHECK_EQ_U(tally_late_ppm(&tally), 500000);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_CLIP, 1000), 500);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].sum_us, 500);
    /* Until it failed. */
    CHECK_EQ_U(tally_sum(&tally).longest_us, 3000);
    tally_add(&sum, &tally);
    CHECK_EQ_U(tally_sum(&sum).count, 4);
    CHECK_EQ_U(tally_sum(&sum).late, 2);
    tally_free(&sum);
    tally_free(&tally);
}

/* A read without a deadline is never late and not counted as such, but it
 * waits. */
static void tally_includes_unfinished_reads_in_the_longest_wait(void)
{
    struct tally sum;

    tally_init(&tally);
    tally_init(&sum);
    tally_end(&tally, DEADLINE_STREAM, 100, 0, UINT64_MAX, 700);
    tally_waits(&tally, DEADLINE_BULK, 1000, UINT64_MAX, 90000);
    tally_waits(&tally, DEADLINE_BULK, 2000, UINT64_MAX, 90000);
    CHECK_EQ_U(tally_sum(&tally).count, 1);
    CHECK_EQ_U(tally_sum(&tally).late, 0);
    CHECK_EQ_U(tally.classes[DEADLINE_BULK].waiting, 2);
    CHECK_EQ_U(tally_sum(&tally).waiting, 2);
    CHECK_EQ_U(tally_sum(&tally).longest_us, 89000);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_BULK, 1000), 0);
    tally_add(&sum, &tally);
    tally_add(&sum, &tally);
    CHECK_EQ_U(tally_sum(&sum).waiting, 4);
    CHECK_EQ_U(tally_sum(&sum).longest_us, 89000);
    tally_free(&sum);
    tally_free(&tally);
}

static void tally_percentiles_are_exact(void)
{
    tally_init(&tally);
    for (uint32_t i = 0; i < 5000; i++)
        tally_end(&tally, DEADLINE_STREAM, 1, 0, UINT64_MAX, i * 7 % 5000);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_STREAM, 0), 0);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_STREAM, 500), 2500);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_STREAM, 950), 4750);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_STREAM, 990), 4950);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_STREAM, 1000), 4999);
    tally_free(&tally);
}

static void tally_adds_runs(void)
{
    struct tally more;

    tally_init(&tally);
    tally_init(&more);
    for (uint32_t i = 0; i < 1500; i++) {
        tally_end(&tally, DEADLINE_CLIP, 2, 0, 10, i);
        tally_end(&more, DEADLINE_CLIP, 3, 0, 10, 1500 + i);
    }
    tally_add(&tally, &more);
    CHECK_EQ_U(tally_sum(&tally).count, 3000);
    CHECK_EQ_U(tally_sum(&tally).late, 3000 - 11);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].bytes, 7500);
    CHECK_EQ_U(tally_wait_us(&tally, DEADLINE_CLIP, 500), 1500);
    CHECK_EQ_U(tally.classes[DEADLINE_CLIP].longest_us, 2999);
    tally_free(&more);
    tally_free(&tally);
}

TEST_MAIN(TEST(tally_counts_late_reads),
          TEST(tally_counts_failed_reads_with_a_deadline_as_late),
          TEST(tally_includes_unfinished_reads_in_the_longest_wait),
          TEST(tally_percentiles_are_exact), TEST(tally_adds_runs))
