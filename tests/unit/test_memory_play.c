/* test_memory_play.c
 *
 * Goal: a cache that plays from memory is read and decoded once, whatever else
 *   plays and however it is played; it streams where there is no memory for
 *   that, and everything else gets its memory first.
 * Method: small clips in heaps of chosen sizes. The bytes that were read and
 *   the decode jobs of each cache are counted.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"

#include <spindle/geom_view.h>
#include <spindle/listener.h>
#include <spindle/memory.h>
#include <string.h>

#define FRAMES 91u
#define LOOP_TICKS 182u /* at 30 frames a second */
#define MIB (1u << 20)

static struct stage stage;
static struct tiny_cache *second;
static spn_cache caches[2];
static spn_node nodes[2];
static uint32_t decode_counts[2];
static uint64_t read_bytes;
static uint32_t read_count; /* at the device */
static int64_t clock_us;

static void on_decode(void *user, const spn_event *event)
{
    (void)user;
    for (uint32_t i = 0; i < 2; i++)
        if (event->cache == caches[i])
            decode_counts[i]++;
}

static const spn_listener listener = {.decode_begin = on_decode};

static const spn_node_desc looping = {.is_looping = 1};

static void open_file(uint32_t i)
{
    CHECK_EQ(spn_cache_open(stage.rt, i ? "b" : "a", &caches[i]), SPN_OK);
    for (uint32_t k = 0; k < 200; k++)
        if (spn_cache_get_status(stage.rt, caches[i], NULL) == SPN_PENDING)
            stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_status(stage.rt, caches[i], NULL), SPN_OK);
}

static void start_node(uint32_t i, uint32_t cache)
{
    CHECK_EQ(spn_node_create(stage.rt, caches[cache], &looping, &nodes[i]),
             SPN_OK);
    CHECK_EQ(spn_node_start_streaming(stage.rt, nodes[i], 0), SPN_OK);
}

static void open_and_start(uint32_t i)
{
    open_file(i);
    start_node(i, i);
}

/* Two files; the second one may be NULL. */
static void start(struct tiny_cache *a, struct tiny_cache *b,
                  uint32_t heap_bytes, const char *memory_play_kib)
{
    stage_init(&stage, a);
    second = b;
    if (b)
        slow_platform_add(&stage.disc, "b", b->bytes, b->size);
    stage.config.heap_bytes = heap_bytes;
    stage.config.listener = &listener;
    stage_start(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "memory_play_kib", memory_play_kib),
             SPN_OK);
    clock_us = 0;
    memset(caches, 0, sizeof caches);
    memset(nodes, 0, sizeof nodes);
    memset(decode_counts, 0, sizeof decode_counts);
}

static void finish(void)
{
    stage_close(&stage);
    if (second)
        tiny_free(second);
}

static struct tiny_cache *small_clip(void)
{
    return tiny_build(&(struct tiny_options){.frame_count = FRAMES});
}

static struct tiny_cache *large_clip(void)
{
    return tiny_build(
        &(struct tiny_options){.frame_count = 151, .vertices = 4000});
}

