/* rotation.c - see rotation.h.
 *
 * The angle between two quaternions a and b is computed from the lengths of
 * a - b and a + b: unlike the arc cosine of their product it is precise for
 * small angles.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/rotation.h"

#include "compile/math/arith.h"

#include <math.h>
#include <string.h>

/* Below this angle in radians the arc is a line in double precision. */
#define ANGLE_MIN 1e-9

bool rotation_normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    if (!(length > 0) || isinf(length))
        return false;
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    return true;
}

void rotation_multiply(const double a[4], const double b[4], double out[4])
{
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    const double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    const double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];

    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

double rotation_difference(const double *a, const double *b)
{
    double same = 0;
    double opposite = 0;

    for (int i = 0; i < 4; i++) {
        same = fmax(same, fabs(a[i] - b[i]));
        opposite = fmax(opposite, fabs(a[i] + b[i]));
    }
    return fmin(same, opposite);
}

void rotation_slerp(const double a[4], const double b[4], double u,
                    double out[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0 ? -1 : 1;
    double chord = 0;
    double sum = 0;
    double angle;
    double weight_a = 1 - u;
    double weight_b = u * sign;

    for (int i = 0; i < 4; i++) {
        chord += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
        sum += (a[i] + sign * b[i]) * (a[i] + sign * b[i]);
    }
    angle = 2 * arith_angle(sqrt(chord), sqrt(sum));
    if (angle >= ANGLE_MIN) {
        double sine = arith_sin(angle);

        weight_a = arith_sin(angle * (1 - u)) / sine;
        weight_b = sign * arith_sin(angle * u) / sine;
    }
    for (int i = 0; i < 4; i++)
        out[i] = weight_a * a[i] + weight_b * b[i];
    rotation_normalize(out);
}

void rotation_compose(const struct joint_transform *transform, double m[16])
{
    const double x = transform->rotation[0];
    const double y = transform->rotation[1];
    const double z = transform->rotation[2];
    const double w = transform->rotation[3];
    const double columns[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
        {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
        {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
    };

    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            m[4 * c + r] = columns[c][r] * transform->scale[c];
        m[4 * c + 3] = 0;
        m[12 + c] = transform->translation[c];
    }
    m[15] = 1;
}

void rotation_matrix_multiply(const double a[16], const double b[16],
                              double out[16])
{
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            double sum = 0;

            for (int k = 0; k < 4; k++)
                sum += a[4 * k + r] * b[4 * c + k];
            out[4 * c + r] = sum;
        }
}

double rotation_decompose(const double m[16], struct joint_transform *transform)
{
    struct vec3 axes[3];
    double composed[16];
    double worst = 0;

    memcpy(transform->translation, m + 12, sizeof transform->translation);
    for (int c = 0; c < 3; c++)
        axes[c] = vec3_make(m[4 * c], m[4 * c + 1], m[4 * c + 2]);
    for (int c = 0; c < 3; c++)
        transform->scale[c] = vec3_length(axes[c]);
    if (vec3_dot(vec3_cross(axes[0], axes[1]), axes[2]) < 0)
        transform->scale[0] = -transform->scale[0];
    for (int c = 0; c < 3; c++)
        if (transform->scale[c] != 0 && isfinite(transform->scale[c]))
            axes[c] = vec3_scale(axes[c], 1 / transform->scale[c]);
    arith_quaternion(axes[0], axes[1], axes[2], transform->rotation);
    rotation_compose(transform, composed);
    for (int i = 0; i < 12; i++)
        if (fabs(composed[i] - m[i]) > worst)
            worst = fabs(composed[i] - m[i]);
    return worst;
}
