/* affine.h - rotations, affine transforms and a logarithm in double precision,
 * with the same results on every machine.
 *
 * Only operations that IEEE 754 rounds correctly: + - * / and square roots.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_AFFINE_H
#define OFFLINE_ANIM_ENCODE_AFFINE_H

#include <math.h>
#include <spindle/anim_pose.h>
#include <stdbool.h>

/* A point p becomes linear * p + origin; linear[row][column]. */
struct affine {
    double linear[3][3];
    double origin[3];
};

void affine_identity(struct affine *a);
/* The transform of a joint: scale, then rotation (unit x y z w), then
 * translation. */
void affine_make(struct affine *a, const double rotation[4],
                 const double translation[3], const double scale[3]);
void affine_of_transform(struct affine *a, const spn_anim_transform *t);
/* First b, then a. `product` is neither. */
void affine_multiply(const struct affine *a, const struct affine *b,
                     struct affine *product);
void affine_direction(const double m[3][3], const double v[3],
                      double result[3]);
void affine_point(const struct affine *a, const double p[3], double result[3]);
/* Invert a matrix. Returns false if it is singular or nearly. */
bool affine_invert(const double m[3][3], double inverse[3][3]);

/* Product of quaternions x y z w: first b, then a. `product` may be a or b. */
void quaternion_multiply(const double a[4], const double b[4],
                         double product[4]);
/* Scale to length 1. A quaternion of length 0 becomes the identity. */
void quaternion_normalize(double q[4]);
/* Interpolate spherically on the shorter arc between unit quaternions. Exact to
 * about 1e-9. */
void quaternion_slerp(const double a[4], const double b[4], double u,
                      double q[4]);

static inline double distance_squared(const double a[3], const double b[3])
{
    const double x = a[0] - b[0];
    const double y = a[1] - b[1];
    const double z = a[2] - b[2];

    return x * x + y * y + z * z;
}

/* The binary logarithm of a normal positive number, exact to about 1e-9. */
double binary_logarithm(double x);

#endif
