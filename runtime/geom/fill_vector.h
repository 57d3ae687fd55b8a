/* fill_vector.h - the fill's kernels for vectors of VECTOR_LANES floats.
 *
 * Included once by each file named for an instruction set, after it has made
 * the types vf (floats) and vi (32-bit integers) and the operations below:
 *
 *   vf_set vf_load vf_store vf_add vf_sub vf_mul vf_div vf_sqrt vf_max vf_min
 *   vf_less vf_at_least (masks) vf_and vf_xor vf_andnot(not, a) vf_select(mask,
 *   yes, no) vf_bits (as vi) vi_set vi_lanes (1, 2, 4, ...) vi_store vi_add
 *   vi_sub vi_and vi_or vi_left vi_right vi_right_signed vi_greater vi_equal
 *   vi_select vi_floats (as vf) vi_to_float load_words load_pairs load_triples
 *   store_columns
 *
 * and, with HAS_HALF_OF, half_of. Division and root are IEEE's, nothing is
 * fused, the order is that of fill_scalar.c and fill_pack.c: the same bits. The
 * last vertices of a batch go through a padded copy, so no byte beyond the
 * source is read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_FILL_VECTOR_H
#define SPN_GEOM_FILL_VECTOR_H

#include "base/assert.h"
#include "base/mem.h"
#include "geom/fill.h"

SPN_STATIC_ASSERT(FILL_LANES % VECTOR_LANES == 0, fill_vector_lanes);

#define SIGN_BIT 0x80000000u

/* VECTOR_LANES items from `values`, of which only `left` exist. */
static inline const void *whole(const void *values, uint32_t item_bytes,
                                uint32_t left, uint8_t *spare)
{
    if (left >= VECTOR_LANES)
        return values;
    memset(spare, 0, (size_t)item_bytes * VECTOR_LANES);
    memcpy(spare, values, (size_t)item_bytes * left);
    return spare;
}

static inline vf between(vf floor, vf ceil, vf alpha)
{
    return vf_add(floor, vf_mul(vf_sub(ceil, floor), alpha));
}

static inline vf dequantize(vi floor, vi ceil, vf alpha, vf min, vf step)
{
    vf value = between(vi_to_float(floor), vi_to_float(ceil), alpha);

    return vf_add(min, vf_mul(value, step));
}

static void position(uint32_t *out, size_t pitch, const uint16_t *floor,
                     const uint16_t *ceil, float alpha, uint32_t count,
                     const struct fill_constants *constants)
{
    const float *mins = constants->position_min;
    const float *steps = constants->position_step;
    const vf min[3] = {vf_set(mins[0]), vf_set(mins[1]), vf_set(mins[2])};
    const vf step[3] = {vf_set(steps[0]), vf_set(steps[1]), vf_set(steps[2])};
    const vf alphas = vf_set(alpha);
    uint8_t spare[2][6 * VECTOR_LANES];

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        vi a[3];
        vi b[3];

        load_triples(whole(floor + 3 * i, 6, count - i, spare[0]), a);
        load_triples(whole(ceil + 3 * i, 6, count - i, spare[1]), b);
        for (uint32_t k = 0; k < 3; k++)
            vf_store(out + k * pitch + i,
                     dequantize(a[k], b[k], alphas, min[k], step[k]));
    }
}

static void uv(uint32_t *out, size_t pitch, const uint16_t *floor,
               const uint16_t *ceil, float alpha, uint32_t count,
               const struct fill_constants *constants)
{
    const vf min[2] = {vf_set(constants->uv_min[0]),
                       vf_set(constants->uv_min[1])};
    const vf step[2] = {vf_set(constants->uv_step[0]),
                        vf_set(constants->uv_step[1])};
    const vf alphas = vf_set(alpha);
    const vi low = vi_set(0xffffu);
    uint8_t spare[2][4 * VECTOR_LANES];

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        vi a = load_words(whole(floor + 2 * i, 4, count - i, spare[0]));
        vi b = load_words(whole(ceil + 2 * i, 4, count - i, spare[1]));

        vf_store(out + i, dequantize(vi_and(a, low), vi_and(b, low), alphas,
                                     min[0], step[0]));
        vf_store(out + pitch + i, dequantize(vi_right(a, 16), vi_right(b, 16),
                                             alphas, min[1], step[1]));
    }
}

