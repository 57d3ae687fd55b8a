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
 *   vi_top(a)               the lowest bit as the highest, the others 0
 *   vi_signed(a, by)        a, -a or 0 by the sign of `by`
 *   vi_dot(a, b)            as negative as the sum of a vertex's products
 *   vi_nearest(references, weights)     lift_nearest() at all numbers of each
 *   gather(values, references)          the first reference of each vertex
 *   vi_zip_low16 ...        interleave the low or high halves, of each 128 bits
 *   vi_fourth(p)            LANE_VERTICES * 4 numbers, in the order of planes
 *   vi_times2, vi_times3    vertices of 2 or 3 numbers, the others 0
 *   vi_last(a, b)           a, the fourth of each vertex the second of b
 *   vi_store2(out, a)       the first 2 of each vertex
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
#ifndef SPN_CODEC_LIFT_LIFT_VECTOR_H
#define SPN_CODEC_LIFT_LIFT_VECTOR_H

#include "base/compiler.h"
#include "base/mem.h"
#include "codec/lift/lift.h"
#include "codec/lift/lift_formulas.h"

#define PLANE_VERTICES (4u * LANE_VERTICES)
#define VECTOR_NUMBERS (4u * LANE_VERTICES)

/* e, or -e where `side` is below 0; `one` is 1, where compilers keep it. */
LIFT_INLINE vi sided(vi e, vi side, vi one)
{
    return vi_signed(e, vi_or(side, one));
}

/* -- space -- */

LIFT_INLINE vi predict_space(const struct lift_span *s, uint32_t v, vi *side)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    return vi_space(s->values, s->hierarchy->references + at,
                    s->hierarchy->weights + at, side);
}

static void vector_space(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        vi side;
        const vi p = predict_space(s, v, &side);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);

        vi_store(s->values + 4 * (size_t)v,
                 vi_add(p, sided(e, side, vi_set16(1))));
    }
}

/* -- space and time -- */

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
    vi one;
    vi scale;
    vi finer; /* 2^k, and back */
    vi coarser;
    vi half; /* bit k-1 to the top */
    int16_t *rest;
    const uint16_t *references;
    const int8_t *weights;
    const int16_t *const *from;
    vi weight[LIFT_FRAMES_MAX];
};

LIFT_INLINE struct spread spread_of(const struct lift_span *s)
{
    const struct spread spread = {
        vi_set16(1),
        vi_set16((int16_t)s->scale),
        vi_set16((int16_t)(1 << s->fraction_bits)),
        vi_set16((int16_t)(0x8000 >> s->fraction_bits)),
        vi_set16((int16_t)(uint16_t)(0x10000 >> s->fraction_bits)),
        s->rest,
        s->hierarchy->references,
        s->hierarchy->weights,
        s->from,
        {vi_set16(s->weight[0]), vi_set16(s->weight[1]), vi_set16(s->weight[2]),
         vi_set16(s->weight[3])}};

    return spread;
}

/* Where time takes a vector, as in lift_formulas.h. */
struct there {
    vi t;
    vi d;
};

LIFT_INLINE void move(const struct spread *s, uint32_t j, size_t at,
                      uint32_t components, bool is_far, vi first,
                      struct there *to)
{
    const vi moved = vi_sub(frame_at(s->from[j] + at, components), first);
    const vi whole = vi_half(moved, s->weight[j]);
    /* What whole numbers leave: their lowest bit is the product's top one. */
    const vi rest = vi_xor(vi_low(moved, s->weight[j]), vi_top(whole));

    if (is_far) {
        to->t = vi_add(to->t, whole);
        to->d = vi_add(to->d, vi_half(rest, s->finer));
    } else {
        to->d = vi_add(to->d, vi_half(vi_low(moved, s->finer), s->weight[j]));
    }
}

