/* sim_anim_modes.h - how a caller plays a clip: once, in a loop, there and
 * back; forwards or backwards, at some speed; with jumps.
 *
 *   sim_anim_mode_begin(&p->mode);                  a new play
 *   time_us = sim_anim_mode_go_on(sim, p, us);      each frame
 *   sim_anim_mode_count(sim, p, time_us, before_us) a pose was sampled
 *
 * The caller moves the time, and tells the runtime whether the clip loops
 * and which way the time goes, truly or not. Times are integers.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_ANIM_SIM_ANIM_MODES_H
#define TESTS_SIM_ANIM_SIM_ANIM_MODES_H

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_anim_play;

struct sim_anim_mode {
    spn_anim_loop loop;
    int32_t speed; /* quarters of the true one; < 0: backwards */
    bool is_there_and_back;
    bool has_turned; /* since the last sample; the same: */
    bool has_jumped;
};

void sim_anim_mode_begin(struct sim_anim_mode *mode);
/* Perhaps change how it plays. Returns its next time. */
int64_t sim_anim_mode_go_on(struct sim *sim, struct sim_anim_play *p,
                            uint64_t frame_us);
bool sim_anim_mode_loops(const struct sim *sim, const struct sim_anim_play *p);
/* A play was sampled at a time; `before_us`: that of the update before. */
void sim_anim_mode_count(struct sim *sim, struct sim_anim_play *p,
                         int64_t time_us, int64_t before_us);

#endif
