/* script_poses.c - see script_poses.h. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/script_poses.h"

#include "fuzz/script_clips.h"
#include "harness.h"

#include <stdalign.h>

struct pose_memory {
    alignas(
        SPN_ANIM_POSE_ALIGN) float values[SPN_ANIM_POSE_BYTES(SCRIPT_JOINTS) /
                                          sizeof(float)];
    spn_anim_pose pose;
};

static void compare(const spn_runtime *rt, const struct script_play *p,
                    int64_t time_us, const spn_anim_pose *pose,
                    const float *floats)
{
    spn_anim_info info;
    struct pose_reference *r;
    uint32_t clip;
    bool loops;

    CHECK_EQ(spn_anim_get_info(rt, p->anim, &info), SPN_OK);
    clip = script_clips_find(info.name);
    r = script_clips_reference(clip);
    loops = p->loop == SPN_ANIM_LOOP_AS_CLIP ? script_clips_loops(clip)
                                             : p->loop == SPN_ANIM_LOOP_ALWAYS;
    pose_reference_at(r, loops, time_us);
    pose_reference_check(r, pose);
    CHECK_MEM(floats, r->numbers,
              r->clip.tracks.float_track_count * sizeof *floats);
}

static void blend(const spn_anim_pose *a, const spn_anim_pose *b, uint8_t what,
                  const spn_anim_pose *out)
{
    const spn_anim_pose *const poses[2] = {a, b};
    const float weights[2] = {(float)(what % 8), (float)(what / 8 % 8)};
    float masks[2][SCRIPT_JOINTS];
    const float *const pointers[2] = {masks[0], what & 64 ? NULL : masks[1]};

    for (uint32_t j = 0; j < SCRIPT_JOINTS; j++) {
        masks[0][j] = (float)(what >> j & 1);
        masks[1][j] = 1 - masks[0][j];
    }
    CHECK_EQ(spn_anim_pose_blend(poses, weights, 2, out),
             what % 64 > 0 ? SPN_OK : SPN_ERR_ARG);
    (void)spn_anim_pose_blend_masked(poses, weights, pointers, 2, out);
    CHECK_EQ(spn_anim_pose_subtract(a, b, out), SPN_OK);
    CHECK_EQ(spn_anim_pose_add(b, out, weights[0] / 8, out), SPN_OK);
}

void script_poses_sample(const spn_runtime *rt, const struct script_play *p,
                         spn_anim_skeleton skeleton, int64_t other_us,
                         uint8_t what)
{
    static struct pose_memory poses[3];
    float floats[SCRIPT_FLOATS];
    spn_anim_transform motion;
    spn_anim_play_state state;
    uint32_t track;
    int64_t times[2];

    if (spn_anim_play_get_state(rt, p->handle, &state) != SPN_OK)
        return;
    times[0] = state.time_us;
    times[1] = what & 1 ? state.time_us - what * 1000 : other_us;
    for (uint32_t i = 0; i < 3; i++)
        if (spn_anim_skeleton_make_pose(rt, skeleton, poses[i].values,
                                        sizeof poses[i].values,
                                        &poses[i].pose) != SPN_OK)
            return;
    for (uint32_t i = 0; i < 2; i++)
        if (spn_anim_play_sample(rt, p->handle, times[i], skeleton,
                                 &poses[i].pose, floats,
                                 SCRIPT_FLOATS) == SPN_OK)
            compare(rt, p, times[i], &poses[i].pose, floats);
    blend(&poses[0].pose, &poses[1].pose, what, &poses[2].pose);
    (void)!spn_anim_play_get_motion(rt, p->handle, times[0], times[1], skeleton,
                                    what / 2 % (SCRIPT_JOINTS + 1),
                                    &poses[2].pose, &motion);
    (void)spn_anim_play_find_float(rt, p->handle,
                                   spn_anim_hash_name("weight 1"), &track);
}
