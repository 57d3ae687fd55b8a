/* test_stream_memory.c
 *
 * Goal: in a heap of the published minimum every stream plays and reaches its
 *   frame, whatever the others do. Too small tables and heaps are refused.
 * Method: heaps and tables of exactly the minimum, nodes that stand still,
 *   nodes that seek at random.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/cursor_life.h"
#include "play/group_read.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"

static struct stage stage;

static uint32_t heap_needed(const struct tiny_options *o, uint32_t nodes)
{
    uint64_t bytes = 0;

    stage_init(&stage, tiny_build(o));
    stage_open(&stage);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, stage.cache, nodes, &bytes),
             SPN_OK);
    stage_close(&stage);
    return (uint32_t)bytes;
}

/* All play to the end with right frames. */
static void play_in_minimum(const struct tiny_options *o, uint32_t count)
{
    uint32_t bytes = heap_needed(o, count);
    spn_node nodes[8];

    stage_init(&stage, tiny_build(o));
    stage.config.heap_bytes = bytes;
    stage.disc.bytes_per_second = 64 << 20;
    stage.disc.seek_us = 1000;
    stage_open(&stage);
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[i], i * 250000),
                 SPN_OK);
    }
    for (uint32_t i = 0; i < count; i++)
        stage_until_ready(&stage, nodes[i]);
    for (int64_t t = 0; t < 4000000; t += STAGE_TICK_US) {
        for (uint32_t i = 0; i < count; i++)
            CHECK_EQ(
                spn_node_set_playback_time(stage.rt, nodes[i], t + i * 250000),
                SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    for (uint32_t i = 0; i < count; i++) {
        spn_node_state state = stage_state(&stage, nodes[i]);

        test_context("%u nodes, %u bytes, node %u: %u late of %u", count, bytes,
                     i, state.frames_late,
                     state.frames_late + state.frames_shown);
        CHECK_EQ(state.frames_late, 0);
        CHECK_EQ(state.frames_dropped, 0);
    }
    /* One node stands still: its read-ahead must not block the others. */
    for (uint32_t i = 1; i < count; i++)
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                            20000000 + i * 311111),
                 SPN_OK);
    for (uint32_t i = 1; i < count; i++)
        stage_until_ready(&stage, nodes[i]);
    for (uint32_t i = 0; i < count; i++)
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

static void streams_play_in_the_published_minimum(void)
{
    struct tiny_options small = {.frame_count = 61, .vertices = 200};
    struct tiny_options large = {
        .frame_count = 41, .vertices = 8192, .is_noisy = true};
    struct tiny_options mixed = {
        .frame_count = 61, .mesh_count = 3, .vertices = 3000, .has_uvs = true};

    play_in_minimum(&small, 1);
    play_in_minimum(&small, 8);
    play_in_minimum(&large, 1);
    play_in_minimum(&large, 4);
    play_in_minimum(&mixed, 3);
}

/* Seeks forward, back, near, far, before the last seek has ended, and with the
 * others standing still: each node reaches its frame, also in the published
 * minimum. */