static void color(uint32_t *out, size_t pitch, const uint8_t *floor,
                  const uint8_t *ceil, float alpha, uint32_t count, float one)
{
    const vf alphas = vf_set(alpha);
    const vf ones = vf_set(one);
    const vi low = vi_set(0xffu);
    uint8_t spare[2][4 * VECTOR_LANES];

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        vi a = load_words(whole(floor + 4 * i, 4, count - i, spare[0]));
        vi b = load_words(whole(ceil + 4 * i, 4, count - i, spare[1]));

        for (uint32_t k = 0; k < 4; k++) {
            vf value = between(vi_to_float(vi_and(a, low)),
                               vi_to_float(vi_and(b, low)), alphas);

            vf_store(out + k * pitch + i, vf_div(value, ones));
            a = vi_right(a, 8);
            b = vi_right(b, 8);
        }
    }
}

/* Sign-extended halves of words: x and y, z and w. */
static inline void load_quaternions(const void *values, vf out[4])
{
    vi xy;
    vi zw;

    load_pairs(values, &xy, &zw);
    out[0] = vi_to_float(vi_right_signed(vi_left(xy, 16), 16));
    out[1] = vi_to_float(vi_right_signed(xy, 16));
    out[2] = vi_to_float(vi_right_signed(vi_left(zw, 16), 16));
    out[3] = vi_to_float(vi_right_signed(zw, 16));
}

static inline vf dot4(const vf a[4], const vf b[4])
{
    vf sum = vf_add(vf_mul(a[0], b[0]), vf_mul(a[1], b[1]));

    sum = vf_add(sum, vf_mul(a[2], b[2]));
    return vf_add(sum, vf_mul(a[3], b[3]));
}

/* In place. Apart from what comes before: roots and divisions take long, and
 * those of several vectors run side by side when little else is between. */
static inline void normalise(uint32_t *columns, size_t pitch, uint32_t count)
{
    const vf one = vf_set(1.0f);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        vf a[4];
        vf squared;
        vf is_direction;
        vf inverse;

        for (uint32_t k = 0; k < 4; k++)
            a[k] = vf_load(columns + k * pitch + i);
        squared = dot4(a, a);
        is_direction = vf_at_least(squared, vf_set(FILL_LENGTH_SQUARED_MIN));
        inverse = vf_div(one, vf_sqrt(vf_select(is_direction, squared, one)));
        for (uint32_t k = 0; k < 3; k++)
            vf_store(columns + k * pitch + i,
                     vf_and(vf_mul(a[k], inverse), is_direction));
        vf_store(columns + 3 * pitch + i,
                 vf_select(is_direction, vf_mul(a[3], inverse), one));
    }
}

static void qtangent(uint32_t *out, size_t pitch, const int16_t *floor,
                     const int16_t *ceil, float alpha, uint32_t count)
{
    const vf sign = vi_floats(vi_set(SIGN_BIT));
    const vf alphas = vf_set(alpha);
    uint8_t spare[2][8 * VECTOR_LANES];

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        vf a[4];
        vf b[4];
        vf flip;

        load_quaternions(whole(floor + 4 * i, 8, count - i, spare[0]), a);
        load_quaternions(whole(ceil + 4 * i, 8, count - i, spare[1]), b);
        flip = vf_and(vf_less(dot4(a, b), vf_set(0)), sign);
        for (uint32_t k = 0; k < 4; k++)
            vf_store(out + k * pitch + i,
                     between(a[k], vf_xor(b[k], flip), alphas));
    }
    normalise(out, pitch, count);
}

struct vector_quaternion {
    vf x;
    vf y;
    vf z;
    vf w;
};

static inline struct vector_quaternion load_quaternion(const uint32_t *columns,
                                                       size_t pitch)
{
    struct vector_quaternion q;

    q.x = vf_load(columns);
    q.y = vf_load(columns + pitch);
    q.z = vf_load(columns + 2 * pitch);
    q.w = vf_load(columns + 3 * pitch);
    return q;
}

static void normal(uint32_t *out, const uint32_t *quaternion, size_t pitch,
                   uint32_t count)
{
    const vf one = vf_set(1.0f);
    const vf two = vf_set(2.0f);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const struct vector_quaternion q =
            load_quaternion(quaternion + i, pitch);

        vf_store(out + i,
                 vf_mul(two, vf_add(vf_mul(q.x, q.z), vf_mul(q.y, q.w))));
        vf_store(out + pitch + i,
                 vf_mul(two, vf_sub(vf_mul(q.y, q.z), vf_mul(q.x, q.w))));
        vf_store(out + 2 * pitch + i,
                 vf_sub(one, vf_mul(two, vf_add(vf_mul(q.x, q.x),
                                                vf_mul(q.y, q.y)))));
    }
}

