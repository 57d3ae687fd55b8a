/* play_scene.c - see play_scene.h. */
/* SPDX-License-Identifier: MIT */
#include "support/play_scene.h"

#include "harness.h"

void play_scene_init(struct play_scene *s, const struct made_motion *made,
                     uint32_t flags)
{
    pose_stage_init(&s->stage);
    pose_stage_add(&s->stage, made, flags);
}

void play_scene_open(struct play_scene *s)
{
    pose_stage_open(&s->stage);
    pose_reference_open(&s->reference, &s->stage.clips[0],
                        &s->stage.skeletons[0]);
    s->skeleton = pose_stage_skeleton(&s->stage, 0);
    CHECK_EQ(spn_anim_skeleton_make_pose(s->stage.stage.rt, s->skeleton,
                                         s->values, sizeof s->values, &s->pose),
             SPN_OK);
}

void play_scene_close(struct play_scene *s)
{
    pose_reference_close(&s->reference);
    pose_stage_close(&s->stage);
}

spn_anim_play play_scene_start(struct play_scene *s, uint32_t clip)
{
    spn_anim_play play = 0;

    CHECK_EQ(spn_anim_play_start(s->stage.stage.rt,
                                 pose_stage_clip(&s->stage, clip), &play),
             SPN_OK);
    return play;
}

spn_anim_play_state play_scene_state(const struct play_scene *s,
                                     spn_anim_play play)
{
    spn_anim_play_state state;

    CHECK_EQ(spn_anim_play_get_state(s->stage.stage.rt, play, &state), SPN_OK);
    return state;
}

void play_scene_move(struct play_scene *s, spn_anim_play play, int64_t time_us)
{
    CHECK_EQ(spn_anim_play_set_time(s->stage.stage.rt, play, time_us), SPN_OK);
}

spn_status play_scene_sample(struct play_scene *s, spn_anim_play play,
                             int64_t time_us)
{
    return spn_anim_play_sample(s->stage.stage.rt, play, time_us, s->skeleton,
                                &s->pose, NULL, 0);
}

void play_scene_wait(struct play_scene *s, spn_anim_play play)
{
    for (int i = 0; i < 100 && play_scene_state(s, play).pose == SPN_PENDING;
         i++)
        pose_stage_tick(&s->stage);
    CHECK_EQ(play_scene_state(s, play).pose, SPN_OK);
}

uint64_t play_scene_bytes(const struct play_scene *s)
{
    spn_heap_stats stats;

    spn_heap_get_stats(s->stage.stage.rt, &stats);
    return stats.live_bytes;
}

spn_anim_stats play_scene_stats(const struct play_scene *s)
{
    spn_anim_stats stats;

    CHECK_EQ(spn_anim_get_stats(s->stage.stage.rt, &stats), SPN_OK);
    return stats;
}

void play_scene_play(struct play_scene *s, spn_anim_play play, bool loops,
                     int64_t from_us, int64_t to_us, int64_t step_us)
{
    for (int64_t us = from_us; step_us > 0 ? us < to_us : us > to_us;
         us += step_us) {
        test_context("%lld us", (long long)us);
        play_scene_move(s, play, us);
        pose_stage_tick(&s->stage);
        CHECK_EQ(play_scene_sample(s, play, us), SPN_OK);
        pose_reference_at(&s->reference, loops, us);
        pose_reference_check(&s->reference, &s->pose);
    }
}
