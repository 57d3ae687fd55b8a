/* test_meter.c
 *
 * Goal: sums and the values of the last second are exact for any times.
 * Histograms put each number into its bucket, and quantiles are computed from
 * the buckets.
 * Method: random events kept in a list and summed directly; edges of slots,
 * laps and buckets.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "observe/latency.h"
#include "observe/meter.h"

#include <string.h>

#define WIDTH 3u
#define EVENTS 400u
#define SECOND_US 1000000u

static uint64_t words[METER_WORDS(WIDTH)];

struct event {
    uint64_t start_us;
    uint64_t end_us; /* end of a span; for other events the same */
    uint64_t add[WIDTH];
};
static struct event events[EVENTS];
static uint32_t event_count;

static uint64_t overlap(const struct event *e, uint64_t from, uint64_t to)
{
    uint64_t start = e->start_us > from ? e->start_us : from;
    uint64_t end = e->end_us < to ? e->end_us : to;

    return end > start ? end - start : 0;
}

/* Compare with the list. Counter 0 belongs to the spans. */
static void check_second(uint64_t now_us)
{
    uint64_t to = now_us / METER_SLOT_US * METER_SLOT_US;
    uint64_t from = to > SECOND_US ? to - SECOND_US : 0;
    uint64_t expected[WIDTH] = {0};
    uint64_t found[WIDTH];

    for (uint32_t i = 0; i < event_count; i++) {
        const struct event *e = &events[i];

        expected[0] += overlap(e, from, to);
        for (uint32_t k = 1; k < WIDTH; k++)
            if (e->start_us == e->end_us && e->start_us >= from &&
                e->start_us < to)
                expected[k] += e->add[k];
    }
    spn__meter_second(words, WIDTH, now_us, found);
    for (uint32_t k = 0; k < WIDTH; k++)
        CHECK_EQ_U(found[k], expected[k]);
}

static void meter_sums_what_was_added(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct test_random random = {seed};
        uint64_t now_us = seed * 777777;
        uint64_t sum[WIDTH] = {0};
        uint32_t stride = 1u << (seed % 20 + 4);

        memset(words, 0, sizeof words);
        event_count = 0;
        for (uint32_t i = 0; i < EVENTS; i++) {
            struct event *e = &events[event_count++];
            uint64_t add[WIDTH] = {0};

            test_context("seed %u, event %u", seed, i);
            memset(e, 0, sizeof *e);
            e->start_us = now_us;
            now_us += test_random_below(&random, stride);
            if (test_random_below(&random, 8) == 0)
                now_us += test_random_below(&random, 3 * SECOND_US);
            if (test_random_below(&random, 2)) {
                e->end_us = now_us;
                spn__meter_add_span(words, WIDTH, 0, e->start_us, now_us);
                sum[0] += now_us - e->start_us;
            } else {
                e->start_us = e->end_us = now_us;
                for (uint32_t k = 1; k < WIDTH; k++) {
                    e->add[k] = add[k] = test_random_below(&random, 100);
                    sum[k] += add[k];
                }
                spn__meter_add(words, WIDTH, now_us, add);
            }
            check_second(now_us);
            check_second(now_us + test_random_below(&random, 2 * SECOND_US));
        }
        for (uint32_t k = 0; k < WIDTH; k++)
            CHECK_EQ_U(words[k], sum[k]);
    }
}

static void meter_drops_values_after_a_second(void)
{
    uint64_t add[WIDTH] = {1, 2, 3};
    uint64_t found[WIDTH];

    memset(words, 0, sizeof words);
    spn__meter_add(words, WIDTH, 0, add);
    spn__meter_second(words, WIDTH, METER_SLOT_US - 1, found);
    CHECK_EQ_U(found[2], 0); /* not complete yet */
    spn__meter_second(words, WIDTH, METER_SLOT_US, found);
    CHECK_EQ_U(found[2], 3);
    spn__meter_second(words, WIDTH, METER_SLOT_US + SECOND_US - 1, found);
    CHECK_EQ_U(found[2], 3);
    spn__meter_second(words, WIDTH, METER_SLOT_US + SECOND_US, found);
    CHECK_EQ_U(found[2], 0);
    CHECK_EQ_U(words[2], 3);
}

/* An event earlier than the last one counts for the sum and changes nothing
 * else. */
