/* fill_vector.h - vector kernels of the fill (fill_ops.h), written in the
 * primitives of simd_*.h.
 *
 * The file of an instruction set includes its simd_*.h, its definitions for
 * fill_store_vector.h, then this file. A vector has one component of
 * VECTOR_LANES vertices. Where the instruction set has a suitable instruction,
 * that file defines half_of() and HAS_HALF_OF, or load_xyz() and HAS_LOAD_XYZ,
 * which replace the general functions.
 *
 * Results are bit-identical to those of fill_ops.c and fill_pack.c: operations
 * are in the same order, divisions and square roots are those of IEEE 754, and
 * no multiplication is fused with an addition. The last vertices of a batch are
 * copied to a padded buffer, so that no byte beyond the source is read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_VECTOR_H
#define SPN_FILL_FILL_VECTOR_H

#include "base/assert.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "fill/fill_ops.h"

#include <stdbool.h>

#define VECTOR_LANES (VECTOR_BYTES / 4u)
SPN_STATIC_ASSERT(FILL_LANES % VECTOR_LANES == 0, fill_vector_lanes);

#define SIGN_BIT 0x80000000u

/* VECTOR_LANES items from `values`. If fewer exist (`left`), they are copied to
 * `spare` and followed by zeros. */
static inline const void *whole(const void *values, uint32_t item_bytes,
                                uint32_t left, uint8_t *spare)
{
    if (left >= VECTOR_LANES)
        return values;
    memset(spare, 0, (size_t)item_bytes * VECTOR_LANES);
    memcpy(spare, values, (size_t)item_bytes * left);
    return spare;
}

#include "fill/fill_pack_vector.h"

#if !defined(HAS_LOAD_XYZ)
/* Load three 16-bit components of VECTOR_LANES items, extended to 32 bits. A
 * lane has four items, which are 12 numbers in 24 bytes: numbers 0 to 7 are in
 * `a`, numbers 4 to 11 in `b`. */
static inline void load_xyz(const void *values, vi out[3])
{
    const uint8_t *at = values;
    const vi a = vi_load_lanes(at, 24);
    const vi b = vi_load_lanes(at + 8, 24);
    const vi first_xy =
        vi_pattern(0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, -1, -1, -1, -1);
    const vi last_xy = vi_pattern(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                  -1, 10, 11, 12, 13);
    const vi z =
        vi_pattern(4, 5, -1, -1, 10, 11, -1, -1, 8, 9, -1, -1, 14, 15, -1, -1);
    const vi xy = vi_or(vi_shuffle8(a, first_xy), vi_shuffle8(b, last_xy));

    out[0] = vi_and(xy, vi_set32(0xffffu));
    out[1] = vi_right32(xy, 16);
    out[2] = vi_shuffle8(vi_blend16(a, b, 0x90), z);
}
#endif

/* QTangents q of struct fill_frame, interpolated for VECTOR_LANES / 2 vertices.
 */
static inline vi lerp_quaternions(vi floor, vi ceil, vi alpha)
{
    const vi two = vi_madd16(floor, ceil);
    const vi is_opposite = vi_right_i32(vi_add32(two, vi_swap32(two)), 31);
    const vi nearer = vi_sub16(vi_xor(ceil, is_opposite), is_opposite);
    const vi moved = vi_left16(vi_sub16(nearer, floor), 5);

    return vi_add16(vi_left16(floor, 5), vi_mulround16(moved, alpha));
}

/* Components of 2^16 q, for VECTOR_LANES vertices. Returns |q|^2. */
static inline vi interpolate(const void *floor, const void *ceil, int16_t alpha,
                             vi q[4])
{
    const uint8_t *f = floor;
    const uint8_t *c = ceil;
    const vi alphas = vi_set16(alpha);
    const vi high = vi_set32(0xffff0000u);
    const vi a =
        lerp_quaternions(vi_load_lanes(f, 32), vi_load_lanes(c, 32), alphas);
    const vi b = lerp_quaternions(vi_load_lanes(f + 16, 32),
                                  vi_load_lanes(c + 16, 32), alphas);
    const vi xy = vi_even32(a, b);
    const vi zw = vi_odd32(a, b);

    q[0] = vi_left32(xy, 16);
    q[1] = vi_and(xy, high);
    q[2] = vi_left32(zw, 16);
    q[3] = vi_and(zw, high);
    return vi_add32(vi_madd16(xy, xy), vi_madd16(zw, zw));
}

