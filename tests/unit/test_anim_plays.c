/* test_anim_plays.c
 *
 * Goal: a play is sampled at every time of its clip, with the bits of the
 *   scalar reference, as soon as the segment can be there; what it holds stays
 *   within the stated memory, is shared by plays of a clip, and is freed after
 *   them; damage costs one segment; nothing is sampled that is not there.
 * Method: compiled clips on a disc with a virtual clock. The reference decodes
 *   the files by itself. Memory is that of the heap's statistics.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_system.h"
#include "harness.h"
#include "runtime.h"
#include "support/anim_walk.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS_MAX = 104, FRAME_US = 33333, LONG_FRAMES = 100 };

static struct pose_stage stage;
static struct pose_reference reference;
static spn_anim_skeleton skeleton;
static spn_anim_pose pose;
static alignas(32) float values[10 * JOINTS_MAX];

/* -- a stage with one long clip -- */

static void open_clip(const struct made_motion *made, uint32_t flags)
{
    pose_stage_init(&stage);
    pose_stage_add(&stage, made, flags);
}

static void begin(void)
{
    pose_stage_open(&stage);
    pose_reference_open(&reference, &stage.clips[0], &stage.skeletons[0]);
    skeleton = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton, values,
                                         sizeof values, &pose),
             SPN_OK);
}

static void end(void)
{
    pose_reference_close(&reference);
    pose_stage_close(&stage);
}

static spn_anim_play start(uint32_t clip)
{
    spn_anim_play play = 0;

    CHECK_EQ(spn_anim_play_start(stage.stage.rt, pose_stage_clip(&stage, clip),
                                 &play),
             SPN_OK);
    return play;
}

static spn_anim_play_state state_of(spn_anim_play play)
{
    spn_anim_play_state state;

    CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state), SPN_OK);
    return state;
}

static void move(spn_anim_play play, int64_t time_us)
{
    CHECK_EQ(spn_anim_play_set_time(stage.stage.rt, play, time_us), SPN_OK);
}

static spn_status sample(spn_anim_play play, int64_t time_us)
{
    return spn_anim_play_sample(stage.stage.rt, play, time_us, skeleton, &pose,
                                NULL, 0);
}

/* Tick until the play can be sampled at its time. */
static void wait_for(spn_anim_play play)
{
    for (int i = 0; i < 100 && state_of(play).pose == SPN_PENDING; i++)
        pose_stage_tick(&stage);
    CHECK_EQ(state_of(play).pose, SPN_OK);
}

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.stage.rt, &stats);
    return stats.live_bytes;
}

static spn_anim_stats stats(void)
{
    spn_anim_stats s;

    CHECK_EQ(spn_anim_get_stats(stage.stage.rt, &s), SPN_OK);
    return s;
}

/* Play by steps, and compare every pose. */
static void play_through(spn_anim_play play, bool loops, int64_t from_us,
                         int64_t to_us, int64_t step_us)
{
    for (int64_t us = from_us; step_us > 0 ? us < to_us : us > to_us;
         us += step_us) {
        test_context("%lld us", (long long)us);
        move(play, us);
        pose_stage_tick(&stage);
        CHECK_EQ(sample(play, us), SPN_OK);
        pose_reference_at(&reference, loops, us);
        pose_reference_check(&reference, &pose);
    }
}

/* -- poses -- */

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

static void play_has_the_poses_of_the_reference(void)
{
    const uint32_t flags[3] = {0, SPN_ANIM_LOOPS,
                               SPN_ANIM_LOOPS | SPN_ANIM_CLOSES};

    for (int i = 0; i < 3; i++) {
        spn_anim_play play;

        test_context("flags %u", flags[i]);
        open_clip(&all_kinds, flags[i]);
        begin();
        play = start(0);
        wait_for(play);
        play_through(play, i > 0, -50000, 7500000, 16667);
        CHECK_EQ_U(state_of(play).glitches, state_of(play).held_updates);
        play_through(play, i > 0, 7500000, -50000, -21007);
        end();
    }
}