static void play(uint32_t ticks)
{
    for (uint32_t t = 0; t < ticks; t++) {
        clock_us += STAGE_TICK_US;
        for (uint32_t i = 0; i < 2; i++)
            if (nodes[i])
                CHECK_EQ(
                    spn_node_set_playback_time(stage.rt, nodes[i], clock_us),
                    SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
}

static void destroy_node(uint32_t i)
{
    CHECK_EQ(spn_node_destroy(stage.rt, nodes[i]), SPN_OK);
    nodes[i] = 0;
    play(5);
}

static spn_cache_info info_of(uint32_t i)
{
    spn_cache_info info = {0};

    CHECK_EQ(spn_cache_get_info(stage.rt, caches[i], &info), SPN_OK);
    return info;
}

static bool keeps_all(uint32_t i)
{
    return info_of(i).keeps_all_frames != 0;
}

static uint64_t all_bytes_read(void)
{
    spn_io_stats stats;

    spn_io_get_stats(stage.rt, &stats);
    return stats.bytes_read;
}

/* From here on nothing is to be read or decoded. */
static void begin_quiet(void)
{
    memset(decode_counts, 0, sizeof decode_counts);
    read_bytes = all_bytes_read();
    read_count = stage.disc.reads;
}

static void check_quiet(void)
{
    CHECK_EQ(decode_counts[0], 0);
    CHECK_EQ(decode_counts[1], 0);
    CHECK_EQ_U(all_bytes_read(), read_bytes);
    CHECK_EQ_U(stage.disc.reads, read_count);
}

/* The work for the short clip in three loops after the first, beside a long
 * clip that takes what is free. */
static void three_loops(const char *memory_play_kib, uint64_t *bytes,
                        uint32_t *decodes)
{
    const bool keeps = memory_play_kib[0] != '0';
    uint64_t before;
    uint32_t late;

    start(small_clip(), large_clip(), 6 * MIB, memory_play_kib);
    open_and_start(0);
    play(LOOP_TICKS + 10);
    open_and_start(1);
    play(10);
    CHECK_EQ(keeps_all(0), keeps);
    CHECK(!keeps_all(1));
    decode_counts[0] = 0;
    before = stage_state(&stage, nodes[0]).bytes_read;
    late = stage_state(&stage, nodes[0]).frames_late;
    play(3 * LOOP_TICKS);
    CHECK_EQ(keeps_all(0), keeps);
    *decodes = decode_counts[0];
    *bytes = stage_state(&stage, nodes[0]).bytes_read - before;
    CHECK_EQ(stage_state(&stage, nodes[0]).frames_late, late);
    CHECK(stage_state(&stage, nodes[1]).frames_shown > 140);
    finish();
}

static void small_clip_is_read_and_decoded_once(void)
{
    uint64_t bytes;
    uint32_t decodes;

    three_loops("4096", &bytes, &decodes);
    CHECK_EQ_U(bytes, 0);
    CHECK_EQ(decodes, 0);
    /* Otherwise what playback has passed is freed. */
    three_loops("0", &bytes, &decodes);
    CHECK(decodes > FRAMES);
}

/* Node 0 shows the frame of the time, with its values. */
static void set_and_check(int64_t time_us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[0], time_us), SPN_OK);
    stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, nodes[0]).is_ready);
    stage_check_frame(&stage, nodes[0], 0,
                      (uint32_t)(time_us / stage.tiny->options.frame_us));
}

/* To and fro, backward, in leaps, two nodes, and after a pause without any. */
static void nothing_is_read_however_it_is_played(void)
{
    uint32_t at = 1;

    start(small_clip(), NULL, 3 * MIB, "4096");
    open_and_start(0);
    play(LOOP_TICKS + 10);
    begin_quiet();
    CHECK_EQ(
        spn_node_set_range(stage.rt, nodes[0], 400000, 1700000, SPN_PING_PONG),
        SPN_OK);
    play(LOOP_TICKS);
    CHECK_EQ(spn_node_set_range(stage.rt, nodes[0], 0, 3000000, SPN_LOOP),
             SPN_OK);
    for (uint32_t i = 0; i < 60; i++)
        set_and_check((int64_t)(60 - i) * STAGE_TICK_US);
    for (uint32_t i = 0; i < 40; i++) {
        at = at * 1103515245u + 12345u;
        set_and_check(at % 3000000);
    }
    start_node(1, 0);
    play(LOOP_TICKS);
    CHECK(stage_state(&stage, nodes[1]).frames_late < 3);
    destroy_node(0);
    destroy_node(1);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    start_node(0, 0);
    play(LOOP_TICKS);
    check_quiet();
    finish();
}

