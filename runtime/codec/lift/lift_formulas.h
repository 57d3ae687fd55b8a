/* lift_formulas.h - the formulas of LIFTING.md as functions of single numbers.
 *
 * The scalar kernels and the encoder call them, so each formula is written
 * once. LIFTING.md, in this folder, defines the symbols; the comment of each
 * function names those it takes and returns. `fraction_bits` is k everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_FORMULAS_H
#define SPN_CODEC_LIFT_LIFT_FORMULAS_H

#include "base/compiler.h"
#include "codec/channel.h"
#include "codec/lift/lift_kernels.h"
#include "codec/lift/root.h"

/* Always in line, so that kernels keep everything in registers and there is one
 * copy for each combination of constants. A build for size leaves the choice to
 * the compiler. */
#ifdef __OPTIMIZE_SIZE__
#define LIFT_INLINE static inline
#else
#define LIFT_INLINE SPN_INLINE
#endif

#define LIFT_SQUARE (QTANGENT_ONE * QTANGENT_ONE)
#define LIFT_SPACE_BITS 6u /* fraction bits of C in space alone */

/* wrap(x) */
static inline int16_t lift_wrap(uint32_t x)
{
    return (int16_t)(uint16_t)x;
}

/* mul(a, b) */
static inline int16_t lift_multiply(int32_t a, int32_t b)
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

/* wrap((a - b) 2^k) */
static inline int16_t lift_scaled_difference(int32_t a, int32_t b,
                                             uint32_t fraction_bits)
{
    return lift_wrap(((uint32_t)a - (uint32_t)b) << fraction_bits);
}

/* The prediction in time of one component. */
struct lift_time_prediction {
    int16_t whole;    /* T */
    int16_t fraction; /* D, in units of 2^-k */
};

/* F_0, from a reference frame or from a guess in 64ths. */
static inline int16_t lift_first_value(int16_t number, bool is_guess)
{
    return is_guess ? lift_multiply(number, 0x8000 >> LIFT_GUESS_BITS) : number;
}

/* Add the share of reference frame j to T and D. `number` is F_j, `first`
 * F_0. */
static inline void lift_add_frame(struct lift_time_prediction *time,
                                  int32_t number, int32_t first, int32_t weight,
                                  uint32_t fraction_bits, bool is_far)
{
    const int32_t moved = lift_minus(number, first);
    int32_t a = moved * (1 << fraction_bits);

    if (is_far) {
        const int32_t whole = lift_multiply(moved, weight);

        time->whole = lift_plus(time->whole, whole);
        a = moved * weight - whole * 32768;
        weight = 1 << fraction_bits;
    }
    time->fraction = lift_plus(time->fraction,
                               lift_multiply(lift_wrap((uint32_t)a), weight));
}

/* Add the share of a guess to D. `number` is G, `first` F_0. */
static inline void lift_add_guess(struct lift_time_prediction *time,
                                  int32_t number, int32_t first, int32_t weight)
{
    time->fraction = lift_plus(
        time->fraction,
        lift_multiply(lift_minus(number, first * (1 << LIFT_GUESS_BITS)),
                      weight));
}

/* T and D of one vertex, whose numbers begin at `at` in the reference frames.
 * `is_far` is s->is_far; callers pass it as a constant for speed. */
LIFT_INLINE void lift_predict_time(const struct lift_span *s, size_t at,
                                   uint32_t components, bool is_far,
                                   struct lift_time_prediction time[4])
{
    const uint32_t whole_count = s->frame_count - s->has_guess;
    int16_t first[4];

    for (uint32_t k = 0; k < components; k++) {
        first[k] = lift_first_value(s->from[0][at + k], whole_count == 0);
        time[k].whole = first[k];
        time[k].fraction = 0;
    }
    for (uint32_t j = 1; j < whole_count; j++)
        for (uint32_t k = 0; k < components; k++)
            lift_add_frame(&time[k], s->from[j][at + k], first[k],
                           s->frame_weight[j], s->fraction_bits, is_far);
    for (uint32_t k = 0; s->has_guess && k < components; k++)
        lift_add_guess(&time[k], s->from[whole_count][at + k], first[k],
                       s->frame_weight[whole_count]);
}

