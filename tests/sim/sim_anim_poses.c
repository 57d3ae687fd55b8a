/* sim_anim_poses.c - skeletons, times of plays, and their poses. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim.h"
#include "sim/sim_anim.h"
#include "support/pose_reference.h"

#include <string.h>

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)
/* One pose of so many is blended, and one moves a character. */
#define BLENDS 4u
#define MOTIONS 2u

/* -- calls -- */

static void open_skeleton(struct sim *sim, uint32_t i)
{
    spn_anim_skeleton *skeleton = &sim->anim.skeletons[i];
    spn_status status;

    if (*skeleton == 0) {
        status = spn_anim_skeleton_open(
            sim->rt, sim->disc->files[MADE_ANIM_SKELETON + i].path, skeleton);
        SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_FULL);
        return;
    }
    status = spn_anim_skeleton_get_status(sim->rt, *skeleton, NULL);
    /* It takes memory of clips. */
    sim->anim.sums.was_lacking |= status != SPN_OK;
    SIM_MUST(sim, SIM_STATUS,
             status >= SPN_OK || sim_anim_is_legal(sim, status));
    /* One that failed is read again. */
    if (sim_anim_below(sim, status >= SPN_OK ? 256 : 64) != 0)
        return;
    MUST(spn_anim_skeleton_close(sim->rt, *skeleton) == SPN_OK);
    MUST(spn_anim_skeleton_close(sim->rt, *skeleton) == SPN_ERR_HANDLE);
    *skeleton = 0;
}

void sim_anim_poses_frame(struct sim *sim)
{
    struct sim_anim *a = &sim->anim;

    for (uint32_t i = 0; i < MADE_ANIM_REAL; i++)
        open_skeleton(sim, i);
    for (uint32_t i = 0; i < SIM_ANIM_PLAYS; i++) {
        struct sim_anim_play *p = &a->plays[i];

        if (p->play == 0)
            continue;
        p->time_us = sim_anim_mode_go_on(sim, p, sim->frame_us);
        SIM_MUST(sim, SIM_STATUS,
                 spn_anim_play_set_time(sim->rt, p->play, p->time_us) ==
                     SPN_OK);
    }
}

void sim_anim_poses_close(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_ANIM_REAL; i++) {
        if (sim->anim.skeletons[i] != 0)
            MUST(spn_anim_skeleton_close(sim->rt, sim->anim.skeletons[i]) ==
                 SPN_OK);
        sim->anim.skeletons[i] = 0;
    }
}

/* -- checks -- */

/* The transforms, and as an array of structures. */
static void compare(struct sim *sim, const struct sim_anim_play *p,
                    int64_t time_us, const spn_anim_pose *pose)
{
    const struct pose_reference *r = made_anim_reference(p->clip);
    spn_anim_transform transforms[SIM_ANIM_JOINTS];

    MUST(pose->joint_count == r->skeleton.joint_count);
    MUST(spn_anim_play_sample_transforms(
             sim->rt, p->play, time_us, sim->anim.skeletons[p->clip],
             transforms, pose->joint_count) == SPN_OK);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        float found[10];

        for (uint32_t k = 0; k < 10; k++)
            found[k] = pose->values[k * pose->stride + j];
        MUST(memcmp(found, &r->pose[j], sizeof found) == 0);
        MUST(memcmp(&transforms[j], &r->pose[j], sizeof found) == 0);
    }
}