/* `memory_play_kib` counts, or the mark; the values shown are right. */
static void marked_clip_is_kept_whatever_its_size(void)
{
    const struct tiny_options marked = {.frame_count = FRAMES,
                                        .plays_from_memory = true};
    spn_cache_info info;

    start(tiny_build(&marked), NULL, 3 * MIB, "0");
    open_and_start(0);
    play(LOOP_TICKS + 10);
    info = info_of(0);
    CHECK_EQ(info.plays_from_memory, 1);
    CHECK_EQ(info.keeps_all_frames, 1);
    CHECK_EQ(info.decoded_count, FRAMES);
    CHECK_EQ_U(info.decoded_bytes, FRAMES * 8192);
    begin_quiet();
    stage_play(&stage, nodes[0], 0, 3000000);
    check_quiet();
    finish();
}

static void limit_may_change(void)
{
    const char *const exact = "728"; /* 91 frames of 8 KiB */

    start(small_clip(), NULL, 3 * MIB, "727");
    open_and_start(0);
    play(LOOP_TICKS);
    CHECK(!keeps_all(0));
    CHECK_EQ(spn_tuning_set(stage.rt, "memory_play_kib", exact), SPN_OK);
    play(LOOP_TICKS + 10);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    CHECK_EQ(
        spn_tuning_set(stage.rt, "e_GeomCacheMaxPlaybackFromMemorySize", "0"),
        SPN_OK);
    play(2);
    CHECK(!keeps_all(0));
    /* It is kept like that of any other cache, and freed when nobody plays. */
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    destroy_node(0);
    CHECK_EQ(info_of(0).decoded_count, 0);
    CHECK(stage_is_empty(&stage));
    start_node(0, 0);
    CHECK_EQ(spn_tuning_set(stage.rt, "memory_play_kib", exact), SPN_OK);
    play(LOOP_TICKS + 10);
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    destroy_node(0);
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    CHECK_EQ(spn_tuning_set(stage.rt, "memory_play_kib", "0"), SPN_OK);
    play(2);
    CHECK(stage_is_empty(&stage));
    finish();
}

/* Streams get less than the clip needs. */
static void limit_of_streams_counts(void)
{
    start(small_clip(), NULL, 3 * MIB, "4096");
    CHECK_EQ(spn_tuning_set(stage.rt, "stream_memory_kib", "300"), SPN_OK);
    open_and_start(0);
    play(LOOP_TICKS + 10);
    CHECK(!keeps_all(0));
    CHECK(stage.rt->manager.promises.keeper.kept_pages <= 75);
    CHECK_EQ(spn_tuning_set(stage.rt, "stream_memory_kib", "3000"), SPN_OK);
    play(LOOP_TICKS + 10);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    CHECK_EQ(spn_tuning_set(stage.rt, "stream_memory_kib", "300"), SPN_OK);
    play(5);
    CHECK(!keeps_all(0));
    CHECK(stage.rt->manager.promises.keeper.kept_pages <= 75);
    finish();
}

/* The decoded clip is larger than the heap. */
static void clip_that_does_not_fit_streams(void)
{
    const struct tiny_options o = {
        .plays_from_memory = true, .frame_count = 61, .vertices = 2000};

    start(tiny_build(&o), NULL, 1200u << 10, "0");
    open_and_start(0);
    play(2 * LOOP_TICKS);
    CHECK(!keeps_all(0));
    CHECK(stage_state(&stage, nodes[0]).frames_shown > 150);
    CHECK(stage_state(&stage, nodes[0]).frames_late < 5);
    finish();
}

/* Only one of two clips fits. The one that stays first goes on to stay; the
 * other one follows when nobody plays the first. */
static void of_two_clips_one_stays(void)
{
    const struct tiny_options o = {.plays_from_memory = true, .vertices = 3000};

    start(tiny_build(&o), tiny_build(&o), 3200u << 10, "0");
    open_and_start(1);
    play(70);
    CHECK(keeps_all(1));
    open_and_start(0);
    play(70);
    begin_quiet();
    for (uint32_t i = 0; i < 60; i++) {
        play(2);
        CHECK(keeps_all(1));
        CHECK(!keeps_all(0));
    }
    CHECK_EQ(decode_counts[1], 0);
    CHECK(decode_counts[0] > 31);
    CHECK(stage_state(&stage, nodes[0]).frames_shown > 50);
    destroy_node(1);
    play(70);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(1).decoded_count, 0);
    finish();
}

