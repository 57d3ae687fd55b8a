/* test_anim_faults.c
 *
 * Goal: skeletons and clips that play survive a failure at every allocation of
 *   the heap, and of every read: nothing is lost or leaked, no pose is wrong,
 *   and after the failures everything works.
 * Method: a scenario is repeated; the first, second ... allocation or read
 *   fails, once or from then on until the failures end.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "sim/heap_fault.h"
#include "support/pose_reference.h"
#include "support/pose_stage.h"

#include <stdalign.h>

enum {
    CLIPS = 3,
    LONG = 2, /* clip that has a rest */
    LONG_FRAMES = 1000,
    FIRST_BYTES_MAX = 64 << 10,
    PLAYS = 6,
    READS = 5, /* a skeleton, three clips, and a rest */
    TICKS = 40,
    PLACES_MAX = 200,
    JOINTS = 12
};

static struct pose_stage stage;
static struct pose_reference references[CLIPS];
static spn_anim_skeleton skeleton;
static spn_anim_play plays[PLAYS];
static alignas(32) float values[10 * 16];
static uint32_t fails_at; /* the allocation that fails; 0: none */
static bool fails_on;     /* and all after it */
static uint32_t allocations;
static int64_t rest_us; /* a time in the rest of clip LONG */

static bool fails(void *user)
{
    (void)user;
    allocations++;
    return fails_at != 0 &&
           (fails_on ? allocations >= fails_at : allocations == fails_at);
}

/* Made once, for all runs. Clip LONG has a rest after its first part. */
static void make_clips(void)
{
    static const struct made_motion made[CLIPS] = {
        {.joints = JOINTS, .frames = 60, .swing = 1},
        {.joints = JOINTS, .frames = 20, .swing = 1, .has_scale = true},
        {.joints = JOINTS,
         .frames = LONG_FRAMES,
         .swing = 1,
         .has_scale = true,
         .has_shift = true,
         .has_cuts = true,
         .has_all = true}};
    const struct clip_input *c = &stage.inputs[LONG];
    uint32_t first = 0;

    if (stage.count > 0)
        return;
    pose_stage_init(&stage);
    stage_close(&stage.stage);
    for (uint32_t i = 0; i < CLIPS; i++) {
        pose_stage_add(&stage, &made[i], SPN_ANIM_LOOPS);
        pose_reference_open(&references[i], &stage.clips[i],
                            &stage.skeletons[i]);
    }
    while (c->segment_ends[first] <= FIRST_BYTES_MAX)
        first++;
    CHECK(first < c->segment_count);
    rest_us = (int64_t)(first + 1) * 16 * 33334;
    CHECK(rest_us < (int64_t)(LONG_FRAMES - 32) * 33333);
}

static void open_stage(void)
{
    make_clips();
    stage_init(&stage.stage, NULL);
    stage.stage.config.heap_page_bytes = 4096;
    stage.event_count = 0;
    pose_stage_open(&stage);
}

static uint32_t clip_of(uint32_t play)
{
    return play % CLIPS;
}

/* The last play is in the rest of its clip; another one of this clip, if there
 * is one, in the first part. */
static int64_t time_of(uint32_t play, int tick)
{
    const int64_t start_us =
        play == PLAYS - 1 ? rest_us : (int64_t)play * 700000;

    return start_us + (int64_t)tick * 16667;
}

/* Sample all plays; count those that can be. A pose that can is right. */
static uint32_t sample_all(int tick)
{
    spn_runtime *rt = stage.stage.rt;
    uint32_t count = 0;
    spn_anim_pose pose;

    if (spn_anim_skeleton_make_pose(rt, skeleton, values, sizeof values,
                                    &pose) != SPN_OK)
        return 0;
    for (uint32_t i = 0; i < PLAYS; i++) {
        struct pose_reference *r = &references[clip_of(i)];
        const spn_status status = spn_anim_play_sample(
            rt, plays[i], time_of(i, tick), skeleton, &pose, NULL, 0);

        CHECK(status == SPN_OK || status == SPN_PENDING);
        if (status != SPN_OK)
            continue;
        pose_reference_at(r, true, time_of(i, tick));
        pose_reference_check(r, &pose);
        count++;
    }
    return count;
}

