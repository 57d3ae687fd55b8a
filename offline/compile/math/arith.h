/* arith.h - vectors and angles in double, the same on every machine.
 *
 * Add, multiply, divide and square root are correctly rounded everywhere;
 * the C library's acos and sin are not. What ends in a file is made of the
 * former only, so the angles here are series of our own, good to 1e-12.
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

/* Make `a` of length 1. False when it has no direction; `a` stays. Squares
 * of doubles made of floats neither vanish nor overflow. */
static inline bool vec3_normalize(struct vec3 *a)
{
    double length = vec3_length(*a);

    if (!(length > 0) || isinf(length))
        return false;
    *a = vec3_scale(*a, 1 / length);
    return true;
}

/* What is left of `a` when its part along the unit vector `n` is removed. */
static inline struct vec3 vec3_reject(struct vec3 a, struct vec3 n)
{
    return vec3_sub(a, vec3_scale(n, vec3_dot(a, n)));
}

/* A unit vector orthogonal to the unit vector `n`: the axis that is least
 * along it, projected. */
struct vec3 vec3_orthogonal(struct vec3 n);

/* Unit quaternion (x y z w) of the rotation that takes the axes to x, y and z,
 * of unit length and right-handed; its sign is not canonical. */
void arith_quaternion(struct vec3 x, struct vec3 y, struct vec3 z, double q[4]);

#define ARITH_PI 3.14159265358979323846

/* Angle of (x, y), y >= 0: 0..pi. 0 when both are 0. */
double arith_angle(double y, double x);
/* The same of `count`; `angles` overlaps neither. */
void arith_angles(const double *y, const double *x, uint32_t count,
                  double *angles);
/* Angle between two vectors of any length: 0..pi. */
double arith_angle_between(struct vec3 a, struct vec3 b);
/* Sine of 0..pi. */
double arith_sin(double angle);

#endif