/* It fits alone, but not beside the large clip. */
static void clip_gives_way_to_a_node_without_memory(void)
{
    const struct tiny_options o = {.plays_from_memory = true, .vertices = 3000};

    start(tiny_build(&o), large_clip(), 2400u << 10, "0");
    open_and_start(0);
    play(70);
    CHECK(keeps_all(0));
    open_and_start(1);
    play(20);
    CHECK(!keeps_all(0));
    CHECK(stage_state(&stage, nodes[1]).is_ready);
    play(60);
    CHECK(stage_state(&stage, nodes[1]).frames_shown > 25);
    destroy_node(1);
    play(70);
    CHECK(keeps_all(0));
    finish();
}

/* Blocks of the game and caches that open take lasting frames, also of a cache
 * that nobody plays. */
static void clip_gives_way_to_static_data(void)
{
    const uint32_t most = 2 * MIB + (MIB >> 1);

    for (uint32_t is_played = 0; is_played < 2; is_played++) {
        spn_block block;

        start(small_clip(), NULL, 3 * MIB, "4096");
        open_and_start(0);
        play(LOOP_TICKS + 10);
        if (!is_played)
            destroy_node(0);
        CHECK(keeps_all(0));
        CHECK_EQ(spn_block_alloc(stage.rt, most, 0, &block), SPN_OK);
        CHECK(info_of(0).decoded_count < FRAMES);
        play(3);
        CHECK(!keeps_all(0));
        CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
        play(LOOP_TICKS + 10);
        CHECK_EQ(keeps_all(0), is_played);
        CHECK(!is_played || info_of(0).decoded_count == FRAMES);
        finish();
    }
}

/* Frames of a cache that is unloaded are freed; they come back. */
static void unloaded_clip_comes_back(void)
{
    const spn_view away = {.is_visible = 0, .distance = 1};
    const spn_view near = {.is_visible = 1, .distance = 1};

    start(small_clip(), NULL, 3 * MIB, "4096");
    CHECK_EQ(spn_tuning_set(stage.rt, "unload_after_ms", "500"), SPN_OK);
    open_and_start(0);
    play(LOOP_TICKS + 10);
    CHECK(keeps_all(0));
    CHECK_EQ(spn_node_set_view(stage.rt, nodes[0], &away), SPN_OK);
    play(60);
    CHECK_EQ(info_of(0).decoded_count, 0);
    CHECK(!keeps_all(0));
    CHECK(stage_is_empty(&stage));
    CHECK_EQ(spn_node_set_view(stage.rt, nodes[0], &near), SPN_OK);
    play(LOOP_TICKS + 30);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    begin_quiet();
    play(LOOP_TICKS);
    check_quiet();
    finish();
}

static void closing_frees_the_frames(void)
{
    start(small_clip(), NULL, 3 * MIB, "4096");
    open_and_start(0);
    play(LOOP_TICKS + 10);
    destroy_node(0);
    CHECK(!stage_is_empty(&stage));
    CHECK_EQ(spn_cache_close(stage.rt, caches[0]), SPN_OK);
    play(3);
    CHECK_EQ(stage.rt->heap.stats.live_blocks, 0);
    finish();
}

/* The damaged frame, and those that refer to it, are not tried again in a new
 * loop, but after a seek; all others stay. */
