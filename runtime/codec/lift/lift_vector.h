/* lift_vector.h - the lifting kernels, in the primitives of simd_*.h.
 *
 * Each file named for an instruction set includes its simd_*.h, then this. The
 * formulas and their symbols are those of LIFTING.md, in this folder.
 *
 * The last vector of a span may reach beyond the span. That does no harm: the
 * arrays are padded, and vertices beyond the span are decoded later.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_VECTOR_H
#define SPN_CODEC_LIFT_LIFT_VECTOR_H

#include "base/compiler.h"
#include "base/mem.h"
#include "codec/lift/lift_formulas.h"
#include "codec/lift/lift_kernels.h"

#define LANE_VERTICES (VECTOR_BYTES / 8u)
#define VECTOR_NUMBERS (4u * LANE_VERTICES)

#include "codec/lift/lift_references_vector.h"

/* wrap(side E): e, or -e where `side` is negative. `one` is a vector of ones;
 * as an argument it stays in a register. */
LIFT_INLINE vi apply_side(vi e, vi side, vi one)
{
    return vi_sign16(e, vi_or(side, one));
}

/* -- vertices of two and three numbers -- */

/* The others are 0. */
#define load_xy(p) vi_load_u32(p)

LIFT_INLINE vi load_xyz(const int16_t *p)
{
    const vi spread =
        vi_pattern(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1);

    return vi_shuffle8(vi_load_lanes((const uint8_t *)p, 12), spread);
}

/* a, the fourth number of each vertex the second of b. */
LIFT_INLINE vi with_fourth(vi a, vi b)
{
    return vi_blend16(a, vi_left64(b, 32), 0x88);
}

/* The first three numbers of each vertex, and 4 bytes of anything. */
LIFT_INLINE void store_xyz(uint16_t *out, vi a)
{
    const vi close =
        vi_pattern(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);

    vi_store_lanes((uint8_t *)out, 12, vi_shuffle8(a, close));
}

/* -- space -- */

LIFT_INLINE vi predict_space(const struct lift_span *s, uint32_t v, vi *side)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    return sum_values(s->values, s->hierarchy->references + at,
                      s->hierarchy->weights + at, side);
}

static void vector_space(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        vi side;
        const vi p = predict_space(s, v, &side);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);

        vi_store(s->values + 4 * (size_t)v,
                 vi_add16(p, apply_side(e, side, vi_set16(1))));
    }
}

/* -- space and time -- */

