/* test_cursor.c
 *
 * Goal: a node plays in both directions at the rate of the times that are set,
 *   over loops too, reads and decodes each frame once, and shares both with
 *   other nodes of its cache.
 * Method: small caches on a slow disc with a virtual clock; counts of reads,
 *   bytes and decoded frames.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "play/closure.h"
#include "play/cursor_range.h"
#include "play/frame_slot.h"
#include "play/group_table.h"
#include "play/level.h"
#include "play/node/node.h"
#include "runtime.h"
#include "support/stage.h"
#include "support/synthetic_clip.h"

#include <string.h>

#define FRAME_US 33333
#define FRAMES_MAX 601u

static struct stage stage;
static uint32_t decodes;
static uint32_t decodes_of[FRAMES_MAX]; /* by frame */

static void on_decompressed(void *user, const spn_event *event)
{
    (void)user;
    CHECK(event->frame < FRAMES_MAX);
    decodes++;
    decodes_of[event->frame]++;
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
    memset(decodes_of, 0, sizeof decodes_of);
}

/* In steps of `step_us` from a time on. After the first `late_max` updates each
 * picture is in time. */
static void play(spn_node node, int64_t from_us, int64_t step_us,
                 uint32_t updates, uint32_t late_max)
{
    const int64_t count = stage.tiny->options.frame_count;

    CHECK(late_max < updates);
    for (uint32_t i = 0; i < updates; i++) {
        const int64_t t = from_us + (int64_t)i * step_us;
        const int64_t loop_us = count * FRAME_US;
        const int64_t in_loop = (t % loop_us + loop_us) % loop_us;

        test_context("update %u, at %lld us", i, (long long)t);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        if (i < late_max)
            continue;
        CHECK(stage_state(&stage, node).is_ready);
        stage_check_frame(&stage, node, 0, (uint32_t)(in_loop / FRAME_US));
    }
}

/* Two steps turn a cursor round; then it reads and decodes backward. */
static void a_node_plays_backward_over_loops(void)
{
    const struct tiny_options o = {.frame_count = 61, .vertices = 500};
    spn_node node;

    open_clip(&o, 8 << 20);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 60 * FRAME_US);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    play(node, 60 * FRAME_US, -(int64_t)STAGE_TICK_US, 560, 2);
    CHECK(spn__manager_node(&stage.rt->manager, node)->cursor.is_backward);
    stage_stop(&stage, node);
}

/* Play 580 of 601 frames; all are read. Each picture is in time. A frame that
 * was played is decoded once, and none twice. Each group is read once, also
 * backward, because borders are kept. Reads begin and end with whole pages,
 * which adds less than one percent. */
static void play_and_count(bool is_backward)
{
    const struct tiny_options o = {
        .frame_count = FRAMES_MAX, .vertices = 700, .is_noisy = true};
    const int64_t tick_us = STAGE_TICK_US;
    const int64_t from_us = is_backward ? (FRAMES_MAX - 1) * FRAME_US : 0;
    uint64_t bytes;
    uint64_t read;
    spn_node node;

    open_clip(&o, 4 << 20);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, from_us);
    play(node, from_us, is_backward ? -tick_us : tick_us, 1160, 0);
    for (uint32_t i = 0; i < FRAMES_MAX; i++) {
        const uint32_t f = is_backward ? FRAMES_MAX - 1 - i : i;

        test_context("backward %d, frame %u", is_backward, f);
        CHECK(decodes_of[f] <= 1);
        CHECK(i > 579 || decodes_of[f] == 1);
    }
    bytes = stage.tiny->size - stage.tiny->frames_offset;
    read = stage_state(&stage, node).bytes_read;
    CHECK(read >= bytes);
    CHECK(read < bytes + bytes / 100);
    stage_stop(&stage, node);
}