static void damaged_frame_costs_itself(void)
{
    struct tiny_cache *tiny = small_clip();
    uint32_t decoded;
    uint32_t dropped;

    tiny->bytes[tiny->frame_offset[45] + tiny->frame_bytes[45] - 1] ^= 0xff;
    start(tiny, NULL, 3 * MIB, "4096");
    open_and_start(0);
    play(LOOP_TICKS + 10);
    CHECK(keeps_all(0));
    decoded = info_of(0).decoded_count;
    CHECK(decoded >= FRAMES - 10);
    CHECK(decoded < FRAMES);
    dropped = stage_state(&stage, nodes[0]).frames_dropped;
    begin_quiet();
    play(3 * LOOP_TICKS);
    check_quiet();
    CHECK_EQ(info_of(0).decoded_count, decoded);
    CHECK(stage_state(&stage, nodes[0]).frames_dropped > dropped);
    CHECK_EQ(stage_state(&stage, nodes[0]).fault.status, SPN_ERR_CHECKSUM);
    clock_us += 1500000;
    play(LOOP_TICKS);
    CHECK_EQ(info_of(0).decoded_count, decoded);
    CHECK(decode_counts[0] > 0);
    CHECK(decode_counts[0] <= FRAMES - decoded);
    finish();
}

/* A device that works again brings the frames in the next loop, beside a frame
 * that is damaged. */
static void unreadable_frame_comes_back(void)
{
    struct tiny_cache *tiny = small_clip();
    const struct slow_fault fault = {.kind = SLOW_ERROR,
                                     .path = "a",
                                     .offset = tiny->frame_offset[20],
                                     .bytes = tiny->frame_bytes[20]};
    uint32_t decoded;

    tiny->bytes[tiny->frame_offset[75] + tiny->frame_bytes[75] - 1] ^= 0xff;
    start(tiny, NULL, 3 * MIB, "4096");
    slow_platform_fault(&stage.disc, &fault);
    open_and_start(0);
    play(2 * LOOP_TICKS);
    CHECK(keeps_all(0));
    decoded = info_of(0).decoded_count;
    CHECK(decoded < FRAMES - 5);
    stage.disc.fault_count = 0;
    play(LOOP_TICKS);
    CHECK(info_of(0).decoded_count > decoded);
    play(LOOP_TICKS);
    decoded = info_of(0).decoded_count;
    begin_quiet();
    play(2 * LOOP_TICKS);
    check_quiet();
    CHECK_EQ(info_of(0).decoded_count, decoded);
    finish();
}

/* Frame 50 is an index frame: frames 41 to 60 refer to it. */
#define INDEX_FRAME 50u

static void toggle_index_frame(struct tiny_cache *tiny)
{
    tiny->bytes[tiny->frame_offset[INDEX_FRAME] +
                tiny->frame_bytes[INDEX_FRAME] - 1] ^= 0xff;
}

/* Have a node loop from one frame to another. */
static void set_frames(uint32_t i, uint32_t first, uint32_t last)
{
    CHECK_EQ(spn_node_set_range(stage.rt, nodes[i], first * 33333, last * 33333,
                                SPN_LOOP),
             SPN_OK);
}

/* A clip with the index frame damaged. A frame is decoded just before it is
 * shown. */
static struct tiny_cache *start_damaged(void)
{
    struct tiny_cache *tiny = small_clip();

    toggle_index_frame(tiny);
    start(tiny, NULL, 3 * MIB, "4096");
    CHECK_EQ(spn_tuning_set(stage.rt, "decode_ahead_ms", "20"), SPN_OK);
    return tiny;
}

/* Frames that are lost because one outside of the range is damaged come back
 * when another node has read that one again. */
static void another_node_brings_references(void)
{
    struct tiny_cache *tiny = start_damaged();

    open_file(0);
    start_node(0, 0);
    set_frames(0, 52, 58);
    play(60);
    CHECK(keeps_all(0));
    CHECK_EQ(stage_state(&stage, nodes[0]).shown_frame, UINT32_MAX);
    CHECK_EQ(stage_state(&stage, nodes[0]).status, SPN_ERR_CHECKSUM);
    CHECK_EQ(stage_state(&stage, nodes[0]).fault_frame, INDEX_FRAME);
    toggle_index_frame(tiny);
    play(60);
    CHECK_EQ(stage_state(&stage, nodes[0]).shown_frame, UINT32_MAX);
    start_node(1, 0);
    set_frames(1, 42, 48);
    play(60);
    CHECK(stage_state(&stage, nodes[1]).is_ready);
    CHECK(stage_state(&stage, nodes[0]).is_ready);
    begin_quiet();
    play(60);
    check_quiet();
    finish();
}