/* A vector of F. `components` is a constant. */
LIFT_INLINE vi frame_at(const int16_t *f, uint32_t components)
{
    if (components == 2)
        return load_xy(f);
    if (components == 3)
        return load_xyz(f);
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

/* Constants of a loop, in each lane, and pointers of the span. */
struct constants {
    vi one;
    vi error_weight;
    vi to_fraction;   /* 2^k */
    vi from_fraction; /* 2^(15-k) */
    vi top_of_side;   /* moves bit k-1 to the top */
    int16_t *errors;
    const uint16_t *references;
    const int8_t *weights;
    const int16_t *const *from;
    vi weight[LIFT_FRAMES_MAX];
};

LIFT_INLINE struct constants constants_of(const struct lift_span *s)
{
    const struct constants k = {
        vi_set16(1),
        vi_set16((int16_t)s->error_weight),
        vi_set16((int16_t)(1 << s->fraction_bits)),
        vi_set16((int16_t)(0x8000 >> s->fraction_bits)),
        vi_set16((int16_t)(uint16_t)(0x10000 >> s->fraction_bits)),
        s->errors,
        s->hierarchy->references,
        s->hierarchy->weights,
        s->from,
        {vi_set16(s->frame_weight[0]), vi_set16(s->frame_weight[1]),
         vi_set16(s->frame_weight[2]), vi_set16(s->frame_weight[3])}};

    return k;
}

/* T and D of a vector. */
struct time_prediction {
    vi whole;
    vi fraction;
};

/* Add the share of reference frame j to T and D. `first` is F_0. */
LIFT_INLINE void add_frame(const struct constants *s, uint32_t j, size_t at,
                           uint32_t components, bool is_far, vi first,
                           struct time_prediction *to)
{
    const vi moved = vi_sub16(frame_at(s->from[j] + at, components), first);
    const vi whole = vi_mulround16(moved, s->weight[j]);
    /* wrap(M_j w_j - 2^15 I_j): 2^15 I_j has only its top bit left. */
    const vi rest = vi_xor(vi_mul16(moved, s->weight[j]), vi_left16(whole, 15));

    if (is_far) {
        to->whole = vi_add16(to->whole, whole);
        to->fraction =
            vi_add16(to->fraction, vi_mulround16(rest, s->to_fraction));
    } else {
        to->fraction = vi_add16(
            to->fraction,
            vi_mulround16(vi_mul16(moved, s->to_fraction), s->weight[j]));
    }
}

/* T and D. All arguments but the first two are constants. */
LIFT_INLINE struct time_prediction predict_time(const struct constants *s,
                                                size_t at, uint32_t components,
                                                uint32_t frames, bool has_guess,
                                                bool is_far)
{
    const vi guess_one = vi_set16(1 << LIFT_GUESS_BITS);
    const vi from = frame_at(s->from[0] + at, components);
    const uint32_t whole_count = frames - has_guess;
    const vi first =
        whole_count > 0
            ? from
            : vi_mulround16(from, vi_set16(0x8000 >> LIFT_GUESS_BITS));
    struct time_prediction to = {first, vi_set16(0)};

    if (whole_count > 1)
        add_frame(s, 1, at, components, is_far, first, &to);
    if (whole_count > 2)
        add_frame(s, 2, at, components, is_far, first, &to);
    if (whole_count > 3)
        add_frame(s, 3, at, components, is_far, first, &to);
    if (has_guess)
        to.fraction =
            vi_add16(to.fraction,
                     vi_mulround16(vi_sub16(frame_at(s->from[frames - 1] + at,
                                                     components),
                                            vi_mul16(first, guess_one)),
                                   s->weight[frames - 1]));
    return to;
}

/* C from D. */
LIFT_INLINE vi correction_of(const struct constants *s, uint32_t v, vi d)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;

    return vi_add16(d, vi_mulround16(sum_errors(s->errors, s->references + at,
                                                s->weights + at),
                                     s->error_weight));
}

/* P from T and C, and its side. */
LIFT_INLINE vi predict_from(const struct constants *s, vi t, vi c, vi *side)
{
    *side = vi_mul16(c, s->top_of_side);
    return vi_add16(t, vi_mulround16(c, s->from_fraction));
}

/* R from X, T and D. */
LIFT_INLINE vi time_error(const struct constants *s, vi x,
                          const struct time_prediction *time)
{
    return vi_sub16(vi_mul16(vi_sub16(x, time->whole), s->to_fraction),
                    time->fraction);
}

/* Decode the last vertices from copies of the reference frames, and pack them
 * into a copy of the output. */
static SPN_NOINLINE void copy_end(const struct lift_span *s,
                                  void (*loop)(const struct lift_span *span))
{
    const size_t at = (size_t)(s->first - s->from_first) * s->from_stride;
    const size_t left =
        (size_t)(s->hierarchy->vertex_count - s->first) * s->from_stride;
    const size_t made = (size_t)(s->limit - s->first) * s->from_stride;
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
    if (s->from_stride < 4)
        memcpy(s->packed + at, packed, made * sizeof *packed);
}

/* Loops read whole vectors of reference frames, load_xyz() even more, and
 * store_xyz() writes more than a vertex. Where the arrays end, loops work on
 * copies. */
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

/* `has_errors`: S counts, and R is written. */
LIFT_INLINE void space_time(const struct lift_span *span, uint32_t components,
                            uint32_t frames, bool is_far, bool has_errors)
{
    /* A copy that nothing else can change stays in registers. */
    const struct lift_span copy = *span;
    const struct lift_span *s = &copy;
    const struct constants k = constants_of(s);

    for (uint32_t v = s->first; v < s->limit; v += LANE_VERTICES) {
        const size_t at = (size_t)(v - s->from_first) * components;
        const struct time_prediction time =
            predict_time(&k, at, components, frames, false, is_far);
        const vi e = vi_load(s->residuals + 4 * (size_t)v);
        const vi c =
            has_errors ? correction_of(&k, v, time.fraction) : time.fraction;
        vi side;
        const vi p = predict_from(&k, time.whole, c, &side);
        const vi x = vi_add16(p, apply_side(e, side, k.one));

        if (components == 2)
            vi_store_low32(s->packed + at, x);
        else if (components == 3)
            store_xyz(s->packed + at, x);
        else
            vi_store(s->values + 4 * (size_t)v, x);
        if (has_errors)
            vi_store(k.errors + 4 * (size_t)v, time_error(&k, x, &time));
    }
}

