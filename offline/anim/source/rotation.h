/* rotation.h - quaternions and transforms in double precision, with the same
 * results on every machine.
 *
 * Only operations that IEEE 754 rounds correctly, and the series of arith.h and
 * degrees.h. Quaternions are x y z w. Matrices have 16 elements, column-major,
 * and apply to column vectors.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_ROTATION_H
#define OFFLINE_ANIM_SOURCE_ROTATION_H

#include "anim/dense_clip.h"

/* Scale to length 1. Returns false, and leaves q unchanged, if its length is 0
 * or not finite. */
bool rotation_normalize(double q[4]);

/* out = a * b: the rotation b, then a. `out` may be a or b. */
void rotation_multiply(const double a[4], const double b[4], double out[4]);

/* The largest difference between their numbers; q and -q are equal. */
double rotation_difference(const double *a, const double *b);

/* Interpolate between unit quaternions on the shorter arc at constant speed;
 * u 0..1. The result has length 1. */
void rotation_slerp(const double a[4], const double b[4], double u,
                    double out[4]);

/* Compute the matrix of a transform. */
void rotation_compose(const struct joint_transform *transform, double m[16]);
/* out = a * b. `out` is neither of them. */
void rotation_matrix_multiply(const double a[16], const double b[16],
                              double out[16]);

/* Split a matrix into translation, rotation and scale; a mirrored matrix gets a
 * negative scale x. Shear is lost. Returns the largest difference between an
 * element of the upper three rows and that of the composed result. */
double rotation_decompose(const double m[16],
                          struct joint_transform *transform);

#endif
