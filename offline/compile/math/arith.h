/* arith.h - vectors and angles in double precision, with the same results on
 * every machine.
 *
 * Addition, multiplication, division and square root are rounded correctly
 * everywhere. acos and sin of C libraries are not. Values that end up in a file
 * are computed with the former only; the functions for angles below are series
 * with an error of at most 1e-12.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_ARITH_H
#define OFFLINE_COMPILE_MATH_ARITH_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "caches are the same bytes everywhere: no -ffast-math, no x87 registers"
#endif

struct vec3 {
    double x;
    double y;
    double z;
};

static inline struct vec3 vec3_make(double x, double y, double z)
{
    struct vec3 v = {x, y, z};
    return v;
}

static inline struct vec3 vec3_load(const float *v)
{
    return vec3_make(v[0], v[1], v[2]);
}

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct vec3 vec3_scale(struct vec3 a, double s)
{
    return vec3_make(a.x * s, a.y * s, a.z * s);
}

static inline double vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                     a.x * b.y - a.y * b.x);
}

static inline double vec3_length(struct vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

/* Scale `a` to length 1. Returns false, and leaves `a` unchanged, if its length
 * is 0 or not finite. Squares of components that were floats neither underflow
 * nor overflow. */
static inline bool vec3_normalize(struct vec3 *a)
{
    double length = vec3_length(*a);

    if (!(length > 0) || isinf(length))
        return false;
    *a = vec3_scale(*a, 1 / length);
    return true;
}

/* Project `a` into the plane whose normal is the unit vector `n`. */
static inline struct vec3 vec3_reject(struct vec3 a, struct vec3 n)
{
    return vec3_sub(a, vec3_scale(n, vec3_dot(a, n)));
}

/* Return a unit vector orthogonal to the unit vector `n`: the coordinate axis
 * with the largest angle to n, projected into the plane of n. */
struct vec3 vec3_orthogonal(struct vec3 n);

/* Compute the unit quaternion (x y z w) of the rotation that maps the
 * coordinate axes to x, y and z. These are orthogonal unit vectors and
 * right-handed. The sign of the quaternion is not canonical. */
void arith_quaternion(struct vec3 x, struct vec3 y, struct vec3 z, double q[4]);

#define ARITH_PI 3.14159265358979323846

/* Return the angle from the x axis to the point (x, y), where y >= 0: 0..pi
 * radians; 0 if x and y are 0. */
double arith_angle(double y, double x);
/* The same for `count` points. `angles` does not overlap x and y. */
void arith_angles(const double *y, const double *x, uint32_t count,
                  double *angles);
/* Return the sine of an angle of 0..pi radians. */
double arith_sin(double angle);

#endif
