/* test_memory_play.c
 *
 * Goal: a cache that plays from memory is read and decoded once, whatever else
 *   plays and however it is played, within the limits of memory that are set.
 * Method: small clips in heaps of chosen sizes. The bytes that were read and
 *   the decode jobs of each cache are counted.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/memory_scene.h"

#include <spindle/memory.h>

#define LOOP_TICKS 182u /* at 30 frames a second */
#define MIB (1u << 20)

static struct memory_scene scene;

/* The work for the short clip in three loops after the first, beside a long
 * clip that takes what is free. */
static void three_loops(const char *memory_play_kib, uint64_t *bytes,
                        uint32_t *decodes)
{
    const bool keeps = memory_play_kib[0] != '0';
    uint64_t before;
    uint32_t late;

    memory_scene_begin(&scene, memory_scene_small_clip(),
                       memory_scene_large_clip(), 6 * MIB, memory_play_kib);
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    memory_scene_open_and_start(&scene, 1);
    memory_scene_play(&scene, 10);
    CHECK_EQ(memory_scene_keeps_all(&scene, 0), keeps);
    CHECK(!memory_scene_keeps_all(&scene, 1));
    scene.decode_counts[0] = 0;
    before = stage_state(&scene.stage, scene.nodes[0]).bytes_read;
    late = stage_state(&scene.stage, scene.nodes[0]).frames_late;
    memory_scene_play(&scene, 3 * LOOP_TICKS);
    CHECK_EQ(memory_scene_keeps_all(&scene, 0), keeps);
    *decodes = scene.decode_counts[0];
    *bytes = stage_state(&scene.stage, scene.nodes[0]).bytes_read - before;
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).frames_late, late);
    CHECK(stage_state(&scene.stage, scene.nodes[1]).frames_shown > 140);
    memory_scene_end(&scene);
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
    CHECK(decodes > MEMORY_SCENE_FRAMES);
}

/* Node 0 shows the frame of the time, with its values. */
static void set_and_check(int64_t time_us)
{
    CHECK_EQ(
        spn_node_set_playback_time(scene.stage.rt, scene.nodes[0], time_us),
        SPN_OK);
    stage_tick(&scene.stage, STAGE_TICK_US);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).is_ready);
    stage_check_frame(&scene.stage, scene.nodes[0], 0,
                      (uint32_t)(time_us / scene.stage.tiny->options.frame_us));
}

/* To and fro, backward, in leaps, two nodes, and after a pause without any. */
static void nothing_is_read_however_it_is_played(void)
{
    uint32_t at = 1;

    memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB,
                       "4096");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    memory_scene_begin_quiet(&scene);
    CHECK_EQ(spn_node_set_range(scene.stage.rt, scene.nodes[0], 400000, 1700000,
                                SPN_PING_PONG),
             SPN_OK);
    memory_scene_play(&scene, LOOP_TICKS);
    CHECK_EQ(spn_node_set_range(scene.stage.rt, scene.nodes[0], 0, 3000000,
                                SPN_LOOP),
             SPN_OK);
    for (uint32_t i = 0; i < 60; i++)
        set_and_check((int64_t)(60 - i) * STAGE_TICK_US);
    for (uint32_t i = 0; i < 40; i++) {
        at = at * 1103515245u + 12345u;
        set_and_check(at % 3000000);
    }
    memory_scene_start_node(&scene, 1, 0);
    memory_scene_play(&scene, LOOP_TICKS);
    CHECK(stage_state(&scene.stage, scene.nodes[1]).frames_late < 3);
    memory_scene_destroy_node(&scene, 0);
    memory_scene_destroy_node(&scene, 1);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    memory_scene_start_node(&scene, 0, 0);
    memory_scene_play(&scene, LOOP_TICKS);
    memory_scene_check_quiet(&scene);
    memory_scene_end(&scene);
}

/* `memory_play_kib` counts, or the mark; the values shown are right. */
static void marked_clip_is_kept_whatever_its_size(void)
{
    const struct tiny_options marked = {.frame_count = MEMORY_SCENE_FRAMES,
                                        .plays_from_memory = true};
    spn_cache_info info;

    memory_scene_begin(&scene, tiny_build(&marked), NULL, 3 * MIB, "0");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    info = memory_scene_info(&scene, 0);
    CHECK_EQ(info.plays_from_memory, 1);
    CHECK_EQ(info.keeps_all_frames, 1);
    CHECK_EQ(info.decoded_count, MEMORY_SCENE_FRAMES);
    CHECK_EQ_U(info.decoded_bytes, MEMORY_SCENE_FRAMES * 8192);
    memory_scene_begin_quiet(&scene);
    stage_play(&scene.stage, scene.nodes[0], 0, 3000000);
    memory_scene_check_quiet(&scene);
    memory_scene_end(&scene);
}

