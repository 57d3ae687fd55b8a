/* transform.c - interpolate and combine node transforms.
 *
 * Every result is a fixed sequence of IEEE single-precision operations: the
 * same bits on every machine that rounds to nearest. Inputs are not validated:
 * a quaternion that is not of length 1 gives some rotation. Finite inputs of
 * moderate size never give a NaN or a trap.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/transform.h"

#include "base/mem.h"
#include "codec/lift/root.h"

#include <stdint.h>

float spn__sqrt(float x)
{
    if (!(x > 0))
        return x == 0 ? x : 0; /* the sign of zero stays; NaN gives 0 */
    if (x > 3.402823466e+38f)
        return x;            /* infinity */
    if (x < 1.17549435e-38f) /* subnormal: scale by an even power of two */
        return spn__float_root(x * 16777216.0f) * (1.0f / 4096.0f);
    return spn__float_root(x);
}

/* (angle between unit quaternions)^2 from h = |a - b|^2 / 4, h in [0, 1/2]:
 * 4 asin(sqrt(h))^2, an even function without the root. The polynomial is
 * the Chebyshev fit of degree 8 to asin(sqrt(h))^2 / h, off by 7.6e-9. */
static float angle_squared(float h)
{
    float p = 0.37263609f;

    p = p * h - 0.41892469f;
    p = p * h + 0.32780491f;
    p = p * h - 0.030762874f;
    p = p * h + 0.09858985f;
    p = p * h + 0.11249825f;
    p = p * h + 0.17786895f;
    p = p * h + 0.33333156f;
    p = p * h + 1.0f;
    return 4.0f * h * p;
}

/* sin(x) / x from x^2 in [0, (pi / 2)^2]; Chebyshev fit, off by 1.7e-11. */
static float sine_ratio(float x_squared)
{
    float p = -2.3888994e-08f;

    p = p * x_squared + 2.7525259e-06f;
    p = p * x_squared - 0.00019840861f;
    p = p * x_squared + 0.008333331f;
    p = p * x_squared - 0.16666667f;
    return p * x_squared + 1.0f;
}

static float dot4(const float a[4], const float b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* sin((1 - t) x) / sin(x) and sin(t x) / sin(x), as ratios of sine_ratio:
 * no division by a small number for small angles, no case for them. */
static void slerp_rotation(const float a[4], const float b[4], float alpha,
                           float out[4])
{
    float sign = dot4(a, b) < 0 ? -1.0f : 1.0f;
    float rest = 1.0f - alpha;
    float h = 0;
    float squared;
    float whole;
    float weight_a;
    float weight_b;
    float length;

    for (int i = 0; i < 4; i++) {
        float d = a[i] - sign * b[i];
        h += d * d;
    }
    h *= 0.25f;
    if (!(h < 0.5f))
        h = 0.5f; /* a right angle, but for rounding */
    squared = angle_squared(h);
    whole = sine_ratio(squared);
    weight_a = rest * (sine_ratio(rest * rest * squared) / whole);
    weight_b = sign * (alpha * (sine_ratio(alpha * alpha * squared) / whole));
    for (int i = 0; i < 4; i++)
        out[i] = weight_a * a[i] + weight_b * b[i];

    length = spn__sqrt(dot4(out, out));
    if (length > 1e-6f && length < 1e6f) {
        for (int i = 0; i < 4; i++)
            out[i] /= length;
    } else {
        memcpy(out, a, 4 * sizeof *out);
    }
}

void spn__transform_matrix(const struct quat_tns *transform, float out[12])
{
    const float x = transform->rotation[0];
    const float y = transform->rotation[1];
    const float z = transform->rotation[2];
    const float w = transform->rotation[3];
    const float rotation[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)},
    };

    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out[r * 4 + c] = rotation[r][c] * transform->scale[c];
        out[r * 4 + 3] = transform->translation[r];
    }
}

static void lerp(const float *a, const float *b, uint32_t count, float alpha,
                 float *out)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = a[i] + (b[i] - a[i]) * alpha;
}

void spn__transform_between(const struct transform *a,
                            const struct transform *b, float alpha,
                            struct transform *out)
{
    struct transform result = {.is_affine = a->is_affine};

    if (!(alpha > 0)) {
        result = *a;
    } else if (alpha >= 1.0f) {
        result = *b;
    } else if (a->is_affine) {
        lerp(a->affine, b->affine, 12, alpha, result.affine);
    } else {
        slerp_rotation(a->tns.rotation, b->tns.rotation, alpha,
                       result.tns.rotation);
        lerp(a->tns.translation, b->tns.translation, 3, alpha,
             result.tns.translation);
        lerp(a->tns.scale, b->tns.scale, 3, alpha, result.tns.scale);
    }
    *out = result;
}

void spn__transform_resolve(const struct transform *transform, float out[12])
{
    if (transform->is_affine)
        memcpy(out, transform->affine, sizeof transform->affine);
    else
        spn__transform_matrix(&transform->tns, out);
}

void spn__transform_multiply(const float parent[12], const float local[12],
                             float out[12])
{
    float result[12];

    for (int r = 0; r < 3; r++) {
        const float *row = parent + r * 4;

        for (int c = 0; c < 4; c++)
            result[r * 4 + c] = row[0] * local[c] + row[1] * local[4 + c] +
                                row[2] * local[8 + c];
        result[r * 4 + 3] += row[3];
    }
    memcpy(out, result, sizeof result);
}
