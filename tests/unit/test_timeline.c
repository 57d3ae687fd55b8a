/* test_timeline.c
 *
 * Goal: frames are all sample times of what moves, each once, in order.
 * Method: samplings made by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/math/timeline.h"

static const double zero[1] = {0};

static struct abc_time_sampling uniform(const double *start, double step)
{
    struct abc_time_sampling sampling = {ABC_UNIFORM, step, 1, start, -1};

    return sampling;
}

static void static_scene_has_one_frame(void)
{
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    CHECK(timeline_finish(&timeline, 3.5, 100));
    CHECK_EQ(timeline.count, 1);
    CHECK_NEAR(timeline.times[0], 3.5, 0);
    arena_free(&arena);
}

static void every_sample_is_a_frame(void)
{
    static const double start[1] = {1001 / 24.0};
    struct abc_time_sampling sampling = uniform(start, 1 / 24.0);
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &sampling, 5, NULL);
    timeline_add(&timeline, &sampling, 20, NULL);
    timeline_add(&timeline, &sampling, 7, NULL);
    CHECK(timeline_finish(&timeline, 0, 100));
    CHECK_EQ(timeline.count, 20);
    CHECK_NEAR(timeline.times[0], 1001 / 24.0, 0);
    CHECK_NEAR(timeline.times[19], 1020 / 24.0, 1e-9);
    arena_free(&arena);
}

static void samplings_are_united(void)
{
    struct abc_time_sampling film = uniform(zero, 1 / 24.0);
    struct abc_time_sampling video = uniform(zero, 1 / 30.0);
    static const double shutter[2] = {-0.005, 0.005};
    struct abc_time_sampling cyclic = {ABC_CYCLIC, 1 / 24.0, 2, shutter, -1};
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &film, 25, NULL);
    timeline_add(&timeline, &video, 31, NULL);
    timeline_add(&timeline, &cyclic, 50, NULL);
    CHECK(timeline_finish(&timeline, 0, 1000));
    /* 24 and 30 fps meet six times a second, and at the end. */
    CHECK_EQ(timeline.count, 25 + 31 - 7 + 50);
    for (uint32_t i = 1; i < timeline.count; i++)
        CHECK(timeline.times[i] - timeline.times[i - 1] >
              TIMELINE_SAME_SECONDS);
    arena_free(&arena);
}

static void near_equal_times_are_one(void)
{
    static const double times[6] = {0, 4e-6, 9e-6, 1.3e-5, 1, 1.0000101};
    struct abc_time_sampling sampling = {ABC_ACYCLIC, 0, 6, times, -1};
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &sampling, 6, NULL);
    CHECK(timeline_finish(&timeline, 0, 100));
    CHECK_EQ(timeline.count, 4);
    CHECK_NEAR(timeline.times[1], 1.3e-5, 0);
    arena_free(&arena);
}

/* Only where they are one and the same object's is a frame missing. */
static void samples_that_share_a_frame_are_counted(void)
{
    static const double times[6] = {0, 4e-6, 9e-6, 1.3e-5, 1, 1.000005};
    static const double shifted[3] = {5e-6, 0.5, 1.000002};
    struct abc_time_sampling a = {ABC_ACYCLIC, 0, 6, times, -1};
    struct abc_time_sampling b = {ABC_ACYCLIC, 0, 3, shifted, -1};
    struct abc_property near = {.name = "near"};
    struct abc_property far = {.name = "far"};
    const struct abc_property *property;
    struct timeline timeline;
    struct arena arena;
    uint32_t next = 0;
    uint32_t samples;
    uint32_t merged;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &b, 3, &far);
    timeline_add(&timeline, &a, 6, &near);
    CHECK(timeline_finish(&timeline, 0, 100));
    CHECK_EQ(timeline.count, 4);
    CHECK(timeline_next_merged(&timeline, &next, &property, &samples, &merged));
    CHECK(property == &near);
    CHECK_EQ(samples, 6);
    CHECK_EQ(merged, 3);
    CHECK(
        !timeline_next_merged(&timeline, &next, &property, &samples, &merged));
    arena_free(&arena);
}

static void too_many_frames_are_refused(void)
{
    static const double later[1] = {0.5};
    struct abc_time_sampling a = uniform(zero, 1);
    struct abc_time_sampling b = uniform(later, 1);
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &a, 100, NULL);
    CHECK(timeline_finish(&timeline, 0, 100));
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &a, 101, NULL);
    CHECK(!timeline_finish(&timeline, 0, 100));
    CHECK(timeline.is_counted);
    CHECK_EQ(timeline.count, 101);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &a, 60, NULL);
    timeline_add(&timeline, &b, 60, NULL);
    CHECK(!timeline_finish(&timeline, 0, 100));
    CHECK(timeline.is_counted);
    CHECK_EQ(timeline.count, 120);
    /* Without asking for memory for them all. */
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &a, UINT32_MAX, NULL);
    CHECK(!timeline_finish(&timeline, 0, 100));
    CHECK(arena.bytes < 100000);
    CHECK(!timeline.is_counted);
    CHECK_EQ_U(timeline.count, UINT32_MAX);
    arena_free(&arena);
}

/* For messages. */
static void objects_with_most_samples_and_last_time_are_reported(void)
{
    static const double early[1] = {-50};
    struct abc_time_sampling a = uniform(zero, 1);
    struct abc_time_sampling b = uniform(early, 1);
    struct abc_property few = {.name = "few"};
    struct abc_property many = {.name = "many"};
    struct abc_property far = {.name = "far"};
    struct timeline timeline;
    struct arena arena;
    uint32_t sample;
    double time;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    CHECK(timeline_busiest(&timeline, &sample) == NULL);
    sample = 7;
    time = 7;
    CHECK(timeline_farthest(&timeline, &sample, &time) == NULL);
    CHECK_EQ_U(sample, 0);
    CHECK(time == 0);
    timeline_add(&timeline, &a, 10, &few);
    timeline_add(&timeline, &a, 40, &many);
    timeline_add(&timeline, &a, 20, &few);
    timeline_add(&timeline, &b, 30, &far);
    CHECK(timeline_busiest(&timeline, &sample) == &many);
    CHECK_EQ(sample, 40);
    CHECK(timeline_farthest(&timeline, &sample, &time) == &far);
    CHECK_EQ(sample, 0);
    CHECK_NEAR(time, -50, 0);
    timeline_add(&timeline, &a, 60, &many);
    CHECK(timeline_farthest(&timeline, &sample, &time) == &many);
    CHECK_EQ(sample, 59);
    CHECK_NEAR(time, 59, 0);
    arena_free(&arena);
}

static void acyclic_samples_beyond_the_times_add_nothing(void)
{
    static const double times[3] = {0, 1, 2};
    struct abc_time_sampling sampling = {ABC_ACYCLIC, 0, 3, times, -1};
    struct timeline timeline;
    struct arena arena;

    arena_init(&arena);
    timeline_begin(&timeline, &arena);
    timeline_add(&timeline, &sampling, UINT32_MAX, NULL);
    CHECK(timeline_finish(&timeline, 0, 10));
    CHECK_EQ(timeline.count, 3);
    arena_free(&arena);
}

TEST_MAIN(TEST(static_scene_has_one_frame), TEST(every_sample_is_a_frame),
          TEST(samplings_are_united), TEST(near_equal_times_are_one),
          TEST(samples_that_share_a_frame_are_counted),
          TEST(too_many_frames_are_refused),
          TEST(objects_with_most_samples_and_last_time_are_reported),
          TEST(acyclic_samples_beyond_the_times_add_nothing))
