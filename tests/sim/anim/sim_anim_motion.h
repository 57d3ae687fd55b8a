/* sim_anim_motion.h - root motion, against the poses of a direct decode.
 *
 * The motion between two times is composed of the motions to and from a time
 * between them, backwards it is the inverse, and within a pass it leads from
 * the joint of one pose to that of the other. Computed in double precision,
 * within a bound.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_ANIM_SIM_ANIM_MOTION_H
#define TESTS_SIM_ANIM_SIM_ANIM_MOTION_H

#include <spindle/spindle.h>
#include <stdint.h>

struct sim;
struct sim_anim_play;

/* Compare the motion of a joint between the times of the update before and of
 * this one. Both could be sampled. `scratch` is overwritten. */
void sim_anim_motion_check(struct sim *sim, const struct sim_anim_play *p,
                           int64_t before_us, int64_t now_us,
                           const spn_anim_pose *scratch);

#endif
