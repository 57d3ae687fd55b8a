/* arith.c - arc tangent and sine by series.
 *
 * The arc tangent of a ratio 0..1 starts at the nearest multiple c of 1/16,
 * whose arc tangent is in a table. The rest is the arc tangent of a number of
 * at most 1/32, for which five terms of the series have an error below 1e-17.
 * The sine of 0..pi equals that of an angle 0..pi/2, and sums ten terms.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/arith.h"

struct vec3 vec3_orthogonal(struct vec3 n)
{
    double x = fabs(n.x);
    double y = fabs(n.y);
    double z = fabs(n.z);
    struct vec3 axis = vec3_make(0, 0, 1);

    if (x <= y && x <= z)
        axis = vec3_make(1, 0, 0);
    else if (y <= z)
        axis = vec3_make(0, 1, 0);
    axis = vec3_reject(axis, n);
    vec3_normalize(&axis);
    return axis;
}

/* Arc tangent of k / 16. */
static const double sixteenths[17] = {
    0.0,
    0.06241880999595735,
    0.12435499454676144,
    0.18534794999569476,
    0.24497866312686414,
    0.3028848683749714,
    0.35877067027057225,
    0.4124104415973873,
    0.4636476090008061,
    0.5123894603107377,
    0.5585993153435624,
    0.6022873461349642,
    0.6435011087932844,
    0.6823165548747481,
    0.7188299996216245,
    0.7531512809621944,
    0.7853981633974483,
};

/* Angles that are computed together. The table is read in a loop of its own, so
 * that compilers can vectorize the others. */
#define BLOCK 32u

/* Arc tangents of ratios 0..1: atan(x) - atan(c) is
 * atan((x - c) / (1 + c * x)). */
static void arc_tangents(double ratios[BLOCK], uint32_t count)
{
    int nearest[BLOCK];

    for (uint32_t i = 0; i < count; i++) {
        const double x = ratios[i];
        const int k = (int)(x * 16 + 0.5);
        const double center = k / 16.0;
        const double rest = (x - center) / (1 + center * x);
        const double square = rest * rest;
        double sum = 1.0 / 7 - square * (1.0 / 9);

        sum = 1.0 / 5 - square * sum;
        sum = 1.0 / 3 - square * sum;
        nearest[i] = k;
        ratios[i] = rest - rest * square * sum;
    }
    for (uint32_t i = 0; i < count; i++)
        ratios[i] = sixteenths[nearest[i]] + ratios[i];
}

static void angles_of(const double *y, const double *x, uint32_t count,
                      double *angles)
{
    double ratios[BLOCK];
    double starts[BLOCK];
    double signs[BLOCK];

    for (uint32_t i = 0; i < count; i++) {
        const double width = fabs(x[i]);
        const double least = y[i] < width ? y[i] : width;
        const double most = y[i] > width ? y[i] : width;
        const double ratio = least / most;
        const double start = x[i] < 0 ? ARITH_PI : 0;
        const double sign = x[i] < 0 ? -1 : 1;

        /* 0 / 0 is NaN. */
        ratios[i] = ratio <= 1 ? ratio : 0;
        starts[i] = y[i] > width ? ARITH_PI / 2 : start;
        signs[i] = y[i] > width ? -sign : sign;
    }
    arc_tangents(ratios, count);
    for (uint32_t i = 0; i < count; i++)
        angles[i] = starts[i] + signs[i] * ratios[i];
}

void arith_angles(const double *y, const double *x, uint32_t count,
                  double *angles)
{
    for (uint32_t at = 0; at < count; at += BLOCK)
        angles_of(y + at, x + at, count - at < BLOCK ? count - at : BLOCK,
                  angles + at);
}

double arith_angle(double y, double x)
{
    double angle;

    arith_angles(&y, &x, 1, &angle);
    return angle;
}

double arith_sin(double angle)
{
    double square;
    double sum = 1;

    if (angle > ARITH_PI / 2)
        angle = ARITH_PI - angle;
    square = angle * angle;
    for (int i = 20; i >= 2; i -= 2)
        sum = 1 - square * sum / (i * (i + 1));
    return angle * sum;
}

/* Use the one of four formulas that divides by the largest component. */
void arith_quaternion(struct vec3 x, struct vec3 y, struct vec3 z, double q[4])
{
    /* Each row is the quaternion times four times one of its components. */
    double rows[4][4] = {
        {1 + x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y},
        {x.y + y.x, 1 - x.x + y.y - z.z, y.z + z.y, z.x - x.z},
        {x.z + z.x, y.z + z.y, 1 - x.x - y.y + z.z, x.y - y.x},
        {y.z - z.y, z.x - x.z, x.y - y.x, 1 + x.x + y.y + z.z},
    };
    int largest = 3;
    double length = 0;

    for (int i = 0; i < 3; i++)
        largest = rows[i][i] > rows[largest][largest] ? i : largest;
    for (int i = 0; i < 4; i++)
        length += rows[largest][i] * rows[largest][i];
    length = sqrt(length);
    for (int i = 0; i < 4; i++)
        q[i] = rows[largest][i] / length;
}
