/* lift_vector.h - the kernels of lift.h for vectors of whole vertices.
 *
 * Included once by each file named for an instruction set, after it has made
 * the type vi, of LANE_VERTICES vertices of four 16-bit numbers, and
 *   vi_load vi_store vi_set16 vi_add vi_sub vi_and vi_or vi_xor
 *   vi_andnot(not, a)
 *   vi_greater vi_absolute vi_max (signed 16 bits, magnitudes wrap)
 *   vi_select(a, b, mask)   b where the mask is set
 *   vi_half                 half() of lift.h
 *   vi_low(a, b)            the low 16 bits of the product
 *   vi_signed(a, by)        a, -a or 0 by the sign of `by`
 *   vi_zip_low16 ...        interleave the low or high halves, of each 128 bits
 *   vi_fourth(p)            LANE_VERTICES * 4 numbers, in the order of planes
 *   vi_times2, vi_times3    vertices of 2 or 3 numbers
 *   vi_store3(out, a)       the first 3 of each vertex, and 4 bytes of anything
 *   vi_near(rest, references, weights): S
 *   vi_space(values, references, weights, side): P in space
 *   vi_root(a, b, c, d, side)   round(sqrt(D)) of three of them, one being 0
 * Both leave numbers below 0 where the side is -1.
 *
 * A vector that begins in a layer may end beyond it: the padding and the order
 * of layers make up for that.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_LIFT_VECTOR_H
#define SPN_GEOM_LIFT_VECTOR_H

#include "geom/lift.h"
#include "geom/lift_formulas.h"

#define PLANE_VERTICES (4u * LANE_VERTICES)
#define VECTOR_NUMBERS (4u * LANE_VERTICES)

/* e, or -e where `side` is below 0. */
LIFT_INLINE vi sided(vi e, vi side)
{
    return vi_signed(e, vi_or(side, vi_set16(1)));
}

/* ---- space --------------------------------------------------------------- */

LIFT_INLINE vi predict_space(const struct lift_span *s, uint32_t v, vi *side)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    return vi_space(s->values, s->shape->references + at,
                    s->shape->weights + at, side);
}

static void vector_space(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        vi side;
        const vi p = predict_space(s, v, &side);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);

        vi_store(s->values + 4 * (size_t)v, vi_add(p, sided(e, side)));
    }
}

/* ---- space and time ------------------------------------------------------ */

/* F, of a vector; `frames` and `components` are constants. */
LIFT_INLINE vi frame_at(const int16_t *f, uint32_t components)
{
    if (components == 2)
        return vi_times2(f);
    if (components == 3)
        return vi_times3(f);
    return vi_load(f);
}

/* One copy of a loop for each number of frames. */
#define EACH_FRAME_COUNT(loop)                                                 \
    switch (s->frame_count) {                                                  \
    case 1:                                                                    \
        loop(1);                                                               \
        break;                                                                 \
    case 2:                                                                    \
        loop(2);                                                               \
        break;                                                                 \
    case 3:                                                                    \
        loop(3);                                                               \
        break;                                                                 \
    case 4:                                                                    \
        loop(4);                                                               \
        break;                                                                 \
    }

struct spread {
    vi scale;
    vi finer; /* 2^k, and back */
    vi coarser;
    vi half; /* bit k-1 to the top */
    const int16_t *rest;
    const uint16_t *references;
    const int8_t *weights;
    const int16_t *const *from;
    vi weight[LIFT_FRAMES_MAX];
};

LIFT_INLINE struct spread spread_of(const struct lift_span *s)
{
    const struct spread spread = {
        vi_set16((int16_t)s->scale),
        vi_set16((int16_t)(1 << s->fraction_bits)),
        vi_set16((int16_t)(0x8000 >> s->fraction_bits)),
        vi_set16((int16_t)(uint16_t)(0x10000 >> s->fraction_bits)),
        s->rest,
        s->shape->references,
        s->shape->weights,
        s->from,
        {vi_set16(0), vi_set16(s->weight[1]), vi_set16(s->weight[2]),
         vi_set16(s->weight[3])}};

    return spread;
}

