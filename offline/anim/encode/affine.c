/* affine.c - rotations and affine transforms. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/affine.h"

#include <string.h>

void affine_identity(struct affine *a)
{
    *a = (struct affine){.linear = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

void affine_make(struct affine *a, const double rotation[4],
                 const double translation[3], const double scale[3])
{
    const double x = rotation[0];
    const double y = rotation[1];
    const double z = rotation[2];
    const double w = rotation[3];
    const double m[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};

    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            a->linear[i][k] = m[i][k] * scale[k];
        a->origin[i] = translation[i];
    }
}

void affine_direction(const double m[3][3], const double v[3], double result[3])
{
    for (int i = 0; i < 3; i++)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

void affine_point(const struct affine *a, const double p[3], double result[3])
{
    affine_direction(a->linear, p, result);
    for (int i = 0; i < 3; i++)
        result[i] += a->origin[i];
}

void affine_of_transform(struct affine *a, const spn_anim_transform *t)
{
    double rotation[4];
    double translation[3];
    double scale[3];

    for (int k = 0; k < 4; k++)
        rotation[k] = (double)t->rotation[k];
    for (int k = 0; k < 3; k++) {
        translation[k] = (double)t->translation[k];
        scale[k] = (double)t->scale[k];
    }
    affine_make(a, rotation, translation, scale);
}

void affine_multiply(const struct affine *a, const struct affine *b,
                     struct affine *product)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            product->linear[i][k] = a->linear[i][0] * b->linear[0][k] +
                                    a->linear[i][1] * b->linear[1][k] +
                                    a->linear[i][2] * b->linear[2][k];
    affine_point(a, b->origin, product->origin);
}

bool affine_invert(const double m[3][3], double inverse[3][3])
{
    double size = 0;
    double determinant;
    double c[3][3]; /* cofactors */

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3;
            const int i2 = (i + 2) % 3;
            const int k1 = (k + 1) % 3;
            const int k2 = (k + 2) % 3;

            c[i][k] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
            size = fmax(size, fabs(m[i][k]));
        }
    determinant = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    if (!(fabs(determinant) > 1e-9 * size * size * size))
        return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[i][k] = c[k][i] / determinant;
    return true;
}

void quaternion_multiply(const double a[4], const double b[4],
                         double product[4])
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
                         a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};

    memcpy(product, q, sizeof q);
}

void quaternion_normalize(double q[4])
{
    const double length =
        sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    if (!(length > 1e-100)) {
        q[0] = q[1] = q[2] = 0;
        q[3] = 1;
        return;
    }
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* sin(t A) / sin(A) where cos(A) = 1 + x, for A in [0, pi / 4]: the series of
 * anim_window.h with enough terms. */
static double slerp_weight(double t, double x)
{
    double sum = 0;

    for (int i = 14; i > 0; i--)
        sum = (t * t / (i * (2 * i + 1)) - i / (2.0 * i + 1)) * x * (1 + sum);
    return t * (1 + sum);
}

void quaternion_slerp(const double a[4], const double b[4], double u,
                      double q[4])
{
    double c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double sign = c < 0 ? -1 : 1;
    double from[4];
    double to[4];
    double x;

    memcpy(from, a, sizeof from);
    for (int i = 0; i < 4; i++)
        to[i] = sign * b[i];
    c = fmin(sign * c, 1);
    /* Halve the arc: then the series converges fast. */
    {
        double middle[4];

        for (int i = 0; i < 4; i++)
            middle[i] = from[i] + to[i];
        quaternion_normalize(middle);
        if (u < 0.5)
            memcpy(to, middle, sizeof to);
        else
            memcpy(from, middle, sizeof from);
        u = u < 0.5 ? 2 * u : 2 * u - 1;
        c = sqrt((1 + c) / 2);
    }
    x = c - 1;
    for (int i = 0; i < 4; i++)
        q[i] = from[i] * slerp_weight(1 - u, x) + to[i] * slerp_weight(u, x);
    quaternion_normalize(q);
}

double binary_logarithm(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    double t;
    double square;
    double sum = 0;

    if (m < 0.7071067811865476) {
        m *= 2;
        exponent--;
    }
    /* ln(m) = 2 (t + t^3 / 3 + t^5 / 5 ...), |t| < 0.172 */
    t = (m - 1) / (m + 1);
    square = t * t;
    for (int i = 13; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent + 2 * t * sum * 1.4426950408889634;
}
