/* anim_reference.h - the pose of a clip at a time between two frames: the
 * scalar reference of the formulas of anim_window.h.
 *
 * Faster code for an instruction set must give the same bits. The compiler of
 * clips measures its error with these functions.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_ANIM_REFERENCE_H
#define SPN_ANIM_POSE_ANIM_REFERENCE_H

#include "anim/pose/anim_window.h"

#include <spindle/anim_pose.h>

/* A frame in a window. */
struct anim_frame {
    const struct anim_window *window;
    uint32_t frame; /* 0..frame_count - 1 */
};

/* The sign of d_b is changed if c is smaller (anim_window.h). */
#define ANIM_TURN_MIN (-0.0625f)

#define ANIM_SLERP_TERMS 10
/* The coefficients of W(t, x) of anim_window.h: t, then B_1 .. B_10. */
struct anim_slerp {
    float t;
    float b[ANIM_SLERP_TERMS];
};
void spn__anim_slerp_init(struct anim_slerp *slerp, float t);
static inline float anim_slerp_weight(const struct anim_slerp *w, float x)
{
    float sum = w->b[ANIM_SLERP_TERMS - 1];

    for (int i = ANIM_SLERP_TERMS - 2; i >= 0; i--)
        sum = w->b[i] + x * sum;
    return w->t * (1.0f + x * sum);
}

/* d between the d of two frames: `slerp` has the coefficients of 1 - u and u.
 * `d` may be `from` or `to`. */
void spn__anim_slerp(const struct anim_slerp slerp[2], const float from[4],
                     const float to[4], float d[4]);

/* The rotation d of three integers of a row, as x y z w. */
void spn__anim_rotation(float step, int32_t x, int32_t y, int32_t z,
                        float d[4]);
/* The product of quaternions: first b rotates, then a. `product` may be a or b.
 */
void spn__anim_multiply(const float a[4], const float b[4], float product[4]);

/* Write the parts of a pose that the clip stores: animated and constant ones.
 * The caller has put the rest pose into `locals` before.
 *
 * from, to  neighbouring frames; both may be the same. If `to` is a cut, the
 *           pose of `from` is held
 * u         position between them, in [0, 1)
 * locals    [joint]
 * numbers   [float track]; all are written; NULL: not wanted
 */
void spn__anim_pose(const struct anim_tracks *tracks, struct anim_frame from,
                    struct anim_frame to, float u, spn_anim_transform *locals,
                    float *numbers);

/* The same to a structure of arrays. */
void spn__anim_pose_arrays(const struct anim_tracks *tracks,
                           struct anim_frame from, struct anim_frame to,
                           float u, const spn_anim_pose *pose, float *numbers);

#endif