/* T and D; `frames`, `components` and the others are constants. */
LIFT_INLINE struct there time_at(const struct spread *s, size_t at,
                                 uint32_t components, uint32_t frames,
                                 bool has_guess, bool is_far)
{
    const vi guess_one = vi_set16(1 << LIFT_GUESS_BITS);
    const vi from = frame_at(s->from[0] + at, components);
    const uint32_t whole_count = frames - has_guess;
    const vi first = whole_count > 0
                         ? from
                         : vi_half(from, vi_set16(0x8000 >> LIFT_GUESS_BITS));
    struct there to = {first, vi_set16(0)};

    if (whole_count > 1)
        move(s, 1, at, components, is_far, first, &to);
    if (whole_count > 2)
        move(s, 2, at, components, is_far, first, &to);
    if (whole_count > 3)
        move(s, 3, at, components, is_far, first, &to);
    if (has_guess)
        to.d = vi_add(
            to.d, vi_half(vi_sub(frame_at(s->from[frames - 1] + at, components),
                                 vi_low(first, guess_one)),
                          s->weight[frames - 1]));
    return to;
}

/* C */
LIFT_INLINE vi with_near(const struct spread *s, uint32_t v, vi d)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    return vi_add(d,
                  vi_half(vi_near(s->rest, s->references + at, s->weights + at),
                          s->scale));
}

/* P from T and C, and its side. */
LIFT_INLINE vi predict_from(const struct spread *s, vi t, vi c, vi *side)
{
    *side = vi_low(c, s->half);
    return vi_add(t, vi_half(c, s->coarser));
}

/* R */
LIFT_INLINE vi rest_of(const struct spread *s, vi x, const struct there *there)
{
    return vi_sub(vi_low(vi_sub(x, there->t), s->finer), there->d);
}

/* The last vertices: of a copy of the frames, and packed to one. */
static SPN_NOINLINE void copy_end(const struct lift_span *s,
                                  void (*loop)(const struct lift_span *span))
{
    const size_t at = (size_t)(s->first - s->from_first) * s->time_components;
    const size_t left =
        (size_t)(s->hierarchy->vertex_count - s->first) * s->time_components;
    const size_t made = (size_t)(s->limit - s->first) * s->time_components;
    int16_t ends[LIFT_FRAMES_MAX][4 * (LIFT_PADDING + 1)] = {{0}};
    uint16_t packed[4 * (LIFT_PADDING + 1)];
    struct lift_span end = *s;

    for (uint32_t j = 0; j < s->frame_count; j++) {
        memcpy(ends[j], s->from[j] + at, left * sizeof **ends);
        end.from[j] = ends[j];
    }
    end.from_first = s->first;
    end.packed = packed;
    loop(&end);
    if (s->time_components < 4)
        memcpy(s->packed + at, packed, made * sizeof *packed);
}

/* Loops read a vector of a frame, and what vi_times3 takes beyond it, and write
 * what vi_store3 does: where frames end they get a copy. */
LIFT_INLINE void each_end(const struct lift_span *s,
                          void (*loop)(const struct lift_span *span))
{
    const uint32_t count = s->hierarchy->vertex_count;
    struct lift_span part;

    if (s->limit + LIFT_PADDING <= count) {
        loop(s);
        return;
    }
    part = *s;
    part.limit = s->first + ((count - s->first - 1) & ~(LIFT_PADDING - 1));
    if (part.limit > s->limit)
        part.limit = s->limit;
    if (part.limit > part.first)
        loop(&part);
    part.first = part.limit;
    part.limit = s->limit;
    if (part.limit > part.first)
        copy_end(&part, loop);
}

/* `has_near`: there is R. */
LIFT_INLINE void space_time(const struct lift_span *span, uint32_t components,
                            uint32_t frames, bool is_far, bool has_near)
{
    const struct lift_span own = *span;
    const struct lift_span *s = &own;
    const struct spread spread = spread_of(s);

    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        const size_t at = (size_t)(v - s->from_first) * components;
        const struct there there =
            time_at(&spread, at, components, frames, false, is_far);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);
        const vi c = has_near ? with_near(&spread, v, there.d) : there.d;
        vi side;
        const vi p = predict_from(&spread, there.t, c, &side);
        const vi x = vi_add(p, sided(e, side, spread.one));

        if (components == 2)
            vi_store2(s->packed + at, x);
        else if (components == 3)
            vi_store3(s->packed + at, x);
        else
            vi_store(s->values + 4 * (size_t)v, x);
        if (has_near)
            vi_store(spread.rest + 4 * (size_t)v, rest_of(&spread, x, &there));
    }
}

