/* planes_vector.h - the kernel join_u16: bit planes to residuals (planes.h), in
 * the vector primitives of simd_*.h.
 *
 * The file of an instruction set includes its simd_*.h, then this file.
 *
 * The lanes of a vector are independent: a lane has 16 bytes of each plane,
 * which are the bits of 128 vertices. The next lane has the next 128 vertices.
 *
 * 1. The eight planes of a byte are transposed as bits: three rounds swap
 *    halves of bytes, quarters, and bits between pairs of vectors, and vector
 *    i then has the byte of vertex 8 j + i in its byte j.
 * 2. Low and high bytes make words, words become residuals, and an 8 x 8
 *    transpose of words brings the vertices in order.
 * 3. The components, now vectors of eight vertices each, are interleaved.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PLANES_VECTOR_H
#define SPN_CODEC_CLASSIC_PLANES_VECTOR_H

#include "base/assert.h"
#include "base/compiler.h"
#include "codec/classic/planes.h"

#include <stdbool.h>

#define LANE_BYTES 16u
#define LANE_VERTICES 128u
/* Vectors of one component. The scratch memory has room for four components. */
#define COMPONENT_VECTORS 16u

SPN_STATIC_ASSERT(4u * COMPONENT_VECTORS * VECTOR_BYTES <= PLANES_SPARE_BYTES,
                  planes_spare_holds_four_components);

/* One round of step 1: exchange the bits of each vector under `mask` with those
 * of the vector `distance` before it that are as many places higher. */
SPN_INLINE void swap_bits(vi v[8], int distance, char mask)
{
    for (int i = 0; i < 8; i++)
        if (!(i & distance)) {
            const vi t =
                vi_and(vi_xor(vi_right16(v[i], distance), v[i + distance]),
                       vi_set8(mask));

            v[i + distance] = vi_xor(v[i + distance], t);
            v[i] = vi_xor(v[i], vi_left16(t, distance));
        }
}

/* Step 1 for eight planes, the highest first. */
SPN_INLINE void load_bytes(const uint8_t *plane, size_t stride, vi v[8])
{
    for (int i = 0; i < 8; i++)
        v[7 - i] = vi_load(plane + (size_t)i * stride);
    swap_bits(v, 4, 0x0f);
    swap_bits(v, 2, 0x33);
    swap_bits(v, 1, 0x55);
}

/* Whether eight planes have only zeros. The high planes of small residuals do.
 */
static inline bool is_empty(const uint8_t *plane, size_t stride)
{
    vi all = vi_load(plane);

    for (size_t i = 1; i < 8; i++)
        all = vi_or(all, vi_load(plane + i * stride));
    return vi_is_zero(all);
}

/* planes_residual_u16: ((z >> 1) ^ ((z & 1) - 1)) + 1. */
static inline vi residual_of(vi z)
{
    const vi odd = vi_and(z, vi_set16(1));
    const vi flip = vi_add16(odd, vi_set16(-1));

    return vi_add16(vi_xor(vi_right16(z, 1), flip), vi_set16(1));
}

/* Pairs of words of four vertices, to eight words of each. */
static inline void store_transposed(vi a, vi b, vi c, vi d, vi *out)
{
    const vi ab_low = vi_zip_low32(a, b);
    const vi ab_high = vi_zip_high32(a, b);
    const vi cd_low = vi_zip_low32(c, d);
    const vi cd_high = vi_zip_high32(c, d);

    out[0] = vi_zip_low64(ab_low, cd_low);
    out[1] = vi_zip_high64(ab_low, cd_low);
    out[2] = vi_zip_low64(ab_high, cd_high);
    out[3] = vi_zip_high64(ab_high, cd_high);
}

/* Step 2 for half of the words, those of the low or the high halves of lanes.
 * Word j of the eighth i becomes word i of out[j]. */
SPN_INLINE void store_words(const vi low[8], const vi high[8], bool is_high,
                            vi *out)
{
    vi w[8];

    for (int i = 0; i < 8; i++)
        w[i] = residual_of(is_high ? vi_zip_high8(low[i], high[i])
                                   : vi_zip_low8(low[i], high[i]));
    store_transposed(vi_zip_low16(w[0], w[1]), vi_zip_low16(w[2], w[3]),
                     vi_zip_low16(w[4], w[5]), vi_zip_low16(w[6], w[7]), out);
    store_transposed(vi_zip_high16(w[0], w[1]), vi_zip_high16(w[2], w[3]),
                     vi_zip_high16(w[4], w[5]), vi_zip_high16(w[6], w[7]),
                     out + 4);
}