/* (F_j - F_0) 2^k w_j */
LIFT_INLINE vi motion_at(const struct spread *s, uint32_t j, size_t at,
                         uint32_t components, vi f)
{
    const vi moved = vi_sub(frame_at(s->from[j] + at, components), f);

    return vi_half(vi_low(moved, s->finer), s->weight[j]);
}

/* D; `f` is F_0 */
LIFT_INLINE vi time_at(const struct spread *s, size_t at, uint32_t components,
                       uint32_t frames, vi f)
{
    vi d = vi_set16(0);

    if (frames > 1)
        d = motion_at(s, 1, at, components, f);
    if (frames > 2)
        d = vi_add(d, motion_at(s, 2, at, components, f));
    if (frames > 3)
        d = vi_add(d, motion_at(s, 3, at, components, f));
    return d;
}

/* P, and its side; `has_space`: the level's s is not 0 */
LIFT_INLINE vi predict_both(const struct spread *s, uint32_t v, bool has_space,
                            vi f, vi d, vi *side)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    if (has_space)
        d = vi_add(
            d, vi_half(vi_near(s->rest, s->references + at, s->weights + at),
                       s->scale));
    *side = vi_low(d, s->half);
    return vi_add(f, vi_half(d, s->coarser));
}

/* R */
LIFT_INLINE vi rest_of(const struct spread *s, vi x, vi f, vi d)
{
    return vi_sub(vi_low(vi_sub(x, f), s->finer), d);
}

LIFT_INLINE void space_time(const struct lift_span *span, uint32_t components,
                            uint32_t frames)
{
    const struct lift_span own = *span;
    const struct lift_span *s = &own;
    const struct spread spread = spread_of(s);

    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        const size_t at = (size_t)(v - s->from_first) * components;
        const vi f = frame_at(s->from[0] + at, components);
        const vi d = time_at(&spread, at, components, frames, f);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);
        vi side;
        const vi p = predict_both(&spread, v, s->scale != 0, f, d, &side);
        const vi x = vi_add(p, sided(e, side));

        if (components == 3 && s->packed)
            vi_store3(s->packed + 3 * (size_t)v, x);
        else
            vi_store(s->values + 4 * (size_t)v, x);
        if (s->rest)
            vi_store(s->rest + 4 * (size_t)v, rest_of(&spread, x, f, d));
    }
}

static void vector_space_time(const struct lift_span *s)
{
#define LOOP2(frames) space_time(s, 2, frames)
#define LOOP3(frames) space_time(s, 3, frames)
#define LOOP4(frames) space_time(s, 4, frames)
    if (s->time_components == 2)
        EACH_FRAME_COUNT(LOOP2)
    else if (s->time_components == 3)
        EACH_FRAME_COUNT(LOOP3)
    else
        EACH_FRAME_COUNT(LOOP4)
}

/* ---- QTangents ----------------------------------------------------------- */

/* Four vectors of vertices to four planes of components, and back. With
 * vectors of more than 128 bits the vertices of a plane are out of order. */
LIFT_INLINE void to_planes(const vi a[4], vi planes[4])
{
    const vi even_low = vi_zip_low16(a[0], a[1]);
    const vi odd_low = vi_zip_high16(a[0], a[1]);
    const vi even_high = vi_zip_low16(a[2], a[3]);
    const vi odd_high = vi_zip_high16(a[2], a[3]);
    const vi xy_low = vi_zip_low16(even_low, odd_low);
    const vi zw_low = vi_zip_high16(even_low, odd_low);
    const vi xy_high = vi_zip_low16(even_high, odd_high);
    const vi zw_high = vi_zip_high16(even_high, odd_high);

    planes[0] = vi_zip_low64(xy_low, xy_high);
    planes[1] = vi_zip_high64(xy_low, xy_high);
    planes[2] = vi_zip_low64(zw_low, zw_high);
    planes[3] = vi_zip_high64(zw_low, zw_high);
}

