/* rigid.h - rotations with translations in double precision, for tests that
 * compare motion with a computation of their own. Quaternions are x, y, z, w.
 * Pure functions. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RIGID_H
#define TESTS_RIGID_H

#include <spindle/anim_pose.h>

struct rigid {
    double r[4];
    double t[3];
};

/* Without its scale. */
struct rigid rigid_of(const spn_anim_transform *t);
/* `b`, then `a`. */
struct rigid rigid_multiply(struct rigid a, struct rigid b);
/* Rotate `v` by the unit quaternion `q`; `out` is not `v`. */
void rigid_turn(const double q[4], const double v[3], double out[3]);

#endif