static void mode_of_a_play_replaces_that_of_the_clip(void)
{
    spn_anim_play play;

    open_clip(&all_kinds, SPN_ANIM_LOOPS);
    begin();
    play = start(0);
    wait_for(play);
    CHECK_EQ(
        spn_anim_play_set_mode(stage.stage.rt, play, SPN_ANIM_LOOP_NEVER, 0),
        SPN_OK);
    play_through(play, false, 3000000, 4000000, 40000);
    CHECK_EQ(
        spn_anim_play_set_mode(stage.stage.rt, play, SPN_ANIM_LOOP_ALWAYS, -1),
        SPN_OK);
    play_through(play, true, 3500000, 2900000, -40000);
    end();
}

/* A clip in memory has a pose after the first update, and after each jump. */
static void pose_is_there_after_one_update(void)
{
    struct test_random random = {9};
    spn_anim_play play;

    open_clip(&all_kinds, SPN_ANIM_LOOPS);
    begin();
    CHECK_EQ(spn_anim_load_synchronously(stage.stage.rt,
                                         pose_stage_clip(&stage, 0), 1000000),
             SPN_OK);
    play = start(0);
    CHECK_EQ(sample(play, 0), SPN_PENDING);
    for (int i = 0; i < 100; i++) {
        const int64_t us = test_random_below(&random, 3333333);

        test_context("seed 9, jump %d to %lld us", i, (long long)us);
        move(play, us);
        pose_stage_tick(&stage);
        CHECK_EQ(sample(play, us), SPN_OK);
        pose_reference_at(&reference, true, us);
        pose_reference_check(&reference, &pose);
    }
    CHECK_EQ_U(state_of(play).held_updates, 0);
    end();
}

/* The other shape of a pose, and float tracks. */
static void transforms_and_numbers_are_those_of_the_reference(void)
{
    spn_anim_transform transforms[JOINTS_MAX];
    float numbers[5];
    spn_anim_play play;

    open_clip(&all_kinds, 0);
    begin();
    play = start(0);
    wait_for(play);
    CHECK_EQ_U(state_of(play).float_count, 4);
    for (int64_t us = 0; us < 500000; us += 44000) {
        pose_reference_at(&reference, false, us);
        CHECK_EQ(spn_anim_play_sample_transforms(stage.stage.rt, play, us,
                                                 skeleton, transforms, 13),
                 SPN_OK);
        CHECK_MEM(transforms, reference.pose, 13 * sizeof transforms[0]);
        CHECK_EQ(spn_anim_play_sample(stage.stage.rt, play, us, skeleton, &pose,
                                      numbers, 5),
                 SPN_OK);
        CHECK_MEM(numbers, reference.numbers, 4 * sizeof(float));
    }
    end();
}

