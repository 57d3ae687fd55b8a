/* sim_anim_motion.c - see sim_anim_motion.h. */
/* SPDX-License-Identifier: MIT */
#include "sim/anim/sim_anim_motion.h"

#include "sim/sim.h"
#include "support/pose_reference.h"
#include "support/rigid.h"

#define MUST(x) SIM_MUST(sim, SIM_ANIM, x)
#define BOUND 2e-4

static bool is_near(double x, double y)
{
    const double difference = x < y ? y - x : x - y;

    return difference <= BOUND * (1 + (y < 0 ? -y : y));
}

static bool is_same(struct rigid a, struct rigid b)
{
    double dot = 0;
    bool is = true;

    for (uint32_t k = 0; k < 4; k++)
        dot += a.r[k] * b.r[k];
    for (uint32_t k = 0; k < 4; k++)
        is &= is_near(dot < 0 ? -a.r[k] : a.r[k], b.r[k]);
    for (uint32_t k = 0; k < 3; k++)
        is &= is_near(a.t[k], b.t[k]);
    return is;
}

/* -- checks -- */

/* The joint in model space, in the last pose of a reference. */
static struct rigid joint_of(const struct pose_reference *r, uint32_t joint)
{
    struct rigid m = rigid_of(&r->pose[joint]);

    for (uint32_t j = r->skeleton.parent[joint]; j != SPN_ANIM_NO_PARENT;
         j = r->skeleton.parent[j]) {
        for (uint32_t k = 0; k < 3; k++)
            m.t[k] *= r->pose[j].scale[k];
        m = rigid_multiply(rigid_of(&r->pose[j]), m);
    }
    return m;
}

/* The motion leads from the joint at one time to the joint at the other. */
static void check_poses(struct sim *sim, uint32_t clip, uint32_t joint,
                        int64_t from_us, int64_t to_us, struct rigid motion)
{
    struct pose_reference *r = made_anim_reference(clip);
    struct rigid from;

    pose_reference_at(r, false, from_us);
    from = joint_of(r, joint);
    pose_reference_at(r, false, to_us);
    MUST(is_same(rigid_multiply(from, motion), joint_of(r, joint)));
}

/* False: the bytes of these times are not there. */
static bool get(struct sim *sim, const struct sim_anim_play *p, uint32_t joint,
                int64_t from_us, int64_t to_us, const spn_anim_pose *scratch,
                struct rigid *out)
{
    spn_anim_transform motion;
    const spn_status status = spn_anim_play_get_motion(
        sim->rt, p->play, from_us, to_us, sim->anim.skeletons[p->clip], joint,
        scratch, &motion);

    sim_log_mix(&sim->log, (uint64_t)status);
    MUST(status >= SPN_OK || sim_anim_is_legal(sim, status));
    if (status != SPN_OK)
        return false;
    for (uint32_t k = 0; k < 3; k++)
        MUST(motion.scale[k] == 1);
    sim_anim_blends_mix(sim, motion.rotation, 4);
    sim_anim_blends_mix(sim, motion.translation, 3);
    *out = rigid_of(&motion);
    if (sim->options.canary == CANARY_ANIM_MOTION)
        out->t[joint % 3] += 0.01;
    return true;
}

static bool is_in_clip(const struct sim *sim, const struct sim_anim_play *p,
                       int64_t time_us)
{
    return !sim_anim_mode_loops(sim, p) ||
           (time_us >= 0 && time_us < sim->disc->anims[p->clip].last_us);
}

void sim_anim_motion_check(struct sim *sim, const struct sim_anim_play *p,
                           int64_t before_us, int64_t now_us,
                           const spn_anim_pose *scratch)
{
    static const struct rigid identity = {.r = {0, 0, 0, 1}};
    const uint32_t joint =
        test_random_below(&sim->anim.acts, scratch->joint_count);
    const int64_t mid_us = before_us + (now_us - before_us) / 2;
    struct rigid whole;
    struct rigid first;
    struct rigid second;

    if (!get(sim, p, joint, before_us, now_us, scratch, &whole))
        return;
    if (sim_anim_mode_loops(sim, p) &&
        before_us / sim->disc->anims[p->clip].period_us !=
            now_us / sim->disc->anims[p->clip].period_us)
        swarm_hit(&sim->swarm, SWARM_MOTION_LOOP);
    swarm_hit(&sim->swarm, SWARM_MOTION);
    if (is_in_clip(sim, p, before_us) && is_in_clip(sim, p, now_us))
        check_poses(sim, p->clip, joint, before_us, now_us, whole);
    if (get(sim, p, joint, now_us, before_us, scratch, &first))
        MUST(is_same(rigid_multiply(whole, first), identity));
    if (get(sim, p, joint, before_us, mid_us, scratch, &first) &&
        get(sim, p, joint, mid_us, now_us, scratch, &second))
        MUST(is_same(rigid_multiply(first, second), whole));
}
