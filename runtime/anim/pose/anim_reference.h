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
    const float *b = w->b;
    const float x2 = x * x;
    const float x4 = x2 * x2;
    const float low = (b[0] + b[1] * x) + (b[2] + b[3] * x) * x2;
    const float middle = (b[4] + b[5] * x) + (b[6] + b[7] * x) * x2;
    const float high = middle + (b[8] + b[9] * x) * x4;

    return w->t * (1.0f + x * (low + high * x4));
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
 * floats    [float track]; all are written; NULL: not wanted
 */
void spn__anim_pose(const struct anim_tracks *tracks, struct anim_frame from,
                    struct anim_frame to, float u, spn_anim_transform *locals,
                    float *floats);

/* -- parts of it, for kernels -- */

/* Places of the parts of a transform: see spn_anim_pose. */
#define ANIM_POSE_ROTATION 0u
#define ANIM_POSE_TRANSLATION 4u
#define ANIM_POSE_SCALE 7u
#define ANIM_POSE_NUMBERS 10u

/* The rows of both frames, what to do between them, and where number k of joint
 * j is written: values[k * number_step + j * joint_step]. */
struct anim_between {
    const int16_t *row[2];
    const int16_t *base[2];
    const int32_t *wide[2];
    float u;                    /* 0: only the first frame counts */
    struct anim_slerp slerp[2]; /* of 1 - u and u */
    float *values;
    size_t number_step;
    size_t joint_step;
};

/* Set all but where it is written. */
void spn__anim_between_init(struct anim_between *b,
                            const struct anim_tracks *tracks,
                            struct anim_frame from, struct anim_frame to,
                            float u);
/* Write rotation, scale, and translation tracks that are not wide. */
void spn__anim_pose_tracks(const struct anim_tracks *tracks,
                           const struct anim_between *b);
/* Write all else that the clip stores. */
void spn__anim_pose_rest(const struct anim_tracks *tracks,
                         const struct anim_between *b, float *floats);

#endif