LIFT_INLINE void from_planes(const vi planes[4], vi a[4])
{
    const vi xy_low = vi_zip_low16(planes[0], planes[1]);
    const vi xy_high = vi_zip_high16(planes[0], planes[1]);
    const vi zw_low = vi_zip_low16(planes[2], planes[3]);
    const vi zw_high = vi_zip_high16(planes[2], planes[3]);

    a[0] = vi_zip_low32(xy_low, zw_low);
    a[1] = vi_zip_high32(xy_low, zw_low);
    a[2] = vi_zip_low32(xy_high, zw_high);
    a[3] = vi_zip_high32(xy_high, zw_high);
}

/* Component m of each vertex, as masks. */
struct largest {
    vi is1;
    vi is2;
    vi is3;
    vi is123;
};

LIFT_INLINE struct largest largest_of(const vi p[4])
{
    const vi a0 = vi_absolute(p[0]);
    const vi a1 = vi_absolute(p[1]);
    const vi a2 = vi_absolute(p[2]);
    const vi a3 = vi_absolute(p[3]);
    const vi a01 = vi_max(a0, a1);
    struct largest m;
    vi is23;

    m.is3 = vi_greater(a3, vi_max(a01, a2));
    m.is2 = vi_andnot(m.is3, vi_greater(a2, a01));
    is23 = vi_or(m.is2, m.is3);
    m.is1 = vi_andnot(is23, vi_greater(a1, a0));
    m.is123 = vi_or(is23, m.is1);
    return m;
}

/* X of PLANE_VERTICES vertices from P, in place, its sides and the residuals.
 */
LIFT_INLINE void norm(vi values[4], const vi sides[4], const int16_t *residuals,
                      const int16_t *fourth)
{
    const vi coded[4] = {vi_load(residuals),
                         vi_load(residuals + VECTOR_NUMBERS),
                         vi_load(residuals + 2 * VECTOR_NUMBERS),
                         vi_load(residuals + 3 * VECTOR_NUMBERS)};
    struct largest m;
    vi p[4];
    vi side[4];
    vi e[4];
    vi x[4];
    vi p_m;
    vi last;
    vi side_m;

    to_planes(values, p);
    to_planes(sides, side);
    to_planes(coded, e);
    m = largest_of(p);
    /* The residual of component 3 stands in the place of m's. */
    e[3] = vi_select(vi_select(e[0], e[1], m.is1), e[2], m.is2);
    p_m = vi_select(p[0], p[1], m.is1);
    p_m = vi_select(vi_select(p_m, p[2], m.is2), p[3], m.is3);
    /* 0 in place of component m. */
    x[0] = vi_and(m.is123, vi_add(p[0], sided(e[0], side[0])));
    x[1] = vi_andnot(m.is1, vi_add(p[1], sided(e[1], side[1])));
    x[2] = vi_andnot(m.is2, vi_add(p[2], sided(e[2], side[2])));
    x[3] = vi_andnot(m.is3, vi_add(p[3], sided(e[3], side[3])));
    last = vi_root(x[0], x[1], x[2], x[3], &side_m);
    last = vi_add(last, sided(vi_fourth(fourth), side_m));
    last = sided(last, p_m);
    x[0] = vi_or(x[0], vi_andnot(m.is123, last));
    x[1] = vi_or(x[1], vi_and(m.is1, last));
    x[2] = vi_or(x[2], vi_and(m.is2, last));
    x[3] = vi_or(x[3], vi_and(m.is3, last));
    from_planes(x, values);
}

static void vector_space_norm(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += PLANE_VERTICES) {
        int16_t *to = s->values + 4 * (size_t)v;
        vi side[4];
        vi x[4] = {predict_space(s, v, &side[0]),
                   predict_space(s, v + LANE_VERTICES, &side[1]),
                   predict_space(s, v + 2 * LANE_VERTICES, &side[2]),
                   predict_space(s, v + 3 * LANE_VERTICES, &side[3])};

        norm(x, side, s->residuals + 4 * (size_t)v, s->fourth + v);
        vi_store(to, x[0]);
        vi_store(to + VECTOR_NUMBERS, x[1]);
        vi_store(to + 2 * VECTOR_NUMBERS, x[2]);
        vi_store(to + 3 * VECTOR_NUMBERS, x[3]);
    }
}

