/* made_motion.h - dense clips made for tests.
 *
 * A skeleton has a root and chains of joints, which swing, each in its own
 * time. The values use no function of the C library, so they are the
 * same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_MOTION_H
#define TESTS_SUPPORT_MADE_MOTION_H

#include "anim/dense_clip.h"
#include "common/arena.h"

#include <stdint.h>

struct made_motion {
    uint32_t joints;
    uint32_t frames;
    uint32_t float_tracks;
    uint32_t seed;
    double swing;    /* largest angle of joints, about radians; 0: none */
    double travel;   /* metres that the root moves in a frame */
    bool has_scale;  /* some joints grow and shrink */
    bool has_shift;  /* translations of all joints change */
    bool has_steps;  /* each fourth joint, and each second float, has steps */
    bool has_cuts;   /* the pose jumps at frames 5 and 20 */
    bool has_all;    /* no joint is still, and has_scale is for all */
    bool is_at_rest; /* nothing moves, and nothing differs from rest */
};

/* All memory is in `arena`. */
void made_motion(const struct made_motion *made, struct arena *arena,
                 struct dense_clip *clip);

#endif
