/* test_anim_plays_memory.c
 *
 * Goal: what plays hold stays within the stated memory, is shared by plays of a
 *   clip, and is freed after them; poses come first when memory is short.
 * Method: compiled clips on a disc with a virtual clock. Memory is that of the
 *   heap's statistics; poses are those of the scalar reference.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_system.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_walk.h"
#include "support/play_scene.h"

#include <string.h>

static struct play_scene scene;

/* -- what is not there -- */

/* Many plays of one clip, each in a segment of its own; they jump, and some are
 * stopped and started again. */
static void play_crowd(const struct made_motion *made)
{
    enum { PLAYS = 24 };
    struct test_random random = {7};
    spn_anim_play plays[PLAYS];

    test_context("seed 7");
    play_scene_init(&scene, made, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    CHECK_EQ(spn_tuning_set(scene.stage.stage.rt, "anim_decode_now", "4096"),
             SPN_OK);
    for (uint32_t i = 0; i < PLAYS; i++)
        plays[i] = play_scene_start(&scene, 0);
    play_scene_wait(&scene, plays[0]);
    for (uint32_t round = 0; round < 20; round++) {
        int64_t times[PLAYS];
        const uint32_t other = test_random_below(&random, PLAYS);

        CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, plays[other]),
                 SPN_OK);
        plays[other] = play_scene_start(&scene, 0);
        for (uint32_t i = 0; i < PLAYS; i++) {
            times[i] =
                test_random_below(&random, made->frames) * INT64_C(33333);
            play_scene_move(&scene, plays[i], times[i]);
        }
        pose_stage_tick(&scene.stage);
        CHECK(spn__anim_check(scene.stage.stage.rt->anim));
        for (uint32_t i = 0; i < PLAYS; i++) {
            CHECK_EQ(play_scene_sample(&scene, plays[i], times[i]), SPN_OK);
            pose_reference_at(&scene.reference, true, times[i]);
            pose_reference_check(&scene.reference, &scene.pose);
        }
    }
    play_scene_close(&scene);
}

static void plays_of_a_crowd_have_their_own_times(void)
{
    const struct made_motion few_tracks = {
        .joints = 3, .frames = 640, .swing = 1};
    /* Segments of 8 frames. */
    const struct made_motion many_tracks = {.joints = 66,
                                            .frames = 100,
                                            .swing = 1,
                                            .has_shift = true,
                                            .has_all = true};

    play_crowd(&few_tracks);
    play_crowd(&many_tracks);
}

/* -- memory -- */

/* Bytes of the windows of a clip, each in a block of its own. */
static uint64_t window_bytes(const struct anim_clip *clip)
{
    const size_t bytes =
        spn__anim_window_bytes(&clip->tracks, clip->header.segment_frames);

    return clip->header.segment_count * ((bytes + 4095) / 4096 * 4096);
}

static void memory_is_shared_within_its_bound_and_freed(void)
{
    for (int scale = 0; scale < 2; scale++) {
        const struct made_motion made = {.joints = 100,
                                         .frames = 64,
                                         .swing = 1,
                                         .has_shift = true,
                                         .has_all = true,
                                         .has_scale = scale != 0};
        spn_anim_play plays[8];
        uint64_t idle;
        uint64_t one;

        play_scene_init(&scene, &made, SPN_ANIM_LOOPS);
        play_scene_open(&scene);
        CHECK_EQ(spn_anim_lock(scene.stage.stage.rt,
                               pose_stage_clip(&scene.stage, 0), 1),
                 SPN_OK);
        for (int i = 0; i < 10; i++)
            pose_stage_tick(&scene.stage);
        idle = play_scene_bytes(&scene);
        plays[0] = play_scene_start(&scene, 0);
        play_scene_wait(&scene, plays[0]);
        play_scene_play(&scene, plays[0], true, 0, 3000000, 33334);
        one = play_scene_bytes(&scene) - idle;
        CHECK(one > 0 && one <= 32768);
        /* Plays at the same time share the windows. */
        for (int i = 1; i < 8; i++)
            plays[i] = play_scene_start(&scene, 0);
        for (int i = 0; i < 8; i++)
            play_scene_move(&scene, plays[i], 100000);
        pose_stage_tick(&scene.stage);
        pose_stage_tick(&scene.stage);
        CHECK_EQ_U(play_scene_bytes(&scene) - idle, one);
        /* Plays at all times need each segment once. */
        for (int i = 0; i < 8; i++)
            play_scene_move(&scene, plays[i], i * 260000);
        for (int i = 0; i < 4; i++)
            pose_stage_tick(&scene.stage);
        CHECK(play_scene_bytes(&scene) - idle <=
              one + window_bytes(&scene.reference.clip));
        for (int i = 0; i < 8; i++) {
            test_context("play %d", i);
            CHECK_EQ(play_scene_sample(&scene, plays[i], i * 260000), SPN_OK);
            pose_reference_at(&scene.reference, true, i * 260000);
            pose_reference_check(&scene.reference, &scene.pose);
        }
        for (int i = 0; i < 7; i++)
            CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, plays[i]),
                     SPN_OK);
        pose_stage_tick(&scene.stage);
        pose_stage_tick(&scene.stage);
        CHECK_EQ_U(play_scene_bytes(&scene) - idle, one);
        CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, plays[7]), SPN_OK);
        pose_stage_tick(&scene.stage);
        CHECK_EQ_U(play_scene_bytes(&scene), idle);
        play_scene_close(&scene);
    }
}

