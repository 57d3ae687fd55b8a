/* sim_anim_modes.c - see sim_anim_modes.h. */
/* SPDX-License-Identifier: MIT */
#include "sim/anim/sim_anim_modes.h"

#include "sim/sim.h"

#define NORMAL 4 /* quarters */
#define CHANGES 16u
#define JUMPS 24u

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->anim.acts, limit);
}

void sim_anim_mode_begin(struct sim_anim_mode *mode)
{
    *mode = (struct sim_anim_mode){.speed = NORMAL};
}

bool sim_anim_mode_loops(const struct sim *sim, const struct sim_anim_play *p)
{
    return p->mode.loop == SPN_ANIM_LOOP_AS_CLIP
               ? sim->disc->anims[p->clip].loops
               : p->mode.loop == SPN_ANIM_LOOP_ALWAYS;
}

static void change(struct sim *sim, struct sim_anim_play *p)
{
    static const int32_t speeds[] = {4, 4, 8, 2, 16, 24, 0, -4, -8, -16};
    struct sim_anim_mode *m = &p->mode;
    int32_t direction;

    m->loop = (spn_anim_loop)below(sim, 3);
    m->speed = speeds[below(sim, 10)];
    m->is_there_and_back = below(sim, 2) == 0;
    direction = (int32_t)below(sim, 3) - 1;
    if (below(sim, 2) == 0)
        direction = m->speed;
    sim_note(sim, "play: mode", p->play, m->loop, m->speed);
    SIM_MUST(sim, SIM_STATUS,
             spn_anim_play_set_mode(sim->rt, p->play, m->loop, direction) ==
                 SPN_OK);
}

/* Turn at both ends of the clip. */
static int64_t turn(const struct sim *sim, struct sim_anim_play *p,
                    int64_t time_us)
{
    const int64_t last_us = sim->disc->anims[p->clip].last_us;
    const int32_t speed = p->mode.speed;

    if (time_us > last_us && speed > 0)
        time_us = 2 * last_us - time_us;
    else if (time_us < 0 && speed < 0)
        time_us = -time_us;
    else
        return time_us;
    p->mode.speed = -speed;
    p->mode.has_turned = true;
    return time_us < 0 ? 0 : time_us > last_us ? last_us : time_us;
}

int64_t sim_anim_mode_go_on(struct sim *sim, struct sim_anim_play *p,
                            uint64_t frame_us)
{
    int64_t time_us;

    if (below(sim, CHANGES) == 0)
        change(sim, p);
    if (below(sim, JUMPS) == 0) {
        p->mode.has_jumped = true;
        return (int64_t)below(sim, 6000000) - 500000;
    }
    time_us = p->time_us + (int64_t)frame_us * p->mode.speed / NORMAL;
    return p->mode.is_there_and_back ? turn(sim, p, time_us) : time_us;
}

void sim_anim_mode_count(struct sim *sim, struct sim_anim_play *p,
                         int64_t time_us, int64_t before_us)
{
    struct sim_anim_mode *m = &p->mode;
    const int64_t period_us = sim->disc->anims[p->clip].period_us;

    if (sim_anim_mode_loops(sim, p) && (time_us < 0 || time_us >= period_us))
        swarm_hit(&sim->swarm, SWARM_POSE_LOOP);
    if (!sim_anim_mode_loops(sim, p) && time_us > period_us)
        swarm_hit(&sim->swarm, SWARM_POSE_END);
    if (time_us < before_us && !m->has_jumped)
        swarm_hit(&sim->swarm, SWARM_POSE_BACK);
    if (m->has_turned)
        swarm_hit(&sim->swarm, SWARM_POSE_TURN);
    if (m->has_jumped)
        swarm_hit(&sim->swarm, SWARM_POSE_SEEK);
    m->has_turned = m->has_jumped = false;
}