/* Space alone: C of the four components of vertex v. */
LIFT_INLINE void lift_sum_values(const struct lift_hierarchy *hierarchy,
                                 const int16_t *values, uint32_t v,
                                 int32_t c[4])
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    const int16_t *x0 = values + 4 * (size_t)r[0];
    const int16_t *x1 = values + 4 * (size_t)r[1];
    const int16_t *x2 = values + 4 * (size_t)r[2];
    const int16_t *x3 = values + 4 * (size_t)r[3];

    for (uint32_t k = 0; k < 4; k++)
        c[k] = w[0] * x0[k] + w[1] * x1[k] + w[2] * x2[k] + w[3] * x3[k];
}

/* Space alone: P from C. */
static inline int16_t lift_predict_space(int32_t c)
{
    return lift_wrap((uint32_t)((c + 32) >> LIFT_SPACE_BITS));
}

/* mul(r, 256 w) without its wrap(), which S applies at the end. */
static inline int32_t lift_weighted(int32_t r, int32_t w)
{
    return (r * w + 64) >> 7;
}

/* S of the four components of vertex v. */
LIFT_INLINE void lift_sum_errors(const struct lift_hierarchy *hierarchy,
                                 const int16_t *errors, uint32_t v,
                                 int16_t s[4])
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    const int16_t *r0 = errors + 4 * (size_t)r[0];
    const int16_t *r1 = errors + 4 * (size_t)r[1];
    const int16_t *r2 = errors + 4 * (size_t)r[2];
    const int16_t *r3 = errors + 4 * (size_t)r[3];

    for (uint32_t k = 0; k < 4; k++)
        s[k] = lift_wrap(2 * (uint32_t)(lift_weighted(r0[k], w[0]) +
                                        lift_weighted(r1[k], w[1]) +
                                        lift_weighted(r2[k], w[2]) +
                                        lift_weighted(r3[k], w[3])));
}

/* V, the weight of S in 2^-15ths, from s. */
static inline uint32_t lift_error_weight(uint32_t s)
{
    return 512 * s - s / LIFT_LEVEL_WEIGHT_MAX;
}

/* Time and space: P from T and C. */
static inline int16_t lift_predict_space_time(int16_t t, int32_t c,
                                              uint32_t fraction_bits)
{
    return lift_plus(
        t, lift_multiply(lift_wrap((uint32_t)c), 0x8000 >> fraction_bits));
}

/* side of a component from C, as a mask: -1 for side = -1, 0 for side = 1. */
static inline int32_t lift_side(int32_t c, uint32_t fraction_bits)
{
    return -(int32_t)((uint32_t)c >> (fraction_bits - 1) & 1);
}

/* wrap(side E). `side` is a mask, as lift_side() returns it. Applied twice, it
 * gives E again. */
static inline int16_t lift_apply_side(int32_t side, int32_t e)
{
    return lift_wrap((uint32_t)((e ^ side) - side));
}

/* -- QTangents -- */

/* Entry i serves d = 512 i + 65536 .. 512 i + 66047: a root, minus 256, that
 * differs from round(sqrt(d)) by at most 1. */
extern const uint8_t spn__lift_roots[];

/* round(sqrt(d)), d <= 511^2; a square root of an integer is never half way
 * between two integers. With real data d >= 65536, because the largest of four
 * components has at least half the length. */
static inline int32_t lift_root(int32_t d)
{
    uint32_t root = 0;

    if (d >= 65536)
        return (int32_t)root_correct(
            256u + spn__lift_roots[(uint32_t)(d - 65536) >> 9], (uint32_t)d);
    for (uint32_t bit = 128; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= (uint32_t)d)
            root += bit;
    return (int32_t)(root + ((uint32_t)d > root * root + root));
}

/* m, from P. */
static inline uint32_t lift_largest_component(const int16_t p[4])
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

