/* Goal: a node plays its clip: every frame that is shown has the file's
 * values, on time when the disc keeps up, and the heap comes back to nothing.
 * Method: small caches whose values are a function of place and time, a slow
 * disc on a virtual clock, one update at a time; invariants after each. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <string.h>

static struct stage stage;

static void play(struct stage *s, spn_node node, int64_t from, int64_t to)
{
    uint32_t frame_us = s->tiny->options.frame_us;
    uint32_t frame_count = s->tiny->options.frame_count;

    for (int64_t t = from; t < to; t += STAGE_TICK_US) {
        uint32_t frame = (uint32_t)(t / frame_us % frame_count);

        CHECK_EQ(spn_node_set_playback_time(s->rt, node, t), SPN_OK);
        stage_tick(s, STAGE_TICK_US);
        CHECK_EQ(stage_state(s, node).shown_frame, frame);
        stage_check_frame(s, node, 0, frame);
    }
}

static void start(spn_node node, int64_t time_us)
{
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, time_us), SPN_OK);
    stage_until_ready(&stage, node);
}

static void stop_all(spn_node node)
{
    CHECK_EQ(spn_node_stop_streaming(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
    stage_close(&stage);
}

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
    start(node, 0);
    play(&stage, node, 0, 94 * 33333);
    state = stage_state(&stage, node);
    CHECK_EQ(state.frames_late, 0);
    CHECK_EQ(state.frames_dropped, 0);
    CHECK(state.frames_shown >= 94);
    CHECK_EQ(state.seeks, 0);
    /* Beyond the end the last frame stays. */
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 1000000000), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 94);
    CHECK_EQ(stage_state(&stage, node).playback_us, 94 * 33333);
    stop_all(node);
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
    start(node, 0);
    for (uint32_t f = 0; f < 24; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        for (uint32_t mesh = 0; mesh < 4; mesh++)
            stage_check_frame(&stage, node, mesh, f);
    }
    stop_all(node);
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
    start(node, 0);
    play(&stage, node, 0, 21 * 33333 * 6);
    CHECK_EQ(stage_state(&stage, node).frames_late, 0);
    CHECK_EQ(stage_state(&stage, node).seeks, 0);
    stop_all(node);
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
    start(node, year);
    play(&stage, node, year, year + 2 * loop_us);
    /* A quarter between two frames is still a quarter. */
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
    stop_all(node);
}

/* The wrap: between the last frame and the first of the next loop. */
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
    start(node, 10 * 33333 + 11111);
    CHECK_EQ(spn_node_fill(stage.rt, node, 0, &layout, vertices,
                           sizeof vertices, &shown),
             SPN_OK);
    CHECK_EQ(shown.floor_frame, 10);
    CHECK_EQ(shown.ceil_frame, 0);
    CHECK_NEAR(shown.alpha, 1.0 / 3, 1e-4);
    stop_all(node);
}

/* Bytes that a seek to `frame` must read: the lead, the groups. */
static void seek_reads_once(int64_t frame)
{
    const struct tiny_cache *t = stage.tiny;
    uint32_t reads = stage.disc.reads;
    uint32_t group = tiny_group_of(&t->options, (uint32_t)frame);
    uint32_t lead = (group - 1) * t->options.distance;
    spn_node node = stage_node(&stage, false);

    start(node, 0);
    /* Nothing is read at once behind the seek's own read. */
    reads = stage.disc.reads;
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, frame * 33333), SPN_OK);
    for (int i = 0; i < 1000 && stage.disc.reads == reads; i++)
        stage_tick(&stage, 1000);
    CHECK_EQ(stage.disc.log[reads].offset, t->frame_offset[lead] / 4096 * 4096);
    CHECK(stage.disc.log[reads].bytes + stage.disc.log[reads].offset >=
          t->frame_offset[frame] + t->frame_bytes[frame]);
    stage_until_ready(&stage, node);
    stage_check_frame(&stage, node, 0, (uint32_t)frame);
    CHECK_EQ(stage_state(&stage, node).seeks, 1);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
}