/* The numbers, and the name of a track. */
static void compare_floats(struct sim *sim, const struct sim_anim_play *p,
                           const spn_anim_play_state *state,
                           const float *floats)
{
    const struct pose_reference *r = made_anim_reference(p->clip);
    const uint32_t count = r->clip.tracks.float_track_count;
    const char *name = NULL;
    uint32_t found = UINT32_MAX;
    uint32_t track;

    MUST(state->float_count == count);
    if (count == 0)
        return;
    track = test_random_below(&sim->anim.acts, count);
    MUST(memcmp(floats, r->numbers, count * sizeof *floats) == 0);
    MUST(spn_anim_play_get_float_name(sim->rt, p->play, track, &name) ==
         SPN_OK);
    MUST(spn_anim_play_find_float(sim->rt, p->play, spn_anim_hash_name(name),
                                  &found) == SPN_OK);
    MUST(found == track);
    swarm_hit(&sim->swarm, SWARM_FLOATS);
}

/* Sample a time, and compare. */
static spn_status sample(struct sim *sim, const struct sim_anim_play *p,
                         int64_t time_us, const spn_anim_pose *pose,
                         float floats[SIM_ANIM_FLOATS])
{
    const spn_status status = spn_anim_play_sample(
        sim->rt, p->play, time_us, sim->anim.skeletons[p->clip], pose, floats,
        SIM_ANIM_FLOATS);

    if (status != SPN_OK)
        return status;
    pose_reference_at(made_anim_reference(p->clip), sim_anim_mode_loops(sim, p),
                      time_us);
    compare(sim, p, time_us, pose);
    return SPN_OK;
}

static bool make_pose(struct sim *sim, const struct sim_anim_play *p,
                      struct sim_anim_pose *out)
{
    return spn_anim_skeleton_make_pose(sim->rt, sim->anim.skeletons[p->clip],
                                       out->values, sizeof out->values,
                                       &out->pose) == SPN_OK;
}

/* With the pose of the update before, or the rest pose. */
static void blend(struct sim *sim, const struct sim_anim_play *p,
                  const spn_anim_pose *pose, const float *floats)
{
    static struct sim_anim_pose other;
    const uint32_t count =
        made_anim_reference(p->clip)->clip.tracks.float_track_count;
    float before[SIM_ANIM_FLOATS];
    spn_status status;

    MUST(make_pose(sim, p, &other));
    status = sample(sim, p, p->before_us, &other.pose, before);
    sim_anim_blends_check(sim, sim->anim.skeletons[p->clip], pose, &other.pose);
    if (status == SPN_OK && count > 0)
        sim_anim_blends_check_floats(sim, floats, before, count);
}

static void use(struct sim *sim, struct sim_anim_play *p,
                const spn_anim_play_state *state, const spn_anim_pose *pose,
                const float *floats)
{
    static struct sim_anim_pose scratch;

    compare_floats(sim, p, state, floats);
    sim_anim_mode_count(sim, p, state->time_us, p->before_us);
    if (!p->had_pose)
        return;
    MUST(make_pose(sim, p, &scratch));
    if (test_random_below(&sim->anim.acts, BLENDS) == 0)
        blend(sim, p, pose, floats);
    if (test_random_below(&sim->anim.acts, MOTIONS) == 0)
        sim_anim_motion_check(sim, p, p->before_us, state->time_us,
                              &scratch.pose);
}

void sim_anim_poses_check(struct sim *sim, struct sim_anim_play *p,
                          const spn_anim_play_state *state)
{
    static struct sim_anim_pose now;
    float floats[SIM_ANIM_FLOATS];
    spn_status status = SPN_PENDING;

    if (p->updates > 0)
        p->held += state->pose != SPN_OK;
    MUST(state->held_updates == p->held);
    MUST(state->time_us == p->time_us);
    if (p->clip < MADE_ANIM_REAL && sim->anim.skeletons[p->clip] != 0 &&
        make_pose(sim, p, &now)) {
        status = sample(sim, p, state->time_us, &now.pose, floats);
        MUST(status == state->pose);
        if (status == SPN_OK)
            use(sim, p, state, &now.pose, floats);
        swarm_hit(&sim->swarm, status == SPN_OK ? SWARM_POSE : SWARM_NO_POSE);
    }
    p->had_pose = status == SPN_OK;
    p->before_us = state->time_us;
}
