/* lift_formulas.h - the formulas of lift.h as functions of single numbers.
 *
 * The scalar kernels and the encoder call them, so each formula is written
 * once. lift.h defines the symbols. `fraction_bits` is k everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_FORMULAS_H
#define SPN_CODEC_LIFT_LIFT_FORMULAS_H

#include "base/compiler.h"
#include "codec/lift/lift.h"
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

/* wrap((a - b) 2^k) */
static inline int16_t lift_finer(int32_t a, int32_t b, uint32_t fraction_bits)
{
    return lift_wrap(((uint32_t)a - (uint32_t)b) << fraction_bits);
}

/* T and D of one number. */
struct lift_there {
    int16_t t;
    int16_t d;
};

/* F_0, from a reference frame or from a guess in 64ths. */
static inline int16_t lift_first(int16_t number, bool is_guess)
{
    return is_guess ? lift_half(number, 0x8000 >> LIFT_GUESS_BITS) : number;
}

/* Add I_j and D_j of a reference frame. `number` is F_j, `first` F_0. */
static inline void lift_add_frame(struct lift_there *there, int32_t number,
                                  int32_t first, int32_t weight,
                                  uint32_t fraction_bits, bool is_far)
{
    const int32_t moved = lift_minus(number, first);
    int32_t a = moved * (1 << fraction_bits);

    if (is_far) {
        const int32_t whole = lift_half(moved, weight);

        there->t = lift_plus(there->t, whole);
        a = moved * weight - whole * 32768;
        weight = 1 << fraction_bits;
    }
    there->d = lift_plus(there->d, lift_half(lift_wrap((uint32_t)a), weight));
}

/* Add D_(n-1) of a guess. `number` is G, `first` F_0. */
static inline void lift_add_guess(struct lift_there *there, int32_t number,
                                  int32_t first, int32_t weight)
{
    there->d = lift_plus(
        there->d,
        lift_half(lift_minus(number, first * (1 << LIFT_GUESS_BITS)), weight));
}

/* T and D of one vertex, whose numbers begin at `at` in the reference frames.
 * `is_far` is s->is_far; callers pass it as a constant for speed. */
LIFT_INLINE void lift_time(const struct lift_span *s, size_t at,
                           uint32_t components, bool is_far,
                           struct lift_there there[4])
{
    const uint32_t whole_count = s->frame_count - s->has_guess;
    int16_t first[4];

    for (uint32_t k = 0; k < components; k++) {
        first[k] = lift_first(s->from[0][at + k], whole_count == 0);
        there[k].t = first[k];
        there[k].d = 0;
    }
    for (uint32_t j = 1; j < whole_count; j++)
        for (uint32_t k = 0; k < components; k++)
            lift_add_frame(&there[k], s->from[j][at + k], first[k],
                           s->weight[j], s->fraction_bits, is_far);
    for (uint32_t k = 0; s->has_guess && k < components; k++)
        lift_add_guess(&there[k], s->from[whole_count][at + k], first[k],
                       s->weight[whole_count]);
}

/* C in space of the four components of vertex v. */
LIFT_INLINE void lift_space(const struct lift_hierarchy *hierarchy,
                            const int16_t *values, uint32_t v, int32_t c[4])
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

/* P in space, from C. */
static inline int16_t lift_whole(int32_t c)
{
    return lift_wrap((uint32_t)((c + 32) >> LIFT_SPACE_BITS));
}

/* half(r, 256 w) without wrap(), which S applies. */
static inline int32_t lift_half_of_rest(int32_t r, int32_t w)
{
    return (r * w + 64) >> 7;
}

/* S of the four components of vertex v. */
LIFT_INLINE void lift_near(const struct lift_hierarchy *hierarchy,
                           const int16_t *errors, uint32_t v, int16_t s[4])
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    const int16_t *r0 = errors + 4 * (size_t)r[0];
    const int16_t *r1 = errors + 4 * (size_t)r[1];
    const int16_t *r2 = errors + 4 * (size_t)r[2];
    const int16_t *r3 = errors + 4 * (size_t)r[3];

    for (uint32_t k = 0; k < 4; k++)
        s[k] = lift_wrap(2 * (uint32_t)(lift_half_of_rest(r0[k], w[0]) +
                                        lift_half_of_rest(r1[k], w[1]) +
                                        lift_half_of_rest(r2[k], w[2]) +
                                        lift_half_of_rest(r3[k], w[3])));
}

/* What S is multiplied by: min(512 s, 32767). */
static inline uint32_t lift_scale(uint32_t s)
{
    return 512 * s - s / LIFT_SCALE_MAX;
}

