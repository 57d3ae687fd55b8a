/* Goal: a node plays in both directions at the rate of the times that are set,
 * over loops too, reads and decodes each frame once, and shares both with other
 * nodes of its cache.
 * Method: small caches on a slow disc with a virtual clock; counts of reads,
 * bytes and decoded frames.
 * One thread. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/closure.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#define FRAME_US 33333

static struct stage stage;
static uint32_t decodes;

static void on_decompressed(void *user, const spn_event *event)
{
    (void)user;
    (void)event;
    decodes++;
}

static const spn_listener listener = {.decompress_end = on_decompressed};

static void open_clip(const struct tiny_options *o, uint32_t heap_bytes)
{
    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = heap_bytes;
    stage.config.listener = &listener;
    stage.disc.bytes_per_second = 8 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    decodes = 0;
}

/* In steps of `step_us` from a time on; every picture is in time, from the
 * `first`-th update on. */
static void play(spn_node node, int64_t from_us, int64_t step_us,
                 uint32_t updates, uint32_t first)
{
    const int64_t count = stage.tiny->options.frame_count;

    for (uint32_t i = 0; i < updates; i++) {
        const int64_t t = from_us + (int64_t)i * step_us;
        const int64_t loop_us = count * FRAME_US;
        const int64_t in_loop = (t % loop_us + loop_us) % loop_us;

        test_context("update %u, at %lld us", i, (long long)t);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        if (i < first)
            continue;
        CHECK(stage_state(&stage, node).is_ready);
        stage_check_frame(&stage, node, 0, (uint32_t)(in_loop / FRAME_US));
    }
}

/* Two steps turn a cursor round; then it reads backward. */
static void a_node_plays_backward_over_loops(void)
{
    const struct tiny_options o = {.frame_count = 61, .vertices = 500};
    spn_node node;

    open_clip(&o, 8 << 20);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 60 * FRAME_US);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    play(node, 60 * FRAME_US, -(int64_t)STAGE_TICK_US, 60, 60);
    play(node, 60 * FRAME_US - 60 * (int64_t)STAGE_TICK_US,
         -(int64_t)STAGE_TICK_US, 500, 0);
    CHECK(spn__manager_node(&stage.rt->manager, node)->cursor.is_backward);
    stage_stop(&stage, node);
}

static uint64_t bytes_of_playing(int64_t step_us)
{
    const struct tiny_options o = {
        .frame_count = 601, .vertices = 700, .is_noisy = true};
    const int64_t from_us = step_us > 0 ? 0 : 600 * FRAME_US;
    uint64_t bytes;
    spn_node node;

    open_clip(&o, 4 << 20);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, from_us);
    play(node, from_us, step_us, 60, 60);
    play(node, from_us + 60 * step_us, step_us, 1100, 0);
    CHECK(decodes <= 610);
    bytes = stage_state(&stage, node).bytes_read;
    stage_stop(&stage, node);
    return bytes;
}

/* Backward, each group is read once as well: borders are kept. */
static void backward_playback_reads_no_more(void)
{
    const uint64_t forward = bytes_of_playing(STAGE_TICK_US);
    const uint64_t backward = bytes_of_playing(-(int64_t)STAGE_TICK_US);

    CHECK(backward * 10 <= forward * 11);
    CHECK(forward * 10 <= backward * 11);
}

static void a_node_plays_fast_in_both_directions(void)
{
    const struct tiny_options o = {.frame_count = 301, .vertices = 300};

    for (int64_t rate = -8; rate <= 8; rate += 4) {
        const int64_t step_us = rate * STAGE_TICK_US;
        spn_node node;

        if (rate == 0)
            continue;
        test_context("rate %d", (int)rate);
        open_clip(&o, 16 << 20);
        stage.disc.bytes_per_second = 64 << 20;
        stage.disc.seek_us = 1000;
        node = stage_node(&stage, true);
        stage_stream(&stage, node, 0);
        play(node, 0, step_us, 40, 40);
        play(node, 40 * step_us, step_us, 400, 0);
        CHECK(stage_state(&stage, node).seeks < 3);
        stage_stop(&stage, node);
    }
}

