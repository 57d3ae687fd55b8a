/* test_stream.c
 *
 * Goal: a node plays its clip: every shown frame has the file's values, and is
 *   on time when the disc is fast enough, through loops and seeks.
 * Method: small caches whose values are a function of place and time, a slow
 *   disc on a virtual clock, one update at a time; invariants after each
 *   update.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader.h"
#include "harness.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/cache_walk.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"
#include "support/tiny_truth.h"

static struct stage stage;

static void stream_plays_a_clip_to_its_end(void)
{
    struct tiny_options o = {.frame_count = 95, .has_uvs = true};
    spn_node node;
    spn_node_state state;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 94 * 33333);
    state = stage_state(&stage, node);
    CHECK_EQ(state.frames_late, 0);
    CHECK_EQ(state.frames_dropped, 0);
    CHECK_EQ_U(state.frames_shown, 94);
    CHECK_EQ(state.seeks, 0);
    /* After the end the last frame stays. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 1000000000), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 94);
    CHECK_EQ(stage_state(&stage, node).playback_us, 94 * 33333);
    stage_stop(&stage, node);
}

static void stream_plays_many_tiles_and_large_meshes(void)
{
    struct tiny_options o = {.frame_count = 24,
                             .mesh_count = 3,
                             .vertices = 9000,
                             .has_colors = true,
                             .has_static_mesh = true,
                             .has_uvs = true};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 48 << 20;
    stage_open(&stage);
    CHECK_EQ(stage.tiny->tile_count, 8);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (uint32_t f = 0; f < 24; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        for (uint32_t mesh = 0; mesh < 4; mesh++)
            stage_check_frame(&stage, node, mesh, f);
    }
    stage_stop(&stage, node);
}

static void stream_loops_without_a_gap(void)
{
    struct tiny_options o = {.frame_count = 21};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 20000;
    stage_open(&stage);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 21 * 33333 * 6);
    CHECK_EQ(stage_state(&stage, node).frames_late, 0);
    CHECK_EQ(stage_state(&stage, node).seeks, 0);
    stage_stop(&stage, node);
}

static void stream_loops_as_exactly_after_a_year(void)
{
    struct tiny_options o = {.frame_count = 21};
    const int64_t loop_us = 21 * 33333;
    int64_t year = (int64_t)31557600 * 1000000 / loop_us * loop_us;
    spn_fill_result shown;
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[300 * 12];
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, year);
    stage_play(&stage, node, year, year + 2 * loop_us);
    /* A quarter between two frames stays a quarter. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                        year + 2 * loop_us + 33333 * 3 + 8333),
             SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &shown),
             SPN_OK);
    CHECK_EQ(shown.floor_frame, 3);
    CHECK_EQ(shown.ceil_frame, 4);
    CHECK_NEAR(shown.alpha, 8333.0 / 33333.0, 1e-6);
    stage_stop(&stage, node);
}

/* Between the last frame and the first of the next loop. */
static void stream_interpolates_across_the_loop(void)
{
    struct tiny_options o = {.frame_count = 11};
    spn_fill_result shown;
    spn_vertex_layout layout = {.stride = 12,
                                .position = {0, SPN_FORMAT_F32X3}};
    static uint8_t vertices[300 * 12];
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 10 * 33333 + 11111);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &shown),
             SPN_OK);
    CHECK_EQ(shown.floor_frame, 10);
    CHECK_EQ(shown.ceil_frame, 0);
    CHECK_NEAR(shown.alpha, 1.0 / 3, 1e-4);
    stage_stop(&stage, node);
}

/* Bytes that a seek to `frame` must read: from the anchor of its group on, or
 * from the frame on if it is an index frame. At the end of the clip the frame
 * before it is read as well, for velocities. */
