/* test_anim_plays.c
 *
 * Goal: a play is sampled at every time of its clip, with the bits of the
 *   scalar reference, as soon as the segment can be there; damage costs one
 *   segment; nothing is sampled that is not there.
 * Method: compiled clips on a disc with a virtual clock. The reference decodes
 *   the files by itself.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/anim_walk.h"
#include "support/play_scene.h"

#include <stdalign.h>
#include <string.h>

enum { LONG_FRAMES = 100 };

static struct play_scene scene;

static const struct made_motion all_kinds = {
    .joints = 13,
    .frames = LONG_FRAMES,
    .float_tracks = 4,
    .swing = 0.6,
    .travel = 0.01,
    .has_scale = true,
    .has_steps = true,
    .has_cuts = true,
};

/* Segments of 8 frames. */
static const struct made_motion many_tracks = {
    .joints = 66,
    .frames = LONG_FRAMES,
    .swing = 1,
    .has_shift = true,
    .has_all = true,
};

/* -- poses -- */

static void play_has_the_poses_of_the_reference(void)
{
    const uint32_t flags[3] = {0, SPN_ANIM_LOOPS,
                               SPN_ANIM_LOOPS | SPN_ANIM_CLOSES};

    for (int i = 0; i < 3; i++) {
        spn_anim_play play;

        test_context("flags %u", flags[i]);
        play_scene_init(&scene, &all_kinds, flags[i]);
        play_scene_open(&scene);
        play = play_scene_start(&scene, 0);
        play_scene_wait(&scene, play);
        play_scene_play(&scene, play, i > 0, -50000, 7500000, 16667);
        CHECK_EQ_U(play_scene_state(&scene, play).glitches,
                   play_scene_state(&scene, play).held_updates);
        play_scene_play(&scene, play, i > 0, 7500000, -50000, -21007);
        play_scene_close(&scene);
    }
}

static void mode_of_a_play_replaces_that_of_the_clip(void)
{
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK_EQ(spn_anim_play_set_mode(scene.stage.stage.rt, play,
                                    SPN_ANIM_LOOP_NEVER, 0),
             SPN_OK);
    play_scene_play(&scene, play, false, 3000000, 4000000, 40000);
    CHECK_EQ(spn_anim_play_set_mode(scene.stage.stage.rt, play,
                                    SPN_ANIM_LOOP_ALWAYS, -1),
             SPN_OK);
    play_scene_play(&scene, play, true, 3500000, 2900000, -40000);
    play_scene_close(&scene);
}

/* A clip in memory has a pose after the first update, and after each jump. */
static void pose_is_there_after_one_update(void)
{
    struct test_random random = {9};
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    CHECK_EQ(spn_anim_load_synchronously(scene.stage.stage.rt,
                                         pose_stage_clip(&scene.stage, 0),
                                         1000000),
             SPN_OK);
    play = play_scene_start(&scene, 0);
    CHECK_EQ(play_scene_sample(&scene, play, 0), SPN_PENDING);
    for (int i = 0; i < 100; i++) {
        const int64_t us = test_random_below(&random, 3333333);

        test_context("seed 9, jump %d to %lld us", i, (long long)us);
        play_scene_move(&scene, play, us);
        pose_stage_tick(&scene.stage);
        CHECK_EQ(play_scene_sample(&scene, play, us), SPN_OK);
        pose_reference_at(&scene.reference, true, us);
        pose_reference_check(&scene.reference, &scene.pose);
    }
    CHECK_EQ_U(play_scene_state(&scene, play).held_updates, 0);
    play_scene_close(&scene);
}

/* The other shape of a pose, and float tracks. */
static void transforms_and_numbers_are_those_of_the_reference(void)
{
    spn_anim_transform transforms[PLAY_SCENE_JOINTS_MAX];
    float numbers[5];
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, 0);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK_EQ_U(play_scene_state(&scene, play).float_count, 4);
    for (int64_t us = 0; us < 500000; us += 44000) {
        pose_reference_at(&scene.reference, false, us);
        CHECK_EQ(spn_anim_play_sample_transforms(scene.stage.stage.rt, play, us,
                                                 scene.skeleton, transforms,
                                                 13),
                 SPN_OK);
        CHECK_MEM(transforms, scene.reference.pose, 13 * sizeof transforms[0]);
        CHECK_EQ(spn_anim_play_sample(scene.stage.stage.rt, play, us,
                                      scene.skeleton, &scene.pose, numbers, 5),
                 SPN_OK);
        CHECK_MEM(numbers, scene.reference.numbers, 4 * sizeof(float));
    }
    play_scene_close(&scene);
}