static void float_tracks_are_found_by_their_names(void)
{
    const uint64_t hash = spn_anim_hash_name("weight 2");
    const char *name;
    uint32_t number = 0;
    spn_anim_play play;

    open_clip(&all_kinds, 0);
    begin();
    play = start(0);
    CHECK_EQ(spn_anim_play_find_float(stage.stage.rt, play, hash, &number),
             SPN_PENDING);
    CHECK_EQ(spn_anim_play_get_float_name(stage.stage.rt, play, 0, &name),
             SPN_PENDING);
    wait_for(play);
    CHECK_EQ(spn_anim_play_find_float(stage.stage.rt, play, hash, &number),
             SPN_OK);
    CHECK_EQ_U(number, 2);
    CHECK_EQ(spn_anim_play_get_float_name(stage.stage.rt, play, number, &name),
             SPN_OK);
    CHECK_STR(name, "weight 2");
    CHECK_EQ(spn_anim_play_get_float_name(stage.stage.rt, play, 4, &name),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_get_float_name(stage.stage.rt, play, 0, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_find_float(stage.stage.rt, play, hash, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_find_float(stage.stage.rt, play,
                                      spn_anim_hash_name("weight"), &number),
             SPN_ERR_NOT_FOUND);
    CHECK_EQ_U(number, 2);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
    CHECK_EQ(spn_anim_play_find_float(stage.stage.rt, play, hash, &number),
             SPN_ERR_HANDLE);
    end();
}

static void clip_in_which_nothing_moves_is_sampled(void)
{
    const struct made_motion still = {.joints = 8, .frames = 1, .swing = 1};
    spn_anim_play play;

    open_clip(&still, SPN_ANIM_LOOPS);
    begin();
    play = start(0);
    wait_for(play);
    CHECK_EQ(sample(play, 123456), SPN_OK);
    pose_reference_at(&reference, true, 0);
    pose_reference_check(&reference, &pose);
    end();
}

/* -- what is not there -- */

static void pose_that_is_not_there_leaves_the_last_one(void)
{
    float before[10 * JOINTS_MAX];
    spn_anim_play play;

    open_clip(&all_kinds, SPN_ANIM_LOOPS);
    begin();
    play = start(0);
    wait_for(play);
    CHECK_EQ(sample(play, 40000), SPN_OK);
    memcpy(before, values, sizeof before);
    CHECK_EQ(sample(play, 2500000), SPN_PENDING);
    CHECK_MEM(values, before, sizeof before);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
    CHECK_EQ(sample(play, 40000), SPN_ERR_HANDLE);
    CHECK_MEM(values, before, sizeof before);
    end();
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

    open_clip(&large, 0);
    stage.stage.config.heap_bytes = 4 << 20;
    begin();
    CHECK(stage.clips[0].size > 65536 + 8192);
    stage.stage.disc.bytes_per_second = 50000;
    play = start(0);
    wait_for(play);
    CHECK(!state_of(play).is_loaded);
    CHECK_EQ(sample(play, 100000), SPN_OK);
    move(play, end_us);
    pose_stage_tick(&stage);
    CHECK_EQ(state_of(play).pose, SPN_PENDING);
    CHECK(!state_of(play).is_loaded);
    for (int i = 0; i < 1000 && !state_of(play).is_loaded; i++)
        pose_stage_tick(&stage);
    pose_stage_tick(&stage);
    CHECK_EQ(sample(play, end_us), SPN_OK);
    pose_reference_at(&reference, false, end_us);
    pose_reference_check(&reference, &pose);
    end();
}

static void damaged_segment_costs_itself(void)
{
    struct anim_segment_place place;
    spn_anim_play play;
    struct anim_file good;

    /* Damage segment 2 of a clip whose bytes are otherwise accepted. */
    open_clip(&all_kinds, 0);
    good = stage.clips[0];
    pose_reference_open(&reference, &good, &stage.skeletons[0]);
    place = spn__anim_clip_segment(&reference.clip, 2);
    pose_reference_close(&reference);
    stage.clips[0].bytes = ARENA_NEW(&stage.arena, uint8_t, good.size);
    memcpy(stage.clips[0].bytes, good.bytes, good.size);
    memset(stage.clips[0].bytes + place.offset + place.bytes - 24, 0x5a, 24);
    anim_mend_clip(stage.clips[0].bytes, good.size);
    stage.inputs[0].bytes = stage.clips[0].bytes;
    pose_stage_open(&stage);
    pose_reference_open(&reference, &good, &stage.skeletons[0]);
    skeleton = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton, values,
                                         sizeof values, &pose),
             SPN_OK);
    play = start(0);
    wait_for(play);
    for (int64_t frame = 0; frame < LONG_FRAMES; frame++) {
        const int64_t us = frame * 33334;
        const bool is_bad = frame >= 31 && frame < 48;

        test_context("frame %d", (int)frame);
        move(play, us);
        pose_stage_tick(&stage);
        CHECK_EQ(sample(play, us), is_bad ? SPN_ERR_FORMAT : SPN_OK);
        CHECK_EQ(state_of(play).pose, is_bad ? SPN_ERR_FORMAT : SPN_OK);
        /* The last pose is the one of the last frame that was there. */
        if (!is_bad)
            pose_reference_at(&reference, false, us);
        pose_reference_check(&reference, &pose);
    }
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_DAMAGED), 1);
    CHECK_EQ_U(stage.events[stage.event_count - 1].segment, 2);
    CHECK_EQ_U(stats().segments_damaged, 1);
    CHECK_EQ_U(stats().held_updates, 17 + state_of(play).glitches);
    end();
}

