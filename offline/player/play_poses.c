/* play_poses.c - memory of poses, samples, steps of the first joint. */
/* SPDX-License-Identifier: MIT */
#include "player/play_poses.h"

#include <math.h>

void play_pose_init(struct play_pose *pose, uint32_t joint_count,
                    struct arena *arena)
{
    *pose = (struct play_pose){.state = PLAY_POSE_PENDING};
    for (int i = 0; i < 2 && joint_count > 0; i++)
        pose->values[i] =
            arena_alloc(arena, SPN_ANIM_POSE_BYTES(joint_count), 1);
}

void play_pose_begin(struct play_pose *pose, const spn_runtime *rt,
                     const struct play_skeleton *skeleton)
{
    pose->has_sample = false;
    pose->state = skeleton ? PLAY_POSE_PENDING : PLAY_POSE_FAILED;
    pose->status = SPN_OK;
    pose->step_metres = 0;
    if (skeleton && skeleton != pose->skeleton)
        (void)!spn_anim_skeleton_make_pose(
            rt, skeleton->id, pose->values[0],
            SPN_ANIM_POSE_BYTES(skeleton->info.joint_count), &pose->local);
    pose->skeleton = skeleton;
}

/* How far the first joint has moved since the last sample. */
static double find_step(const struct play_pose *pose, const spn_runtime *rt,
                        spn_anim_play play, int64_t time_us)
{
    spn_anim_pose scratch = pose->local;
    spn_anim_transform motion;
    double sum = 0;

    scratch.values = pose->values[1];
    if (!pose->has_sample ||
        spn_anim_play_get_motion(rt, play, pose->sampled_us, time_us,
                                 pose->skeleton->id, 0, &scratch,
                                 &motion) != SPN_OK)
        return 0;
    for (int i = 0; i < 3; i++)
        sum += (double)motion.translation[i] * (double)motion.translation[i];
    return sqrt(sum);
}

void play_pose_sample(struct play_pose *pose, const spn_runtime *rt,
                      spn_anim_play play, int64_t time_us)
{
    spn_anim_play_state state = {0};
    spn_status status;

    pose->step_metres = 0;
    pose->status = SPN_OK;
    if (!pose->skeleton)
        return;
    status = spn_anim_play_sample(rt, play, time_us, pose->skeleton->id,
                                  &pose->local, NULL, 0);
    if (status == SPN_OK) {
        pose->step_metres = find_step(pose, rt, play, time_us);
        pose->state = PLAY_POSE_SAMPLED;
        pose->has_sample = true;
        pose->sampled_us = time_us;
        return;
    }
    /* A clip that could not be read is pending for the sample. */
    if (status > SPN_OK && spn_anim_play_get_state(rt, play, &state) == SPN_OK)
        status = spn_anim_get_status(rt, state.anim, NULL);
    pose->status = status < SPN_OK ? status : SPN_OK;
    pose->state = status < SPN_OK    ? PLAY_POSE_FAILED
                  : pose->has_sample ? PLAY_POSE_HELD
                                     : PLAY_POSE_PENDING;
}