static void space_time_loops(const struct lift_span *s)
{
#define LOOP2(frames) space_time(s, 2, frames, s->is_far, s->errors != NULL)
#define LOOP3(frames) space_time(s, 3, frames, false, true)
#define LOOP3_FAR(frames) space_time(s, 3, frames, true, true)
#define LOOP3_LAST(frames) space_time(s, 3, frames, s->is_far, false)
#define LOOP4(frames) space_time(s, 4, frames, s->is_far, s->errors != NULL)
    if (s->from_stride == 2)
        EACH_FRAME_COUNT(LOOP2)
    else if (s->from_stride == 4)
        EACH_FRAME_COUNT(LOOP4)
    else if (!s->errors)
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

#include "codec/lift/lift_qtangent_vector.h"

/* -- signs, and three numbers of four -- */

LIFT_INLINE vi sign_values(const struct lift_hierarchy *hierarchy,
                           const int16_t *y, uint32_t v)
{
    const size_t at = LIFT_REFERENCES * (size_t)v;
    int16_t r[VECTOR_NUMBERS];

    vi_store(
        r, sign_reference(hierarchy->references + at, hierarchy->weights + at));
    return gather(y, (const uint16_t *)r);
}

static void vector_align_signs(const struct lift_hierarchy *hierarchy,
                               const int16_t *y, uint32_t first, uint32_t limit,
                               int16_t *guesses)
{
    uint32_t v = first;

    for (; v + LANE_VERTICES <= limit; v += LANE_VERTICES) {
        const size_t at = 4 * (size_t)v;
        const vi by =
            hierarchy ? sign_values(hierarchy, y, v) : vi_load(y + at);
        const vi guess = vi_load(guesses + at);

        vi_store(guesses + at,
                 apply_side(guess, dot_signs(by, guess), vi_set16(1)));
    }
    for (; v < limit; v++)
        lift_align_signs(
            y + 4 * (hierarchy ? lift_sign_reference(hierarchy, v) : v),
            guesses + 4 * (size_t)v);
}

/* A vector is loaded with up to 28 bytes for the 24 of four vertices. */
static void vector_unpack3(const uint16_t *values, const uint16_t *uvs,
                           uint32_t count, int16_t *out)
{
    uint32_t v = 0;

    for (; v + LANE_VERTICES + 2 <= count; v += LANE_VERTICES) {
        vi x = load_xyz((const int16_t *)values + 3 * (size_t)v);

        if (uvs)
            x = with_fourth(x, load_xy((const int16_t *)uvs + 2 * (size_t)v));
        vi_store(out + 4 * (size_t)v, x);
    }
    for (; v < count; v++) {
        for (uint32_t k = 0; k < 3; k++)
            out[4 * (size_t)v + k] = (int16_t)values[3 * (size_t)v + k];
        out[4 * (size_t)v + 3] = uvs ? (int16_t)uvs[2 * (size_t)v + 1] : 0;
    }
}

/* A vector of whole vertices is stored with four bytes more. */
static void vector_pack3(const int16_t *values, uint32_t count, uint16_t flip,
                         uint16_t *out)
{
    const vi flips = vi_set16((int16_t)flip);
    uint32_t v = 0;

    for (; v + LANE_VERTICES + 1 <= count; v += LANE_VERTICES)
        store_xyz(out + 3 * (size_t)v,
                  vi_xor(vi_load(values + 4 * (size_t)v), flips));
    for (; v < count; v++)
        for (uint32_t k = 0; k < 3; k++)
            out[3 * (size_t)v + k] = (uint16_t)values[4 * (size_t)v + k] ^ flip;
}

static inline void set_vector_ops(struct lift_ops *ops)
{
    ops->space = vector_space;
    ops->space_qtangent = vector_space_qtangent;
    ops->space_time = vector_space_time;
    ops->space_time_qtangent = vector_space_time_qtangent;
    ops->align_signs = vector_align_signs;
    ops->pack3 = vector_pack3;
    ops->unpack3 = vector_unpack3;
}

#endif