/* Steps 1 and 2 for one component: 16 vectors of vertices in order. */
static inline void join_component(const uint8_t *plane, size_t stride, vi *out)
{
    vi low[8];
    vi high[8];

    load_bytes(plane + 8 * stride, stride, low);
    if (is_empty(plane, stride)) {
        for (int i = 0; i < 8; i++)
            high[i] = vi_zero();
        store_words(low, high, false, out);
        store_words(low, high, true, out + 8);
        return;
    }
    load_bytes(plane, stride, high);
    store_words(low, high, false, out);
    store_words(low, high, true, out + 8);
}

/* -- step 3: `v` has 16 vectors of each component -- */

static inline void interleave_two(const vi *v, uint8_t *to)
{
    const size_t lane = LANE_VERTICES * 4u;

    for (int t = 0; t < 16; t++, to += 32) {
        vi_store_lanes(to, lane, vi_zip_low16(v[t], v[t + 16]));
        vi_store_lanes(to + 16, lane, vi_zip_high16(v[t], v[t + 16]));
    }
}

/* A pattern of 16-bit words by their places. */
#define WORDS(a, b, c, d, e, f, g, h)                                          \
    vi_pattern(2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c),            \
               2 * (c) + 1, 2 * (d), 2 * (d) + 1, 2 * (e), 2 * (e) + 1,        \
               2 * (f), 2 * (f) + 1, 2 * (g), 2 * (g) + 1, 2 * (h),            \
               2 * (h) + 1)

/* The place of word i of component k is 3 i + k, and modulo 8 no two words of
 * one component meet: each is shuffled once, and three ways of choosing give
 * the three vectors. */
static inline void interleave_three(const vi *v, uint8_t *to)
{
    const size_t lane = LANE_VERTICES * 6u;
    const vi order_x = WORDS(0, 3, 6, 1, 4, 7, 2, 5);
    const vi order_y = WORDS(5, 0, 3, 6, 1, 4, 7, 2);
    const vi order_z = WORDS(2, 5, 0, 3, 6, 1, 4, 7);

    for (int t = 0; t < 16; t++, to += 48) {
        const vi x = vi_shuffle8(v[t], order_x);
        const vi y = vi_shuffle8(v[t + 16], order_y);
        const vi z = vi_shuffle8(v[t + 32], order_z);

        vi_store_lanes(to, lane, vi_blend16(vi_blend16(x, y, 0x92), z, 0x24));
        vi_store_lanes(to + 16, lane,
                       vi_blend16(vi_blend16(z, x, 0x92), y, 0x24));
        vi_store_lanes(to + 32, lane,
                       vi_blend16(vi_blend16(y, z, 0x92), x, 0x24));
    }
}

static inline void interleave_four(const vi *v, uint8_t *to)
{
    const size_t lane = LANE_VERTICES * 8u;

    for (int t = 0; t < 16; t++, to += 64) {
        const vi xy_low = vi_zip_low16(v[t], v[t + 16]);
        const vi xy_high = vi_zip_high16(v[t], v[t + 16]);
        const vi zw_low = vi_zip_low16(v[t + 32], v[t + 48]);
        const vi zw_high = vi_zip_high16(v[t + 32], v[t + 48]);

        vi_store_lanes(to, lane, vi_zip_low32(xy_low, zw_low));
        vi_store_lanes(to + 16, lane, vi_zip_high32(xy_low, zw_low));
        vi_store_lanes(to + 32, lane, vi_zip_low32(xy_high, zw_high));
        vi_store_lanes(to + 48, lane, vi_zip_high32(xy_high, zw_high));
    }
}

/* Planes are whole bytes; the last vectors of them may overlap the ones
 * before, and say the same of the vertices that both have. */
static void join_u16(uint16_t *residuals, const uint8_t *planes, uint32_t count,
                     uint32_t components, void *spare)
{
    const size_t stride = count / 8;
    vi *v = spare;

    if (stride < VECTOR_BYTES) {
        spn__planes_join_u16(residuals, planes, count, components, spare);
        return;
    }
    for (size_t at = 0; at < stride; at += VECTOR_BYTES) {
        uint8_t *to;

        if (at > stride - VECTOR_BYTES)
            at = stride - VECTOR_BYTES;
        to = (uint8_t *)residuals + at * 16 * components;
        for (uint32_t k = 0; k < components; k++)
            join_component(planes + k * 16 * stride + at, stride,
                           v + (size_t)k * COMPONENT_VECTORS);
        if (components == 2)
            interleave_two(v, to);
        else if (components == 3)
            interleave_three(v, to);
        else
            interleave_four(v, to);
    }
    planes_tail_u16(residuals, planes, count, components);
}

#endif
