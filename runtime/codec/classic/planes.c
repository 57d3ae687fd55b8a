/* planes.c - bit planes to residuals: the scalar kernels, which are the
 * specification.
 *
 * Eight bytes of each of eight planes are loaded as eight 64-bit numbers. Byte
 * i of these numbers is a matrix of 8 x 8 bits. All eight matrices are
 * transposed at once, by swapping halves, quarters and bits between pairs of
 * numbers. Then byte i of number j has the value of vertex 8 i + j.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#include "base/endian.h"

static uint64_t load(const uint8_t *plane, size_t bytes)
{
    uint64_t value = 0;

    if (bytes >= 8)
        return spn_load_u64le(plane);
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)plane[i] << (8 * i);
    return value;
}

#define HALVES 0x0f0f0f0fu
#define QUARTERS 0x33333333u
#define BITS 0x55555555u

/* Exchange the bits of b under `mask` with the bits of a that are `shift`
 * places higher, in both halves. */
static inline void swap_bits(uint64_t *a, uint64_t *b, unsigned shift,
                             uint32_t mask)
{
    const uint64_t both = (uint64_t)mask << 32 | mask;
    const uint64_t t = ((*a >> shift) ^ *b) & both;

    *b ^= t;
    *a ^= t << shift;
}

/* Load eight planes, the highest first, which are `stride` bytes apart and have
 * `bytes` bytes left. */
static void transpose(const uint8_t *plane, size_t stride, size_t bytes,
                      uint64_t v[8])
{
    uint64_t h = load(plane, bytes);
    uint64_t g = load(plane + stride, bytes);
    uint64_t f = load(plane + 2 * stride, bytes);
    uint64_t e = load(plane + 3 * stride, bytes);
    uint64_t d = load(plane + 4 * stride, bytes);
    uint64_t c = load(plane + 5 * stride, bytes);
    uint64_t b = load(plane + 6 * stride, bytes);
    uint64_t a = load(plane + 7 * stride, bytes);

    swap_bits(&a, &e, 4, HALVES);
    swap_bits(&b, &f, 4, HALVES);
    swap_bits(&c, &g, 4, HALVES);
    swap_bits(&d, &h, 4, HALVES);
    swap_bits(&a, &c, 2, QUARTERS);
    swap_bits(&b, &d, 2, QUARTERS);
    swap_bits(&e, &g, 2, QUARTERS);
    swap_bits(&f, &h, 2, QUARTERS);
    swap_bits(&a, &b, 1, BITS);
    swap_bits(&c, &d, 1, BITS);
    swap_bits(&e, &f, 1, BITS);
    swap_bits(&g, &h, 1, BITS);
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
    v[4] = e;
    v[5] = f;
    v[6] = g;
    v[7] = h;
}

static size_t at_most_eight(size_t bytes)
{
    return bytes < 8 ? bytes : 8;
}

void spn__planes_join_u16(uint16_t *residuals, const uint8_t *planes,
                          uint32_t count, uint32_t components, void *spare)
{
    const size_t stride = count / 8;

    (void)spare;
    for (uint32_t k = 0; k < components; k++) {
        const uint8_t *plane = planes + k * 16 * stride;
        uint16_t *out = residuals + k;

        for (size_t at = 0; at < stride; at += 8) {
            const size_t bytes = at_most_eight(stride - at);
            uint64_t high[8];
            uint64_t low[8];

            transpose(plane + at, stride, bytes, high);
            transpose(plane + at + 8 * stride, stride, bytes, low);
            for (size_t i = 0; i < 8 * bytes; i += 8)
                for (int j = 0; j < 8; j++, out += components)
                    *out = planes_residual_u16((uint32_t)(low[j] >> i & 0xff) |
                                               (uint32_t)(high[j] >> i & 0xff)
                                                   << 8);
        }
    }
    planes_tail_u16(residuals, planes, count, components);
}

static uint8_t residual_u8(uint32_t z)
{
    return (uint8_t)(((z >> 1) ^ ((z & 1u) - 1u)) + 1u);
}

static void join_u8(uint8_t *residuals, const uint8_t *planes, uint32_t count,
                    uint32_t components)
{
    const size_t stride = count / 8;
    const size_t limit = (size_t)count * components;

    for (uint32_t k = 0; k < components; k++) {
        const uint8_t *plane = planes + k * 8 * stride;
        uint8_t *out = residuals + k;

        for (size_t at = 0; at < stride; at += 8) {
            const size_t bytes = at_most_eight(stride - at);
            uint64_t v[8];

            transpose(plane + at, stride, bytes, v);
            for (size_t i = 0; i < 8 * bytes; i += 8)
                for (int j = 0; j < 8; j++, out += components)
                    *out = residual_u8((uint32_t)(v[j] >> i & 0xff));
        }
    }
    for (size_t i = 8 * stride * components; i < limit; i++)
        residuals[i] = residual_u8(planes[i]);
}

void spn__planes_join(const struct predict_ops *ops, enum channel channel,
                      const uint8_t *planes, uint32_t count, void *residuals,
                      void *spare)
{
    const uint32_t components = channel_components(channel);

    if (channel_form(channel) == FORM_U8X4)
        join_u8(residuals, planes, count, components);
    else
        ops->join_u16(residuals, planes, count, components, spare);
}