/* As many clips play as the memory allows, in turn; nothing is lost. */
static void plays_wait_for_memory(void)
{
    const struct made_motion made = {
        .joints = 60, .frames = 20, .swing = 1, .has_all = true};
    spn_anim_play plays[12];
    uint32_t sampled = 0;

    play_scene_init(&scene, &made, SPN_ANIM_LOOPS);
    for (int i = 1; i < 12; i++)
        pose_stage_copy(&scene.stage, 0);
    scene.stage.stage.config.heap_bytes = 60 * 4096;
    play_scene_open(&scene);
    for (int i = 0; i < 12; i++)
        plays[i] = play_scene_start(&scene, (uint32_t)i);
    for (int i = 0; i < 60; i++)
        pose_stage_tick(&scene.stage);
    for (int i = 0; i < 12; i++)
        sampled += play_scene_state(&scene, plays[i]).pose == SPN_OK;
    CHECK(sampled > 2 && sampled < 12);
    CHECK(play_scene_stats(&scene).waits_memory > 0);
    for (int i = 0; i < 12; i++) {
        play_scene_wait(&scene, plays[i]);
        CHECK_EQ(play_scene_sample(&scene, plays[i], 0), SPN_OK);
        CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, plays[i]), SPN_OK);
        for (int k = 0; k < 10; k++)
            pose_stage_tick(&scene.stage);
    }
    play_scene_close(&scene);
}

/* After a jump the segments of the time before are kept for root motion; where
 * there is no memory for both, the pose of now gets it. */
static void poses_need_memory_more_than_motion(void)
{
    const struct made_motion made = {.joints = 104,
                                     .frames = 96,
                                     .swing = 1,
                                     .has_all = true,
                                     .has_shift = true,
                                     .has_scale = true};
    const int64_t far_us = 63 * INT64_C(1000000) / 30 + 10000;
    spn_anim_play play;

    play_scene_init(&scene, &made, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    play_scene_move(&scene, play, 15 * INT64_C(1000000) / 30 + 10000);
    play_scene_wait(&scene, play);
    CHECK_EQ(spn_tuning_set(scene.stage.stage.rt, "anim_memory_kib", "64"),
             SPN_OK);
    CHECK(play_scene_stats(&scene).loaded_bytes > 64 << 10);
    play_scene_move(&scene, play, far_us);
    pose_stage_tick(&scene.stage);
    CHECK_EQ(play_scene_sample(&scene, play, far_us), SPN_OK);
    pose_reference_at(&scene.reference, true, far_us);
    pose_reference_check(&scene.reference, &scene.pose);
    play_scene_close(&scene);
}

/* A clip that says it has the joints of another skeleton, but has more. */
static void clips_with_more_joints_than_their_skeleton_are_refused(void)
{
    const struct made_motion small = {.joints = 6, .frames = 20, .swing = 1};
    const struct made_motion large = {.joints = 40, .frames = 20, .swing = 1};
    spn_anim_transform transforms[40];
    spn_anim_transform motion;
    spn_anim_play play;
    uint8_t *bytes;

    play_scene_init(&scene, &small, 0);
    pose_stage_add(&scene.stage, &large, 0);
    bytes = scene.stage.clips[1].bytes;
    memcpy(bytes + 28, scene.stage.clips[0].bytes + 28, 8);
    anim_mend_clip(bytes, scene.stage.clips[1].size);
    scene.stage.inputs[1].skeleton = scene.stage.inputs[0].skeleton;
    play_scene_open(&scene);
    play = play_scene_start(&scene, 1);
    play_scene_wait(&scene, play);
    CHECK_EQ(play_scene_sample(&scene, play, 0), SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_play_sample_transforms(scene.stage.stage.rt, play, 0,
                                             scene.skeleton, transforms, 40),
             SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_play_get_motion(scene.stage.stage.rt, play, 0, 1000,
                                      scene.skeleton, 0, &scene.pose, &motion),
             SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_skeleton_check_clip(scene.stage.stage.rt, scene.skeleton,
                                          pose_stage_clip(&scene.stage, 1)),
             SPN_ERR_SKELETON);
    play_scene_close(&scene);
}

TEST_MAIN(TEST(plays_of_a_crowd_have_their_own_times),
          TEST(memory_is_shared_within_its_bound_and_freed),
          TEST(plays_wait_for_memory), TEST(poses_need_memory_more_than_motion),
          TEST(clips_with_more_joints_than_their_skeleton_are_refused))