static void space_time_loops(const struct lift_span *s)
{
#define LOOP2(frames) space_time(s, 2, frames, s->is_far, s->rest != NULL)
#define LOOP3(frames) space_time(s, 3, frames, false, true)
#define LOOP3_FAR(frames) space_time(s, 3, frames, true, true)
#define LOOP3_LAST(frames) space_time(s, 3, frames, s->is_far, false)
#define LOOP4(frames) space_time(s, 4, frames, s->is_far, s->rest != NULL)
    if (s->time_components == 2)
        EACH_FRAME_COUNT(LOOP2)
    else if (s->time_components == 4)
        EACH_FRAME_COUNT(LOOP4)
    else if (!s->rest)
        EACH_FRAME_COUNT(LOOP3_LAST)
    else if (s->is_far)
        EACH_FRAME_COUNT(LOOP3_FAR)
    else
        EACH_FRAME_COUNT(LOOP3)
}

static void vector_space_time(const struct lift_span *s)
{
    each_end(s, space_time_loops);
}

/* -- QTangents -- */

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

/* PLANE_VERTICES vertices on their way: what is left to be known of X beside
 * its three components. */
struct three {
    vi p_m; /* component m of P */
    vi is1;
    vi is2;
    vi is3;
};

/* Planes of X but for component m, which is 0. */
LIFT_INLINE void find_three(const vi values[4], const vi sides[4],
                            const int16_t *residuals, vi x[4],
                            struct three *out)
{
    const vi one = vi_set16(1);
    const vi coded[4] = {vi_load(residuals),
                         vi_load(residuals + VECTOR_NUMBERS),
                         vi_load(residuals + 2 * VECTOR_NUMBERS),
                         vi_load(residuals + 3 * VECTOR_NUMBERS)};
    struct largest m;
    vi p[4];
    vi side[4];
    vi e[4];
    vi p_m;

    to_planes(values, p);
    to_planes(sides, side);
    to_planes(coded, e);
    m = largest_of(p);
    /* The residual of component 3 stands in the place of m's. */
    e[3] = vi_select(vi_select(e[0], e[1], m.is1), e[2], m.is2);
    p_m = vi_select(p[0], p[1], m.is1);
    p_m = vi_select(vi_select(p_m, p[2], m.is2), p[3], m.is3);
    x[0] = vi_and(m.is123, vi_add(p[0], sided(e[0], side[0], one)));
    x[1] = vi_andnot(m.is1, vi_add(p[1], sided(e[1], side[1], one)));
    x[2] = vi_andnot(m.is2, vi_add(p[2], sided(e[2], side[2], one)));
    x[3] = vi_andnot(m.is3, vi_add(p[3], sided(e[3], side[3], one)));
    *out = (struct three){p_m, m.is1, m.is2, m.is3};
}

/* X, from the root of what the three leave; from planes to vertices. */
LIFT_INLINE void find_fourth(const struct three *three, const int16_t *fourth,
                             vi x[4])
{
    const vi one = vi_set16(1);
    const vi is123 = vi_or(vi_or(three->is1, three->is2), three->is3);
    vi planes[4] = {x[0], x[1], x[2], x[3]};
    vi side;
    vi last = vi_root(x[0], x[1], x[2], x[3], &side);

    last = vi_add(last, sided(vi_fourth(fourth), side, one));
    last = sided(last, three->p_m, one);
    planes[0] = vi_or(planes[0], vi_andnot(is123, last));
    planes[1] = vi_or(planes[1], vi_and(three->is1, last));
    planes[2] = vi_or(planes[2], vi_and(three->is2, last));
    planes[3] = vi_or(planes[3], vi_and(three->is3, last));
    from_planes(planes, x);
}

