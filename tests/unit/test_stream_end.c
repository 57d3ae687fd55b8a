/* test_stream_end.c
 *
 * Goal: streams end in every state and release everything. Held frames follow
 *   playback. Late frames are counted once. A state names the frame that a fill
 *   shows, also when memory has run out.
 * Method: stop, end and shut down after every number of updates.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/tiny_truth.h"

static struct stage stage;

static void stream_stops_in_every_state(void)
{
    struct tiny_options o = {
        .frame_count = 61, .vertices = 700, .is_noisy = true};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 10000;
    stage_open(&stage);
    node = stage_node(&stage, true);
    for (int ticks = 0; ticks < 60; ticks++)
        for (int how = 0; how < 3; how++) {
            test_context("after %d ticks, way %d", ticks, how);
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node, ticks * 77777),
                     SPN_OK);
            for (int i = 0; i < ticks; i++) {
                CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                                    ticks * 77777 + i * 9000),
                         SPN_OK);
                stage_tick(&stage, 3000);
            }
            if (how == 2) {
                CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
                CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0),
                         SPN_ERR_HANDLE);
                node = stage_node(&stage, true);
            } else {
                CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
            }
            /* Start again before it has ended, or after. */
            if (how != 1)
                stage_until_empty(&stage);
        }
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

static void runtime_shuts_down_in_every_state(void)
{
    struct tiny_options o = {
        .frame_count = 61, .vertices = 700, .is_noisy = true};

    for (int ticks = 0; ticks < 50; ticks++) {
        stage_init(&stage, tiny_build(&o));
        stage.disc.bytes_per_second = 2 << 20;
        stage.disc.seek_us = 10000;
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        for (int n = 0; n < 3; n++) {
            spn_node node = stage_node(&stage, true);

            CHECK_EQ(spn_node_start_streaming(stage.rt, node, n * 700000),
                     SPN_OK);
        }
        for (int i = 0; i < ticks; i++)
            stage_tick(&stage, 4000);
        spn_shutdown(stage.rt);
        stage.rt = NULL;
        CHECK_EQ(stage.disc.opens, stage.disc.closes);
        stage_close(&stage);
    }
}

static void a_late_frame_is_counted_once(void)
{
    struct tiny_options o = {.frame_count = 61};
    struct slow_fault stall = {
        .kind = SLOW_STALL, .path = "a", .value = 1000000};
    spn_node node;
    spn_node_state state;

    stage_init(&stage, tiny_build(&o));
    stall.offset = stage.tiny->frame_offset[21];
    stall.bytes = stage.tiny->frame_bytes[21];
    slow_platform_fault(&stage.disc, &stall);
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "100"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "200"), SPN_OK);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    /* 60 frame changes, each with many updates. */
    for (int64_t t = 0; t <= 60 * 33333; t += 3333) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, 3333);
    }
    state = stage_state(&stage, node);
    /* The read takes a second longer, 30 frames, besides its own time. */
    CHECK(state.frames_late >= 30 && state.frames_late <= 32);
    CHECK_EQ(state.frames_late + state.frames_shown, 60);
    CHECK_EQ(state.frames_dropped, 0);
    stage_stop(&stage, node);
}

/* A seek is late once, however many updates pass until its frame is there. */
static void a_late_seek_is_counted_once(void)
{
    struct tiny_options o = {
        .frame_count = 301, .vertices = 3000, .is_noisy = true};
    spn_node_state state;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 1 << 20;
    stage.disc.seek_us = 100000;
    stage.disc.table.read_cancel = NULL; /* a read takes its full time */
    stage_open(&stage);
    /* No more is read than is needed. */
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "100"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "200"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t i = 1; i <= 5; i++) {
        /* Far from what was read before. */
        static const uint32_t frames[] = {0, 250, 60, 150, 290, 200};
        uint32_t frame = frames[i];

        test_context("seek %u", i);
        CHECK_EQ(
            spn_node_set_playback_time(stage.rt, node, (int64_t)frame * 33333),
            SPN_OK);
        stage_until_ready(&stage, node);
        state = stage_state(&stage, node);
        CHECK_EQ(state.seeks, i);
        CHECK_EQ(state.frames_late, i);
        CHECK_EQ(state.frames_shown, 1);
    }
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    for (int i = 0; i < 10; i++)
        stage_tick(&stage, 1000000);
    stage_close(&stage);
}

/* A time between two frames needs both, from just after the first on. */
static void frames_far_apart_are_there_in_time(void)
{
    static const uint32_t frame_us[] = {33333, 1000000, 20000000};
    static uint8_t vertices[300 * 12];
    const spn_vertex_layout layout = {.stride = 12,
                                      .position = {0, SPN_FORMAT_F32X3}};

    for (size_t k = 0; k < sizeof frame_us / sizeof frame_us[0]; k++)
        for (uint32_t is_looping = 0; is_looping < 2; is_looping++) {
            struct tiny_options o = {.frame_count = 31,
                                     .frame_us = frame_us[k]};
            int64_t step_us = frame_us[k] / 100;
            spn_node node;

            stage_init(&stage, tiny_build(&o));
            stage.disc.seek_us = 10000;
            stage_open(&stage);
            node = stage_node(&stage, is_looping != 0);
            stage_stream(&stage, node, 0);
            for (int64_t t = 0; t <= 40 * (int64_t)frame_us[k]; t += step_us) {
                spn_fill_result shown;

                test_context("%u us a frame, loop %u, at %lld us", frame_us[k],
                             is_looping, (long long)t);
                CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
                stage_tick(&stage, (uint32_t)step_us);
                CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                                       sizeof vertices, &shown),
                         SPN_OK);
                CHECK_EQ_U(shown.is_late, 0);
            }
            stage_stop(&stage, node);
        }
}