static void stream_seeks_with_one_read_from_the_lead_on(void)
{
    struct tiny_options o = {.frame_count = 301, .vertices = 600,
                             .is_noisy = true};

    stage_init(&stage, tiny_build(&o));
    stage.config.piece_bytes = 4 << 20;
    stage_open(&stage);
    seek_reads_once(285);
    seek_reads_once(290);
    seek_reads_once(291);
    seek_reads_once(300);
    stage_close(&stage);
}

static void stream_seeks_forward_and_back_everywhere(void)
{
    struct tiny_options o = {.frame_count = 64, .has_uvs = true};
    struct test_random random = {77};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
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
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, frame * 33333),
                 SPN_OK);
        for (uint32_t k = 0; k < ticks; k++)
            stage_tick(&stage, STAGE_TICK_US);
        /* Sometimes it seeks again before it got there. */
        if (i % 3 == 0)
            continue;
        stage_until_ready(&stage, node);
        stage_check_frame(&stage, node, 0, frame);
    }
    CHECK(stage_state(&stage, node).seeks > 50);
    stop_all(node);
}

static void stream_steps_back_to_a_frame_it_still_holds(void)
{
    struct tiny_options o = {.frame_count = 31};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    start(node, 0);
    play(&stage, node, 0, 8 * 33333);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 7 * 33333), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 7);
    CHECK_EQ(stage_state(&stage, node).seeks, 0);
    stop_all(node);
}

static void sixteen_nodes_all_get_their_turn(void)
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
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                                t + i * 100000),
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

/* All play to the end, none waits for ever, and frames are right. */
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
            CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[i],
                                                t + i * 250000),
                     SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    for (uint32_t i = 0; i < count; i++) {
        spn_node_state state = stage_state(&stage, nodes[i]);

        test_context("%u nodes, %u bytes, node %u: %u late of %u", count,
                     bytes, i, state.frames_late,
                     state.frames_late + state.frames_shown);
        CHECK_EQ(state.frames_late, 0);
        CHECK_EQ(state.frames_dropped, 0);
    }
    /* One is left standing: its read-ahead must not keep the others. */
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
    struct tiny_options large = {.frame_count = 41,
                                 .vertices = 8192,
                                 .is_noisy = true};
    struct tiny_options mixed = {
        .frame_count = 61, .mesh_count = 3, .vertices = 3000, .has_uvs = true};

    play_in_minimum(&small, 1);
    play_in_minimum(&small, 8);
    play_in_minimum(&large, 1);
    play_in_minimum(&large, 4);
    play_in_minimum(&mixed, 3);
}

/* Forward, back, a little, a lot, before it got there, and with the others
 * standing still: whoever waits gets there, in the published minimum too. */
static void wander(uint64_t seed, bool is_minimal)
{
    struct tiny_options o = {.frame_count = 61, .mesh_count = 2,
                             .vertices = 300};
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

static void streams_that_wander_always_arrive(void)
{
    for (uint64_t seed = 1; seed <= 16; seed++)
        wander(seed, seed % 2);
}

/* Memory that was there when the others began is taken by their read-ahead;
 * a node that comes later gets what it is promised all the same. */
static void a_late_node_gets_its_promise_back(void)
{
    struct tiny_options o = {.frame_count = 201,
                             .vertices = 2000,
                             .is_noisy = true};
    uint32_t bytes = heap_needed(&o, 3);
    spn_node nodes[3];

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = bytes;
    stage_open(&stage);
    for (uint32_t i = 0; i < 3; i++) {
        nodes[i] = stage_node(&stage, true);
        start(nodes[i], i * 1000000);
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

/* Tables for two groups are enough, fewer are refused. */
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
                                                (int64_t)wanted * 33333 +
                                                    5000),
                     SPN_OK);
            stage_until_ready(&stage, node);
            stage_check_frame(&stage, node, 0, wanted % 61);
        }
        stop_all(node);
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

/* ---- damage ------------------------------------------------------------------ */

/* Which frames are lost when `frame` is: what refers to it. */
static bool is_lost(const struct tiny_options *o, uint32_t damaged,
                    uint32_t frame)
{
    uint32_t group = tiny_group_of(o, damaged);
    bool is_index = damaged % o->distance == 0 ||
                    damaged == o->frame_count - 1;
    bool frame_is_index =
        frame % o->distance == 0 || frame == o->frame_count - 1;

    if (frame == damaged)
        return true;
    if (frame_is_index)
        return false;
    if (is_index)
        return tiny_group_of(o, frame) == group ||
               tiny_group_of(o, frame) == group + 1;
    return tiny_group_of(o, frame) == group && frame > damaged;
}