static void wander(uint64_t seed, bool is_minimal)
{
    struct tiny_options o = {
        .frame_count = 61, .mesh_count = 2, .vertices = 300};
    uint32_t bytes = heap_needed(&o, 3);
    struct test_random random = {seed};
    int64_t time_us[3] = {0};
    spn_node nodes[3];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = is_minimal ? bytes : 8 << 20;
    stage.config.stream_frame_count = 64;
    stage.disc.bytes_per_second = 1 << 20;
    stage.disc.seek_us = 10000;
    stage_open(&stage);
    for (uint32_t i = 0; i < 3; i++)
        nodes[i] = stage_node(&stage, true);
    for (uint32_t step = 0; step < 1500; step++) {
        uint32_t i = test_random_below(&random, 3);
        uint32_t frame;

        switch (test_random_below(&random, 8)) {
        case 0:
            time_us[i] = test_random_below(&random, 6000000);
            break;
        case 1:
            time_us[i] += test_random_below(&random, 1500000);
            break;
        case 2:
            time_us[i] -= test_random_below(&random, 700000);
            break;
        default:
            time_us[i] += 20000;
        }
        time_us[i] = time_us[i] < 0 ? 0 : time_us[i];
        test_context("seed %llu, step %u, node %u", (unsigned long long)seed,
                     step, i);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i], time_us[i]),
                 SPN_OK);
        stage_tick(&stage, test_random_below(&random, 20000));
        if (step % 7 != 0)
            continue;
        stage_until_ready(&stage, nodes[i]);
        frame = (uint32_t)(time_us[i] / 33333 % 61);
        stage_check_frame(&stage, nodes[i], 1, frame);
        CHECK_EQ(stage_state(&stage, nodes[i]).frames_dropped, 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(spn_node_stop_streaming(stage.rt, nodes[i]), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

static void seeking_streams_always_reach_their_frame(void)
{
    for (uint64_t seed = 1; seed <= 16; seed++)
        wander(seed, seed % 2);
}

/* Read-ahead of the first nodes takes free memory. A later node still gets its
 * guaranteed memory. */
static void late_node_gets_its_promised_memory(void)
{
    struct tiny_options o = {
        .frame_count = 201, .vertices = 2000, .is_noisy = true};
    uint32_t bytes = heap_needed(&o, 3);
    spn_node nodes[3];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = bytes;
    stage_open(&stage);
    for (uint32_t i = 0; i < 3; i++) {
        nodes[i] = stage_node(&stage, true);
        stage_stream(&stage, nodes[i], i * 1000000);
        for (int k = 0; k < 50; k++)
            stage_tick(&stage, STAGE_TICK_US);
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(stage_state(&stage, nodes[i]).is_ready);
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    }
    stage_until_empty(&stage);
    stage_close(&stage);
}

/* Tables for two groups are enough; smaller ones are refused. */
static void streams_play_in_the_smallest_tables(void)
{
    struct tiny_options o = {.frame_count = 61};
    spn_node node;

    for (uint32_t frames = 19; frames <= 22; frames++) {
        test_context("%u frames", frames);
        stage_init(&stage, tiny_build(&o));
        stage.config.stream_frame_count = frames;
        stage_open(&stage);
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
        stage_tick(&stage, 1);
        if (frames < 20) {
            CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_TABLE_FULL);
            stage_close(&stage);
            continue;
        }
        for (uint32_t f = 0; f < 150; f++) {
            uint32_t wanted = f < 100 ? f : f * 17;

            CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                                (int64_t)wanted * 33333 + 5000),
                     SPN_OK);
            stage_until_ready(&stage, node);
            stage_check_frame(&stage, node, 0, wanted % 61);
        }
        stage_stop(&stage, node);
    }
}

static void a_group_that_never_fits_is_refused(void)
{
    struct tiny_options o = {.frame_count = 21, .vertices = 8192};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 1 << 20;
    stage_open(&stage);
    node = stage_node(&stage, true);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_MEMORY);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_close(&stage);
}

/* The size of a read has 31 bits, also in a heap of many GiB. */
static void a_group_of_two_gib_is_refused(void)
{
    struct tiny_options o = {.frame_count = 21};
    struct cursor *s;
    struct cache *c;
    struct heap *heap;
    uint32_t heap_pages;
    uint32_t read_pages;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, true);
    s = &spn__manager_node(&stage.rt->manager, node)->cursor;
    c = s->cache;
    heap = &stage.rt->heap;
    heap_pages = heap->page_count;
    read_pages = c->read_pages_max;
    /* Pretend that the heap is so large for this check. */
    heap->page_count = UINT32_MAX;
    c->read_pages_max = (GROUP_READ_BYTES_MAX >> heap->page_shift) + 1;
    spn__cursor_begin(s);
    heap->page_count = heap_pages;
    c->read_pages_max = read_pages;
    CHECK(!s->is_active);
    CHECK_EQ(stage_state(&stage, node).status, SPN_ERR_MEMORY);
    stage_stream(&stage, node, 0);
    CHECK_EQ(stage_state(&stage, node).status, SPN_OK);
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(streams_play_in_the_published_minimum),
          TEST(seeking_streams_always_reach_their_frame),
          TEST(late_node_gets_its_promised_memory),
          TEST(streams_play_in_the_smallest_tables),
          TEST(a_group_that_never_fits_is_refused),
          TEST(a_group_of_two_gib_is_refused))
