/* arith.c - angles by series.
 *
 * The arc tangent halves its angle three times (two square roots each would
 * be exact; one suffices), then eight terms of the series leave less than
 * 1e-18. The sine folds to 0..pi/2 and sums ten terms.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/arith.h"

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

/* Arc tangent of 0..1. */
static double arc_tangent(double x)
{
    double square;
    double sum = 0;

    for (int i = 0; i < 3; i++)
        x = x / (1 + sqrt(1 + x * x));
    square = x * x;
    for (int i = 15; i >= 1; i -= 2)
        sum = 1.0 / i - square * sum;
    return 8 * x * sum;
}

double arith_angle(double y, double x)
{
    double width = fabs(x);

    if (!(y > 0))
        return x < 0 ? ARITH_PI : 0;
    if (y <= width) {
        double angle = arc_tangent(y / width);
        return x < 0 ? ARITH_PI - angle : angle;
    }
    return ARITH_PI / 2 - (x < 0 ? -arc_tangent(width / y)
                                 : arc_tangent(width / y));
}

double arith_angle_between(struct vec3 a, struct vec3 b)
{
    return arith_angle(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
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

/* Of four ways the one that divides by the largest component. */
void arith_quaternion(struct vec3 x, struct vec3 y, struct vec3 z, double q[4])
{
    double square[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z,
                        1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z};
    double products[4][4] = {
        {0, x.y + y.x, x.z + z.x, y.z - z.y},
        {x.y + y.x, 0, y.z + z.y, z.x - x.z},
        {x.z + z.x, y.z + z.y, 0, x.y - y.x},
        {y.z - z.y, z.x - x.z, x.y - y.x, 0},
    };
    int largest = 3;
    double length = 0;

    for (int i = 0; i < 3; i++)
        if (square[i] > square[largest])
            largest = i;
    for (int i = 0; i < 4; i++) {
        q[i] = i == largest ? square[i] : products[largest][i];
        length += q[i] * q[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 4; i++)
        q[i] = q[i] / length;
}
