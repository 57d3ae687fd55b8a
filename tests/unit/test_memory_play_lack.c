/* test_memory_play_lack.c
 *
 * Goal: a cache that would play from memory streams where there is no memory
 *   for that, and everything else gets its memory first. Frames that were lost
 *   come back.
 * Method: small clips in heaps of chosen sizes, and damaged frames. The bytes
 *   that were read and the decode jobs of each cache are counted.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/memory_scene.h"

#include <spindle/geom_view.h>
#include <string.h>

#define LOOP_TICKS 182u /* at 30 frames a second */
#define MIB (1u << 20)

static struct memory_scene scene;

/* The decoded clip is larger than the heap. */
static void clip_that_does_not_fit_streams(void)
{
    const struct tiny_options o = {
        .plays_from_memory = true, .frame_count = 61, .vertices = 2000};

    memory_scene_begin(&scene, tiny_build(&o), NULL, 1200u << 10, "0");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, 2 * LOOP_TICKS);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_shown > 150);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_late < 5);
    memory_scene_end(&scene);
}

/* Only one of two clips fits. The one that stays first goes on to stay; the
 * other one follows when nobody plays the first. */
static void of_two_clips_one_stays(void)
{
    const struct tiny_options o = {.plays_from_memory = true, .vertices = 3000};

    memory_scene_begin(&scene, tiny_build(&o), tiny_build(&o), 3200u << 10,
                       "0");
    memory_scene_open_and_start(&scene, 1);
    memory_scene_play(&scene, 70);
    CHECK(memory_scene_keeps_all(&scene, 1));
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, 70);
    memory_scene_begin_quiet(&scene);
    for (uint32_t i = 0; i < 60; i++) {
        memory_scene_play(&scene, 2);
        CHECK(memory_scene_keeps_all(&scene, 1));
        CHECK(!memory_scene_keeps_all(&scene, 0));
    }
    CHECK_EQ(scene.decode_counts[1], 0);
    CHECK(scene.decode_counts[0] > 31);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_shown > 50);
    memory_scene_destroy_node(&scene, 1);
    memory_scene_play(&scene, 70);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 1).decoded_count, 0);
    memory_scene_end(&scene);
}

/* It fits alone, but not beside the large clip. */
static void clip_gives_way_to_a_node_without_memory(void)
{
    const struct tiny_options o = {.plays_from_memory = true, .vertices = 3000};

    memory_scene_begin(&scene, tiny_build(&o), memory_scene_large_clip(),
                       2400u << 10, "0");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, 70);
    CHECK(memory_scene_keeps_all(&scene, 0));
    memory_scene_open_and_start(&scene, 1);
    memory_scene_play(&scene, 20);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK(stage_state(&scene.stage, scene.nodes[1]).is_ready);
    memory_scene_play(&scene, 60);
    CHECK(stage_state(&scene.stage, scene.nodes[1]).frames_shown > 25);
    memory_scene_destroy_node(&scene, 1);
    memory_scene_play(&scene, 70);
    CHECK(memory_scene_keeps_all(&scene, 0));
    memory_scene_end(&scene);
}

/* Blocks of the game and caches that open take lasting frames, also of a cache
 * that nobody plays. */
static void clip_gives_way_to_static_data(void)
{
    const uint32_t most = 2 * MIB + (MIB >> 1);

    for (uint32_t is_played = 0; is_played < 2; is_played++) {
        spn_block block;

        memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB,
                           "4096");
        memory_scene_open_and_start(&scene, 0);
        memory_scene_play(&scene, LOOP_TICKS + 10);
        if (!is_played)
            memory_scene_destroy_node(&scene, 0);
        CHECK(memory_scene_keeps_all(&scene, 0));
        CHECK_EQ(spn_block_alloc(scene.stage.rt, most, 0, &block), SPN_OK);
        CHECK(memory_scene_info(&scene, 0).decoded_count < MEMORY_SCENE_FRAMES);
        memory_scene_play(&scene, 3);
        CHECK(!memory_scene_keeps_all(&scene, 0));
        CHECK_EQ(spn_block_free(scene.stage.rt, block), SPN_OK);
        memory_scene_play(&scene, LOOP_TICKS + 10);
        CHECK_EQ(memory_scene_keeps_all(&scene, 0), is_played);
        CHECK(!is_played || memory_scene_info(&scene, 0).decoded_count ==
                                MEMORY_SCENE_FRAMES);
        memory_scene_end(&scene);
    }
}