/* -- positions, velocities, texture coordinates, colors -- */

static inline vf between(vf floor, vf ceil, vf alpha)
{
    return vf_add(floor, vf_mul(vf_sub(ceil, floor), alpha));
}

static inline vf dequantize(vf value, vf min, vf step)
{
    return vf_add(min, vf_mul(value, step));
}

/* Addresses of VECTOR_LANES items in floor and in ceil; see whole(). */
struct vector_pair {
    const void *floor;
    const void *ceil;
    uint8_t spare[2][8 * VECTOR_LANES];
};

static inline void find_pair(struct vector_pair *pair,
                             const struct fill_values *values,
                             uint32_t item_bytes, uint32_t first)
{
    const size_t at = (size_t)item_bytes * first;
    const uint32_t left = values->count - first;

    pair->floor = whole((const uint8_t *)values->floor + at, item_bytes, left,
                        pair->spare[0]);
    pair->ceil = whole((const uint8_t *)values->ceil + at, item_bytes, left,
                       pair->spare[1]);
}

FORMAT_INLINE void positions(uint32_t *out, spn_format format,
                             const struct fill_values *values,
                             const struct fill_range *range)
{
    const struct fill_values from = *values;
    const float *mins = range->min;
    const float *steps = range->step;
    const vf min[3] = {vf_set(mins[0]), vf_set(mins[1]), vf_set(mins[2])};
    const vf step[3] = {vf_set(steps[0]), vf_set(steps[1]), vf_set(steps[2])};
    const vf fourth = vf_set(range->fourth);
    const vf alpha = vf_set(from.alpha);
    struct vector_pair pair;

    for (uint32_t i = 0; i < from.count; i += VECTOR_LANES) {
        vi a[3];
        vi b[3];
        vf v[4];

        find_pair(&pair, &from, 6, i);
        load_xyz(pair.floor, a);
        load_xyz(pair.ceil, b);
        for (uint32_t k = 0; k < 3; k++)
            v[k] =
                dequantize(between(vi_to_float(a[k]), vi_to_float(b[k]), alpha),
                           min[k], step[k]);
        v[3] = fourth;
        put(out + i, from.pitch, format, v);
    }
}

static void position(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values,
                     const struct fill_range *range)
{
    (void)ops;
    if (to->format == SPN_FORMAT_F32X3)
        positions(to->out, SPN_FORMAT_F32X3, values, range);
    else
        positions(to->out, SPN_FORMAT_F16X4, values, range);
}

static void velocity(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values, const float scale[3])
{
    struct vector_pair pair;

    (void)ops;
    for (uint32_t i = 0; i < values->count; i += VECTOR_LANES) {
        vi a[3];
        vi b[3];
        vf v[4];

        find_pair(&pair, values, 6, i);
        load_xyz(pair.floor, a);
        load_xyz(pair.ceil, b);
        for (uint32_t k = 0; k < 3; k++)
            v[k] = vf_mul(vi_to_float(vi_sub32(b[k], a[k])), vf_set(scale[k]));
        v[3] = vf_set(0);
        put(to->out + i, values->pitch, to->format, v);
    }
}

FORMAT_INLINE void uvs(uint32_t *out, spn_format format,
                       const struct fill_values *values,
                       const struct fill_range *range)
{
    const struct fill_values from = *values;
    const vf min[2] = {vf_set(range->min[0]), vf_set(range->min[1])};
    const vf step[2] = {vf_set(range->step[0]), vf_set(range->step[1])};
    const vf alpha = vf_set(from.alpha);
    const vi low = vi_set32(0xffffu);
    struct vector_pair pair;

    for (uint32_t i = 0; i < from.count; i += VECTOR_LANES) {
        vf v[4];
        vi a;

        find_pair(&pair, &from, 4, i);
        a = vi_load(pair.floor);
        v[0] = vi_to_float(vi_and(a, low));
        v[1] = vi_to_float(vi_right32(a, 16));
        if (from.floor != from.ceil) {
            const vi b = vi_load(pair.ceil);

            v[0] = between(v[0], vi_to_float(vi_and(b, low)), alpha);
            v[1] = between(v[1], vi_to_float(vi_right32(b, 16)), alpha);
        }
        for (uint32_t k = 0; k < 2; k++)
            v[k] = dequantize(v[k], min[k], step[k]);
        put(out + i, from.pitch, format, v);
    }
}

