/* vector.h - vectors of three doubles. The compiler's are in arith.h; verify
 * shares no code with the compiler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_VECTOR_H
#define OFFLINE_VERIFY_VECTOR_H

#include <math.h>

#define VECTOR_DEGREES_PER_RADIAN 57.295779513082320877

static inline double vector_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vector_length(const double v[3])
{
    return sqrt(vector_dot(v, v));
}

static inline void vector_subtract(const double a[3], const double b[3],
                                   double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = a[c] - b[c];
}

/* `out` is neither a nor b. */
static inline void vector_cross(const double a[3], const double b[3],
                                double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] =
            a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* Between two directions of any length, in radians; 0 where one has length 0.
 */
static inline double vector_angle(const double a[3], const double b[3])
{
    double cross[3];

    vector_cross(a, b, cross);
    return atan2(vector_length(cross), vector_dot(a, b));
}

/* Scale to length 1; a vector of length 0 stays. Returns the old length. */
static inline double vector_normalize(double v[3])
{
    double length = vector_length(v);

    for (int c = 0; c < 3 && length > 0; c++)
        v[c] /= length;
    return length;
}

#endif