static void tangent(uint32_t *out, const uint32_t *quaternion, size_t pitch,
                    uint32_t count)
{
    const vf one = vf_set(1.0f);
    const vf two = vf_set(2.0f);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const struct vector_quaternion q =
            load_quaternion(quaternion + i, pitch);

        vf_store(out + i, vf_sub(one, vf_mul(two, vf_add(vf_mul(q.y, q.y),
                                                         vf_mul(q.z, q.z)))));
        vf_store(out + pitch + i,
                 vf_mul(two, vf_add(vf_mul(q.x, q.y), vf_mul(q.z, q.w))));
        vf_store(out + 2 * pitch + i,
                 vf_mul(two, vf_sub(vf_mul(q.x, q.z), vf_mul(q.y, q.w))));
    }
}

static void handedness(uint32_t *out, const uint8_t *reflection, uint32_t first,
                       uint32_t count)
{
    const vi lanes = vi_lanes();
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
                 vf_select(vi_floats(vi_equal(
                               vi_and(vi_set(bits >> shift), lanes), lanes)),
                           minus_one, one));
    }
}

static void orient(uint32_t *out, const uint32_t *quaternion,
                   const uint32_t *hand, size_t pitch, uint32_t count)
{
    const vf sign = vi_floats(vi_set(SIGN_BIT));
    const vf least = vf_set(FILL_W_MIN);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const struct vector_quaternion q =
            load_quaternion(quaternion + i, pitch);
        const vf hands = vf_load(hand + i);
        const vf flip = vf_and(vf_xor(q.w, hands), sign);
        const vf size = vf_max(vf_andnot(sign, q.w), least);

        vf_store(out + i, vf_xor(q.x, flip));
        vf_store(out + pitch + i, vf_xor(q.y, flip));
        vf_store(out + 2 * pitch + i, vf_xor(q.z, flip));
        vf_store(out + 3 * pitch + i, vf_xor(size, vf_and(hands, sign)));
    }
}

/* ---- formats ------------------------------------------------------------ */

/* The nearest integer in the low 22 bits. */
static inline vi round_to_bits(vf v)
{
    return vf_bits(vf_add(v, vf_set(12582912.0f)));
}

static inline vi round_to_integer(vf v)
{
    return vi_sub(round_to_bits(v), vi_set(0x4b400000u));
}

static inline vi join16(vi low, vi high)
{
    return vi_or(vi_and(low, vi_set(0xffffu)), vi_left(high, 16));
}

#if !defined(HAS_HALF_OF)
static inline vi half_of(vf v)
{
    const vi bits = vi_and(vf_bits(v), vi_set(0x7fffffffu));
    const vi sign = vi_and(vi_right(vf_bits(v), 16), vi_set(0x8000u));
    const vi odd = vi_and(vi_right(bits, 13), vi_set(1));
    const vi normal_half = vi_right(
        vi_add(vi_add(vi_sub(bits, vi_set(112u << 23)), vi_set(0xfffu)), odd),
        13);
    const vi small = vi_sub(vf_bits(vf_add(vi_floats(bits), vf_set(0.5f))),
                            vi_set(0x3f000000u));
    const vi large = vi_select(vi_greater(bits, vi_set(0x7f800000u)),
                               vi_set(0x7e00u), vi_set(0x7c00u));
    const vi magnitude =
        vi_select(vi_greater(vi_set(113u << 23), bits), small, normal_half);

    return vi_or(sign, vi_select(vi_greater(bits, vi_set((143u << 23) - 1u)),
                                 large, magnitude));
}
#endif

static void pack_f16x2(uint32_t *out, const uint32_t *in, size_t pitch,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VECTOR_LANES)
        vi_store(out + i, join16(half_of(vf_load(in + i)),
                                 half_of(vf_load(in + pitch + i))));
}

static void pack_f16x4(uint32_t *out, const uint32_t *in, size_t pitch,
                       uint32_t count)
{
    pack_f16x2(out, in, pitch, count);
    pack_f16x2(out + pitch, in + 2 * pitch, pitch, count);
}

static inline vi scaled(const uint32_t *column, float scale)
{
    return round_to_bits(vf_mul(vf_load(column), vf_set(scale)));
}