/* Half a second to and fro, and a second in a loop: decoded once. */
static void short_ways_are_read_and_decoded_once(void)
{
    const struct tiny_options o = {.frame_count = 301, .vertices = 300};
    uint32_t reads = 0;
    spn_node node;

    open_clip(&o, 8 << 20);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 3000000);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (int round = 0; round < 8; round++) {
        if (round == 2) {
            reads = stage.disc.reads;
            decodes = 0;
        }
        play(node, 3000000, STAGE_TICK_US, 30, 1);
        play(node, 3500000, -(int64_t)STAGE_TICK_US, 30, 1);
    }
    CHECK_EQ_U(stage.disc.reads, reads);
    CHECK_EQ_U(decodes, 0);
    stage_stop(&stage, node);
}

static void nodes_in_step_share_reads_and_decodes(void)
{
    const struct tiny_options o = {
        .frame_count = 601, .vertices = 500, .is_noisy = true};
    uint32_t reads[2];
    uint32_t decoded[2];

    for (uint32_t k = 0; k < 2; k++) {
        spn_node nodes[4];
        const uint32_t count = k == 0 ? 1 : 4;

        open_clip(&o, 16 << 20);
        for (uint32_t i = 0; i < count; i++)
            nodes[i] = stage_node(&stage, false);
        for (int64_t t = 0; t < 10000000; t += STAGE_TICK_US) {
            for (uint32_t i = 0; i < count; i++)
                CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], t),
                         SPN_OK);
            stage_tick(&stage, STAGE_TICK_US);
            for (uint32_t i = 0; i < count; i++)
                if (t > 1000000)
                    stage_check_frame(&stage, nodes[i], 0,
                                      (uint32_t)(t / FRAME_US));
        }
        reads[k] = stage.disc.reads;
        decoded[k] = decodes;
        stage_close(&stage);
    }
    CHECK_EQ_U(reads[1], reads[0]);
    CHECK_EQ_U(decoded[1], decoded[0]);
}

/* When one of two nodes stops, the other one keeps what it needs. */
static void a_node_that_stops_takes_nothing_from_others(void)
{
    const struct tiny_options o = {.frame_count = 301, .vertices = 300};
    spn_node nodes[2];

    open_clip(&o, 8 << 20);
    for (uint32_t i = 0; i < 2; i++) {
        nodes[i] = stage_node(&stage, true);
        stage_stream(&stage, nodes[i], 0);
    }
    play(nodes[1], 0, STAGE_TICK_US, 100, 0);
    CHECK_EQ(spn_node_destroy(stage.rt, nodes[0]), SPN_OK);
    play(nodes[1], 100 * STAGE_TICK_US, STAGE_TICK_US, 400, 0);
    stage_stop(&stage, nodes[1]);
}

/* Of the pyramid at most 4, 6 and 8 frames; of the classic codec the run since
 * the index frame, and both index frames. */
static void closures_are_as_large_as_the_codec_makes_them(void)
{
    for (uint32_t distance = 4; distance <= 16; distance *= 2) {
        const struct synthetic_options o = {.frame_count = 2 * distance + 1,
                                            .vertices = 300,
                                            .step = 20,
                                            .is_calm = true};
        const struct tiny_options classic = {.frame_count = 2 * distance + 1,
                                             .distance = distance};
        struct memory_sink memory = {0};

        test_context("distance %u", distance);
        synthetic_lift(&o, distance, true, &memory);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
        stage_open(&stage);
        CHECK(stage.rt->manager.caches[0].closure_frames_max <=
              (distance == 4   ? 4u
               : distance == 8 ? 6u
                               : 8u));
        stage_close(&stage);
        memory_sink_free(&memory);
        stage_init(&stage, tiny_build(&classic));
        stage_open(&stage);
        CHECK_EQ_U(stage.rt->manager.caches[0].closure_frames_max,
                   distance + 1);
        stage_close(&stage);
    }
}

TEST_MAIN(TEST(a_node_plays_backward_over_loops),
          TEST(backward_playback_reads_no_more),
          TEST(a_node_plays_fast_in_both_directions),
          TEST(short_ways_are_read_and_decoded_once),
          TEST(nodes_in_step_share_reads_and_decodes),
          TEST(a_node_that_stops_takes_nothing_from_others),
          TEST(closures_are_as_large_as_the_codec_makes_them))