static void float_tracks_are_found_by_their_names(void)
{
    const uint64_t hash = spn_anim_hash_name("weight 2");
    const char *name;
    uint32_t number = 0;
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, 0);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    CHECK_EQ(
        spn_anim_play_find_float(scene.stage.stage.rt, play, hash, &number),
        SPN_PENDING);
    CHECK_EQ(spn_anim_play_get_float_name(scene.stage.stage.rt, play, 0, &name),
             SPN_PENDING);
    play_scene_wait(&scene, play);
    CHECK_EQ(
        spn_anim_play_find_float(scene.stage.stage.rt, play, hash, &number),
        SPN_OK);
    CHECK_EQ_U(number, 2);
    CHECK_EQ(
        spn_anim_play_get_float_name(scene.stage.stage.rt, play, number, &name),
        SPN_OK);
    CHECK_STR(name, "weight 2");
    CHECK_EQ(spn_anim_play_get_float_name(scene.stage.stage.rt, play, 4, &name),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_get_float_name(scene.stage.stage.rt, play, 0, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_find_float(scene.stage.stage.rt, play, hash, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_find_float(scene.stage.stage.rt, play,
                                      spn_anim_hash_name("weight"), &number),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ_U(number, 2);
    CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, play), SPN_OK);
    CHECK_EQ(
        spn_anim_play_find_float(scene.stage.stage.rt, play, hash, &number),
        SPN_ERR_HANDLE);
    play_scene_close(&scene);
}

static void clip_in_which_nothing_moves_is_sampled(void)
{
    const struct made_motion still = {.joints = 8, .frames = 1, .swing = 1};
    spn_anim_play play;

    play_scene_init(&scene, &still, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK_EQ(play_scene_sample(&scene, play, 123456), SPN_OK);
    pose_reference_at(&scene.reference, true, 0);
    pose_reference_check(&scene.reference, &scene.pose);
    play_scene_close(&scene);
}

/* -- what is not there -- */

static void pose_that_is_not_there_leaves_the_last_one(void)
{
    float before[10 * PLAY_SCENE_JOINTS_MAX];
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, SPN_ANIM_LOOPS);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK_EQ(play_scene_sample(&scene, play, 40000), SPN_OK);
    memcpy(before, scene.values, sizeof before);
    CHECK_EQ(play_scene_sample(&scene, play, 2500000), SPN_PENDING);
    CHECK_MEM(scene.values, before, sizeof before);
    CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, play), SPN_OK);
    CHECK_EQ(play_scene_sample(&scene, play, 40000), SPN_ERR_HANDLE);
    CHECK_MEM(scene.values, before, sizeof before);
    play_scene_close(&scene);
}

/* A clip of more than its first part: the start plays while the rest is being
 * read. */
static void clip_plays_from_its_first_part_on(void)
{
    static const struct made_motion large = {.joints = 100,
                                             .frames = 128,
                                             .swing = 1,
                                             .has_shift = true,
                                             .has_all = true,
                                             .has_scale = true};
    const int64_t end_us = 4000000; /* in the last segment */
    spn_anim_play play;

    play_scene_init(&scene, &large, 0);
    scene.stage.stage.config.heap_bytes = 4 << 20;
    play_scene_open(&scene);
    CHECK(scene.stage.clips[0].size > 65536 + 8192);
    scene.stage.stage.disc.bytes_per_second = 50000;
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK(!play_scene_state(&scene, play).is_loaded);
    CHECK_EQ(play_scene_sample(&scene, play, 100000), SPN_OK);
    play_scene_move(&scene, play, end_us);
    pose_stage_tick(&scene.stage);
    CHECK_EQ(play_scene_state(&scene, play).pose, SPN_PENDING);
    CHECK(!play_scene_state(&scene, play).is_loaded);
    for (int i = 0; i < 1000 && !play_scene_state(&scene, play).is_loaded; i++)
        pose_stage_tick(&scene.stage);
    pose_stage_tick(&scene.stage);
    CHECK_EQ(play_scene_sample(&scene, play, end_us), SPN_OK);
    pose_reference_at(&scene.reference, false, end_us);
    pose_reference_check(&scene.reference, &scene.pose);
    play_scene_close(&scene);
}

