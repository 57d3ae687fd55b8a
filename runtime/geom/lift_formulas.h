/* lift_formulas.h - the formulas of lift.h, number by number.
 *
 * The scalar kernels and the encoder are made of them, so that there is one
 * text of each.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_LIFT_FORMULAS_H
#define SPN_GEOM_LIFT_FORMULAS_H

#include "geom/lift.h"

/* Kernels hold everything in registers, and there is one for each case of
 * their constants: the compiler's own judgement is for smaller code. */
#define LIFT_INLINE static inline __attribute__((always_inline))

#define LIFT_SQUARE (QTANGENT_ONE * QTANGENT_ONE)

static inline int16_t lift_wrap(uint32_t x)
{
    return (int16_t)(uint16_t)x;
}

static inline int16_t lift_half(int32_t a, int32_t b)
{
    return lift_wrap((uint32_t)((a * b + (1 << 14)) >> 15));
}

/* wrap(a - b) */
static inline int16_t lift_minus(int32_t a, int32_t b)
{
    return lift_wrap((uint32_t)a - (uint32_t)b);
}

/* wrap(a + b) */
static inline int16_t lift_plus(int32_t a, int32_t b)
{
    return lift_wrap((uint32_t)a + (uint32_t)b);
}

static inline int16_t lift_time(const int16_t *const from[],
                                const int16_t *weight, uint32_t frame_count,
                                size_t i)
{
    /* cppcheck-suppress uninitvar ; there is at least one frame */
    const int16_t f = from[0][i];
    int16_t t = f;

    for (uint32_t j = 1; j < frame_count; j++)
        t = lift_plus(t, lift_half(lift_minus(from[j][i], f), weight[j]));
    return t;
}

/* sum W_j Y[r_j], component k of vertex v. */
static inline int32_t lift_sum(const struct lift_shape *shape, const int16_t *y,
                               uint32_t v, uint32_t k)
{
    const uint16_t *r = shape->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = shape->weights + LIFT_REFERENCES * (size_t)v;
    int32_t sum = 0;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
        sum += w[j] * y[4 * (size_t)r[j] + k];
    return sum;
}

static inline int16_t lift_space(const struct lift_shape *shape,
                                 const int16_t *values, uint32_t v, uint32_t k)
{
    return lift_wrap((uint32_t)((lift_sum(shape, values, v, k) + 32) >> 6));
}

/* P of a vertex with T; `scale` is 8 s. */
static inline int16_t lift_space_time(const struct lift_shape *shape,
                                      const int16_t *values,
                                      const int16_t *rest, int16_t t,
                                      uint32_t scale, bool leans_on_values,
                                      uint32_t v, uint32_t k)
{
    int32_t sum = lift_sum(shape, leans_on_values ? values : rest, v, k);

    if (leans_on_values)
        sum -= 64 * t;
    return lift_plus(t, lift_half(lift_wrap((uint32_t)sum), (int32_t)scale));
}

/* ---- QTangents ----------------------------------------------------------- */

/* round(sqrt(d)), d <= 511^2: between two roots never lies a half. */
static inline int32_t lift_root(int32_t d)
{
    int32_t root = 0;

    for (int32_t bit = 256; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= d)
            root += bit;
    return d > root * root + root ? root + 1 : root;
}

/* m, the first of the largest magnitudes. */
static inline uint32_t lift_largest(const int16_t p[4])
{
    uint32_t m = 0;
    int16_t largest = p[0] < 0 ? lift_minus(0, p[0]) : p[0];

    for (uint32_t k = 1; k < 4; k++) {
        int16_t magnitude = p[k] < 0 ? lift_minus(0, p[k]) : p[k];

        if (magnitude > largest) {
            largest = magnitude;
            m = k;
        }
    }
    return m;
}

/* sign(P_m) * round(sqrt(D)) from the other three components of x. */
static inline int32_t lift_last(const int16_t x[4], uint32_t m, int16_t p_m)
{
    uint32_t sum = 0;
    int32_t d;

    for (uint32_t k = 0; k < 4; k++)
        if (k != m)
            sum += (uint32_t)(x[k] * x[k]);
    d = (int32_t)((uint32_t)LIFT_SQUARE - sum);
    d = d < 0 ? 0 : d > LIFT_SQUARE ? LIFT_SQUARE : d;
    return p_m < 0 ? -lift_root(d) : p_m > 0 ? lift_root(d) : 0;
}

/* X from P and the coded residuals. */
static inline void lift_norm(const int16_t p[4], const int16_t residuals[3],
                             int16_t fourth, int16_t x[4])
{
    const uint32_t m = lift_largest(p);

    for (uint32_t k = 0; k < 3; k++)
        x[k] = lift_plus(p[k], residuals[k]);
    if (m != 3)
        x[3] = lift_plus(p[3], residuals[m]);
    x[m] = lift_plus(lift_last(x, m, p[m]), fourth);
}

/* And back. */
static inline void lift_norm_residuals(const int16_t p[4], const int16_t x[4],
                                       int16_t residuals[3], int16_t *fourth)
{
    const uint32_t m = lift_largest(p);

    for (uint32_t k = 0; k < 3; k++)
        residuals[k] = lift_minus(x[k], p[k]);
    if (m != 3)
        residuals[m] = lift_minus(x[3], p[3]);
    *fourth = lift_minus(x[m], lift_last(x, m, p[m]));
}

#endif