static void pack_snorm8x4(uint32_t *out, const uint32_t *in, size_t pitch,
                          uint32_t count)
{
    const vi low = vi_set(0xffu);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const vi x = vi_and(scaled(in + i, 127.0f), low);
        const vi y = vi_and(scaled(in + pitch + i, 127.0f), low);
        const vi z = vi_and(scaled(in + 2 * pitch + i, 127.0f), low);
        const vi w = scaled(in + 3 * pitch + i, 127.0f);

        vi_store(out + i, vi_or(vi_or(x, vi_left(y, 8)),
                                vi_or(vi_left(z, 16), vi_left(w, 24))));
    }
}

static void pack_snorm16x2(uint32_t *out, const uint32_t *in, size_t pitch,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VECTOR_LANES)
        vi_store(out + i, join16(scaled(in + i, 32767.0f),
                                 scaled(in + pitch + i, 32767.0f)));
}

static void pack_snorm16x4(uint32_t *out, const uint32_t *in, size_t pitch,
                           uint32_t count)
{
    pack_snorm16x2(out, in, pitch, count);
    pack_snorm16x2(out + pitch, in + 2 * pitch, pitch, count);
}

static void pack_snorm10x3_2(uint32_t *out, const uint32_t *in, size_t pitch,
                             uint32_t count)
{
    const vi low = vi_set(0x3ffu);

    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const vi x = vi_and(scaled(in + i, 511.0f), low);
        const vi y = vi_and(scaled(in + pitch + i, 511.0f), low);
        const vi z = vi_and(scaled(in + 2 * pitch + i, 511.0f), low);
        const vi w = round_to_bits(vf_load(in + 3 * pitch + i));

        vi_store(out + i, vi_or(vi_or(x, vi_left(y, 10)),
                                vi_or(vi_left(z, 20), vi_left(w, 30))));
    }
}

/* The maximum with a NaN in front is the second operand: zero. */
static inline vi unorm16(const uint32_t *column)
{
    vf v = vf_min(vf_max(vf_load(column), vf_set(0)), vf_set(1.0f));

    return round_to_bits(vf_mul(v, vf_set(65535.0f)));
}

static void pack_unorm16x2(uint32_t *out, const uint32_t *in, size_t pitch,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VECTOR_LANES)
        vi_store(out + i, join16(unorm16(in + i), unorm16(in + pitch + i)));
}

static inline void pack_bytes(uint32_t *out, const uint32_t *x,
                              const uint32_t *y, const uint32_t *z,
                              const uint32_t *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VECTOR_LANES) {
        const vi b0 = round_to_integer(vf_load(x + i));
        const vi b1 = vi_left(round_to_integer(vf_load(y + i)), 8);
        const vi b2 = vi_left(round_to_integer(vf_load(z + i)), 16);
        const vi b3 = vi_left(round_to_bits(vf_load(w + i)), 24);

        vi_store(out + i, vi_or(vi_or(b0, b1), vi_or(b2, b3)));
    }
}

static void pack_unorm8x4(uint32_t *out, const uint32_t *in, size_t pitch,
                          uint32_t count)
{
    pack_bytes(out, in, in + pitch, in + 2 * pitch, in + 3 * pitch, count);
}

static void pack_unorm8x4_bgra(uint32_t *out, const uint32_t *in, size_t pitch,
                               uint32_t count)
{
    pack_bytes(out, in + 2 * pitch, in + pitch, in, in + 3 * pitch, count);
}

static inline void set_vector_ops(struct fill_ops *ops)
{
    ops->position = position;
    ops->uv = uv;
    ops->color = color;
    ops->qtangent = qtangent;
    ops->normal = normal;
    ops->tangent = tangent;
    ops->handedness = handedness;
    ops->orient = orient;
    ops->pack[SPN_FORMAT_F16X2] = pack_f16x2;
    ops->pack[SPN_FORMAT_F16X4] = pack_f16x4;
    ops->pack[SPN_FORMAT_SNORM8X4] = pack_snorm8x4;
    ops->pack[SPN_FORMAT_SNORM16X4] = pack_snorm16x4;
    ops->pack[SPN_FORMAT_SNORM10X3_2] = pack_snorm10x3_2;
    ops->pack[SPN_FORMAT_UNORM16X2] = pack_unorm16x2;
    ops->pack[SPN_FORMAT_UNORM8X4] = pack_unorm8x4;
    ops->pack[SPN_FORMAT_UNORM8X4_BGRA] = pack_unorm8x4_bgra;
    ops->store = store_columns;
}

#endif