/* L, from the components of X other than m. */
static inline int32_t lift_remaining_square(const int16_t x[4], uint32_t m)
{
    uint32_t sum = 0;
    int32_t d;

    for (uint32_t k = 0; k < 4; k++)
        if (k != m)
            sum += (uint32_t)(x[k] * x[k]);
    d = (int32_t)((uint32_t)LIFT_SQUARE - sum);
    return d < 0 ? 0 : d > LIFT_SQUARE ? LIFT_SQUARE : d;
}

/* round(sqrt(L)), and side_m as a mask. */
static inline int32_t lift_remaining_root(const int16_t x[4], uint32_t m,
                                          int32_t *side)
{
    const int32_t d = lift_remaining_square(x, m);
    const int32_t root = lift_root(d);

    *side = -(d < root * root);
    return root;
}

/* The hierarchy with the weights that a channel uses in space alone, or with
 * has_time in time and space. */
static inline struct lift_hierarchy lift_channel_hierarchy(
    const struct lift_hierarchy *hierarchy, enum channel channel, bool has_time)
{
    struct lift_hierarchy weighted = *hierarchy;

    if (channel == CHANNEL_QTANGENT && hierarchy->channel_weights[has_time])
        weighted.weights = hierarchy->channel_weights[has_time];
    return weighted;
}

/* The vertex at which Y is, if the guess is the only reference frame: the
 * largest reference of vertex v whose weight is not 0; 0 if there is none. */
static inline size_t lift_sign_reference(const struct lift_hierarchy *hierarchy,
                                         uint32_t v)
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    size_t nearest = 0;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
        nearest = w[j] != 0 && r[j] > nearest ? r[j] : nearest;
    return nearest;
}

/* Align the sign of G with Y, in place. */
static inline void lift_align_signs(const int16_t y[4], int16_t guess[4])
{
    uint32_t dot = 0;

    for (uint32_t k = 0; k < 4; k++)
        dot += (uint32_t)(guess[k] * y[k]);
    for (uint32_t k = 0; k < 4; k++)
        guess[k] = lift_apply_side(-(int32_t)(dot >> 31), guess[k]);
}

/* P and side of the components of a vertex. */
struct lift_predicted {
    int16_t p[4];
    int32_t side[4]; /* masks, as lift_side() returns them */
};

/* X of a QTangent from P and E. `residuals` and `fourth` are E as the payload
 * codes it: E_3 takes the place of E_m, and `fourth` is E_m. */
static inline void lift_decode_qtangent(const struct lift_predicted *predicted,
                                        const int16_t residuals[3],
                                        int16_t fourth, int16_t x[4])
{
    const uint32_t m = lift_largest_component(predicted->p);
    int32_t side;
    int32_t root;

    for (uint32_t k = 0; k < 3; k++)
        x[k] = lift_plus(predicted->p[k],
                         lift_apply_side(predicted->side[k], residuals[k]));
    if (m != 3)
        x[3] = lift_plus(predicted->p[3],
                         lift_apply_side(predicted->side[3], residuals[m]));
    root = lift_remaining_root(x, m, &side);
    x[m] = lift_apply_side(predicted->p[m] < 0 ? -1 : 0,
                           root + lift_apply_side(side, fourth));
}

/* The inverse: E of a QTangent from P and X. `root_of` is lift_root(), or a
 * function with the same results. */
static inline void lift_qtangent_residuals(
    const struct lift_predicted *predicted, const int16_t x[4],
    int32_t (*root_of)(int32_t d), int16_t residuals[3], int16_t *fourth)
{
    const uint32_t m = lift_largest_component(predicted->p);
    const int32_t d = lift_remaining_square(x, m);
    const int32_t root = root_of(d);
    const int32_t side = -(d < root * root);

    for (uint32_t k = 0; k < 3; k++)
        residuals[k] = lift_apply_side(predicted->side[k],
                                       lift_minus(x[k], predicted->p[k]));
    if (m != 3)
        residuals[m] = lift_apply_side(predicted->side[3],
                                       lift_minus(x[3], predicted->p[3]));
    *fourth = lift_apply_side(
        side, lift_apply_side(predicted->p[m] < 0 ? -1 : 0, x[m]) - root);
}

#endif
