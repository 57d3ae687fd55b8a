/* predict_vector.h - the kernels of predict.h, in the vector primitives of
 * simd_*.h: the temporal ones here, join_u16 in planes_vector.h.
 *
 * The file of an instruction set includes its simd_*.h, then this file.
 *
 * The temporal kernels use 16-bit numbers only. A difference d of two
 * components has 17 bits. Let u be its low 16 bits, so that d = u - 65536 if
 * d < 0. For a coefficient m and a shift n,
 *   floor(d * m / 2^n) = floor(u * m / 2^n) - 2^(16-n) * m   (if d < 0)
 * The product u * m is computed as a low and a high half. Only the low 16 bits
 * of the result are needed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PREDICT_VECTOR_H
#define SPN_CODEC_CLASSIC_PREDICT_VECTOR_H

#include "base/mem.h"
#include "codec/classic/planes_vector.h"
#include "codec/classic/predict.h"

struct weights {
    vi a;
    vi b;
    vi c;
};

static inline struct weights load_weights(const struct predict_stream *s)
{
    struct weights w = {vi_set16(s->a), vi_set16(s->b), vi_set16(s->c)};

    return w;
}

/* (to - from) * weight >> shift, rounded down, modulo 2^16. `is_negative` must
 * be the mask of to < from. */
static inline vi step_of(vi to, vi from, vi is_negative, vi weight, int shift)
{
    const vi u = vi_sub16(to, from);
    const vi low = vi_right16(vi_mul16(u, weight), shift);
    const vi high = vi_left16(vi_mulhi_u16(u, weight), 16 - shift);
    const vi excess = vi_and(is_negative, vi_left16(weight, 16 - shift));

    return vi_sub16(vi_or(low, high), excess);
}

/* Masks of to < from, for unsigned and for signed numbers. */
static inline vi less_u16(vi to, vi from)
{
    const vi is_from_less_or_equal = vi_equal16(vi_min_u16(to, from), from);

    return vi_andnot(is_from_less_or_equal, vi_equal16(to, to));
}

static inline vi less_i16(vi to, vi from)
{
    return vi_greater16(from, to);
}

#define TEMPORAL_16(less)                                                      \
    const vi lerp = vi_add16(                                                  \
        r.floor_index, step_of(r.ceil_index, r.floor_index,                    \
                               less(r.ceil_index, r.floor_index), w->b, 8));   \
    const vi motion = vi_add16(                                                \
        r.previous, step_of(r.previous, r.previous_two,                        \
                            less(r.previous, r.previous_two), w->a, 7));       \
    const vi blend = step_of(motion, lerp, less(motion, lerp), w->c, 7);       \
                                                                               \
    return vi_add16(vi_add16(lerp, blend), residual);

struct references {
    vi floor_index;
    vi ceil_index;
    vi previous;
    vi previous_two;
};

static inline vi value_u16(vi residual, struct references r,
                           const struct weights *w)
{
    TEMPORAL_16(less_u16)
}

static inline vi value_i16(vi residual, struct references r,
                           const struct weights *w)
{
    TEMPORAL_16(less_i16)
}

/* Bytes in 16-bit lanes: the low half of a product has all bits that count. */
static inline vi half_u8(struct references r, const struct weights *w)
{
    const vi low = vi_set16(0xff);
    const vi between = vi_mul16(vi_sub16(r.ceil_index, r.floor_index), w->b);
    const vi onward = vi_mul16(vi_sub16(r.previous, r.previous_two), w->a);
    const vi lerp =
        vi_and(vi_add16(r.floor_index, vi_right16(between, 8)), low);
    const vi motion = vi_and(vi_add16(r.previous, vi_right16(onward, 7)), low);
    const vi blend = vi_mul16(vi_sub16(motion, lerp), w->c);

    return vi_and(vi_add16(lerp, vi_right16(blend, 7)), low);
}

static inline vi value_u8(vi residual, struct references r,
                          const struct weights *w)
{
    const struct references low = {vi_zip_low8(r.floor_index, vi_zero()),
                                   vi_zip_low8(r.ceil_index, vi_zero()),
                                   vi_zip_low8(r.previous, vi_zero()),
                                   vi_zip_low8(r.previous_two, vi_zero())};
    const struct references high = {vi_zip_high8(r.floor_index, vi_zero()),
                                    vi_zip_high8(r.ceil_index, vi_zero()),
                                    vi_zip_high8(r.previous, vi_zero()),
                                    vi_zip_high8(r.previous_two, vi_zero())};

    return vi_add8(residual, vi_pack_u16(half_u8(low, w), half_u8(high, w)));
}

static inline struct references load_references(const uint8_t *const from[4])
{
    const struct references r = {vi_load(from[0]), vi_load(from[1]),
                                 vi_load(from[2]), vi_load(from[3])};

    return r;
}

/* Whole vectors in place, the rest through a padded copy: nothing beyond the
 * streams is read or written. */
#define TEMPORAL(name, value_of, type)                                         \
    static void name(void *values, const struct predict_stream *s,             \
                     uint32_t component_count)                                 \
    {                                                                          \
        const struct weights weights = load_weights(s);                        \
        const uint8_t *from[4] = {s->floor_index, s->ceil_index, s->previous,  \
                                  s->previous_two};                            \
        uint8_t *to = values;                                                  \
        size_t left = component_count * sizeof(type);                          \
        uint8_t spare[5][VECTOR_BYTES];                                        \
                                                                               \
        for (; left >= VECTOR_BYTES; left -= VECTOR_BYTES) {                   \
            vi_store(to,                                                       \
                     value_of(vi_load(to), load_references(from), &weights));  \
            to += VECTOR_BYTES;                                                \
            for (int k = 0; k < 4; k++)                                        \
                from[k] += VECTOR_BYTES;                                       \
        }                                                                      \
        if (left == 0)                                                         \
            return;                                                            \
        memset(spare, 0, sizeof spare);                                        \
        memcpy(spare[4], to, left);                                            \
        for (int k = 0; k < 4; k++) {                                          \
            memcpy(spare[k], from[k], left);                                   \
            from[k] = spare[k];                                                \
        }                                                                      \
        vi_store(spare[4], value_of(vi_load(spare[4]), load_references(from),  \
                                    &weights));                                \
        memcpy(to, spare[4], left);                                            \
    }

TEMPORAL(temporal_u16, value_u16, uint16_t)
TEMPORAL(temporal_i16, value_i16, int16_t)
TEMPORAL(temporal_u8, value_u8, uint8_t)

static inline void set_vector_ops(struct predict_ops *ops)
{
    ops->temporal[FORM_U16X3] = temporal_u16;
    ops->temporal[FORM_I16X4] = temporal_i16;
    ops->temporal[FORM_U16X2] = temporal_u16;
    ops->temporal[FORM_U8X4] = temporal_u8;
    ops->join_u16 = join_u16;
}

#endif