/* Damage segment 2 of a clip whose bytes are otherwise accepted. */
static void damage_a_segment(const struct made_motion *made, int64_t frames)
{
    struct anim_segment_place place;
    spn_anim_play play;
    struct anim_file good;

    play_scene_init(&scene, made, 0);
    good = scene.stage.clips[0];
    pose_reference_open(&scene.reference, &good, &scene.stage.skeletons[0]);
    place = spn__anim_clip_segment(&scene.reference.clip, 2);
    pose_reference_close(&scene.reference);
    scene.stage.clips[0].bytes =
        ARENA_NEW(&scene.stage.arena, uint8_t, good.size);
    memcpy(scene.stage.clips[0].bytes, good.bytes, good.size);
    memset(scene.stage.clips[0].bytes + place.offset + place.bytes - 24, 0x5a,
           24);
    anim_mend_clip(scene.stage.clips[0].bytes, good.size);
    scene.stage.inputs[0].bytes = scene.stage.clips[0].bytes;
    pose_stage_open(&scene.stage);
    pose_reference_open(&scene.reference, &good, &scene.stage.skeletons[0]);
    scene.skeleton = pose_stage_skeleton(&scene.stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(scene.stage.stage.rt, scene.skeleton,
                                         scene.values, sizeof scene.values,
                                         &scene.pose),
             SPN_OK);
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    for (int64_t frame = 0; frame < LONG_FRAMES; frame++) {
        const int64_t us = frame * 33334;
        const bool is_bad = frame >= 2 * frames - 1 && frame < 3 * frames;

        test_context("frame %d", (int)frame);
        play_scene_move(&scene, play, us);
        pose_stage_tick(&scene.stage);
        CHECK_EQ(play_scene_sample(&scene, play, us),
                 is_bad ? SPN_ERR_FORMAT : SPN_OK);
        CHECK_EQ(play_scene_state(&scene, play).pose,
                 is_bad ? SPN_ERR_FORMAT : SPN_OK);
        /* The last pose is the one of the last frame that was there. */
        if (!is_bad)
            pose_reference_at(&scene.reference, false, us);
        pose_reference_check(&scene.reference, &scene.pose);
    }
    CHECK_EQ_U(pose_stage_events(&scene.stage, SPN_ANIM_DAMAGED), 1);
    CHECK_EQ_U(scene.stage.events[scene.stage.event_count - 1].frame,
               2 * frames);
    CHECK_EQ_U(play_scene_stats(&scene).segments_damaged, 1);
    CHECK_EQ_U(play_scene_stats(&scene).held_updates,
               frames + 1 + play_scene_state(&scene, play).glitches);
    play_scene_close(&scene);
}

static void damaged_segment_costs_itself(void)
{
    damage_a_segment(&all_kinds, 16);
    damage_a_segment(&many_tracks, 8);
}

static void damaged_head_costs_the_clip(void)
{
    spn_anim_play play;
    uint32_t head;

    play_scene_init(&scene, &all_kinds, 0);
    head = scene.stage.inputs[0].header_bytes;
    /* Its checksum is wrong now. With a right one, other bytes could be a head
     * of other tracks. */
    for (uint32_t i = head - 20; i < head; i++)
        scene.stage.clips[0].bytes[i] ^= 0xff;
    pose_stage_open(&scene.stage);
    scene.skeleton = pose_stage_skeleton(&scene.stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(scene.stage.stage.rt, scene.skeleton,
                                         scene.values, sizeof scene.values,
                                         &scene.pose),
             SPN_OK);
    play = play_scene_start(&scene, 0);
    for (int i = 0; i < 20; i++)
        pose_stage_tick(&scene.stage);
    CHECK(play_scene_state(&scene, play).pose < SPN_OK);
    CHECK(play_scene_sample(&scene, play, 0) ==
          play_scene_state(&scene, play).pose);
    CHECK_EQ_U(pose_stage_events(&scene.stage, SPN_ANIM_DAMAGED), 1);
    CHECK_EQ_U(scene.stage.events[scene.stage.event_count - 1].frame,
               SPN_ANIM_NO_FRAME);
    CHECK_EQ(spn_anim_play_stop(scene.stage.stage.rt, play), SPN_OK);
    pose_stage_close(&scene.stage);
}

static void other_skeleton_is_refused(void)
{
    struct made_motion other = all_kinds;
    spn_anim_play play;

    play_scene_init(&scene, &all_kinds, 0);
    other.joints = 14;
    pose_stage_add(&scene.stage, &other, 0);
    play_scene_open(&scene);
    play = play_scene_start(&scene, 1);
    CHECK_EQ(play_scene_sample(&scene, play, 0), SPN_ERR_SKELETON);
    play_scene_wait(&scene, play);
    CHECK_EQ(play_scene_sample(&scene, play, 0), SPN_ERR_SKELETON);
    play_scene_close(&scene);
}

/* What anim_sample.h says about several plays: blends, and additive poses
 * against the rest pose and against a frame. */
