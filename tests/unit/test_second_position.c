/* test_second_position.c
 *
 * Goal: a node prepares a cut, or a start, at a second position; after it no
 *   picture is late, and playback is not disturbed by it.
 * Method: a small cache on a slow disc with a virtual clock.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"

#include <stdlib.h>

#define FRAME_US 33333
#define FRAMES 601

static struct stage stage;

static void open_clip(uint32_t node_count)
{
    const struct tiny_options o = {
        .frame_count = FRAMES, .vertices = 500, .is_noisy = true};

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 2 << 20;
    stage.config.node_count = node_count;
    stage.disc.bytes_per_second = 2 << 20;
    stage.disc.seek_us = 100000;
    stage_open(&stage);
}

static void set_second(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, time_us), SPN_OK);
}

/* No picture is late. */
static void play(spn_node node, int64_t from_us, int64_t step_us,
                 uint32_t updates)
{
    for (uint32_t i = 0; i < updates; i++) {
        const int64_t t = from_us + (int64_t)i * step_us;

        test_context("update %u, at %lld us", i, (long long)t);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        CHECK(stage_state(&stage, node).is_ready);
        stage_check_frame(&stage, node, 0, (uint32_t)(t / FRAME_US));
        stage_tick(&stage, STAGE_TICK_US);
    }
    test_context("%s", "");
}

static uint32_t nodes_used(void)
{
    return stage.rt->manager.node_pool.used;
}

/* The picture is there in the call that sets the time. */
static void a_cut_shows_its_picture_at_once(void)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        const int64_t step_us = direction * (int64_t)STAGE_TICK_US;
        const int64_t cut_us = 15000000;
        spn_node node;
        spn_node_state state;

        open_clip(4);
        node = stage_node(&stage, false);
        CHECK_EQ(spn_node_set_rate(stage.rt, node, direction * 1000), SPN_OK);
        stage_stream(&stage, node, 5000000);
        for (int i = 0; i < 30; i++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ(stage_state(&stage, node).streaming_us, SPN_NO_TIME);
        set_second(node, cut_us);
        play(node, 5000000, step_us, 90);
        state = stage_state(&stage, node);
        CHECK_EQ(state.streaming_us, cut_us);
        CHECK(state.is_streaming_ready);
        CHECK(state.streaming_precached_us >= 400000);
        CHECK_EQ_U(nodes_used(), 2);
        play(node, cut_us, step_us, 200);
        state = stage_state(&stage, node);
        CHECK_EQ_U(state.frames_late, 0);
        CHECK_EQ(state.streaming_us, SPN_NO_TIME);
        CHECK_EQ_U(nodes_used(), 1);
        stage_stop(&stage, node);
    }
}

/* Without it, the cut waits for the disc. */
static void a_cut_without_it_is_late(void)
{
    spn_node node;

    open_clip(4);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 5000000);
    for (int i = 0; i < 30; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 15000000), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK(!stage_state(&stage, node).is_ready);
    stage_stop(&stage, node);
}

static void a_start_in_the_future_is_prepared(void)
{
    spn_node node;

    open_clip(2);
    node = stage_node(&stage, false);
    set_second(node, 3000000);
    for (int i = 0; i < 100; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(!stage_state(&stage, node).is_streaming);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 3000000), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_ready);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, 0);
    play(node, 3000000, STAGE_TICK_US, 100);
    stage_stop(&stage, node);
}

/* Without a rate it takes the direction of playback, which turns by itself. */
static void it_turns_with_playback(void)
{
    const int64_t cut_us = 6000000;
    spn_node node;
    uint32_t late;

    open_clip(4);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 15000000);
    for (int i = 0; i < 30; i++)
        stage_tick(&stage, STAGE_TICK_US);
    set_second(node, cut_us);
    play(node, 15000000, STAGE_TICK_US, 30);
    for (int i = 0; i < 90; i++) {
        const int64_t t = 15500000 - i * (int64_t)STAGE_TICK_US;

        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    late = stage_state(&stage, node).frames_late;
    play(node, cut_us, -(int64_t)STAGE_TICK_US, 200);
    CHECK_EQ_U(stage_state(&stage, node).frames_late, late);
    stage_stop(&stage, node);
}

/* Wait at a second position whose frames cannot be read. Returns the reads of
 * the last 200 updates.
 *
 * sets  set the same rate before each update */