static void seek_reads_once(int64_t frame)
{
    const struct tiny_cache *t = stage.tiny;
    uint32_t reads = stage.disc.reads;
    uint32_t group = tiny_group_of(&t->options, (uint32_t)frame);
    bool is_index =
        frame % t->options.distance == 0 && frame + 1 < t->options.frame_count;
    uint32_t first =
        is_index ? (uint32_t)frame : (group - 1) * t->options.distance;
    spn_node node = stage_node(&stage, false);

    stage_stream(&stage, node, 0);
    /* No further read starts directly after the seek's own read. */
    reads = stage.disc.reads;
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, frame * 33333), SPN_OK);
    for (int i = 0; i < 1000 && stage.disc.reads == reads; i++)
        stage_tick(&stage, 1000);
    CHECK_EQ(stage.disc.log[reads].offset,
             t->frame_offset[first] / 4096 * 4096);
    CHECK(stage.disc.log[reads].bytes + stage.disc.log[reads].offset >=
          t->frame_offset[frame] + t->frame_bytes[frame]);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, (uint32_t)frame);
    CHECK_EQ(stage_state(&stage, node).seeks, 1);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
}

static void stream_seeks_with_one_read_from_the_anchor_on(void)
{
    struct tiny_options o = {
        .frame_count = 301, .vertices = 600, .is_noisy = true};

    stage_init(&stage, tiny_build(&o));
    stage.config.piece_bytes = 4 << 20;
    stage_open(&stage);
    seek_reads_once(285);
    seek_reads_once(290);
    seek_reads_once(291);
    seek_reads_once(300);
    stage_close(&stage);
}

/* One frame and one group: from the anchor's first byte to the group's last. An
 * index frame at the end of its group is read alone. What is read besides until
 * the frame is shown lies behind. */
static void seek_reads_a_group(const struct cache_reader *reader,
                               uint32_t frame)
{
    const struct cache_frame *frames = cache_reader_frames(reader);
    const struct cache_group *groups = cache_reader_groups(reader);
    const uint32_t own = frames[frame].group;
    const struct cache_group *group = &groups[own];
    const bool is_border = groups[own + 1].anchor_frame == frame;
    const uint64_t first =
        frames[is_border ? frame : group->anchor_frame].offset;
    const uint64_t limit = group->offset + group->bytes;
    const spn_node node = stage_node(&stage, false);
    const struct slow_read *read;
    uint32_t reads;

    stage_stream(&stage, node, 0);
    reads = stage.disc.reads;
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, frames[frame].time_us),
             SPN_OK);
    stage_tick(&stage, 1000);
    stage_until_ready(&stage, node);
    test_context("frame %u of group %u", frame, frames[frame].group);
    CHECK_EQ(stage_state(&stage, node).shown_frame, frame);
    CHECK_EQ(stage_state(&stage, node).seeks, 1);
    CHECK(stage.disc.reads > reads && stage.disc.reads <= SLOW_LOG_MAX);
    read = &stage.disc.log[reads];
    CHECK_EQ_U(read->offset, first / 4096 * 4096);
    CHECK(read->offset + read->bytes >= limit);
    CHECK(read->offset + read->bytes < limit + 4096);
    while (++reads < stage.disc.reads)
        CHECK(stage.disc.log[reads].offset + 4096 > limit);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
}

static void stream_seeks_in_lifted_caches_with_one_read(void)
{
    static const struct synthetic_options o = {
        .frame_count = 145, .vertices = 600, .is_noisy = true};

    for (uint32_t distance = 8; distance <= 16; distance *= 2) {
        struct memory_sink memory = {0};
        struct cache_reader *reader;
        struct diag diag;

        synthetic_lift(&o, distance, true, &memory);
        diag_init(&diag);
        reader =
            cache_reader_open_memory("a", memory.bytes, memory.size, &diag);
        CHECK(reader != NULL);
        CHECK(cache_has_lifted(memory.bytes, memory.size));
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
        stage.config.piece_bytes = 4 << 20;
        stage.disc.bytes_per_second = 4 << 20;
        stage_open(&stage);
        /* Only the needed groups. */
        CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "100"),
                 SPN_OK);
        CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "200"),
                 SPN_OK);
        CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
        /* The first frame of a group, some within, and the last. */
        for (uint32_t within = 1; within <= distance; within++)
            seek_reads_a_group(reader, (3 + within % 5) * distance + within);
        stage_close(&stage);
        cache_reader_close(reader);
        diag_finish(&diag);
        memory_sink_free(&memory);
    }
}