static void damaged_head_costs_the_clip(void)
{
    spn_anim_play play;
    uint32_t head;

    open_clip(&all_kinds, 0);
    head = stage.inputs[0].header_bytes;
    /* Its checksum is wrong now. With a right one, other bytes could be a head
     * of other tracks. */
    for (uint32_t i = head - 20; i < head; i++)
        stage.clips[0].bytes[i] ^= 0xff;
    pose_stage_open(&stage);
    skeleton = pose_stage_skeleton(&stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton, values,
                                         sizeof values, &pose),
             SPN_OK);
    play = start(0);
    for (int i = 0; i < 20; i++)
        pose_stage_tick(&stage);
    CHECK(state_of(play).pose < SPN_OK);
    CHECK(sample(play, 0) == state_of(play).pose);
    CHECK_EQ_U(pose_stage_events(&stage, SPN_ANIM_DAMAGED), 1);
    CHECK_EQ_U(stage.events[stage.event_count - 1].segment,
               SPN_ANIM_NO_SEGMENT);
    CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
    pose_stage_close(&stage);
}

static void other_skeleton_is_refused(void)
{
    struct made_motion other = all_kinds;
    spn_anim_play play;

    open_clip(&all_kinds, 0);
    other.joints = 14;
    pose_stage_add(&stage, &other, 0);
    begin();
    play = start(1);
    CHECK_EQ(sample(play, 0), SPN_ERR_SKELETON);
    wait_for(play);
    CHECK_EQ(sample(play, 0), SPN_ERR_SKELETON);
    end();
}

/* What anim_sample.h says about several plays: blends, and additive poses
 * against the rest pose and against a frame. */
static void plays_are_blended_and_added(void)
{
    static alignas(32) float memory[2][10 * JOINTS_MAX];
    const float weights[2] = {0.25f, 0.75f};
    spn_anim_skeleton_info info;
    spn_anim_pose other[2];
    const spn_anim_pose *poses[2] = {&other[0], &other[1]};
    spn_anim_play plays[2];

    open_clip(&all_kinds, 0);
    begin();
    CHECK_EQ(spn_anim_skeleton_get_info(stage.stage.rt, skeleton, &info),
             SPN_OK);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(spn_anim_skeleton_make_pose(stage.stage.rt, skeleton,
                                             memory[i], sizeof memory[i],
                                             &other[i]),
                 SPN_OK);
        plays[i] = start(0);
        move(plays[i], i * 200000);
    }
    wait_for(plays[0]);
    wait_for(plays[1]);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(spn_anim_play_sample(stage.stage.rt, plays[i], i * 200000,
                                      skeleton, &other[i], NULL, 0),
                 SPN_OK);
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 2, &pose), SPN_OK);
    for (uint32_t j = 0; j < 13; j++)
        CHECK_NEAR(pose.values[5 * pose.stride + j],
                   0.25 * other[0].values[5 * pose.stride + j] +
                       0.75 * other[1].values[5 * pose.stride + j],
                   1e-5);
    /* base + (pose - base) is the pose. */
    for (int base = 0; base < 2; base++) {
        const spn_anim_pose *from = base ? &other[0] : &info.rest;

        CHECK_EQ(spn_anim_pose_subtract(&other[1], from, &pose), SPN_OK);
        CHECK_EQ(spn_anim_pose_add(from, &pose, 1, &pose), SPN_OK);
        for (uint32_t j = 0; j < 13; j++)
            for (uint32_t k = 4; k < 10; k++)
                CHECK_NEAR(pose.values[k * pose.stride + j],
                           other[1].values[k * pose.stride + j], 1e-5);
    }
    end();
}