/* Frames of a cache that is unloaded are freed; they come back. */
static void unloaded_clip_comes_back(void)
{
    const spn_view away = {.is_visible = 0, .distance = 1};
    const spn_view near = {.is_visible = 1, .distance = 1};

    memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB,
                       "4096");
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "unload_after_ms", "500"), SPN_OK);
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(spn_node_set_view(scene.stage.rt, scene.nodes[0], &away), SPN_OK);
    memory_scene_play(&scene, 60);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, 0);
    CHECK(!memory_scene_keeps_all(&scene, 0));
    CHECK(stage_is_empty(&scene.stage));
    CHECK_EQ(spn_node_set_view(scene.stage.rt, scene.nodes[0], &near), SPN_OK);
    memory_scene_play(&scene, LOOP_TICKS + 30);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    memory_scene_begin_quiet(&scene);
    memory_scene_play(&scene, LOOP_TICKS);
    memory_scene_check_quiet(&scene);
    memory_scene_end(&scene);
}

static void closing_frees_the_frames(void)
{
    memory_scene_begin(&scene, memory_scene_small_clip(), NULL, 3 * MIB,
                       "4096");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    memory_scene_destroy_node(&scene, 0);
    CHECK(!stage_is_empty(&scene.stage));
    CHECK_EQ(spn_cache_close(scene.stage.rt, scene.caches[0]), SPN_OK);
    memory_scene_play(&scene, 3);
    CHECK_EQ(scene.stage.rt->heap.stats.live_blocks, 0);
    memory_scene_end(&scene);
}

/* The damaged frame, and those that refer to it, are not tried again in a new
 * loop, but after a seek; all others stay. */
static void damaged_frame_costs_itself(void)
{
    struct tiny_cache *tiny = memory_scene_small_clip();
    uint32_t decoded;
    uint32_t dropped;

    tiny->bytes[tiny->frame_offset[45] + tiny->frame_bytes[45] - 1] ^= 0xff;
    memory_scene_begin(&scene, tiny, NULL, 3 * MIB, "4096");
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, LOOP_TICKS + 10);
    CHECK(memory_scene_keeps_all(&scene, 0));
    decoded = memory_scene_info(&scene, 0).decoded_count;
    CHECK(decoded >= MEMORY_SCENE_FRAMES - 10);
    CHECK(decoded < MEMORY_SCENE_FRAMES);
    dropped = stage_state(&scene.stage, scene.nodes[0]).frames_dropped;
    memory_scene_begin_quiet(&scene);
    memory_scene_play(&scene, 3 * LOOP_TICKS);
    memory_scene_check_quiet(&scene);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, decoded);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_dropped > dropped);
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).fault.status,
             SPN_ERR_CHECKSUM);
    scene.clock_us += 1500000;
    memory_scene_play(&scene, LOOP_TICKS);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, decoded);
    CHECK(scene.decode_counts[0] > 0);
    CHECK(scene.decode_counts[0] <= MEMORY_SCENE_FRAMES - decoded);
    memory_scene_end(&scene);
}

/* A device that works again brings the frames in the next loop, beside a frame
 * that is damaged. */
static void unreadable_frame_comes_back(void)
{
    struct tiny_cache *tiny = memory_scene_small_clip();
    const struct slow_fault fault = {.kind = SLOW_ERROR,
                                     .path = "a",
                                     .offset = tiny->frame_offset[20],
                                     .bytes = tiny->frame_bytes[20]};
    uint32_t decoded;

    tiny->bytes[tiny->frame_offset[75] + tiny->frame_bytes[75] - 1] ^= 0xff;
    memory_scene_begin(&scene, tiny, NULL, 3 * MIB, "4096");
    slow_platform_fault(&scene.stage.disc, &fault);
    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, 2 * LOOP_TICKS);
    CHECK(memory_scene_keeps_all(&scene, 0));
    decoded = memory_scene_info(&scene, 0).decoded_count;
    CHECK(decoded < MEMORY_SCENE_FRAMES - 5);
    scene.stage.disc.fault_count = 0;
    memory_scene_play(&scene, LOOP_TICKS);
    CHECK(memory_scene_info(&scene, 0).decoded_count > decoded);
    memory_scene_play(&scene, LOOP_TICKS);
    decoded = memory_scene_info(&scene, 0).decoded_count;
    memory_scene_begin_quiet(&scene);
    memory_scene_play(&scene, 2 * LOOP_TICKS);
    memory_scene_check_quiet(&scene);
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, decoded);
    memory_scene_end(&scene);
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
    CHECK_EQ(spn_node_set_range(scene.stage.rt, scene.nodes[i], first * 33333,
                                last * 33333, SPN_LOOP),
             SPN_OK);
}

