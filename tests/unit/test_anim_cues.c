/* test_anim_cues.c
 *
 * Goal: the clip of a cue can be played at its time without a wait: it has a
 *   pose before the update in which its play starts, with an image and with
 *   loose headers; and what was opened ahead is freed again.
 * Method: compiled clips on a disc with a virtual clock. The update itself
 *   decodes nothing, so a clip that was not opened ahead has no pose at its
 *   first update.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/pose_stage.h"

enum { CLIPS = 6, SECOND = 1000000, TICK = STAGE_TICK_US };

static struct pose_stage stage;
static spn_anim_cue cues[CLIPS];
static spn_anim_timeline timeline;

/* A cue at each second from 1 s on. */
static void open_stage(bool is_loose)
{
    static const struct made_motion made = {
        .joints = 20, .frames = 60, .swing = 1, .has_all = true};

    pose_stage_init(&stage);
    for (uint32_t i = 0; i < CLIPS; i++)
        pose_stage_add(&stage, &made, 0);
    stage.stage.config.anim_has_loose_headers = is_loose;
    stage.stage.config.anim_timeline_count = 1;
    pose_stage_open(&stage);
    stage.stage.disc.command_us = 200000;
    CHECK_EQ(spn_tuning_set(stage.stage.rt, "anim_decode_now", "0"), SPN_OK);
    for (uint32_t i = 0; i < CLIPS; i++)
        cues[i] = (spn_anim_cue){(int64_t)(i + 1) * SECOND,
                                 pose_stage_clip(&stage, i)};
    CHECK_EQ(spn_anim_timeline_create(stage.stage.rt, &timeline), SPN_OK);
    CHECK_EQ(spn_anim_timeline_set_cues(stage.stage.rt, timeline, cues, CLIPS),
             SPN_OK);
}

/* Set the time up to `limit_us`, a tick after the time before. */
static int64_t advance(int64_t from_us, int64_t limit_us)
{
    for (; from_us <= limit_us; from_us += TICK) {
        CHECK_EQ(spn_anim_timeline_set_time(stage.stage.rt, timeline, from_us),
                 SPN_OK);
        pose_stage_tick(&stage);
    }
    return from_us;
}

static spn_status pose_of(spn_anim_play play)
{
    spn_anim_play_state state;

    CHECK_EQ(spn_anim_play_get_state(stage.stage.rt, play, &state), SPN_OK);
    return state.pose;
}

static spn_anim_play start(uint32_t cue)
{
    spn_anim_play play = 0;

    CHECK_EQ(spn_anim_play_start(stage.stage.rt, cues[cue].anim, &play),
             SPN_OK);
    return play;
}

/* Plays start before the time passes the cue, just after that, and after one
 * and two further updates; the last one is too late. */
static void clip_of_a_cue_is_played_without_a_wait(void)
{
    for (int loose = 0; loose < 2; loose++) {
        int64_t us = 0;

        open_stage(loose);
        for (uint32_t i = 0; i < 4; i++) {
            spn_anim_play play;

            test_context("loose %d, cue %u", loose, i);
            us = advance(us, cues[i].time_us - TICK);
            if (i > 0) {
                us = cues[i].time_us + 1;
                CHECK_EQ(
                    spn_anim_timeline_set_time(stage.stage.rt, timeline, us),
                    SPN_OK);
            }
            for (uint32_t k = 1; k < i; k++)
                pose_stage_tick(&stage);
            play = start(i);
            CHECK_EQ(pose_of(play), i < 3 ? SPN_OK : SPN_PENDING);
            pose_stage_tick(&stage);
            CHECK_EQ(pose_of(play), i < 3 ? SPN_OK : SPN_PENDING);
            CHECK_EQ(spn_anim_play_stop(stage.stage.rt, play), SPN_OK);
        }
        pose_stage_close(&stage);
    }
}

static uint64_t live_bytes(void)
{
    spn_heap_stats stats;

    spn_heap_get_stats(stage.stage.rt, &stats);
    return stats.live_bytes;
}

/* All at one time: four are open. Then a jump, and the end. */
static void clips_of_cues_are_freed(void)
{
    spn_anim_play plays[CLIPS];
    uint64_t before;

    open_stage(false);
    for (uint32_t i = 0; i < CLIPS; i++)
        cues[i].time_us = SECOND;
    before = live_bytes();
    (void)advance(0, SECOND - TICK);
    for (uint32_t i = 0; i < CLIPS; i++) {
        plays[i] = start(i);
        CHECK_EQ(pose_of(plays[i]), i < 4 ? SPN_OK : SPN_PENDING);
    }
    for (uint32_t i = 0; i < CLIPS; i++)
        CHECK_EQ(spn_anim_play_stop(stage.stage.rt, plays[i]), SPN_OK);
    CHECK_EQ(spn_anim_timeline_jump(stage.stage.rt, timeline, 10 * SECOND),
             SPN_OK);
    for (uint32_t i = 0; i < 4 * SECOND / TICK; i++)
        pose_stage_tick(&stage);
    CHECK_EQ_U(live_bytes(), before);
    CHECK(spn__anim_check(stage.stage.rt->anim));
    CHECK_EQ(spn_anim_timeline_jump(stage.stage.rt, timeline, SECOND - 1),
             SPN_OK);
    for (uint32_t i = 0; i < SECOND / TICK; i++)
        pose_stage_tick(&stage);
    CHECK(live_bytes() > before);
    CHECK_EQ(spn_anim_timeline_destroy(stage.stage.rt, timeline), SPN_OK);
    for (uint32_t i = 0; i < 4 * SECOND / TICK; i++)
        pose_stage_tick(&stage);
    CHECK_EQ_U(live_bytes(), before);
    pose_stage_close(&stage);
}

TEST_MAIN(TEST(clip_of_a_cue_is_played_without_a_wait),
          TEST(clips_of_cues_are_freed))