static void limit_may_change(void)
{
    const char *const exact = "728"; /* 91 frames of 8 KiB */

    memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB, "727");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "memory_play_kib", exact), SPN_OK);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    CHECK_EQ(spn_tuning_set(scene.stage.rt,
                            "e_GeomCacheMaxPlaybackFromMemorySize", "0"),
             SPN_OK);
    memory_scene_play(&scene, 2);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    /* It is kept like that of any other cache, and freed when nobody plays. */
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    memory_scene_destroy_node(&scene, 0);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, 0);
    CHECK(stage_is_empty(&scene.stage));
    memory_scene_start_node(&scene, 0, 0);
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "memory_play_kib", exact), SPN_OK);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    memory_scene_destroy_node(&scene, 0);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "memory_play_kib", "0"), SPN_OK);
    memory_scene_play(&scene, 2);
    CHECK(stage_is_empty(&scene.stage));
    memory_scene_end(&scene);
}

/* Streams get less than the clip needs. */
static void limit_of_streams_counts(void)
{
    memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB,
                       "4096");
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "stream_memory_kib", "300"),
             SPN_OK);
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK(scene.stage.rt->manager.promises.keeper.kept_pages <= 75);
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "stream_memory_kib", "3000"),
             SPN_OK);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "stream_memory_kib", "300"),
             SPN_OK);
    memory_scene_play(&scene, 5);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK(scene.stage.rt->manager.promises.keeper.kept_pages <= 75);
    memory_scene_end(&scene);
}

/* In a heap of that size marked caches play from memory, beside a stream with
 * what that needs. */
static void heap_needed_counts_marked_clips(void)
{
    const struct tiny_options marked = {.plays_from_memory = true,
                                        .frame_count = MEMORY_SCENE_FRAMES,
                                        .vertices = 700};
    uint64_t needed[2];
    uint64_t unmarked;
    uint32_t late;

    memory_scene_begin(&scene, tiny_build(&marked), memory_scene_large_clip(),
                       16 * MIB, "0");
    memory_scene_open(&scene, 0);
    memory_scene_open(&scene, 1);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(spn_cache_heap_needed(scene.stage.rt, scene.caches[i], 1,
                                       &needed[i]),
                 SPN_OK);
    CHECK(needed[0] > memory_scene_info(&scene, 0).decoded_bytes);
    memory_scene_end(&scene);
    memory_scene_begin(&scene, tiny_build(&marked), memory_scene_large_clip(),
                       (uint32_t)(needed[0] + needed[1]), "0");
    /* It reads ahead with what is free, but leaves room for the clip. */
    memory_scene_open_and_start(&scene, 1);
    memory_scene_play(&scene, LOOP_TICKS);
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    CHECK_EQ(scene.decode_counts[0], MEMORY_SCENE_FRAMES);
    scene.decode_counts[0] = 0;
    late = stage_state(&scene.stage, scene.nodes[1]).frames_late;
    memory_scene_play(&scene, 2 * LOOP_TICKS);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(scene.decode_counts[0], 0);
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[1]).frames_late, late);
    memory_scene_end(&scene);
    memory_scene_begin(
        &scene,
        tiny_build(&(struct tiny_options){.frame_count = MEMORY_SCENE_FRAMES,
                                          .vertices = 700}),
        NULL, 16 * MIB, "0");
    memory_scene_open(&scene, 0);
    CHECK_EQ(
        spn_cache_heap_needed(scene.stage.rt, scene.caches[0], 1, &unmarked),
        SPN_OK);
    CHECK(unmarked < needed[0] / 2);
    memory_scene_end(&scene);
}

TEST_MAIN(TEST(small_clip_is_read_and_decoded_once),
          TEST(nothing_is_read_however_it_is_played),
          TEST(marked_clip_is_kept_whatever_its_size), TEST(limit_may_change),
          TEST(limit_of_streams_counts), TEST(heap_needed_counts_marked_clips))
