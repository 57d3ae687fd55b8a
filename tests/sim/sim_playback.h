/* sim_playback.h - how nodes play: ranges, rates, second positions.
 *
 * In half of the seeds nodes change the part of the clip that they play, what
 * follows at its ends, and the speed and the direction of playback, and prepare
 * cuts. The draws have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_PLAYBACK_H
#define TESTS_SIM_SIM_PLAYBACK_H

#include "harness.h"
#include "sim/made_disc.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_node;

struct sim_course {
    spn_node node; /* whose course this is; another node plays the whole clip
                    * at normal speed */
    int64_t first_us;
    int64_t last_us;
    spn_range_mode mode;
    int32_t rate_permille; /* of the times that the caller sets */
    int32_t set_permille;  /* spn_node_set_rate */
    int64_t second_us;     /* second position; SPN_NO_TIME: none, or it ended */
};

struct sim_playback {
    struct test_random random;
    bool is_on;
    struct sim_course courses[MADE_NODES_MAX];
};

void sim_playback_init(struct sim *sim);
/* A node was created. */
void sim_playback_open(struct sim *sim, const struct sim_node *n);
/* Before an update, after the node's time was set: change the range, the rate
 * or the second position, or cut to the second position. */
void sim_playback_frame(struct sim *sim, struct sim_node *n);
/* How far the node's time advances while some time passes. */
int64_t sim_playback_step(const struct sim *sim, const struct sim_node *n,
                          uint64_t elapsed_us);
/* After an update: the times that the node reports must be those set. */
void sim_playback_check(struct sim *sim, const struct sim_node *n,
                        const spn_node_state *state);
/* The ends of the node's range. The clip may shorten what the caller said. */
struct sim_ends {
    spn_range_mode mode;
    int64_t first_us;
    int64_t last_us;
    int64_t set_first_us;
    int64_t set_last_us;
};
struct sim_ends sim_playback_ends(const struct sim *sim,
                                  const struct sim_node *n);
/* The time of the clip that the node's time means. */
int64_t sim_playback_time(const struct sim *sim, const struct sim_node *n);
/* True if the last frame of the clip goes over into the first one. */
bool sim_playback_repeats_all(const struct sim *sim, const struct sim_node *n);
/* The frame that the node's time wants. */
uint32_t sim_playback_wanted(const struct sim *sim, const struct sim_node *n);
/* Faults are over: normal speed in the same direction, no second positions, no
 * ranges of a single frame. */
void sim_playback_end_faults(struct sim *sim);
/* While faults are over: at an end of a range that does not repeat, start
 * again. Frames that were lost there are not tried again while it rests. */
void sim_playback_repeat(const struct sim *sim, struct sim_node *n);

#endif
