/* sim_anim_poses.c - skeletons, times of plays, and their poses. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim.h"
#include "sim/sim_anim.h"
#include "support/pose_reference.h"

#include <string.h>

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)
#define JOINTS_MAX 32u

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
        p->time_us += (int64_t)sim->frame_us;
        if (sim_anim_below(sim, 32) == 0)
            p->time_us = (int64_t)sim_anim_below(sim, 6000000) - 500000;
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

static void compare(struct sim *sim, uint32_t clip, int64_t time_us,
                    const spn_anim_pose *pose)
{
    struct pose_reference *r = made_anim_reference(clip);

    pose_reference_at(r, false, time_us);
    MUST(pose->joint_count == r->skeleton.joint_count);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        float found[10];

        for (uint32_t k = 0; k < 10; k++)
            found[k] = pose->values[k * pose->stride + j];
        MUST(memcmp(found, &r->pose[j], sizeof found) == 0);
    }
}

void sim_anim_poses_check(struct sim *sim, struct sim_anim_play *p,
                          const spn_anim_play_state *state)
{
    static _Alignas(SPN_ANIM_POSE_ALIGN) float
        values[SPN_ANIM_POSE_BYTES(JOINTS_MAX) / sizeof(float)];
    spn_anim_pose pose;
    spn_status status;

    if (p->updates > 0)
        p->held += state->pose != SPN_OK;
    MUST(state->held_updates == p->held);
    if (p->clip >= MADE_ANIM_REAL || sim->anim.skeletons[p->clip] == 0 ||
        spn_anim_skeleton_make_pose(sim->rt, sim->anim.skeletons[p->clip],
                                    values, sizeof values, &pose) != SPN_OK)
        return;
    status = spn_anim_play_sample(sim->rt, p->play, state->time_us,
                                  sim->anim.skeletons[p->clip], &pose, NULL, 0);
    MUST(status == state->pose);
    if (status == SPN_OK)
        compare(sim, p->clip, state->time_us, &pose);
    swarm_hit(&sim->swarm, status == SPN_OK ? SWARM_POSE : SWARM_NO_POSE);
}
