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
#include "codec/classic/planes.h"

#include <stdbool.h>

#define LANE_BYTES 16u
#define LANE_VERTICES 128u
/* Vectors of one component. The scratch memory has room for four components. */
#define COMPONENT_VECTORS 16u

SPN_STATIC_ASSERT(4u * COMPONENT_VECTORS * VECTOR_BYTES <= PLANES_SPARE_BYTES,
                  planes_spare_holds_four_components);

/* Exchange the bits of b under `mask` with the bits of a that are `shift`
 * places higher. */
#define SWAP_BITS(a, b, shift, mask)                                           \
    do {                                                                       \
        const vi t =                                                           \
            vi_and(vi_xor(vi_right16(a, shift), b), vi_set8((char)(mask)));    \
                                                                               \
        (b) = vi_xor(b, t);                                                    \
        (a) = vi_xor(a, vi_left16(t, shift));                                  \
    } while (0)

/* Step 1 for eight planes, the highest first. Written without loops, because
 * GCC unrolls them only at -O3, and vectors in arrays are slow. */
static inline void load_bytes(const uint8_t *plane, size_t stride, vi v[8])
{
    vi h = vi_load(plane);
    vi g = vi_load(plane + stride);
    vi f = vi_load(plane + 2 * stride);
    vi e = vi_load(plane + 3 * stride);
    vi d = vi_load(plane + 4 * stride);
    vi c = vi_load(plane + 5 * stride);
    vi b = vi_load(plane + 6 * stride);
    vi a = vi_load(plane + 7 * stride);

    SWAP_BITS(a, e, 4, 0x0f);
    SWAP_BITS(b, f, 4, 0x0f);
    SWAP_BITS(c, g, 4, 0x0f);
    SWAP_BITS(d, h, 4, 0x0f);
    SWAP_BITS(a, c, 2, 0x33);
    SWAP_BITS(b, d, 2, 0x33);
    SWAP_BITS(e, g, 2, 0x33);
    SWAP_BITS(f, h, 2, 0x33);
    SWAP_BITS(a, b, 1, 0x55);
    SWAP_BITS(c, d, 1, 0x55);
    SWAP_BITS(e, f, 1, 0x55);
    SWAP_BITS(g, h, 1, 0x55);
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    v[4] = e;
    v[5] = f;
    v[6] = g;
    v[7] = h;
}

/* Whether eight planes have only zeros. The high planes of small residuals do.
 */
static inline bool is_empty(const uint8_t *plane, size_t stride)
{
    const vi a = vi_or(vi_load(plane), vi_load(plane + stride));
    const vi b =
        vi_or(vi_load(plane + 2 * stride), vi_load(plane + 3 * stride));
    const vi c =
        vi_or(vi_load(plane + 4 * stride), vi_load(plane + 5 * stride));
    const vi d =
        vi_or(vi_load(plane + 6 * stride), vi_load(plane + 7 * stride));

    return vi_is_zero(vi_or(vi_or(a, b), vi_or(c, d)));
}

/* planes_residual_u16: ((z >> 1) ^ ((z & 1) - 1)) + 1. */
static inline vi residual_of(vi z)
{
    const vi odd = vi_and(z, vi_set16(1));
    const vi flip = vi_add16(odd, vi_set16(-1));

    return vi_add16(vi_xor(vi_right16(z, 1), flip), vi_set16(1));
}

/* Step 2 for half of the words: those that `half` makes of the low and the
 * high bytes. Word j of the eighth i becomes word i of out[j]. */
#define STORE_WORDS(half, low, high, out)                                      \
    do {                                                                       \
        const vi w0 = residual_of(half((low)[0], high(0)));                    \
        const vi w1 = residual_of(half((low)[1], high(1)));                    \
        const vi w2 = residual_of(half((low)[2], high(2)));                    \
        const vi w3 = residual_of(half((low)[3], high(3)));                    \
        const vi w4 = residual_of(half((low)[4], high(4)));                    \
        const vi w5 = residual_of(half((low)[5], high(5)));                    \
        const vi w6 = residual_of(half((low)[6], high(6)));                    \
        const vi w7 = residual_of(half((low)[7], high(7)));                    \
                                                                               \
        store_transposed(vi_zip_low16(w0, w1), vi_zip_low16(w2, w3),           \
                         vi_zip_low16(w4, w5), vi_zip_low16(w6, w7), (out));   \
        store_transposed(vi_zip_high16(w0, w1), vi_zip_high16(w2, w3),         \
                         vi_zip_high16(w4, w5), vi_zip_high16(w6, w7),         \
                         (out) + 4);                                           \
    } while (0)

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

#define FROM_HIGH(i) high[i]
#define FROM_NOTHING(i) vi_zero()

/* Steps 1 and 2 for one component: 16 vectors of vertices in order. */
static inline void join_component(const uint8_t *plane, size_t stride, vi *out)
{
    vi low[8];
    vi high[8];

    load_bytes(plane + 8 * stride, stride, low);
    if (is_empty(plane, stride)) {
        STORE_WORDS(vi_zip_low8, low, FROM_NOTHING, out);
        STORE_WORDS(vi_zip_high8, low, FROM_NOTHING, out + 8);
        return;
    }
    load_bytes(plane, stride, high);
    STORE_WORDS(vi_zip_low8, low, FROM_HIGH, out);
    STORE_WORDS(vi_zip_high8, low, FROM_HIGH, out + 8);
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