static void uv(const struct fill_ops *ops, const struct fill_target *to,
               const struct fill_values *values, const struct fill_range *range)
{
    (void)ops;
    if (to->format == SPN_FORMAT_F32X2)
        uvs(to->out, SPN_FORMAT_F32X2, values, range);
    else if (to->format == SPN_FORMAT_F16X2)
        uvs(to->out, SPN_FORMAT_F16X2, values, range);
    else
        uvs(to->out, SPN_FORMAT_UNORM16X2, values, range);
}

static void color(const struct fill_ops *ops, const struct fill_target *to,
                  const struct fill_values *values)
{
    const bool is_packed = ops->pack[to->format] != NULL;
    const vf one = vf_set(is_packed ? 1.0f : 255.0f);
    const vf alpha = vf_set(values->alpha);
    const vi low = vi_set32(0xffu);
    struct vector_pair pair;

    for (uint32_t i = 0; i < values->count; i += VECTOR_LANES) {
        vi a;
        vi b;
        vf v[4];

        find_pair(&pair, values, 4, i);
        a = vi_load(pair.floor);
        b = vi_load(pair.ceil);
        for (uint32_t k = 0; k < 4; k++) {
            v[k] = vf_div(between(vi_to_float(vi_and(a, low)),
                                  vi_to_float(vi_and(b, low)), alpha),
                          one);
            a = vi_right32(a, 8);
            b = vi_right32(b, 8);
        }
        put(to->out + i, values->pitch, to->format, v);
    }
}

/* -- the tangent frame -- */

/* The image of axis c under the rotation (a, b, c, w). Components (x, y, z) in
 * this order give the normal, (y, z, x) the tangent. s is 2 / |q|^2. */
static inline void find_axis(vf a, vf b, vf c, vf w, vf s, vf *out_a, vf *out_b,
                             vf *out_c)
{
    const vf ac_bw = vf_add(vf_mul(a, c), vf_mul(b, w));
    const vf bc_aw = vf_sub(vf_mul(b, c), vf_mul(a, w));
    const vf aa_bb = vf_add(vf_mul(a, a), vf_mul(b, b));

    *out_a = vf_mul(ac_bw, s);
    *out_b = vf_mul(bc_aw, s);
    *out_c = vf_sub(vf_set(1.0f), vf_mul(aa_bb, s));
}

static inline void put_qtangent(const struct fill_target *to, uint32_t first,
                                size_t pitch, const vf q[4], vf squared,
                                vf is_direction, const uint32_t *hand)
{
    const vf one = vf_set(1.0f);
    const vf sign = vi_floats(vi_set32(SIGN_BIT));
    const vf inverse = vf_div(vf_set(0x1p-16f), vf_sqrt(squared));
    const vf hands = vf_load(hand + first);
    const vf w = vf_select(is_direction, vf_mul(q[3], inverse), one);
    const vf flip = vf_and(vf_xor(w, hands), sign);
    const vf size = vf_max(vf_andnot(sign, w), vf_set(FILL_W_MIN));
    vf v[4];

    for (uint32_t k = 0; k < 3; k++)
        v[k] = vf_xor(vf_and(vf_mul(q[k], inverse), is_direction), flip);
    v[3] = vf_xor(size, vf_and(hands, sign));
    put(to->out + first, pitch, to->format, v);
}

/* The work is divided into two short loops, so that the processor overlaps
 * several iterations and little time is lost to the latency of the division. */