/* A clip with the index frame damaged. A frame is decoded just before it is
 * shown. */
static struct tiny_cache *start_damaged(void)
{
    struct tiny_cache *tiny = memory_scene_small_clip();

    toggle_index_frame(tiny);
    memory_scene_begin(&scene, tiny, NULL, 3 * MIB, "4096");
    CHECK_EQ(spn_tuning_set(scene.stage.rt, "decode_ahead_ms", "20"), SPN_OK);
    return tiny;
}

/* Frames that are lost because one outside of the range is damaged come back
 * when another node has read that one again. */
static void another_node_brings_references(void)
{
    struct tiny_cache *tiny = start_damaged();

    memory_scene_open(&scene, 0);
    memory_scene_start_node(&scene, 0, 0);
    set_frames(0, 52, 58);
    memory_scene_play(&scene, 60);
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).shown_frame, UINT32_MAX);
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).status,
             SPN_ERR_CHECKSUM);
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).fault_frame,
             INDEX_FRAME);
    toggle_index_frame(tiny);
    memory_scene_play(&scene, 60);
    CHECK_EQ(stage_state(&scene.stage, scene.nodes[0]).shown_frame, UINT32_MAX);
    memory_scene_start_node(&scene, 1, 0);
    set_frames(1, 42, 48);
    memory_scene_play(&scene, 60);
    CHECK(stage_state(&scene.stage, scene.nodes[1]).is_ready);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).is_ready);
    memory_scene_begin_quiet(&scene);
    memory_scene_play(&scene, 60);
    memory_scene_check_quiet(&scene);
    memory_scene_end(&scene);
}

/* The same for frames that are lost after the other node began, but because of
 * a frame that was lost before. */
static void late_losses_come_back(void)
{
    struct tiny_cache *tiny = start_damaged();

    memory_scene_open_and_start(&scene, 0);
    memory_scene_play(&scene, 2 * 43);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_dropped > 0);
    CHECK(stage_state(&scene.stage, scene.nodes[0]).frames_dropped < 5);
    CHECK_EQ(spn_node_create(scene.stage.rt, scene.caches[0],
                             &memory_scene_looping, &scene.nodes[1]),
             SPN_OK);
    for (uint32_t t = 0; t < 2 * LOOP_TICKS; t++) {
        if (t == 20)
            toggle_index_frame(tiny);
        scene.clock_us += STAGE_TICK_US;
        CHECK_EQ(spn_node_set_playback_time(scene.stage.rt, scene.nodes[0],
                                            scene.clock_us),
                 SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(scene.stage.rt, scene.nodes[1],
                                            (int64_t)t * STAGE_TICK_US),
                 SPN_OK);
        stage_tick(&scene.stage, STAGE_TICK_US);
    }
    CHECK(memory_scene_keeps_all(&scene, 0));
    CHECK_EQ(memory_scene_info(&scene, 0).decoded_count, MEMORY_SCENE_FRAMES);
    memory_scene_end(&scene);
}

TEST_MAIN(TEST(clip_that_does_not_fit_streams), TEST(of_two_clips_one_stays),
          TEST(clip_gives_way_to_a_node_without_memory),
          TEST(clip_gives_way_to_static_data), TEST(unloaded_clip_comes_back),
          TEST(closing_frees_the_frames), TEST(damaged_frame_costs_itself),
          TEST(unreadable_frame_comes_back),
          TEST(another_node_brings_references), TEST(late_losses_come_back))
