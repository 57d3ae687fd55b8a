/* script_poses.h - poses, blends and motion of a play of fuzz_clips. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_SCRIPT_POSES_H
#define TESTS_FUZZ_SCRIPT_POSES_H

#include <spindle/spindle.h>
#include <stdint.h>

struct script_play {
    spn_anim_play handle; /* 0: none */
    spn_anim anim;
    spn_anim_loop loop;
};

/* Sample a play at its time and at another one, blend the two poses, and get
 * the motion between them. A pose that can be sampled is that of a direct
 * decode, bit by bit. Handles may be stale.
 *
 * what  chooses joints and weights */
void script_poses_sample(const spn_runtime *rt, const struct script_play *p,
                         spn_anim_skeleton skeleton, int64_t other_us,
                         uint8_t what);

#endif
