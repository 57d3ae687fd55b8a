/* temporal_fit.c - the weights of a temporal prediction, by least squares.
 *
 * The prediction is (1 - c) (F + b (C - F)) + c (P + a (P - Q)), where F and C
 * are the index frames of the group, and P and Q the two frames before. It is
 * linear in b (1 - c), c and c a, so one solution gives all three weights. Sums
 * are integers, and the solution is double arithmetic in a fixed order, so
 * every machine computes the same weights.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/classic/temporal_fit.h"

#define ADD_SUMS(type)                                                         \
    const type *x = values;                                                    \
    const type *f = s->floor_index;                                            \
    const type *c = s->ceil_index;                                             \
    const type *p = s->previous;                                               \
    const type *q = s->previous_two;                                           \
                                                                               \
    for (size_t i = first; i < limit; i++) {                                   \
        int64_t d[3] = {c[i] - f[i], p[i] - f[i], p[i] - q[i]};                \
        int64_t y = x[i] - f[i];                                               \
                                                                               \
        for (int k = 0; k < 3; k++) {                                          \
            fit->y[k] += d[k] * y;                                             \
            for (int j = k; j < 3; j++)                                        \
                fit->m[k][j] += d[k] * d[j];                                   \
        }                                                                      \
    }

static void sum_u16(const struct predict_stream *s, const void *values,
                    size_t first, size_t limit, struct temporal_fit *fit)
{
    ADD_SUMS(uint16_t)
}

static void sum_i16(const struct predict_stream *s, const void *values,
                    size_t first, size_t limit, struct temporal_fit *fit)
{
    ADD_SUMS(int16_t)
}

static void sum_u8(const struct predict_stream *s, const void *values,
                   size_t first, size_t limit, struct temporal_fit *fit)
{
    ADD_SUMS(uint8_t)
}

/* Solve by Gaussian elimination; the matrix is symmetric and positive. A small
 * ridge keeps it regular if some differences are all zero. */
static void solve(const struct temporal_fit *fit, double out[3])
{
    double m[3][4];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m[i][j] = (double)(j < i ? fit->m[j][i] : fit->m[i][j]);
        m[i][i] += 1.0 + 1e-6 * m[i][i];
        m[i][3] = (double)fit->y[i];
    }
    for (int i = 0; i < 3; i++)
        for (int r = i + 1; r < 3; r++) {
            double factor = m[r][i] / m[i][i];

            for (int j = i; j < 4; j++)
                m[r][j] -= factor * m[i][j];
        }
    for (int i = 2; i >= 0; i--) {
        double rest = m[i][3];

        for (int j = i + 1; j < 3; j++)
            rest -= m[i][j] * out[j];
        out[i] = rest / m[i][i];
    }
}

static uint8_t to_weight(double value)
{
    if (!(value > 0))
        return 0;
    /* NOLINTNEXTLINE(bugprone-incorrect-roundings): above 0. */
    return value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

void temporal_fit_add(const struct predict_stream *s, const void *values,
                      size_t first, size_t limit, struct temporal_fit *fit)
{
    size_t n = channel_components(s->channel);

    if (s->channel == CHANNEL_QTANGENT)
        sum_i16(s, values, first * n, limit * n, fit);
    else if (s->channel == CHANNEL_COLOR)
        sum_u8(s, values, first * n, limit * n, fit);
    else
        sum_u16(s, values, first * n, limit * n, fit);
}

struct temporal_weights temporal_fit_blend(const struct temporal_fit *fit)
{
    struct temporal_weights w = {.b = 128};
    double p[3];

    solve(fit, p);
    w.c = to_weight(p[1] * 128);
    if (p[1] < 0.95 || p[1] > 1.05)
        w.b = to_weight(p[0] / (1 - p[1]) * 256);
    if (p[1] > 0.05)
        w.a = to_weight(p[2] / p[1] * 128);
    return w;
}

struct temporal_weights temporal_fit_lerp(const struct temporal_fit *fit)
{
    return (struct temporal_weights){
        .b = to_weight((double)fit->y[0] / (1.0 + (double)fit->m[0][0]) * 256)};
}
