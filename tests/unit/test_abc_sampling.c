/* test_abc_sampling.c
 *
 * Goal: every time selects the right sample, for every type of time sampling.
 * Method: samplings of each type are evaluated at, between, before and after
 *   their samples, and compared with a search through all samples.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_world.h"

#include "abc/sampling.h"

#include <float.h>
#include <math.h>

static const double start[] = {1.0};
static const double shutter[] = {-0.01, 0.0, 0.01};
static const double odd[] = {-0.5, -0.1, -0.1, 0.3, 2.0};

static const struct abc_time_sampling uniform = {.type = ABC_UNIFORM,
                                                 .time_per_cycle = 1.0 / 24,
                                                 .time_count = 1,
                                                 .times = start};
static const struct abc_time_sampling cyclic = {.type = ABC_CYCLIC,
                                                .time_per_cycle = 1.0 / 24,
                                                .time_count = 3,
                                                .times = shutter};
static const struct abc_time_sampling acyclic = {
    .type = ABC_ACYCLIC, .time_count = 5, .times = odd};

static const struct abc_time_sampling *const all[] = {&uniform, &cyclic,
                                                      &acyclic};

static void times_follow_their_formula(void)
{
    CHECK_NEAR(abc_sample_time(&uniform, 0), 1.0, 0.0);
    CHECK_NEAR(abc_sample_time(&uniform, 24), 2.0, 1e-15);
    CHECK_NEAR(abc_sample_time(&cyclic, 1), 0.0, 0.0);
    CHECK_NEAR(abc_sample_time(&cyclic, 5), 1.0 / 24 + 0.01, 1e-15);
    CHECK_NEAR(abc_sample_time(&acyclic, 3), 0.3, 0.0);
    CHECK_NEAR(abc_sample_time(&acyclic, 4), 2.0, 0.0);
    CHECK_NEAR(abc_sample_time(&acyclic, UINT32_MAX), 2.0, 0.0);
    CHECK(isfinite(abc_sample_time(&uniform, UINT32_MAX)));
}

static void every_sample_is_found_at_its_time(void)
{
    for (size_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < 5; i++) {
            double time = abc_sample_time(all[k], i);
            double found;
            struct abc_bracket bracket = abc_bracket_at(all[k], 5, time);

            test_context("sampling %zu, sample %u", k, i);
            found = abc_sample_time(all[k], bracket.floor);
            CHECK_NEAR(found, time, 0.0);
            CHECK_EQ(bracket.floor, bracket.ceil);
            CHECK_NEAR(bracket.alpha, 0.0, 0.0);
            CHECK_EQ(world_near_index(all[k], 5, time), bracket.floor);
        }
}

static void close_times_are_the_same_time(void)
{
    struct abc_bracket bracket =
        abc_bracket_at(&uniform, 9, 1.0 + 2.0 / 24 - 9e-6);

    CHECK_EQ(bracket.floor, 2);
    CHECK_EQ(bracket.ceil, 2);
    bracket = abc_bracket_at(&uniform, 9, 1.0 + 2.0 / 24 + 9e-6);
    CHECK_EQ(bracket.floor, 2);
    CHECK_EQ(bracket.ceil, 2);
    bracket = abc_bracket_at(&uniform, 9, 1.0 + 2.0 / 24 - 2e-5);
    CHECK_EQ(bracket.floor, 1);
    CHECK_EQ(bracket.ceil, 2);
    CHECK(bracket.alpha > 0.999 && bracket.alpha < 1.0);
}

static void times_outside_clamp(void)
{
    const double before[] = {-1e300, -5.0, -INFINITY};
    const double after[] = {1e300, 1e5, INFINITY};

    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            CHECK_EQ(abc_bracket_at(all[k], 5, before[i]).ceil, 0);
            CHECK_EQ(world_near_index(all[k], 5, before[i]), 0);
            CHECK_EQ(abc_bracket_at(all[k], 5, after[i]).floor, 4);
            CHECK_EQ(world_near_index(all[k], 5, after[i]), 4);
        }
}

static void unusual_times_find_samples(void)
{
    for (size_t k = 0; k < 3; k++) {
        CHECK_EQ(world_near_index(all[k], 0, 1.0), 0);
        CHECK_EQ(world_near_index(all[k], 1, 1e9), 0);
        CHECK(abc_bracket_at(all[k], 5, (double)NAN).ceil < 5);
        CHECK(world_near_index(all[k], UINT32_MAX, 7.0) < UINT32_MAX);
    }
}

/* The times with the greatest distance, and times so large that rounding
 * decides. */
static void alpha_stays_below_one_for_all_numbers(void)
{
    static const double far[][2] = {{-DBL_MAX, DBL_MAX}, {-1e17, 1.0}};
    static const double query_times[] = {0.9 * DBL_MAX, 0.5};

    for (size_t i = 0; i < 2; i++) {
        const struct abc_time_sampling sampling = {
            .type = ABC_ACYCLIC, .time_count = 2, .times = far[i]};
        struct abc_bracket bracket =
            abc_bracket_at(&sampling, 2, query_times[i]);

        test_context("case %zu", i);
        CHECK_EQ(bracket.floor, 0);
        CHECK_EQ(bracket.ceil, 1);
        CHECK(bracket.alpha > 0.9 && bracket.alpha < 1.0);
    }
}

static void tie_takes_the_lower_index(void)
{
    static const double times[] = {0.0, 1.0, 3.0};
    const struct abc_time_sampling sampling = {
        .type = ABC_ACYCLIC, .time_count = 3, .times = times};

    CHECK_EQ(world_near_index(&sampling, 3, 0.5), 0);
    CHECK_EQ(world_near_index(&sampling, 3, 0.5000001), 1);
    CHECK_EQ(world_near_index(&sampling, 3, 2.0), 1);
    CHECK_EQ(world_near_index(&sampling, 3, 2.1), 2);
}

static void random_times_agree_with_a_search(void)
{
    enum { SAMPLES = 40 };
    struct test_random random = {5};

    test_context("seed 5");
    for (int round = 0; round < 20000; round++) {
        const struct abc_time_sampling *sampling = all[round % 3];
        double time = test_random_below(&random, 4000) / 1000.0 - 1.0;
        struct abc_bracket bracket = abc_bracket_at(sampling, SAMPLES, time);
        double nearest = INFINITY;
        uint32_t near = world_near_index(sampling, SAMPLES, time);

        for (uint32_t i = 0; i < SAMPLES; i++)
            nearest = fmin(nearest, fabs(abc_sample_time(sampling, i) - time));
        CHECK_NEAR(fabs(abc_sample_time(sampling, near) - time), nearest, 1e-5);
        CHECK(near == bracket.floor || near == bracket.ceil);
        CHECK(bracket.alpha >= 0.0 && bracket.alpha < 1.0);
        if (bracket.ceil != bracket.floor) {
            double low = abc_sample_time(sampling, bracket.floor);
            double high = abc_sample_time(sampling, bracket.ceil);

            CHECK_EQ(bracket.ceil, bracket.floor + 1);
            CHECK(low < time && time < high);
            CHECK_NEAR(low + bracket.alpha * (high - low), time, 1e-12);
        }
    }
}

TEST_MAIN(TEST(times_follow_their_formula),
          TEST(every_sample_is_found_at_its_time),
          TEST(close_times_are_the_same_time), TEST(times_outside_clamp),
          TEST(unusual_times_find_samples), TEST(tie_takes_the_lower_index),
          TEST(alpha_stays_below_one_for_all_numbers),
          TEST(random_times_agree_with_a_search))