static void plays_are_blended_and_added(void)
{
    static alignas(32) float memory[2][10 * PLAY_SCENE_JOINTS_MAX];
    const float weights[2] = {0.25f, 0.75f};
    spn_anim_skeleton_info info;
    spn_anim_pose other[2];
    const spn_anim_pose *poses[2] = {&other[0], &other[1]};
    spn_anim_play plays[2];

    play_scene_init(&scene, &all_kinds, 0);
    play_scene_open(&scene);
    CHECK_EQ(
        spn_anim_skeleton_get_info(scene.stage.stage.rt, scene.skeleton, &info),
        SPN_OK);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(spn_anim_skeleton_make_pose(scene.stage.stage.rt,
                                             scene.skeleton, memory[i],
                                             sizeof memory[i], &other[i]),
                 SPN_OK);
        plays[i] = play_scene_start(&scene, 0);
        play_scene_move(&scene, plays[i], i * 200000);
    }
    play_scene_wait(&scene, plays[0]);
    play_scene_wait(&scene, plays[1]);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_play_sample(scene.stage.stage.rt, plays[i],
                                      i * 200000, scene.skeleton, &other[i],
                                      NULL, 0),
                 SPN_OK);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 2, &scene.pose), SPN_OK);
    for (uint32_t j = 0; j < 13; j++)
        CHECK_NEAR(scene.pose.values[5 * scene.pose.stride + j],
                   0.25 * other[0].values[5 * scene.pose.stride + j] +
                       0.75 * other[1].values[5 * scene.pose.stride + j],
                   1e-5);
    /* base + (pose - base) is the pose. */
    for (int base = 0; base < 2; base++) {
        const spn_anim_pose *from = base ? &other[0] : &info.rest;

        CHECK_EQ(spn_anim_pose_subtract(&other[1], from, &scene.pose), SPN_OK);
        CHECK_EQ(spn_anim_pose_add(from, &scene.pose, 1, &scene.pose), SPN_OK);
        for (uint32_t j = 0; j < 13; j++)
            for (uint32_t k = 4; k < 10; k++)
                CHECK_NEAR(scene.pose.values[k * scene.pose.stride + j],
                           other[1].values[k * scene.pose.stride + j], 1e-5);
    }
    play_scene_close(&scene);
}

/* -- arguments -- */

static void functions_check_their_arguments(void)
{
    spn_runtime *rt;
    spn_anim_play play;
    spn_anim_pose wrong;
    float number;

    play_scene_init(&scene, &all_kinds, 0);
    play_scene_open(&scene);
    rt = scene.stage.stage.rt;
    play = play_scene_start(&scene, 0);
    play_scene_wait(&scene, play);
    CHECK_EQ(spn_anim_play_set_time(rt, play, SPN_ANIM_TIME_MAX), SPN_OK);
    CHECK_EQ(spn_anim_play_set_time(rt, play, SPN_ANIM_TIME_MAX + 1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_time(rt, play, INT64_MIN), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_time(rt, 0, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_set_time(NULL, play, 0), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_mode(rt, play, (spn_anim_loop)3, 0),
             SPN_ERR_ARG);
    CHECK_EQ(play_scene_sample(&scene, play, INT64_MAX), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, scene.skeleton, NULL, NULL, 0),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, 0, &scene.pose, NULL, 0),
             SPN_ERR_HANDLE);
    wrong = scene.pose;
    wrong.joint_count = 12;
    wrong.stride = 16;
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, scene.skeleton, &wrong, NULL, 0),
             SPN_ERR_ARG);
    wrong = scene.pose;
    wrong.stride = 24;
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, scene.skeleton, &wrong, NULL, 0),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, scene.skeleton, &scene.pose,
                                  &number, 1),
             SPN_ERR_ARG);
    CHECK_EQ(
        spn_anim_play_sample(rt, play, 0, scene.skeleton, &scene.pose, NULL, 1),
        SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_make_pose(rt, scene.skeleton, scene.values + 1,
                                         sizeof scene.values - 4, &wrong),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_make_pose(rt, scene.skeleton, scene.values, 100,
                                         &wrong),
             SPN_ERR_ARG);
    play_scene_close(&scene);
}

TEST_MAIN(TEST(play_has_the_poses_of_the_reference),
          TEST(mode_of_a_play_replaces_that_of_the_clip),
          TEST(pose_is_there_after_one_update),
          TEST(transforms_and_numbers_are_those_of_the_reference),
          TEST(float_tracks_are_found_by_their_names),
          TEST(clip_in_which_nothing_moves_is_sampled),
          TEST(pose_that_is_not_there_leaves_the_last_one),
          TEST(clip_plays_from_its_first_part_on),
          TEST(damaged_segment_costs_itself), TEST(damaged_head_costs_the_clip),
          TEST(other_skeleton_is_refused), TEST(plays_are_blended_and_added),
          TEST(functions_check_their_arguments))
