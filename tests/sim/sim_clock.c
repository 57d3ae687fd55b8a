/* sim_clock.c - a clock that stops, jumps, and moves in ticks. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_clock.h"

#include "sim/sim.h"

#define COOPERATIVE_US 7u /* time that passes with each reading of the clock */
#define SECOND_US UINT64_C(1000000)
#define JUMP_US (10 * SECOND_US)
/* A wait longer than this counts as endless. */
#define FAR_US (UINT64_C(1) << 48)

/* The value of a clock that neither stops nor ticks. */
static uint64_t running(const struct sim_clock *clock, uint64_t time_us)
{
    return clock->rate_shown_us +
           (time_us - clock->rate_from_us) * clock->rate_percent / 100;
}

static void set_rate(struct sim_clock *clock, uint64_t percent)
{
    clock->rate_shown_us =
        clock->rate_percent ? running(clock, clock->time_us) : clock->begin_us;
    clock->rate_from_us = clock->time_us;
    clock->rate_percent = percent;
}

static void draw_rate(struct sim *sim)
{
    static const uint64_t percents[][2] = {
        [SWARM_OFF] = {100, 100}, [SWARM_RARE] = {99, 101}, {50, 200}};

    set_rate(&sim->clock, percents[sim->swarm.level[SWARM_CLOCK_RATE]]
                                  [swarm_below(&sim->swarm, 2)]);
}

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
    draw_rate(sim);
    if (sim->swarm.level[SWARM_CLOCK_COARSE] == SWARM_OFF)
        return;
    clock->tick_us =
        sim->swarm.level[SWARM_CLOCK_COARSE] == SWARM_RARE ? 1000 : 15600;
}

bool sim_clock_is_stopped(const struct sim *sim)
{
    return sim->clock.time_us < sim->clock.stopped_until_us;
}

static void look(struct sim_clock *clock)
{
    uint64_t shown_us = running(clock, clock->time_us);

    shown_us -= (shown_us - clock->begin_us) % clock->tick_us;

    if (clock->time_us >= clock->stopped_until_us && shown_us > clock->shown_us)
        clock->shown_us = shown_us;
}

/* Record that a reading was affected by a fault of the clock. */
static void note_clock_effect(struct sim *sim)
{
    struct sim_clock *clock = &sim->clock;
    uint64_t shown_us = running(clock, clock->time_us);

    if (sim_clock_is_stopped(sim) && !clock->has_stop_had_effect &&
        shown_us > clock->shown_us + clock->tick_us) {
        swarm_hit(&sim->swarm, SWARM_CLOCK_STOPPED);
        clock->has_stop_had_effect = true;
    }
    if (!clock->is_tick_felt &&
        (shown_us - clock->begin_us) % clock->tick_us > 0) {
        swarm_hit(&sim->swarm, SWARM_CLOCK_COARSE);
        clock->is_tick_felt = true;
    }
    if (!clock->is_rate_felt && shown_us != clock->time_us) {
        swarm_hit(&sim->swarm, SWARM_CLOCK_RATE);
        clock->is_rate_felt = true;
    }
}

uint64_t sim_clock_now(void *user)
{
    struct sim *sim = user;

    /* Without threads a waiting caller only reads the clock. */
    if (sim->machine == SIM_COOPERATIVE)
        sim->clock.time_us += COOPERATIVE_US;
    look(&sim->clock);
    note_clock_effect(sim);
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
    if (shown_us - clock->shown_us > FAR_US)
        return UINT64_MAX;
    ticks = (shown_us - clock->begin_us + clock->tick_us - 1) / clock->tick_us;
    time_us = clock->begin_us + ticks * clock->tick_us - clock->rate_shown_us;
    time_us = clock->rate_from_us +
              (time_us * 100 + clock->rate_percent - 1) / clock->rate_percent;
    return time_us < clock->stopped_until_us ? clock->stopped_until_us
                                             : time_us;
}

uint64_t sim_clock_then(const struct sim *sim, uint64_t time_us)
{
    return running(&sim->clock, time_us) + (sim->clock.rate_percent != 100);
}

void sim_clock_frame(struct sim *sim)
{
    struct sim_clock *clock = &sim->clock;

    if (!sim_clock_is_stopped(sim) &&
        swarm_draws(&sim->swarm, SWARM_CLOCK_STOPPED)) {
        clock->has_stop_had_effect = false;
        clock->stopped_until_us =
            clock->time_us + swarm_between(&sim->swarm, 10000, 2000000);
        sim_note(sim, "clock stopped", clock->stopped_until_us, 0, 0);
    }
    /* A stopped clock would reach the time later or never. */
    if (!sim_clock_is_stopped(sim) &&
        swarm_occurs(&sim->swarm, SWARM_CLOCK_JUMPS)) {
        sim_clock_go_to(sim, clock->time_us + JUMP_US);
        sim_note(sim, "clock jumps", JUMP_US, 0, 0);
    }
}

void sim_clock_end_faults(struct sim *sim)
{
    sim->clock.stopped_until_us = 0;
    sim->clock.tick_us = 1;
    set_rate(&sim->clock, 100);
}
