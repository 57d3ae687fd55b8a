/* test_dependencies.c
 *
 * Goal: for any order of jobs, frames decode to the same values. Each tile is
 *   decoded once, after all tiles that it refers to, which its counter counts.
 * Method: the test's own job system holds submitted jobs back. A seeded
 *   generator decides when any number of them runs, with several workers and a
 *   job table that is far too small.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_truth.h"

#include "base/endian.h"
#include "cache/cache_wire.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
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
        (void)spn_job_step(&stage.gate, test_random_below(random, 3));
}

static void tick(struct test_random *random)
{
    stage.disc.clock_us += 5000;
    spn_update(stage.rt);
    CHECK(spn_check(stage.rt));
    run_some(random);
}

/* A node of "a" streams while no job runs, so that the counters keep their
 * first values. */
static spn_node start_without_jobs(void)
{
    spn_node node;

    stage.config.job_submit = on_submit;
    stage.config.worker_count = 3;
    stage_open_late(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "decode_ahead_ms", "2000"), SPN_OK);
    /* Workers that are so fast that frames are launched without limit. */
    stage.rt->manager.launches->pace.busy_us = 1;
    stage.rt->manager.launches->pace.load = UINT32_MAX;
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    return node;
}

static void counters_are_one_three_and_two(void)
{
    struct tiny_options o = {.frame_count = 31, .mesh_count = 2};
    const struct node *n;
    uint32_t seen = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    node = start_without_jobs();
    n = spn__manager_node(&stage.rt->manager, node);
    for (uint32_t f = 0; f <= 10; f++) {
        const struct frame_slot *slot = frame_slot_at(n->cache, f);

        test_context("frame %u", f);
        CHECK_EQ(slot->state, FRAME_RUNNING);
        for (uint32_t t = 0; t < 2; t++) {
            CHECK_EQ(slot->frame->tiles[t].counter.value, f % 10 == 0 ? 1
                                                          : f == 1    ? 3
                                                                      : 2);
            seen++;
        }
    }
    CHECK_EQ(seen, 22);
    CHECK(submits > 0);
    while (spn_job_step(&stage.gate, 1))
        ;
    stage_until_ready(&stage, node);
    stage_close(&stage);
}

/* The frame's dependencies in the file, whose table is in the order of
 * frames. */
static uint32_t stored_references(const struct memory_sink *memory,
                                  uint32_t frame)
{
    const struct wire_header *h = (const void *)memory->bytes;
    const struct wire_frame *f =
        (const void *)(memory->bytes + spn_load_u64le(h->frame_table_offset));
    uint32_t count = 0;

    CHECK_EQ_U(spn_load_u32le(f[frame].number), frame);
    for (uint32_t mask = f[frame].wait_mask[0]; mask; mask &= mask - 1)
        count++;
    return count;
}

/* Two groups. Index frames have a count of one. Frames of a pyramid also count
 * the frames that they wait for. `seen[n]` is the number of tiles that wait for
 * n. */
static void check_pyramid(uint32_t distance, uint32_t seen[5])
{
    const struct synthetic_options o = {.frame_count = 2 * distance + 1,
                                        .mesh_count = 2,
                                        .vertices = 300,
                                        .step = 20,
                                        .is_calm = distance == 16};
    struct memory_sink memory = {0};
    const struct node *n;
    spn_node node;

    synthetic_lift(&o, distance, true, &memory);
    stage_init(&stage, NULL);
    slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
    node = start_without_jobs();
    n = spn__manager_node(&stage.rt->manager, node);
    CHECK_EQ(n->cache->header.tile_count, 2);
    for (uint32_t f = 0; f <= 2 * distance; f++) {
        const struct frame_slot *slot = frame_slot_at(n->cache, f);
        const uint32_t waits = stored_references(&memory, f);

        test_context("distance %u, frame %u waits for %u", distance, f, waits);
        CHECK_EQ(slot->state, FRAME_RUNNING);
        CHECK(f % distance == 0 ? waits == 0 : waits >= 2 && waits <= 4);
        for (uint32_t t = 0; t < 2; t++)
            CHECK_EQ(slot->frame->tiles[t].counter.value, 1 + waits);
        seen[waits] += 2;
    }
    while (spn_job_step(&stage.gate, 1))
        ;
    stage_until_ready(&stage, node);
    stage_close(&stage);
    memory_sink_free(&memory);
}

static void counters_of_a_pyramid_are_one_and_the_references(void)
{
    uint32_t seen[5] = {0};

    check_pyramid(8, seen);
    check_pyramid(16, seen);
    CHECK_EQ_U(seen[0], 2 * 3 + 2 * 3);
    CHECK(seen[2] > 0 && seen[3] > 0 && seen[4] > 0);
    CHECK_EQ_U(seen[0] + seen[2] + seen[3] + seen[4], 2 * 17 + 2 * 33);
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
        /* Times mostly advance and sometimes jump. */
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
          TEST(counters_of_a_pyramid_are_one_and_the_references),
          TEST(any_order_of_jobs_gives_the_same_values),
          TEST(jobs_that_do_not_fit_are_not_lost))
