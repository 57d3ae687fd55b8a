/* sim_anim_blends.h - blends of poses, additive poses and float tracks, against
 * what their rules say.
 *
 * A blend of one pose is that pose, a mask takes a joint from one pose, a blend
 * of two is between them, and a difference that is added to its base is the
 * pose that it was made of. Bounds are for single precision; the bits of the
 * results go into the hash of the run.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_ANIM_SIM_ANIM_BLENDS_H
#define TESTS_SIM_ANIM_SIM_ANIM_BLENDS_H

#include <spindle/spindle.h>
#include <stdint.h>

#define SIM_ANIM_JOINTS 32u
#define SIM_ANIM_FLOATS 400u

struct sim;

/* Memory of a pose. */
struct sim_anim_pose {
    _Alignas(
        SPN_ANIM_POSE_ALIGN) float values[SPN_ANIM_POSE_BYTES(SIM_ANIM_JOINTS) /
                                          sizeof(float)];
    spn_anim_pose pose;
};

/* Blend two poses of a skeleton. */
void sim_anim_blends_check(struct sim *sim, spn_anim_skeleton skeleton,
                           const spn_anim_pose *a, const spn_anim_pose *b);
/* Blend float tracks of a play. */
void sim_anim_blends_check_floats(struct sim *sim, const float *a,
                                  const float *b, uint32_t count);
/* Mix the bits of numbers into the hash. */
void sim_anim_blends_mix(struct sim *sim, const float *numbers, uint32_t count);

#endif