static void meter_accepts_a_clock_that_runs_back(void)
{
    uint64_t add[WIDTH] = {1, 1, 1};
    uint64_t found[WIDTH];
    uint64_t late_us = 100ull * SECOND_US;

    memset(words, 0, sizeof words);
    spn__meter_add(words, WIDTH, late_us, add);
    spn__meter_add(words, WIDTH, late_us - METER_SLOTS * METER_SLOT_US, add);
    spn__meter_add_span(words, WIDTH, 0, 5, 3);
    spn__meter_add_span(words, WIDTH, 0, UINT64_MAX, UINT64_MAX);
    CHECK_EQ_U(words[0], 2);
    spn__meter_second(words, WIDTH, late_us + METER_SLOT_US, found);
    CHECK_EQ_U(found[0], 1);
    /* The longest span: only its end is in the last second. */
    spn__meter_add_span(words, WIDTH, 0, 0, late_us + SECOND_US);
    spn__meter_second(words, WIDTH, late_us + SECOND_US, found);
    CHECK_EQ_U(found[0], SECOND_US + 1);
}

static void meter_counts_the_part_of_a_span_in_the_last_second(void)
{
    CHECK_EQ_U(spn__meter_span_in_second(0, 62499, 62499), 0);
    CHECK_EQ_U(spn__meter_span_in_second(0, 62500, 62500), 62500);
    CHECK_EQ_U(spn__meter_span_in_second(100, 2000000, 2000000), 1000000);
    CHECK_EQ_U(spn__meter_span_in_second(1500000, 2010000, 2010000), 500000);
    CHECK_EQ_U(spn__meter_span_in_second(10, 5, 2010000), 0);
}

/* -- latencies -- */

static void latency_buckets_double(void)
{
    spn_latency latency;

    for (uint32_t bit = 0; bit < 64; bit++) {
        uint64_t low = (uint64_t)1 << bit;
        uint32_t bucket = bit < 30 ? bit + 1 : 31;
        spn_latency computed;

        test_context("bit %u", bit);
        memset(&latency, 0, sizeof latency);
        spn__latency_add(&latency, low);
        CHECK_EQ(latency.buckets[bucket], 1);
        spn__latency_add(&latency, low - 1);
        CHECK_EQ(latency.buckets[bit < 31 ? bucket - 1 : 31], bit < 31 ? 1 : 2);
        CHECK_EQ_U(latency.max_us, low);
        CHECK_EQ_U(latency.count, 2);
        computed = spn__latency_of(&latency);
        CHECK_EQ_U(computed.mean_us, (low + (low - 1)) / 2);
    }
}

static void latency_counts_saturate(void)
{
    spn_latency latency = {0};

    latency.buckets[7] = UINT32_MAX - 1; /* 64..127 */
    for (uint32_t i = 0; i < 3; i++)
        spn__latency_add(&latency, 100);
    CHECK_EQ_U(latency.buckets[7], UINT32_MAX);
    CHECK_EQ_U(latency.count, 3);
}

static void latency_quantiles_are_ends_of_buckets(void)
{
    spn_latency latency = {0};

    CHECK_EQ_U(spn_latency_quantile(NULL, 500), 0);
    CHECK_EQ_U(spn_latency_quantile(&latency, 500), 0);
    for (uint32_t i = 0; i < 90; i++)
        spn__latency_add(&latency, 100); /* 64..127 */
    for (uint32_t i = 0; i < 9; i++)
        spn__latency_add(&latency, 5000); /* 4096..8191 */
    spn__latency_add(&latency, 1000000);
    CHECK_EQ_U(spn_latency_quantile(&latency, 0), 127);
    CHECK_EQ_U(spn_latency_quantile(&latency, 500), 127);
    CHECK_EQ_U(spn_latency_quantile(&latency, 900), 127);
    CHECK_EQ_U(spn_latency_quantile(&latency, 901), 8191);
    CHECK_EQ_U(spn_latency_quantile(&latency, 990), 8191);
    CHECK_EQ_U(spn_latency_quantile(&latency, 991), 1000000);
    CHECK_EQ_U(spn_latency_quantile(&latency, 1000), 1000000);
    CHECK_EQ_U(spn_latency_quantile(&latency, 1001), 0);
    memset(&latency, 0, sizeof latency);
    spn__latency_add(&latency, 0);
    CHECK_EQ_U(spn_latency_quantile(&latency, 500), 0);
    spn__latency_add(&latency, UINT64_MAX);
    CHECK_EQ_U(spn_latency_quantile(&latency, 1000), UINT64_MAX);
}

TEST_MAIN(TEST(meter_sums_what_was_added),
          TEST(meter_drops_values_after_a_second),
          TEST(meter_accepts_a_clock_that_runs_back),
          TEST(meter_counts_the_part_of_a_span_in_the_last_second),
          TEST(latency_buckets_double), TEST(latency_counts_saturate),
          TEST(latency_quantiles_are_ends_of_buckets))