/* X of four vectors; not beyond the last vertex. */
LIFT_INLINE void store_values(const struct lift_span *s, uint32_t v,
                              const vi x[4])
{
    const uint32_t count = s->hierarchy->vertex_count;
    int16_t end[4 * PLANE_VERTICES];
    int16_t *const values = s->values + 4 * (size_t)v;
    int16_t *const to = v + PLANE_VERTICES <= count ? values : end;

    for (uint32_t i = 0; i < 4; i++)
        vi_store(to + i * VECTOR_NUMBERS, x[i]);
    if (to == end && v < count)
        memcpy(values, end, 4 * (size_t)(count - v) * sizeof *end);
}

static void vector_space_norm(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += PLANE_VERTICES) {
        vi side[4];
        const vi p[4] = {predict_space(s, v, &side[0]),
                         predict_space(s, v + LANE_VERTICES, &side[1]),
                         predict_space(s, v + 2 * LANE_VERTICES, &side[2]),
                         predict_space(s, v + 3 * LANE_VERTICES, &side[3])};
        struct three three;
        vi x[4];

        find_three(p, side, s->residuals + 4 * (size_t)v, x, &three);
        find_fourth(&three, s->fourth + v, x);
        store_values(s, v, x);
    }
}

/* T, C and D of some vertices, then planes of X in C's place. They lie between
 * three loops, each so short that the machine has several of its rounds at
 * hand: what waits for a root keeps no neighbours from being loaded. */
#define NORM_CHUNK 32u
struct norm_chunk {
    int16_t t[4 * NORM_CHUNK];
    int16_t c[4 * NORM_CHUNK];
    int16_t d[4 * NORM_CHUNK];
    struct three three[NORM_CHUNK / PLANE_VERTICES];
};

static void norm_chunk(const struct lift_span *s, const struct spread *spread,
                       struct norm_chunk *chunk, uint32_t first, uint32_t limit)
{
    const struct spread own = *spread;

    for (uint32_t v = first; v < limit; v += PLANE_VERTICES) {
        const size_t at = 4 * (size_t)(v - first);
        vi side[4];
        vi p[4];
        vi x[4];

        for (uint32_t i = 0; i < 4; i++)
            p[i] = predict_from(
                &own, vi_load(chunk->t + at + i * VECTOR_NUMBERS),
                vi_load(chunk->c + at + i * VECTOR_NUMBERS), &side[i]);
        find_three(p, side, s->residuals + 4 * (size_t)v, x,
                   &chunk->three[(v - first) / PLANE_VERTICES]);
        for (uint32_t i = 0; i < 4; i++)
            vi_store(chunk->c + at + i * VECTOR_NUMBERS, x[i]);
    }
    for (uint32_t v = first; v < limit; v += PLANE_VERTICES) {
        const size_t at = 4 * (size_t)(v - first);
        int16_t *const rest = s->rest;
        vi x[4];

        for (uint32_t i = 0; i < 4; i++)
            x[i] = vi_load(chunk->c + at + i * VECTOR_NUMBERS);
        find_fourth(&chunk->three[(v - first) / PLANE_VERTICES], s->fourth + v,
                    x);
        store_values(s, v, x);
        if (!rest)
            continue;
        for (uint32_t i = 0; i < 4; i++) {
            const struct there there = {
                vi_load(chunk->t + at + i * VECTOR_NUMBERS),
                vi_load(chunk->d + at + i * VECTOR_NUMBERS)};

            vi_store(rest + 4 * (size_t)v + i * VECTOR_NUMBERS,
                     rest_of(&own, x[i], &there));
        }
    }
}