/* True if a frame is neither decoded nor in a read, nor in the next one. */
static bool is_out_of_reach(spn_node node, uint32_t frame)
{
    const struct cursor *s =
        &spn__manager_node(&stage.rt->manager, node)->cursor;

    return frame_slot_at(s->cache, frame)->state == FRAME_EMPTY &&
           !spn__group_table_read(s->cache, frame) &&
           spn__cursor_place_of(s, frame) != s->next_place;
}

static void stream_seeks_forward_and_back_everywhere(void)
{
    struct tiny_options o = {.frame_count = 64, .has_uvs = true};
    struct test_random random = {77};
    uint32_t seeks = 0;
    spn_node node;

    /* Not all of the clip stays in memory. */
    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 512 << 10;
    stage.disc.bytes_per_second = 2 << 20;
    stage.disc.seek_us = 30000;
    CHECK_EQ(stage.disc.reads, 0);
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "300"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "600"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "16"), SPN_OK);
    node = stage_node(&stage, false);
    for (int i = 0; i < 300; i++) {
        uint32_t frame = test_random_below(&random, 64);
        uint32_t ticks = test_random_below(&random, 12);

        test_context("seek %d to %u", i, frame);
        seeks += i > 0 && is_out_of_reach(node, frame);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, frame * 33333),
                 SPN_OK);
        for (uint32_t k = 0; k < ticks; k++)
            stage_tick(&stage, STAGE_TICK_US);
        CHECK_EQ_U(stage_state(&stage, node).seeks, seeks);
        /* Sometimes it seeks again before the seek has ended. */
        if (i % 3 == 0)
            continue;
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, frame);
    }
    CHECK(seeks > 0);
    CHECK_EQ_U(stage_state(&stage, node).seeks, seeks);
    stage_stop(&stage, node);
}

static void stream_steps_back_to_a_frame_it_still_holds(void)
{
    struct tiny_options o = {.frame_count = 31};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 8 * 33333);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 7);
    CHECK_EQ(stage_state(&stage, node).seeks, 0);
    stage_stop(&stage, node);
}

static void sixteen_nodes_all_play(void)
{
    struct tiny_options o = {.frame_count = 61, .vertices = 1000};
    spn_node nodes[16];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 32 << 20;
    stage.disc.bytes_per_second = 24 << 20;
    stage.disc.seek_us = 2000;
    stage_open(&stage);
    for (int i = 0; i < 16; i++) {
        nodes[i] = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[i], i * 100000),
                 SPN_OK);
    }
    for (int i = 0; i < 16; i++)
        stage_until_ready(&stage, nodes[i]);
    for (int64_t t = 0; t < 3000000; t += STAGE_TICK_US) {
        for (int i = 0; i < 16; i++)
            CHECK_EQ(
                spn_node_set_playback_time(stage.rt, nodes[i], t + i * 100000),
                SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        for (int i = 0; i < 16; i++) {
            uint32_t frame = (uint32_t)((t + i * 100000) / 33333 % 61);

            test_context("node %d, time %lld", i, (long long)t);
            stage_check_frame(&stage, nodes[i], 0, frame);
        }
    }
    for (int i = 0; i < 16; i++) {
        CHECK_EQ(stage_state(&stage, nodes[i]).frames_late, 0);
        CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    }
    stage_until_empty(&stage);
    stage_close(&stage);
}

TEST_MAIN(TEST(stream_plays_a_clip_to_its_end),
          TEST(stream_plays_many_tiles_and_large_meshes),
          TEST(stream_loops_without_a_gap),
          TEST(stream_loops_as_exactly_after_a_year),
          TEST(stream_interpolates_across_the_loop),
          TEST(stream_seeks_with_one_read_from_the_anchor_on),
          TEST(stream_seeks_in_lifted_caches_with_one_read),
          TEST(stream_seeks_forward_and_back_everywhere),
          TEST(stream_steps_back_to_a_frame_it_still_holds),
          TEST(sixteen_nodes_all_play))
