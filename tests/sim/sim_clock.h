/* sim_clock.h - the world's time, and what the platform's clock shows of it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CLOCK_H
#define TESTS_SIM_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_clock {
    uint64_t time_us;      /* the world's */
    uint64_t begin_us;     /* of it */
    uint64_t tick_us;      /* the clock moves in these */
    uint64_t rate_percent; /* of the world's speed, since then: */
    uint64_t rate_from_us; /* of the world */
    uint64_t rate_shown_us;
    uint64_t stands_until_us;
    uint64_t shown_us; /* last */
    bool is_stand_felt;
    bool is_tick_felt;
    bool is_rate_felt;
};

void sim_clock_init(struct sim *sim);
/* As spn_platform.now_us; `user` is the sim. */
uint64_t sim_clock_now(void *user);
bool sim_clock_stands(const struct sim *sim);
/* To this time of the world, if it is later. */
void sim_clock_go_to(struct sim *sim, uint64_t time_us);
/* The time of the world at which the clock shows at least `shown_us`. */
uint64_t sim_clock_when(const struct sim *sim, uint64_t shown_us);
/* What it shows, or a bit more, at a time of the world that is to come. */
uint64_t sim_clock_then(const struct sim *sim, uint64_t time_us);
/* Once a frame: faults. */
void sim_clock_frame(struct sim *sim);
/* Faults are over. */
void sim_clock_heal(struct sim *sim);

#endif