/* The same for frames that are lost after the other node began, but because of
 * a frame that was lost before. */
static void late_losses_come_back(void)
{
    struct tiny_cache *tiny = start_damaged();

    open_and_start(0);
    play(2 * 43);
    CHECK(stage_state(&stage, nodes[0]).frames_dropped > 0);
    CHECK(stage_state(&stage, nodes[0]).frames_dropped < 5);
    CHECK_EQ(spn_node_create(stage.rt, caches[0], &looping, &nodes[1]), SPN_OK);
    for (uint32_t t = 0; t < 2 * LOOP_TICKS; t++) {
        if (t == 20)
            toggle_index_frame(tiny);
        clock_us += STAGE_TICK_US;
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[0], clock_us),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, nodes[1],
                                            (int64_t)t * STAGE_TICK_US),
                 SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    finish();
}

/* In a heap of that size marked caches play from memory, beside a stream with
 * what that needs. */
static void heap_needed_counts_marked_clips(void)
{
    const struct tiny_options marked = {
        .plays_from_memory = true, .frame_count = FRAMES, .vertices = 700};
    uint64_t needed[2];
    uint64_t unmarked;
    uint32_t late;

    start(tiny_build(&marked), large_clip(), 16 * MIB, "0");
    open_file(0);
    open_file(1);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(spn_cache_heap_needed(stage.rt, caches[i], 1, &needed[i]),
                 SPN_OK);
    CHECK(needed[0] > info_of(0).decoded_bytes);
    finish();
    start(tiny_build(&marked), large_clip(), (uint32_t)(needed[0] + needed[1]),
          "0");
    /* It reads ahead with what is free, but leaves room for the clip. */
    open_and_start(1);
    play(LOOP_TICKS);
    open_and_start(0);
    play(LOOP_TICKS + 10);
    CHECK(keeps_all(0));
    CHECK_EQ(info_of(0).decoded_count, FRAMES);
    CHECK_EQ(decode_counts[0], FRAMES);
    decode_counts[0] = 0;
    late = stage_state(&stage, nodes[1]).frames_late;
    play(2 * LOOP_TICKS);
    CHECK(keeps_all(0));
    CHECK_EQ(decode_counts[0], 0);
    CHECK_EQ(stage_state(&stage, nodes[1]).frames_late, late);
    finish();
    start(tiny_build(
              &(struct tiny_options){.frame_count = FRAMES, .vertices = 700}),
          NULL, 16 * MIB, "0");
    open_file(0);
    CHECK_EQ(spn_cache_heap_needed(stage.rt, caches[0], 1, &unmarked), SPN_OK);
    CHECK(unmarked < needed[0] / 2);
    finish();
}

TEST_MAIN(TEST(small_clip_is_read_and_decoded_once),
          TEST(nothing_is_read_however_it_is_played),
          TEST(marked_clip_is_kept_whatever_its_size), TEST(limit_may_change),
          TEST(limit_of_streams_counts), TEST(clip_that_does_not_fit_streams),
          TEST(of_two_clips_one_stays),
          TEST(clip_gives_way_to_a_node_without_memory),
          TEST(clip_gives_way_to_static_data), TEST(unloaded_clip_comes_back),
          TEST(closing_frees_the_frames), TEST(damaged_frame_costs_itself),
          TEST(unreadable_frame_comes_back),
          TEST(another_node_brings_references), TEST(late_losses_come_back),
          TEST(heap_needed_counts_marked_clips))
