/* degrees.c - power series for angles of up to 45 degrees.
 *
 * An angle is first reduced to its difference from the nearest multiple of 90
 * degrees. This reduction is exact, so the error does not grow with the angle.
 */
/* SPDX-License-Identifier: MIT */
#include "common/degrees.h"

#include <math.h>

#define RADIANS (3.14159265358979323846 / 180)

/* Taylor series for |x| <= pi / 4. The omitted terms are below 1e-17. */
static double sine_of(double x)
{
    double square = x * x;
    double sum = 1;

    for (int i = 16; i >= 2; i -= 2)
        sum = 1 - square * sum / (i * (i + 1));
    return x * sum;
}

static double cosine_of(double x)
{
    double square = x * x;
    double sum = 1;

    for (int i = 17; i >= 1; i -= 2)
        sum = 1 - square * sum / (i * (i + 1));
    return sum;
}

void degrees_sin_cos(double degrees, double *sine, double *cosine)
{
    double rest = fmod(degrees, 360);
    double quarters = floor(rest / 90 + 0.5);
    double x = (rest - 90 * quarters) * RADIANS;

    if (!isfinite(degrees)) {
        *sine = NAN;
        *cosine = NAN;
        return;
    }
    switch ((int)quarters & 3) {
    case 0:
        *sine = sine_of(x);
        *cosine = cosine_of(x);
        break;
    case 1:
        *sine = cosine_of(x);
        *cosine = -sine_of(x);
        break;
    case 2:
        *sine = -sine_of(x);
        *cosine = -cosine_of(x);
        break;
    default:
        *sine = -cosine_of(x);
        *cosine = sine_of(x);
        break;
    }
}