static void backward_playback_reads_and_decodes_no_more(void)
{
    play_and_count(false);
    play_and_count(true);
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
        /* Backward it leaps to the end of the clip, which is a seek. */
        play(node, 0, step_us, 440, rate < 0 ? 5 : 0);
        CHECK_EQ_U(stage_state(&stage, node).seeks, rate < 0);
        stage_stop(&stage, node);
    }
}

/* The bytes of all groups fit the heap beside the promise, but the decoded
 * frames do not. A loop reads them once at any rate: decoded frames beyond the
 * promise are no reason to read a group again. */
static void a_loop_is_read_once(void)
{
    const struct synthetic_options o = {
        .frame_count = 161, .vertices = 3000, .step = 20, .is_calm = true};
    struct memory_sink memory = {0};

    synthetic_lift(&o, 8, true, &memory);
    for (int64_t rate = 1; rate <= 8; rate *= 2) {
        const int64_t loop_us = o.frame_count * (int64_t)FRAME_US;
        uint64_t read;
        spn_node node;

        test_context("rate %d", (int)rate);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
        stage.config.heap_bytes = 3 << 20;
        stage.config.listener = &listener;
        stage.disc.bytes_per_second = 64 << 20;
        stage.disc.seek_us = 1000;
        stage_open(&stage);
        CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "64"), SPN_OK);
        decodes = 0;
        node = stage_node(&stage, true);
        stage_stream(&stage, node, 0);
        for (int64_t t = 0; t < 4 * loop_us; t += rate * STAGE_TICK_US) {
            CHECK_EQ(spn_node_set_playback_time(stage.rt, node, t), SPN_OK);
            stage_tick(&stage, STAGE_TICK_US);
        }
        read = stage_state(&stage, node).bytes_read;
        /* Reads begin and end with whole pages. */
        CHECK(read < memory.size + memory.size / 10);
        stage_stop(&stage, node);
    }
    memory_sink_free(&memory);
}

/* Bytes that a node reads in three loops, after the first one. */
static uint64_t bytes_of_loops(spn_node node, bool is_backward)
{
    const int64_t loop_us = (int64_t)stage.tiny->options.frame_count * FRAME_US;
    const int64_t begin_us = 4 * loop_us;
    uint64_t read = 0;

    stage_stream(&stage, node, begin_us);
    for (int64_t t = 0; t < 4 * loop_us; t += STAGE_TICK_US) {
        if (t < loop_us)
            read = stage_state(&stage, node).bytes_read;
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node,
                                            begin_us + (is_backward ? -t : t)),
                 SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    return stage_state(&stage, node).bytes_read - read;
}

/* Of 6.6 MB, 1.5 MB fit the heap beside the promise. Groups that were just
 * decoded make room for the next ones, and not those that come next in the
 * loop. So some are always there when playback comes to them. */
static void a_loop_keeps_groups_that_come_next(void)
{
    const struct tiny_options o = {
        .frame_count = 301, .vertices = 2000, .is_noisy = true};

    for (int is_backward = 0; is_backward <= 1; is_backward++) {
        uint64_t bytes;
        spn_node node;

        test_context("backward %d", is_backward);
        open_clip(&o, 3 << 20);
        stage.disc.bytes_per_second = 64 << 20;
        stage.disc.seek_us = 1000;
        CHECK_EQ(spn_tuning_set(stage.rt, "request_kib", "64"), SPN_OK);
        node = stage_node(&stage, true);
        bytes = stage.tiny->size - stage.tiny->frames_offset;
        CHECK(bytes_of_loops(node, is_backward) < 3 * bytes - 3 * bytes / 10);
        stage_stop(&stage, node);
    }
}

