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
    for (size_t i = 0; i < 8; i++)
        v[7 - i] = load(plane + i * stride, bytes);
    swap_bits(&v[0], &v[4], 4, HALVES);
    swap_bits(&v[1], &v[5], 4, HALVES);
    swap_bits(&v[2], &v[6], 4, HALVES);
    swap_bits(&v[3], &v[7], 4, HALVES);
    swap_bits(&v[0], &v[2], 2, QUARTERS);
    swap_bits(&v[1], &v[3], 2, QUARTERS);
    swap_bits(&v[4], &v[6], 2, QUARTERS);
    swap_bits(&v[5], &v[7], 2, QUARTERS);
    swap_bits(&v[0], &v[1], 1, BITS);
    swap_bits(&v[2], &v[3], 1, BITS);
    swap_bits(&v[4], &v[5], 1, BITS);
    swap_bits(&v[6], &v[7], 1, BITS);
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
            const size_t bytes = stride - at < 8 ? stride - at : 8;
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

static void join_u8(uint8_t *residuals, const uint8_t *planes, uint32_t count,
                    uint32_t components)
{
    const size_t stride = count / 8;
    const size_t limit = (size_t)count * components;

    for (uint32_t k = 0; k < components; k++) {
        const uint8_t *plane = planes + k * 8 * stride;
        uint8_t *out = residuals + k;

        for (size_t at = 0; at < stride; at += 8) {
            const size_t bytes = stride - at < 8 ? stride - at : 8;
            uint64_t v[8];

            transpose(plane + at, stride, bytes, v);
            for (size_t i = 0; i < 8 * bytes; i += 8)
                for (int j = 0; j < 8; j++, out += components)
                    *out = (uint8_t)planes_residual_u16(
                        (uint32_t)(v[j] >> i & 0xff));
        }
    }
    for (size_t i = 8 * stride * components; i < limit; i++)
        residuals[i] = (uint8_t)planes_residual_u16(planes[i]);
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