/* Many plays of one clip, each in a segment of its own; they jump, and some are
 * stopped and started again. */
static void plays_of_a_crowd_have_their_own_times(void)
{
    enum { PLAYS = 24, SEGMENTS = 40 };
    const struct made_motion made = {
        .joints = 3, .frames = 16 * SEGMENTS, .swing = 1};
    struct test_random random = {7};
    spn_anim_play plays[PLAYS];

    test_context("seed 7");
    open_clip(&made, SPN_ANIM_LOOPS);
    begin();
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "anim_decode_now", "4096"), SPN_OK);
    for (uint32_t i = 0; i < PLAYS; i++)
        plays[i] = start(0);
    wait_for(plays[0]);
    for (uint32_t round = 0; round < 20; round++) {
        int64_t times[PLAYS];
        const uint32_t other = test_random_below(&random, PLAYS);

        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[other]), SPN_OK);
        plays[other] = start(0);
        for (uint32_t i = 0; i < PLAYS; i++) {
            times[i] =
                test_random_below(&random, 16 * SEGMENTS) * INT64_C(33333);
            move(plays[i], times[i]);
        }
        pose_stage_tick(&stage);
        CHECK(spn__anim_check(stage.stage.rt->anim));
        for (uint32_t i = 0; i < PLAYS; i++) {
            CHECK_EQ(sample(plays[i], times[i]), SPN_OK);
            pose_reference_at(&reference, true, times[i]);
            pose_reference_check(&reference, &pose);
        }
    }
    end();
}

/* -- memory -- */

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

        open_clip(&made, SPN_ANIM_LOOPS);
        begin();
        CHECK_EQ(spn_anim_lock(stage.stage.rt, pose_stage_clip(&stage, 0), 1),
                 SPN_OK);
        for (int i = 0; i < 10; i++)
            pose_stage_tick(&stage);
        idle = live_bytes();
        plays[0] = start(0);
        wait_for(plays[0]);
        play_through(plays[0], true, 0, 3000000, 33334);
        one = live_bytes() - idle;
        CHECK(one > 0 && one <= (scale ? 65536 : 48000));
        /* Plays at the same time share the windows. */
        for (int i = 1; i < 8; i++)
            plays[i] = start(0);
        for (int i = 0; i < 8; i++)
            move(plays[i], 100000);
        pose_stage_tick(&stage);
        pose_stage_tick(&stage);
        CHECK_EQ_U(live_bytes() - idle, one);
        /* Plays at all times need each segment once. */
        for (int i = 0; i < 8; i++)
            move(plays[i], i * 260000);
        for (int i = 0; i < 4; i++)
            pose_stage_tick(&stage);
        CHECK(live_bytes() - idle <= 2 * one);
        for (int i = 0; i < 8; i++) {
            test_context("play %d", i);
            CHECK_EQ(sample(plays[i], i * 260000), SPN_OK);
            pose_reference_at(&reference, true, i * 260000);
            pose_reference_check(&reference, &pose);
        }
        for (int i = 0; i < 7; i++)
            CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[i]), SPN_OK);
        pose_stage_tick(&stage);
        pose_stage_tick(&stage);
        CHECK_EQ_U(live_bytes() - idle, one);
        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[7]), SPN_OK);
        pose_stage_tick(&stage);
        CHECK_EQ_U(live_bytes(), idle);
        end();
    }
}