#define HEAP_BLOCKS 2048u

/* What is left when all idle memory is taken for a moment, also that which is
 * promised to the stream. */
static spn_heap_stats stats_without_idle_memory(void)
{
    static heap_handle taken[HEAP_BLOCKS];
    spn_heap_stats stats;
    uint32_t count = 0;

    while (spn__promise_alloc(&stage.rt->manager.promises, PROMISE_BEYOND, 4096,
                              0, HEAP_TAG_USER, &taken[count]) == SPN_OK)
        CHECK(++count < HEAP_BLOCKS);
    spn_heap_get_stats(stage.rt, &stats);
    while (count > 0)
        CHECK(spn__heap_free(&stage.rt->heap, taken[--count]));
    return stats;
}

/* Frames and reads stay until their memory is wanted, here by blocks of the
 * caller: then what playback needs is left. */
static void what_is_not_needed_stays_until_it_is_wanted(void)
{
    struct tiny_options o = {.frame_count = 301};
    spn_heap_stats stats;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (uint32_t f = 0; f < 301; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
    }
    spn_heap_get_stats(stage.rt, &stats);
    CHECK(stats.decoded_bytes > 290 * 4000);
    CHECK(stats.compressed_bytes > 0);
    stats = stats_without_idle_memory();
    /* The shown frame and the one before it, of about 5 KB each. */
    CHECK(stats.decoded_bytes < 3 * 5000);
    CHECK_EQ_U(stats.compressed_bytes, 0);
    stage_check_frame(&stage, node, 0, 300);
    stage_stop(&stage, node);
}

/* During playback these are half a second ahead, 15 frames, the two that are
 * shown and the two that were shown before. */
static void memory_that_playback_needs_is_bounded(void)
{
    struct tiny_options o = {.frame_count = 301};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (uint32_t f = 0; f < 301; f++) {
        spn_heap_stats stats;

        test_context("frame %u", f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        stage_check_frame(&stage, node, 0, f);
        stats = stats_without_idle_memory();
        CHECK(stats.decoded_bytes < 20 * 5000);
    }
    stage_stop(&stage, node);
}

/* A start in a heap of which all is taken: there is no picture until memory is
 * free. */
static void a_state_names_what_a_fill_shows(void)
{
    static const spn_vertex_layout layout = {.stride = 12,
                                             .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[700 * 12];
    struct tiny_options o = {.frame_count = 301, .vertices = 700};
    heap_handle taken[HEAP_BLOCKS];
    uint32_t count = 0;
    uint32_t empty_count = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 2 << 20;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    for (int i = 0; i < 300; i++) {
        spn_status status;

        /* Nothing is promised to the node yet when the memory is taken. */
        if (i == 1)
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 8000000),
                     SPN_OK);
        while (i < 100 && count < HEAP_BLOCKS &&
               spn__heap_alloc(&stage.rt->heap, 4096, 0, HEAP_TAG_USER,
                               &taken[count]) == SPN_OK)
            count++;
        stage_tick(&stage, 3000);
        status = spn_node_fill(stage.rt, node, 0, &layout, vertices,
                               sizeof vertices, NULL);
        test_context("tick %d", i);
        CHECK_EQ(status == SPN_PENDING,
                 stage_state(&stage, node).shown_frame == UINT32_MAX);
        empty_count += status == SPN_PENDING;
        while (i == 100 && count > 0)
            CHECK(spn__heap_free(&stage.rt->heap, taken[--count]));
    }
    CHECK(empty_count > 0);
    stage_until_ready(&stage, node);
    stage_stop(&stage, node);
}

static void hidden_meshes_cost_nothing(void)
{
    struct tiny_options o = {.frame_count = 41,
                             .mesh_count = 2,
                             .vertices = 8000,
                             .hidden_first = 2,
                             .hidden_limit = 4};
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[8000 * 12];
    spn_fill_result shown;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 32 << 20;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (uint32_t f = 0; f < 41; f++) {
        test_context("frame %u", f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        stage_check_frame(&stage, node, 1, f);
        CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                               sizeof vertices, &shown),
                 SPN_OK);
        CHECK_EQ(shown.is_visible, !tiny_is_hidden(&stage.tiny->options, f, 0));
    }
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(stream_stops_in_every_state),
          TEST(runtime_shuts_down_in_every_state),
          TEST(a_late_frame_is_counted_once), TEST(a_late_seek_is_counted_once),
          TEST(frames_far_apart_are_there_in_time),
          TEST(what_is_not_needed_stays_until_it_is_wanted),
          TEST(memory_that_playback_needs_is_bounded),
          TEST(a_state_names_what_a_fill_shows),
          TEST(hidden_meshes_cost_nothing))
