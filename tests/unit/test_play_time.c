/* test_play_time.c
 *
 * Goal: times of plays find the frames around them, exactly, in loops with and
 *   without closing frame and without a loop, forwards and backwards.
 * Method: known times; random clips and times against double arithmetic.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/play_time.h"
#include "harness.h"

#include <math.h>

static struct play_time at(uint32_t frames, bool closes, bool loops,
                           int64_t time_us)
{
    const struct anim_clip_header h = {.frame_count = frames,
                                       .rate_numerator = 25,
                                       .rate_denominator = 1,
                                       .loop_closes = closes};

    return spn__play_time(&h, loops, time_us);
}

static void check(struct play_time t, uint32_t frame, uint32_t next,
                  double between, int64_t pass)
{
    CHECK_EQ_U(t.frame, frame);
    CHECK_EQ_U(t.next, next);
    CHECK_NEAR(t.between, between, 1e-6);
    CHECK_EQ(t.pass, pass);
}

static void clip_without_loop_ends(void)
{
    check(at(10, false, false, 0), 0, 1, 0, 0);
    check(at(10, false, false, 50000), 1, 2, 0.25, 0);
    check(at(10, false, false, 359999), 8, 9, 0.999975, 0);
    check(at(10, false, false, 360000), 9, 9, 0, 0);
    check(at(10, false, false, SPN_ANIM_TIME_MAX), 9, 9, 0, 0);
    check(at(10, false, false, -1), 0, 1, 0, 0);
    check(at(1, false, false, 7), 0, 0, 0, 0);
}

static void loop_goes_through_the_gap_unless_it_closes(void)
{
    check(at(10, false, true, 370000), 9, 0, 0.25, 0);
    check(at(10, false, true, 400000), 0, 1, 0, 1);
    check(at(10, false, true, -10000), 9, 0, 0.75, -1);
    check(at(10, false, true, -400000), 0, 1, 0, -1);
    check(at(10, true, true, 350000), 8, 9, 0.75, 0);
    check(at(10, true, true, 360000), 0, 1, 0, 1);
    check(at(10, true, true, -1), 8, 9, 0.999975, -1);
    check(at(1, false, true, 10000), 0, 0, 0.25, 0);
    check(at(1, true, true, -10000), 0, 0, 0.75, -1);
}

static void times_agree_with_exact_arithmetic(void)
{
    struct test_random random = {5};

    test_context("seed 5");
    for (int i = 0; i < 20000; i++) {
        const struct anim_clip_header h = {
            .frame_count = 1 + test_random_below(&random, i % 2 ? 40 : 1 << 20),
            .rate_numerator = 1 + test_random_below(&random, 100000),
            .rate_denominator =
                1 + test_random_below(&random, i % 3 ? 3 : 1000),
            .loop_closes = i % 4 == 1};
        const bool loops = i % 4 < 2;
        const uint64_t bits = test_random_u64(&random);
        const int64_t time_us = (int64_t)(bits >> 28) - (INT64_C(1) << 35);
        const struct play_time t = spn__play_time(&h, loops, time_us);
        const double rate = (double)h.rate_numerator / h.rate_denominator;
        const double period =
            h.loop_closes ? fmax(h.frame_count - 1, 1) : h.frame_count;
        double expected = (double)time_us * 1e-6 * rate;

        CHECK(t.between >= 0 && t.between < 1);
        CHECK(t.frame < h.frame_count && t.next < h.frame_count);
        if (!loops)
            expected = fmin(fmax(expected, 0), h.frame_count - 1);
        else
            CHECK_EQ(t.next, (t.frame + 1) % h.frame_count);
        CHECK_NEAR((double)t.pass * period + t.frame + t.between, expected,
                   1e-6 + fabs(expected) * 1e-12);
    }
}

static void extreme_clips_do_not_overflow(void)
{
    const struct anim_clip_header h = {.frame_count = 1u << 24,
                                       .rate_numerator = 1,
                                       .rate_denominator = 100000};
    const struct anim_clip_header fast = {.frame_count = 1u << 24,
                                          .rate_numerator = 100000,
                                          .rate_denominator = 1};

    check(spn__play_time(&h, true, SPN_ANIM_TIME_MAX), 703, 704, 0.68744177664,
          0);
    CHECK_EQ(spn__play_time(&fast, true, SPN_ANIM_TIME_MAX).pass, 419430);
    CHECK_EQ(spn__play_time(&fast, true, -SPN_ANIM_TIME_MAX).pass, -419431);
}

TEST_MAIN(TEST(clip_without_loop_ends),
          TEST(loop_goes_through_the_gap_unless_it_closes),
          TEST(times_agree_with_exact_arithmetic),
          TEST(extreme_clips_do_not_overflow))
