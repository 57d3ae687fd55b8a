/* sim_clock.c - a clock that stands, jumps, and moves in ticks. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_clock.h"

#include "sim/sim.h"

#define COOPERATIVE_US 7u /* passes with each look at the clock */
#define SECOND_US UINT64_C(1000000)
#define JUMP_US (10 * SECOND_US)

void sim_clock_init(struct sim *sim)
{
    static const uint64_t begins_us[] = {0, (UINT64_C(1) << 32) - 5 * SECOND_US,
                                         (UINT64_C(1) << 32) * 1000 -
                                             5 * SECOND_US,
                                         (UINT64_C(1) << 63) - 5 * SECOND_US};
    struct sim_clock *clock = &sim->clock;

    clock->begin_us = begins_us[swarm_below(&sim->swarm, 4)];
    clock->time_us = clock->begin_us;
    clock->shown_us = clock->begin_us;
    clock->tick_us = 1;
    if (sim->swarm.level[SWARM_CLOCK_COARSE] == SWARM_OFF)
        return;
    clock->tick_us =
        sim->swarm.level[SWARM_CLOCK_COARSE] == SWARM_RARE ? 1000 : 15600;
}

bool sim_clock_stands(const struct sim *sim)
{
    return sim->clock.time_us < sim->clock.stands_until_us;
}

static void look(struct sim_clock *clock)
{
    uint64_t shown_us =
        clock->time_us - (clock->time_us - clock->begin_us) % clock->tick_us;

    if (clock->time_us >= clock->stands_until_us && shown_us > clock->shown_us)
        clock->shown_us = shown_us;
}

/* Somebody looks: does it show him less than it should? */
static void feel(struct sim *sim)
{
    struct sim_clock *clock = &sim->clock;
    uint64_t past_us = clock->time_us - clock->begin_us;

    if (sim_clock_stands(sim) && !clock->is_stand_felt &&
        clock->time_us > clock->shown_us + clock->tick_us) {
        swarm_hit(&sim->swarm, SWARM_CLOCK_STANDS);
        clock->is_stand_felt = true;
    }
    if (!clock->is_tick_felt && past_us % clock->tick_us > 0) {
        swarm_hit(&sim->swarm, SWARM_CLOCK_COARSE);
        clock->is_tick_felt = true;
    }
}

uint64_t sim_clock_now(void *user)
{
    struct sim *sim = user;

    /* Whoever waits without threads looks at the clock alone. */
    if (sim->machine == SIM_COOPERATIVE)
        sim->clock.time_us += COOPERATIVE_US;
    look(&sim->clock);
    feel(sim);
    return sim->clock.shown_us;
}

void sim_clock_go_to(struct sim *sim, uint64_t time_us)
{
    if (sim->clock.time_us < time_us)
        sim->clock.time_us = time_us;
    look(&sim->clock);
}

uint64_t sim_clock_when(const struct sim *sim, uint64_t shown_us)
{
    const struct sim_clock *clock = &sim->clock;
    uint64_t ticks;
    uint64_t time_us;

    if (shown_us <= clock->shown_us)
        return clock->time_us;
    if (shown_us > UINT64_MAX - clock->tick_us)
        return UINT64_MAX;
    ticks = (shown_us - clock->begin_us + clock->tick_us - 1) / clock->tick_us;
    time_us = clock->begin_us + ticks * clock->tick_us;
    return time_us < clock->stands_until_us ? clock->stands_until_us : time_us;
}

void sim_clock_frame(struct sim *sim)
{
    struct sim_clock *clock = &sim->clock;

    if (!sim_clock_stands(sim) &&
        swarm_draws(&sim->swarm, SWARM_CLOCK_STANDS)) {
        clock->is_stand_felt = false;
        clock->stands_until_us =
            clock->time_us + swarm_between(&sim->swarm, 10000, 2000000);
        sim_note(sim, "clock stands", clock->stands_until_us, 0, 0);
    }
    /* One that stands would show it later, if at all. */
    if (!sim_clock_stands(sim) &&
        swarm_strikes(&sim->swarm, SWARM_CLOCK_JUMPS)) {
        sim_clock_go_to(sim, clock->time_us + JUMP_US);
        sim_note(sim, "clock jumps", JUMP_US, 0, 0);
    }
}

void sim_clock_heal(struct sim *sim)
{
    sim->clock.stands_until_us = 0;
    sim->clock.tick_us = 1;
}
