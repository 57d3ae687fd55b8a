/* Goal: in whatever order jobs run, frames decode to the same values, each
 * tile once, after all that it refers to.
 * Method: an engine's job system of the test's own: it holds the jobs that it
 * was told of back and runs any number of them whenever a seeded generator
 * says so, with several workers, in a table of jobs that is far too small. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "geom/node.h"
#include "runtime.h"

static struct stage stage;
static uint32_t submits;

static void on_submit(void *user)
{
    (void)user;
    submits++;
}

static void run_some(struct test_random *random)
{
    uint32_t count = test_random_below(random, 9);

    for (uint32_t i = 0; i < count; i++)
        (void)spn_job_step(stage.rt, test_random_below(random, 3));
}

static void tick(struct test_random *random)
{
    stage.disc.clock_us += 5000;
    spn_update(stage.rt);
    CHECK(spn_check(stage.rt));
    run_some(random);
}

static void counters_are_one_three_and_two(void)
{
    struct tiny_options o = {.frame_count = 31, .mesh_count = 2};
    const struct node *n;
    uint32_t seen = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.job_submit = on_submit;
    stage.config.worker_count = 3;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING) {
        stage_tick(&stage, STAGE_TICK_US);
        while (spn_job_step(stage.rt, 0))
            ;
    }
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    /* No job runs: the counters stay as they were set. */
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    n = spn__manager_node(&stage.rt->manager, node);
    for (uint32_t f = 0; f <= 10; f++) {
        const struct stream_frame *frame = spn__stream_frame(&n->stream, f);

        test_context("frame %u", f);
        CHECK(frame != NULL);
        CHECK_EQ(frame->state, FRAME_RUNNING);
        for (uint32_t t = 0; t < 2; t++) {
            CHECK_EQ(frame->control->tiles[t].counter.value, f % 10 == 0 ? 1
                                                             : f == 1    ? 3
                                                                         : 2);
            seen++;
        }
    }
    CHECK_EQ(seen, 22);
    CHECK(submits > 0);
    while (spn_job_step(stage.rt, 1))
        ;
    stage_until_ready(&stage, node);
    stage_close(&stage);
}

static void play_shuffled(uint64_t seed, uint32_t job_count)
{
    struct tiny_options o = {.frame_count = 51,
                             .mesh_count = 3,
                             .vertices = 60,
                             .distance = 7,
                             .has_uvs = true,
                             .hidden_first = 3,
                             .hidden_limit = 4};
    struct test_random random = {seed};
    spn_node nodes[2];

    test_context("seed %llu", (unsigned long long)seed);
    stage_init(&stage, tiny_build(&o));
    stage.config.job_submit = on_submit;
    stage.config.worker_count = 3;
    stage.config.job_count = job_count;
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 5000 && spn_cache_get_status(stage.rt, stage.cache,
                                                     NULL) == SPN_PENDING;
         i++)
        tick(&random);
    nodes[0] = stage_node(&stage, true);
    nodes[1] = stage_node(&stage, true);
    for (int k = 0; k < 40; k++) {
        uint32_t which = test_random_below(&random, 2);
        /* Mostly forward, sometimes anywhere. */
        uint32_t frame = k % 5 ? (uint32_t)k : test_random_below(&random, 51);
        int ticks = 0;

        CHECK_EQ(
            spn_node_set_playback_time(stage.rt, nodes[which], frame * 33333),
            SPN_OK);
        for (; ticks < 20000 && !stage_state(&stage, nodes[which]).is_ready;
             ticks++)
            tick(&random);
        CHECK(ticks < 20000);
        test_context("seed %llu, frame %u", (unsigned long long)seed, frame);
        stage_check_frame(&stage, nodes[which], 1, frame);
        stage_check_frame(&stage, nodes[which], 2, frame);
        if (!tiny_is_hidden(&stage.tiny->options, frame, 0))
            stage_check_frame(&stage, nodes[which], 0, frame);
        CHECK_EQ(stage_state(&stage, nodes[which]).frames_dropped, 0);
    }
    stage_close(&stage);
}

static void any_order_of_jobs_gives_the_same_values(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        play_shuffled(seed, 1024);
}

static void jobs_that_do_not_fit_are_not_lost(void)
{
    for (uint64_t seed = 100; seed <= 130; seed++)
        play_shuffled(seed, 2);
}

TEST_MAIN(TEST(counters_are_one_three_and_two),
          TEST(any_order_of_jobs_gives_the_same_values),
          TEST(jobs_that_do_not_fit_are_not_lost))