/* P in time, from T and C. */
static inline int16_t lift_arrive(int16_t t, int32_t c, uint32_t fraction_bits)
{
    return lift_plus(
        t, lift_half(lift_wrap((uint32_t)c), 0x8000 >> fraction_bits));
}

/* -1 where side is -1, else 0; from C. */
static inline int32_t lift_side(int32_t c, uint32_t fraction_bits)
{
    return -(int32_t)((uint32_t)c >> (fraction_bits - 1) & 1);
}

/* wrap(side E); applied twice, it gives E again. */
static inline int16_t lift_sided(int32_t side, int32_t e)
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

/* L of the components of x other than m. */
static inline int32_t lift_left(const int16_t x[4], uint32_t m)
{
    uint32_t sum = 0;
    int32_t d;

    for (uint32_t k = 0; k < 4; k++)
        if (k != m)
            sum += (uint32_t)(x[k] * x[k]);
    d = (int32_t)((uint32_t)LIFT_SQUARE - sum);
    return d < 0 ? 0 : d > LIFT_SQUARE ? LIFT_SQUARE : d;
}

/* round(sqrt(L)) and its side. */
static inline int32_t lift_last(const int16_t x[4], uint32_t m, int32_t *side)
{
    const int32_t d = lift_left(x, m);
    const int32_t root = lift_root(d);

    *side = -(d < root * root);
    return root;
}

/* The hierarchy with the weights of the channel, in time or in space alone. */
static inline struct lift_hierarchy lift_hierarchy_of(
    const struct lift_hierarchy *hierarchy, enum channel channel, bool has_time)
{
    struct lift_hierarchy weighted = *hierarchy;

    if (channel == CHANNEL_QTANGENT && hierarchy->channel_weights[has_time])
        weighted.weights = hierarchy->channel_weights[has_time];
    return weighted;
}

/* The largest of a vertex's references whose weight is not 0; 0 if there is
 * none. */
static inline size_t lift_nearest(const struct lift_hierarchy *hierarchy,
                                  uint32_t v)
{
    const uint16_t *r = hierarchy->references + LIFT_REFERENCES * (size_t)v;
    const int8_t *w = hierarchy->weights + LIFT_REFERENCES * (size_t)v;
    size_t nearest = 0;

    for (uint32_t j = 0; j < LIFT_REFERENCES; j++)
        nearest = w[j] != 0 && r[j] > nearest ? r[j] : nearest;
    return nearest;
}

/* Give G the sign of Y, in place. */
static inline void lift_align_signs(const int16_t y[4], int16_t guess[4])
{
    uint32_t dot = 0;

    for (uint32_t k = 0; k < 4; k++)
        dot += (uint32_t)(guess[k] * y[k]);
    for (uint32_t k = 0; k < 4; k++)
        guess[k] = lift_sided(-(int32_t)(dot >> 31), guess[k]);
}

/* P and side of all components of a vertex. */
struct lift_point {
    int16_t p[4];
    int32_t side[4];
};

/* X of a QTangent from P and its coded residuals. */
static inline void lift_norm(const struct lift_point *point,
                             const int16_t residuals[3], int16_t fourth,
                             int16_t x[4])
{
    const uint32_t m = lift_largest(point->p);
    int32_t side;
    int32_t root;

    for (uint32_t k = 0; k < 3; k++)
        x[k] = lift_plus(point->p[k], lift_sided(point->side[k], residuals[k]));
    if (m != 3)
        x[3] = lift_plus(point->p[3], lift_sided(point->side[3], residuals[m]));
    root = lift_last(x, m, &side);
    x[m] =
        lift_sided(point->p[m] < 0 ? -1 : 0, root + lift_sided(side, fourth));
}

/* The inverse. `root_of`: lift_root, or a function with the same results. */
static inline void lift_norm_residuals(const struct lift_point *point,
                                       const int16_t x[4],
                                       int32_t (*root_of)(int32_t d),
                                       int16_t residuals[3], int16_t *fourth)
{
    const uint32_t m = lift_largest(point->p);
    const int32_t d = lift_left(x, m);
    const int32_t root = root_of(d);
    const int32_t side = -(d < root * root);

    for (uint32_t k = 0; k < 3; k++)
        residuals[k] =
            lift_sided(point->side[k], lift_minus(x[k], point->p[k]));
    if (m != 3)
        residuals[m] =
            lift_sided(point->side[3], lift_minus(x[3], point->p[3]));
    *fourth =
        lift_sided(side, lift_sided(point->p[m] < 0 ? -1 : 0, x[m]) - root);
}

#endif