/* Half a second to and fro, then a second again and again: decoded once. */
static void short_ways_are_read_and_decoded_once(void)
{
    const struct tiny_options o = {.frame_count = 301, .vertices = 300};
    const int64_t tick_us = STAGE_TICK_US;
    uint32_t reads = 0;
    spn_node node;

    open_clip(&o, 8 << 20);
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 3000000);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    for (uint32_t round = 0; round < 8; round++) {
        reads = round == 2 ? stage.disc.reads : reads;
        play(node, 3000000, tick_us, 30, 0);
        play(node, 3500000, -tick_us, 30, 0);
    }
    for (uint32_t round = 0; round < 4; round++)
        play(node, 3000000, tick_us, 60, 0);
    CHECK_EQ_U(stage.disc.reads, reads);
    for (uint32_t f = 0; f < o.frame_count; f++) {
        test_context("frame %u", f);
        CHECK(decodes_of[f] <= 1);
    }
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

/* Of the pyramid at most 4, 6 and 8 frames, which this clip needs; of the
 * classic codec the run since the index frame, and both index frames. */
static void closures_are_as_large_as_the_codec_makes_them(void)
{
    static const uint32_t distances[] = {4, 8, 16};
    static const uint32_t counts[] = {4, 6, 8};

    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t distance = distances[i];
        const struct synthetic_options o = {
            .frame_count = 2 * distance + 1, .vertices = 300, .step = 20};
        const struct tiny_options classic = {.frame_count = 2 * distance + 1,
                                             .distance = distance};
        struct memory_sink memory = {0};

        test_context("distance %u", distance);
        synthetic_lift(&o, distance, true, &memory);
        stage_init(&stage, NULL);
        slow_platform_add(&stage.disc, "a", memory.bytes, memory.size);
        stage_open(&stage);
        CHECK_EQ_U(stage.rt->manager.caches[0].closure_frames_max, counts[i]);
        stage_close(&stage);
        memory_sink_free(&memory);
        stage_init(&stage, tiny_build(&classic));
        stage_open(&stage);
        CHECK_EQ_U(stage.rt->manager.caches[0].closure_frames_max,
                   distance + 1);
        stage_close(&stage);
    }
}

/* Frames return from frame 25 on. Before it, a frame that is left out is no
 * reason to read its group again. It is one in the group of the frames that
 * return. */
static void frames_that_return_later_are_not_missing(void)
{
    const struct tiny_options o = {.frame_count = 61};
    const struct cache *c;
    struct group_read *read;
    struct cursor *s;
    bool is_needed;
    spn_node node;

    open_clip(&o, 8 << 20);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    for (int i = 0; i < 60; i++)
        stage_tick(&stage, STAGE_TICK_US);
    s = &spn__manager_node(&stage.rt->manager, node)->cursor;
    c = s->cache;
    CHECK_EQ(cache_frame_at(c, 9)->height, 0);
    spn__frame_slot_free(frame_slot_at(c, 9)->frame);
    read = spn__group_table_read(c, 9);
    if (read)
        spn__group_read_free(read);
    CHECK_EQ_U(spn__cursor_missing(s, 1, 0, 61, &is_needed), GROUP_BODY);
    CHECK(is_needed);
    s->near_cut = LEVEL_STEPS;
    s->cut_from = 25;
    CHECK_EQ_U(spn__cursor_missing(s, 1, 0, 61, &is_needed), 0);
    CHECK(!is_needed);
    s->cut_from = 5;
    CHECK_EQ_U(spn__cursor_missing(s, 1, 0, 61, &is_needed), GROUP_BODY);
    s->near_cut = 0;
    stage_stop(&stage, node);
}

TEST_MAIN(TEST(frames_that_return_later_are_not_missing),
          TEST(a_node_plays_backward_over_loops),
          TEST(backward_playback_reads_and_decodes_no_more),
          TEST(a_node_plays_fast_in_both_directions), TEST(a_loop_is_read_once),
          TEST(a_loop_keeps_groups_that_come_next),
          TEST(short_ways_are_read_and_decoded_once),
          TEST(nodes_in_step_share_reads_and_decodes),
          TEST(a_node_that_stops_takes_nothing_from_others),
          TEST(closures_are_as_large_as_the_codec_makes_them))
