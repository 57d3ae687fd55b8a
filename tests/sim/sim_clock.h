/* sim_clock.h - simulated time, and the platform clock's view of it. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CLOCK_H
#define TESTS_SIM_SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

struct sim_clock {
    uint64_t time_us;      /* simulated time */
    uint64_t begin_us;     /* simulated time at the start */
    uint64_t tick_us;      /* the clock moves in steps of this size */
    uint64_t rate_percent; /* speed of the clock since rate_from_us */
    uint64_t rate_from_us; /* simulated time */
    uint64_t rate_shown_us;
    uint64_t stopped_until_us;
    uint64_t shown_us; /* the last value returned */
    bool has_stop_had_effect;
    bool is_tick_felt;
    bool is_rate_felt;
};

void sim_clock_init(struct sim *sim);
/* spn_platform.now_us; `user` is the sim. */
uint64_t sim_clock_now(void *user);
bool sim_clock_is_stopped(const struct sim *sim);
/* Advance to this simulated time when it is later. */
void sim_clock_go_to(struct sim *sim, uint64_t time_us);
/* The simulated time at which the clock shows at least `shown_us`. */
uint64_t sim_clock_when(const struct sim *sim, uint64_t shown_us);
/* The clock's value at a later simulated time, or slightly more. */
uint64_t sim_clock_then(const struct sim *sim, uint64_t time_us);
/* Once each frame: draw faults. */
void sim_clock_frame(struct sim *sim);
/* End all faults. */
void sim_clock_end_faults(struct sim *sim);

#endif
