/* turn.c - series on an eighth of a turn.
 *
 * The remainder of a division is exact, and so is the difference to the
 * nearest quarter, so an angle of any size is as good as one below 45 degrees.
 */
/* SPDX-License-Identifier: MIT */
#include "common/turn.h"

#include <math.h>

#define RADIANS (3.14159265358979323846 / 180)

/* Taylor's, of |x| <= pi / 4: what is left out is below 1e-17. */
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

void turn_sin_cos(double degrees, double *sine, double *cosine)
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