/* P of one vector's vertices, from where they are in the frames on. */
LIFT_INLINE vi predict_at(const struct lift_span *s,
                          const struct spread *spread, uint32_t v,
                          uint32_t frames, vi *side)
{
    const size_t at = 4 * (size_t)(v - s->from_first);
    const vi f = vi_load(s->from[0] + at);

    return predict_both(spread, v, s->scale != 0, f,
                        time_at(spread, at, 4, frames, f), side);
}

/* R of one vector's vertices: D once more, few layers want it. */
LIFT_INLINE void store_rest(const struct lift_span *s,
                            const struct spread *spread, uint32_t v,
                            uint32_t frames, vi x)
{
    const size_t at = 4 * (size_t)(v - s->from_first);
    const vi f = vi_load(s->from[0] + at);

    vi_store(s->rest + 4 * (size_t)v,
             rest_of(spread, x, f, time_at(spread, at, 4, frames, f)));
}

LIFT_INLINE void space_time_norm(const struct lift_span *span, uint32_t frames)
{
    const struct lift_span own = *span;
    const struct lift_span *s = &own;
    const struct spread spread = spread_of(s);

    for (uint32_t v = s->first; v < s->limit; v += PLANE_VERTICES) {
        const uint32_t n = LANE_VERTICES;
        int16_t *to = s->values + 4 * (size_t)v;
        vi side[4];
        vi x[4] = {predict_at(s, &spread, v, frames, &side[0]),
                   predict_at(s, &spread, v + n, frames, &side[1]),
                   predict_at(s, &spread, v + 2 * n, frames, &side[2]),
                   predict_at(s, &spread, v + 3 * n, frames, &side[3])};

        norm(x, side, s->residuals + 4 * (size_t)v, s->fourth + v);
        vi_store(to, x[0]);
        vi_store(to + VECTOR_NUMBERS, x[1]);
        vi_store(to + 2 * VECTOR_NUMBERS, x[2]);
        vi_store(to + 3 * VECTOR_NUMBERS, x[3]);
        if (!s->rest)
            continue;
        store_rest(s, &spread, v, frames, x[0]);
        store_rest(s, &spread, v + n, frames, x[1]);
        store_rest(s, &spread, v + 2 * n, frames, x[2]);
        store_rest(s, &spread, v + 3 * n, frames, x[3]);
    }
}

static void vector_space_time_norm(const struct lift_span *s)
{
#define LOOP(frames) space_time_norm(s, frames)
    EACH_FRAME_COUNT(LOOP)
}

/* A vector is loaded with up to 28 bytes for the 24 of four vertices. */
static void vector_unpack3(const uint16_t *values, uint32_t count, int16_t *out)
{
    uint32_t v = 0;

    for (; v + LANE_VERTICES + 2 <= count; v += LANE_VERTICES)
        vi_store(out + 4 * (size_t)v,
                 vi_times3((const int16_t *)values + 3 * (size_t)v));
    for (; v < count; v++) {
        for (uint32_t k = 0; k < 3; k++)
            out[4 * (size_t)v + k] = (int16_t)values[3 * (size_t)v + k];
        out[4 * (size_t)v + 3] = 0;
    }
}

/* A vector of whole vertices is stored with four bytes more. */
static void vector_pack3(const int16_t *values, uint32_t count, uint16_t flip,
                         uint16_t *out)
{
    const vi flips = vi_set16((int16_t)flip);
    uint32_t v = 0;

    for (; v + LANE_VERTICES + 1 <= count; v += LANE_VERTICES)
        vi_store3(out + 3 * (size_t)v,
                  vi_xor(vi_load(values + 4 * (size_t)v), flips));
    for (; v < count; v++)
        for (uint32_t k = 0; k < 3; k++)
            out[3 * (size_t)v + k] = (uint16_t)values[4 * (size_t)v + k] ^ flip;
}

static inline void set_vector_ops(struct lift_ops *ops)
{
    ops->space = vector_space;
    ops->space_norm = vector_space_norm;
    ops->space_time = vector_space_time;
    ops->space_time_norm = vector_space_time_norm;
    ops->pack3 = vector_pack3;
    ops->unpack3 = vector_unpack3;
}

#endif