static uint32_t wait_at_lost_frames(bool sets)
{
    static const uint32_t mask = 1;
    const struct node *second;
    struct slow_fault error = {.kind = SLOW_ERROR, .path = "a"};
    uint32_t reads = 0;
    uint64_t mask_us;
    spn_node node;

    open_clip(2);
    error.offset = stage.tiny->frame_offset[452];
    error.bytes = stage.tiny->frame_bytes[452];
    slow_platform_fault(&stage.disc, &error);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 5000000);
    set_second(node, 15000000);
    second =
        spn__manager_node(&stage.rt->manager,
                          spn__manager_node(&stage.rt->manager, node)->second);
    CHECK_EQ(spn_node_set_mesh_mask(stage.rt, node, &mask, 1), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    mask_us = second->cursor.mask_us;
    for (int i = 0; i < 400; i++) {
        if (i == 200)
            reads = stage.disc.reads;
        if (sets)
            CHECK_EQ(spn_node_set_rate(stage.rt, node, 1000), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    reads = stage.disc.reads - reads;
    CHECK_EQ(stage_state(&stage, node).streaming_us, 15000000);
    CHECK_EQ(frame_slot_at(second->cache, 452)->state, FRAME_FAILED);
    CHECK_EQ_U(second->cursor.mask_us, mask_us);
    stage_stop(&stage, node);
    return reads;
}

/* What is set anew without a change does not have it try lost frames again. */
static void nothing_changes_when_the_same_is_set_again(void)
{
    CHECK_EQ_U(wait_at_lost_frames(true), wait_at_lost_frames(false));
}

static void *acquire(void *user, spn_cache cache, uint32_t frame)
{
    (void)user;
    (void)cache;
    (void)frame;
    return calloc(500, 12);
}

static void release(void *user, spn_cache cache, uint32_t frame, void *vertices)
{
    (void)user;
    (void)cache;
    (void)frame;
    free(vertices);
}

/* A cut would not be shown at once without its buffers. */
static void it_is_not_ready_without_buffers(void)
{
    const spn_frame_buffers buffers = {
        .layout = {.stride = 12, .position = {0, SPN_FORMAT_F32X3}},
        .acquire = acquire,
        .release = release};
    spn_node node;

    open_clip(2);
    CHECK_EQ(spn_cache_set_frame_buffers(stage.rt, stage.cache, &buffers),
             SPN_OK);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    set_second(node, 3000000);
    for (int i = 0; i < 100; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    spn__frame_buffers_clear(
        spn__manager_node(&stage.rt->manager, node)->cache);
    CHECK(!stage_state(&stage, node).is_streaming_ready);
    for (int i = 0; i < 4; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    play(node, 3000000, STAGE_TICK_US, 10);
    stage_stop(&stage, node);
}

/* A loop that is left: the second position follows the range of the node. */
static void it_lies_in_the_range(void)
{
    spn_node node;

    open_clip(2);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_range(stage.rt, node, 2000000, 8000000, SPN_LOOP),
             SPN_OK);
    stage_stream(&stage, node, 2000000);
    set_second(node, 8000000 + 3000000);
    for (int i = 0; i < 100; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    play(node, 5000000, STAGE_TICK_US, 100);
    CHECK_EQ(stage_state(&stage, node).streaming_us, SPN_NO_TIME);
    stage_stop(&stage, node);
}

static void it_moves_and_ends(void)
{
    spn_node node;
    spn_node other;
    spn_node_state state;

    open_clip(2);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_streaming_time(NULL, node, 0), SPN_ERR_ARG);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, 0, 0), SPN_ERR_HANDLE);
    set_second(node, SPN_NO_TIME);
    set_second(node, 1000000);
    /* Its own handle is nobody's. */
    other = spn__manager_node(&stage.rt->manager, node)->second;
    CHECK_EQ(spn_node_get_state(stage.rt, other, &state), SPN_ERR_HANDLE);
    CHECK_EQ(spn_node_create(stage.rt, stage.cache, NULL, &other),
             SPN_ERR_TABLE_FULL);
    set_second(node, 9000000);
    for (int i = 0; i < 100; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).is_streaming_ready);
    CHECK_EQ(stage_state(&stage, node).streaming_us, 9000000);
    set_second(node, SPN_NO_TIME);
    stage_until_empty(&stage);
    stage_tick(&stage, STAGE_TICK_US);
    other = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_streaming_time(stage.rt, node, 0),
             SPN_ERR_TABLE_FULL);
    CHECK_EQ(spn_node_destroy(stage.rt, other), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    set_second(node, 0);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    for (int i = 0; i < 100 && nodes_used() > 0; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ_U(nodes_used(), 0);
    /* It is ended by a shutdown as well. */
    node = stage_node(&stage, false);
    set_second(node, 0);
    stage_tick(&stage, STAGE_TICK_US);
    stage_close(&stage);
}

TEST_MAIN(TEST(a_cut_shows_its_picture_at_once), TEST(a_cut_without_it_is_late),
          TEST(a_start_in_the_future_is_prepared), TEST(it_turns_with_playback),
          TEST(nothing_changes_when_the_same_is_set_again),
          TEST(it_is_not_ready_without_buffers), TEST(it_lies_in_the_range),
          TEST(it_moves_and_ends))