static void play_damaged(uint32_t damaged, const char *what)
{
    const struct tiny_options *o = &stage.tiny->options;
    spn_node node = stage_node(&stage, false);
    uint32_t lost = 0;
    spn_node_state state;

    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t f = 0; f < o->frame_count; f++) {
        test_context("%s, damaged %u, frame %u", what, damaged, f);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        state = stage_state(&stage, node);
        if (!is_lost(o, damaged, f)) {
            CHECK_EQ(state.shown_frame, f);
            stage_check_frame(&stage, node, 0, f);
        } else {
            lost++;
            CHECK(state.shown_frame != f);
            CHECK(!is_lost(o, damaged, state.shown_frame));
        }
    }
    CHECK_EQ(state.frames_dropped, lost);
    CHECK_EQ(state.frames_late, lost);
    CHECK_EQ(state.fault_frame, damaged);
    CHECK(state.status < 0);
    CHECK(state.fault.what != NULL);
    CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
    stage_until_empty(&stage);
}

static void damage_costs_the_frame_and_what_refers_to_it(void)
{
    struct tiny_options o = {.frame_count = 41};
    static const uint32_t damaged[] = {1, 5, 10, 15, 19, 20, 33, 39, 40};

    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct tiny_cache *t = tiny_build(&o);
        uint32_t frame = damaged[i];

        /* A bit of the last block; a bit of the directory. */
        t->bytes[t->frame_offset[frame] + t->frame_bytes[frame] - 1] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        play_damaged(frame, "block");
        stage_close(&stage);

        t = tiny_build(&o);
        t->bytes[t->frame_offset[frame] + 9] ^= 4;
        stage_init(&stage, t);
        stage_open(&stage);
        play_damaged(frame, "directory");
        stage_close(&stage);
    }
}

static void one_bad_mesh_leaves_the_others_of_the_frame_to_be_referred_to(void)
{
    struct tiny_options o = {.frame_count = 21, .mesh_count = 2};
    struct tiny_cache *t = tiny_build(&o);
    spn_node node;

    /* The last block of index frame 10 is mesh 1's: its B frames go. */
    t->bytes[t->frame_offset[10] + t->frame_bytes[10] - 1] ^= 1;
    stage_init(&stage, t);
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 20 * 33333), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    stage_check_frame(&stage, node, 0, 20);
    stage_check_frame(&stage, node, 1, 20);
    stop_all(node);
}

static void an_unreadable_range_costs_its_groups(void)
{
    struct tiny_options o = {.frame_count = 81, .is_noisy = true,
                             .vertices = 1000};
    struct tiny_cache *t = tiny_build(&o);
    struct slow_fault fault = {.kind = SLOW_ERROR,
                               .path = "a",
                               .offset = t->frame_offset[35],
                               .bytes = 100};
    uint32_t shown[81];
    spn_node node;

    stage_init(&stage, t);
    stage.config.piece_bytes = 4096;
    stage.config.heap_bytes = 16 << 20;
    slow_platform_fault(&stage.disc, &fault);
    stage_open(&stage);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 200; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t f = 0; f < 81; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        shown[f] = stage_state(&stage, node).shown_frame;
    }
    /* Group 4 holds frames 31 to 40: what was behind the bad place is lost
     * with its index frame, and so are the frames that need it: the B frames
     * of groups 4 and 5. Everything else plays. */
    for (uint32_t f = 0; f < 81; f++) {
        bool is_gone = f > 30 && f < 50;

        test_context("frame %u", f);
        CHECK_EQ(shown[f] == f, !is_gone);
    }
    CHECK_EQ(stage_state(&stage, node).frames_dropped, 19);
    stop_all(node);
}

static void an_error_that_heals_costs_nothing(void)
{
    struct tiny_options o = {.frame_count = 41};
    struct tiny_cache *t = tiny_build(&o);
    struct slow_fault fault = {.kind = SLOW_ERROR,
                               .path = "a",
                               .offset = t->frame_offset[15],
                               .bytes = 100,
                               .times = 1};
    spn_node node;

    stage_init(&stage, t);
    slow_platform_fault(&stage.disc, &fault);
    stage_open(&stage);
    node = stage_node(&stage, false);
    start(node, 0);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    play(&stage, node, 0, 40 * 33333);
    CHECK_EQ(stage_state(&stage, node).frames_dropped, 0);
    stop_all(node);
}

