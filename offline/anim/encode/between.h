/* between.h - poses at and between frames, original and decoded, and distances
 * at the skin. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_BETWEEN_H
#define OFFLINE_ANIM_ENCODE_BETWEEN_H

#include "anim/encode/lattice.h"

/* The original pose of a joint at `u`, 0..1, between `frame` and the next one:
 * rotations are interpolated spherically, the rest linearly; step tracks hold,
 * and so does everything before a cut. */
void between_original(const struct dense_clip *clip, uint32_t frame,
                      uint32_t joint, double u, struct joint_transform *t);

/* The largest error at 1/4, 1/2 and 3/4 between `frame` and the next one, which
 * are both quantized.
 *
 * scratch  [2 * joint_count]
 * errors   [joint]: metres; raised where the error here is larger
 */
double between_error(const struct lattice *lattice, uint32_t frame,
                     struct affine *scratch, double *errors);

/* Compute all[joint], the transform of a joint to model space, from its local
 * transform and that of its parent in `all`. */
void between_to_model(const struct dense_clip *clip, uint32_t joint,
                      const struct affine *local, struct affine *all);

/* The largest distance of a joint's virtual vertices. */
double between_distance(const struct affine *a, const struct affine *b);

#endif