/* As many clips play as the memory allows, in turn; nothing is lost. */
static void plays_wait_for_memory(void)
{
    const struct made_motion made = {
        .joints = 60, .frames = 20, .swing = 1, .has_all = true};
    spn_anim_play plays[12];
    uint32_t sampled = 0;

    open_clip(&made, SPN_ANIM_LOOPS);
    for (int i = 1; i < 12; i++)
        pose_stage_copy(&stage, 0);
    stage.stage.config.heap_bytes = 60 * 4096;
    begin();
    for (int i = 0; i < 12; i++)
        plays[i] = start((uint32_t)i);
    for (int i = 0; i < 60; i++)
        pose_stage_tick(&stage);
    for (int i = 0; i < 12; i++)
        sampled += state_of(plays[i]).pose == SPN_OK;
    CHECK(sampled > 2 && sampled < 12);
    CHECK(stats().waits_memory > 0);
    for (int i = 0; i < 12; i++) {
        wait_for(plays[i]);
        CHECK_EQ(sample(plays[i], 0), SPN_OK);
        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[i]), SPN_OK);
        for (int k = 0; k < 10; k++)
            pose_stage_tick(&stage);
    }
    end();
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

    open_clip(&made, SPN_ANIM_LOOPS);
    begin();
    play = start(0);
    move(play, 15 * INT64_C(1000000) / 30 + 10000);
    wait_for(play);
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "anim_memory_kib", "64"), SPN_OK);
    CHECK(stats().loaded_bytes > 64 << 10);
    move(play, far_us);
    pose_stage_tick(&stage);
    CHECK_EQ(sample(play, far_us), SPN_OK);
    pose_reference_at(&reference, true, far_us);
    pose_reference_check(&reference, &pose);
    end();
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

    open_clip(&small, 0);
    pose_stage_add(&stage, &large, 0);
    bytes = stage.clips[1].bytes;
    memcpy(bytes + 28, stage.clips[0].bytes + 28, 8);
    anim_mend_clip(bytes, stage.clips[1].size);
    stage.inputs[1].skeleton = stage.inputs[0].skeleton;
    begin();
    play = start(1);
    wait_for(play);
    CHECK_EQ(sample(play, 0), SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_play_sample_transforms(stage.stage.rt, play, 0, skeleton,
                                             transforms, 40),
             SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_play_get_motion(stage.stage.rt, play, 0, 1000, skeleton,
                                      0, &pose, &motion),
             SPN_ERR_SKELETON);
    CHECK_EQ(spn_anim_skeleton_check_clip(stage.stage.rt, skeleton,
                                          pose_stage_clip(&stage, 1)),
             SPN_ERR_SKELETON);
    end();
}

/* -- arguments -- */

static void functions_check_their_arguments(void)
{
    spn_runtime *rt;
    spn_anim_play play;
    spn_anim_pose wrong;
    float number;

    open_clip(&all_kinds, 0);
    begin();
    rt = stage.stage.rt;
    play = start(0);
    wait_for(play);
    CHECK_EQ(spn_anim_play_set_time(rt, play, SPN_ANIM_TIME_MAX), SPN_OK);
    CHECK_EQ(spn_anim_play_set_time(rt, play, SPN_ANIM_TIME_MAX + 1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_time(rt, play, INT64_MIN), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_time(rt, 0, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_anim_play_set_time(NULL, play, 0), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_set_mode(rt, play, (spn_anim_loop)3, 0),
             SPN_ERR_ARG);
    CHECK_EQ(sample(play, INT64_MAX), SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, skeleton, NULL, NULL, 0),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, 0, &pose, NULL, 0),
             SPN_ERR_HANDLE);
    wrong = pose;
    wrong.joint_count = 12;
    wrong.stride = 16;
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, skeleton, &wrong, NULL, 0),
             SPN_ERR_ARG);
    wrong = pose;
    wrong.stride = 24;
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, skeleton, &wrong, NULL, 0),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, skeleton, &pose, &number, 1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_play_sample(rt, play, 0, skeleton, &pose, NULL, 1),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_make_pose(rt, skeleton, values + 1,
                                         sizeof values - 4, &wrong),
             SPN_ERR_ARG);
    CHECK_EQ(spn_anim_skeleton_make_pose(rt, skeleton, values, 100, &wrong),
             SPN_ERR_ARG);
    end();
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
          TEST(memory_is_shared_within_its_bound_and_freed),
          TEST(plays_wait_for_memory), TEST(poses_need_memory_more_than_motion),
          TEST(plays_of_a_crowd_have_their_own_times),
          TEST(clips_with_more_joints_than_their_skeleton_are_refused),
          TEST(functions_check_their_arguments))