LIFT_INLINE void space_time_norm(const struct lift_span *span, uint32_t frames,
                                 bool has_guess, bool is_far, bool has_near)
{
    const struct lift_span own = *span;
    const struct lift_span *s = &own;
    const struct spread spread = spread_of(s);
    struct norm_chunk chunk;

    for (uint32_t first = s->first; first < s->limit; first += NORM_CHUNK) {
        const uint32_t planes =
            (s->limit - first + PLANE_VERTICES - 1) / PLANE_VERTICES;
        const uint32_t limit = first + (planes < NORM_CHUNK / PLANE_VERTICES
                                            ? planes * PLANE_VERTICES
                                            : NORM_CHUNK);

        for (uint32_t v = first; v < limit; v += LANE_VERTICES) {
            const size_t at = 4 * (size_t)(v - first);
            const struct there there =
                time_at(&spread, 4 * (size_t)(v - s->from_first), 4, frames,
                        has_guess, is_far);

            vi_store(chunk.t + at, there.t);
            vi_store(chunk.c + at,
                     has_near ? with_near(&spread, v, there.d) : there.d);
            if (has_near)
                vi_store(chunk.d + at, there.d);
        }
        norm_chunk(s, &spread, &chunk, first, limit);
    }
}

static void space_time_norm_loops(const struct lift_span *s)
{
#define LOOP(frames) space_time_norm(s, frames, false, false, true)
#define LOOP_FAR(frames) space_time_norm(s, frames, false, true, true)
#define LOOP_GUESS(frames) space_time_norm(s, frames, true, false, true)
#define LOOP_LAST(frames)                                                      \
    space_time_norm(s, frames, s->has_guess, s->is_far, false)
    if (!s->rest)
        EACH_FRAME_COUNT(LOOP_LAST)
    else if (s->has_guess)
        EACH_FRAME_COUNT(LOOP_GUESS)
    else if (s->is_far)
        EACH_FRAME_COUNT(LOOP_FAR)
    else
        EACH_FRAME_COUNT(LOOP)
}

static void vector_space_time_norm(const struct lift_span *s)
{
    each_end(s, space_time_norm_loops);
}

LIFT_INLINE vi nearest(const struct lift_hierarchy *hierarchy, const int16_t *y,
                       uint32_t v)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;
    int16_t r[VECTOR_NUMBERS];

    vi_store(r,
             vi_nearest(hierarchy->references + at, hierarchy->weights + at));
    return gather(y, (const uint16_t *)r);
}

static void vector_align_signs(const struct lift_hierarchy *hierarchy,
                               const int16_t *y, uint32_t first, uint32_t limit,
                               int16_t *guesses)
{
    uint32_t v = first;

    for (; v + LANE_VERTICES <= limit; v += LANE_VERTICES) {
        const size_t at = 4 * (size_t)v;
        const vi by = hierarchy ? nearest(hierarchy, y, v) : vi_load(y + at);
        const vi guess = vi_load(guesses + at);

        vi_store(guesses + at, sided(guess, vi_dot(by, guess), vi_set16(1)));
    }
    for (; v < limit; v++)
        lift_align_signs(y + 4 * (hierarchy ? lift_nearest(hierarchy, v) : v),
                         guesses + 4 * (size_t)v);
}

/* A vector is loaded with up to 28 bytes for the 24 of four vertices. */
static void vector_unpack3(const uint16_t *values, const uint16_t *pairs,
                           uint32_t count, int16_t *out)
{
    uint32_t v = 0;

    for (; v + LANE_VERTICES + 2 <= count; v += LANE_VERTICES) {
        vi x = vi_times3((const int16_t *)values + 3 * (size_t)v);

        if (pairs)
            x = vi_last(x, vi_times2((const int16_t *)pairs + 2 * (size_t)v));
        vi_store(out + 4 * (size_t)v, x);
    }
    for (; v < count; v++) {
        for (uint32_t k = 0; k < 3; k++)
            out[4 * (size_t)v + k] = (int16_t)values[3 * (size_t)v + k];
        out[4 * (size_t)v + 3] = pairs ? (int16_t)pairs[2 * (size_t)v + 1] : 0;
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
    ops->align_signs = vector_align_signs;
    ops->pack3 = vector_pack3;
    ops->unpack3 = vector_unpack3;
}

#endif