static void frame(const struct fill_ops *ops, const struct fill_frame *wanted,
                  const struct fill_values *values)
{
    const struct fill_frame to = *wanted;
    const struct fill_values from = *values;
    const vi least = vi_set32(FILL_SQUARED_MIN - 1);
    uint32_t columns[5][FILL_BATCH];
    struct vector_pair pair;

    (void)ops;
    for (uint32_t i = 0; i < from.count; i += VECTOR_LANES) {
        vi q[4];
        vi squared;

        find_pair(&pair, &from, 8, i);
        squared = interpolate(pair.floor, pair.ceil, (int16_t)to.alpha, q);
        for (uint32_t k = 0; k < 4; k++)
            vf_store(columns[k] + i, vi_to_float(q[k]));
        vf_store(columns[4] + i,
                 vf_select(vi_floats(vi_greater32(squared, least)),
                           vi_to_float(squared), vf_set(1.0f)));
    }
    for (uint32_t i = 0; i < from.count; i += VECTOR_LANES) {
        const vf q[4] = {vf_load(columns[0] + i), vf_load(columns[1] + i),
                         vf_load(columns[2] + i), vf_load(columns[3] + i)};
        const vf squared = vf_load(columns[4] + i);
        /* Positive floats compare as their bits do. */
        const vf is_direction = vi_floats(vi_greater32(
            vf_bits(squared), vf_bits(vf_set(FILL_SQUARED_MIN - 1))));
        const vf s = vf_and(vf_div(vf_set(0x1p-31f), squared), is_direction);
        vf v[4];

        if (to.normal.format != SPN_FORMAT_NONE) {
            find_axis(q[0], q[1], q[2], q[3], s, &v[0], &v[1], &v[2]);
            v[3] = vf_set(0);
            put(to.normal.out + i, from.pitch, to.normal.format, v);
        }
        if (to.tangent.format != SPN_FORMAT_NONE) {
            find_axis(q[1], q[2], q[0], q[3], s, &v[1], &v[2], &v[0]);
            v[3] = vf_load(to.hand + i);
            put(to.tangent.out + i, from.pitch, to.tangent.format, v);
        }
        if (to.qtangent.format != SPN_FORMAT_NONE)
            put_qtangent(&to.qtangent, i, from.pitch, q, squared, is_direction,
                         to.hand);
    }
}

static void handedness(uint32_t *out, const uint8_t *reflection, uint32_t first,
                       uint32_t count)
{
    static const uint32_t places[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const vi lanes = vi_load(places);
    const vf one = vf_set(1.0f);
    const vf minus_one = vf_set(-1.0f);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const uint32_t left = count - i;
        const uint32_t wanted = left < VECTOR_LANES ? left : VECTOR_LANES;
        const uint8_t *at = reflection + ((first + i) >> 3);
        const uint32_t shift = (first + i) & 7;
        uint32_t bits = at[0];

        if (shift + wanted > 8)
            bits |= (uint32_t)at[1] << 8;
        vf_store(out + i,
                 vf_select(vi_floats(vi_equal32(
                               vi_and(vi_set32(bits >> shift), lanes), lanes)),
                           minus_one, one));
    }
}

static void offsets(uint32_t *out, const uint16_t *order, uint32_t stride,
                    uint32_t count)
{
    const vi strides = vi_set32(stride);
    uint8_t spare[2 * VECTOR_LANES];

    for (uint32_t i = 0; i < count; i += VECTOR_LANES)
        vi_store(out + i,
                 vi_mul32(vi_load_u16(whole(order + i, 2, count - i, spare)),
                          strides));
}

static inline void set_vector_ops(struct fill_ops *ops)
{
    ops->position = position;
    ops->velocity = velocity;
    ops->uv = uv;
    ops->color = color;
    ops->frame = frame;
    ops->handedness = handedness;
    ops->pack[SPN_FORMAT_F16X2] = pack_f16x2;
    ops->pack[SPN_FORMAT_F16X4] = pack_f16x4;
    ops->pack[SPN_FORMAT_SNORM8X4] = pack_snorm8x4;
    ops->pack[SPN_FORMAT_SNORM16X4] = pack_snorm16x4;
    ops->pack[SPN_FORMAT_SNORM10X3_2] = pack_snorm10x3_2;
    ops->pack[SPN_FORMAT_UNORM16X2] = pack_unorm16x2;
    ops->pack[SPN_FORMAT_UNORM8X4] = pack_unorm8x4;
    ops->pack[SPN_FORMAT_UNORM8X4_BGRA] = pack_unorm8x4_bgra;
    ops->offsets = offsets;
    ops->store = store_columns;
}

#endif