/* ---- ends -------------------------------------------------------------------- */

static void stream_stops_in_every_state(void)
{
    struct tiny_options o = {.frame_count = 61, .vertices = 700,
                             .is_noisy = true};
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.disc.bytes_per_second = 4 << 20;
    stage.disc.seek_us = 10000;
    stage_open(&stage);
    node = stage_node(&stage, true);
    for (int ticks = 0; ticks < 60; ticks++)
        for (int how = 0; how < 3; how++) {
            test_context("after %d ticks, way %d", ticks, how);
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                                ticks * 77777),
                     SPN_OK);
            for (int i = 0; i < ticks; i++) {
                CHECK_EQ(spn_node_set_playback_time(
                             stage.rt, node, ticks * 77777 + i * 9000),
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
    struct tiny_options o = {.frame_count = 61, .vertices = 700,
                             .is_noisy = true};

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
    struct slow_fault stall = {.kind = SLOW_STALL, .path = "a",
                               .value = 1000000};
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
    start(node, 0);
    /* 60 changes of the frame, each seen by many updates. */
    for (int64_t t = 0; t <= 60 * 33333; t += 3333) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, 3333);
    }
    state = stage_state(&stage, node);
    CHECK(state.frames_late > 10);
    CHECK_EQ(state.frames_late + state.frames_shown, 60);
    CHECK_EQ(state.frames_dropped, 0);
    stop_all(node);
}

static void what_is_held_follows_playback(void)
{
    struct tiny_options o = {.frame_count = 301};
    spn_heap_stats stats;
    uint64_t most = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    node = stage_node(&stage, false);
    start(node, 0);
    for (uint32_t f = 0; f < 301; f++) {
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, f * 33333), SPN_OK);
        stage_tick(&stage, 33333);
        spn_heap_get_stats(stage.rt, &stats);
        if (stats.decoded_bytes > most)
            most = stats.decoded_bytes;
    }
    /* Half a second ahead and whole groups: 15 + 2 x 10 frames and a few, of
     * about 5 KiB. */
    CHECK(most < 45 * 6000);
    /* At the end one frame and the one before are left. */
    CHECK(stats.decoded_bytes < 3 * 6000);
    CHECK_EQ(stats.read_bytes, 0);
    stop_all(node);
}

static void hidden_meshes_cost_nothing(void)
{
    struct tiny_options o = {.frame_count = 41, .mesh_count = 2,
                             .vertices = 8000, .hidden_first = 2,
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
    start(node, 0);
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
    stop_all(node);
}

TEST_MAIN(TEST(stream_plays_a_clip_to_its_end),
          TEST(stream_plays_many_tiles_and_large_meshes),
          TEST(stream_loops_without_a_gap),
          TEST(stream_loops_as_exactly_after_a_year),
          TEST(stream_interpolates_across_the_loop),
          TEST(stream_seeks_with_one_read_from_the_lead_on),
          TEST(stream_seeks_forward_and_back_everywhere),
          TEST(stream_steps_back_to_a_frame_it_still_holds),
          TEST(sixteen_nodes_all_get_their_turn),
          TEST(streams_play_in_the_published_minimum),
          TEST(streams_that_wander_always_arrive),
          TEST(a_late_node_gets_its_promise_back),
          TEST(streams_play_in_the_smallest_tables),
          TEST(a_group_that_never_fits_is_refused),
          TEST(damage_costs_the_frame_and_what_refers_to_it),
          TEST(one_bad_mesh_leaves_the_others_of_the_frame_to_be_referred_to),
          TEST(an_unreadable_range_costs_its_groups),
          TEST(an_error_that_heals_costs_nothing),
          TEST(stream_stops_in_every_state),
          TEST(runtime_shuts_down_in_every_state),
          TEST(a_late_frame_is_counted_once),
          TEST(what_is_held_follows_playback),
          TEST(hidden_meshes_cost_nothing))