static uint32_t run_tick(int tick)
{
    for (uint32_t i = 0; i < PLAYS; i++)
        CHECK_EQ(
            spn_anim_play_set_time(stage.stage.rt, plays[i], time_of(i, tick)),
            SPN_OK);
    pose_stage_tick(&stage);
    return sample_all(tick);
}

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.stage.rt, &stats);
    return stats.live_bytes;
}

/* A skeleton that has failed is opened again. */
static void open_skeleton_again(void)
{
    spn_runtime *rt = stage.stage.rt;

    if (spn_anim_skeleton_get_status(rt, skeleton, NULL) >= SPN_OK)
        return;
    CHECK_EQ(spn_anim_skeleton_close(rt, skeleton), SPN_OK);
    CHECK_EQ(spn_anim_skeleton_open(rt, "0.sas", &skeleton), SPN_OK);
}

static void run_scenario(void)
{
    spn_runtime *rt = stage.stage.rt;
    const uint64_t before = live_bytes();
    uint32_t sampled = 0;
    int tick = 0;

    allocations = 0;
    heap_fault.fails = fails;
    CHECK_EQ(spn_anim_skeleton_open(rt, "0.sas", &skeleton), SPN_OK);
    for (uint32_t i = 0; i < PLAYS; i++)
        CHECK_EQ(spn_anim_play_start(rt, pose_stage_clip(&stage, clip_of(i)),
                                     &plays[i]),
                 SPN_OK);
    for (; tick < TICKS; tick++)
        (void)run_tick(tick);
    /* The failures end. A read is repeated after a while. */
    heap_fault.fails = NULL;
    slow_platform_clear_faults(&stage.stage.disc);
    open_skeleton_again();
    for (; tick < 8 * TICKS && sampled < PLAYS; tick++)
        sampled = run_tick(tick);
    CHECK_EQ_U(sampled, PLAYS);
    for (uint32_t i = 0; i < PLAYS; i++)
        CHECK_EQ(spn_anim_play_stop(rt, plays[i]), SPN_OK);
    CHECK_EQ(spn_anim_skeleton_close(rt, skeleton), SPN_OK);
    CHECK_EQ(spn_tuning_set(rt, "anim_grace_ms", "0"), SPN_OK);
    for (int i = 0; i < 5; i++)
        pose_stage_tick(&stage);
    CHECK_EQ_U(live_bytes(), before);
}

static void free_clips(void)
{
    for (uint32_t i = 0; i < CLIPS; i++)
        pose_reference_close(&references[i]);
    diag_finish(&stage.diag);
    arena_free(&stage.arena);
    stage.count = 0;
}

static void every_allocation_may_fail(void)
{
    for (int on = 0; on < 2; on++) {
        uint32_t at = 1;

        for (bool is_last = false; !is_last; at++) {
            test_context("allocation %u, %s", at, on ? "and later" : "once");
            CHECK(at < PLACES_MAX);
            open_stage();
            fails_at = at;
            fails_on = on != 0;
            run_scenario();
            is_last = allocations < at;
            stage_close(&stage.stage);
        }
        CHECK(at > 10);
    }
    free_clips();
}

static void every_read_may_fail(void)
{
    static const enum slow_kind kinds[] = {SLOW_ERROR, SLOW_REFUSE, SLOW_SHORT,
                                           SLOW_FLIP};

    fails_at = 0;
    for (uint32_t k = 0; k < 4; k++)
        for (int forever = 0; forever < 2; forever++)
            for (uint32_t nth = 0; nth < READS; nth++) {
                struct slow_fault fault = {.kind = kinds[k],
                                           .times = forever ? 0 : 1,
                                           .value = 40 * 8 + 3};

                test_context("kind %u, read %u, %s", k, nth,
                             forever ? "for ever" : "once");
                open_stage();
                if (!forever)
                    fault.nth = stage.stage.disc.reads + 1 + nth;
                slow_platform_fault(&stage.stage.disc, &fault);
                run_scenario();
                stage_close(&stage.stage);
            }
    free_clips();
}

TEST_MAIN(TEST(every_allocation_may_fail), TEST(every_read_may_fail))
