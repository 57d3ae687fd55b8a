/* evaluate.h - poses of a clip at a time.
 *
 * Between two keys a channel follows its interpolation, as appendix C of glTF
 * 2.0 defines it; before its first and after its last key it has the value of
 * that key. Rotations of keys are brought to length 1 before they are
 * interpolated linearly; cubic ones are interpolated as the file has them. A
 * joint without a channel has its rest pose.
 *
 * Only doubles and operations that are rounded correctly on every machine: the
 * same file gives the same poses everywhere. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_EVALUATE_H
#define OFFLINE_ANIM_SOURCE_EVALUATE_H

#include "anim/source/motion.h"

/* Compute the value of a channel: channel->width numbers; rotations have length
 * 1. A cubic rotation that vanishes between two keys is that of the earlier
 * one. */
void evaluate_channel(const struct motion_channel *channel, double seconds,
                      double *out);

/* Compute the transforms of all joints relative to their parents, in the order
 * of the file. */
void evaluate_locals(const struct motion *motion,
                     const struct motion_clip *clip, double seconds,
                     struct joint_transform *locals);

/* Compute the matrices of all joints relative to the model: the product of the
 * transforms of all its parents and its own. A joint whose rest pose is a
 * matrix has this matrix instead of its transform. Column-major. */
void evaluate_models(const struct motion *motion,
                     const struct joint_transform *locals,
                     double (*models)[16]);

#endif
