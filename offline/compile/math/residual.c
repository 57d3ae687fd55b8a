/* residual.c - the inverse of codec/classic/predict.h and
 * codec/classic/planes.h.
 *
 * All values of the stream are known, so nothing is done in place, and
 * compilers can vectorize every loop. Differences wrap around at the width of
 * the type.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/residual.h"

#include "base/endian.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Terms of the prediction of component k of vertex i. */
#define BEFORE(n) (i > 0 ? values[((size_t)i - 1) * (n) + k] : 0)
#define AT(distance, n) values[(size_t)(i - (distance)) * (n) + k]

/* NOLINTBEGIN(bugprone-macro-parentheses): types have none. */
#define SPATIAL(name, type, n, guess)                                          \
    static void name(const struct predict_stream *s, const type *values,       \
                     uint32_t first, uint32_t count, type *residuals)          \
    {                                                                          \
        for (uint32_t i = first; i - first < count; i++) {                     \
            const struct predict_entry *e = &s->entries[i];                    \
                                                                               \
            for (uint32_t k = 0; k < (n); k++) {                               \
                int32_t prediction =                                           \
                    e->u == PREDICT_NO_TRIANGLE ? BEFORE(n) : (guess);         \
                                                                               \
                residuals[(size_t)(i - first) * (n) + k] =                     \
                    (type)(values[(size_t)i * (n) + k] - prediction);          \
            }                                                                  \
        }                                                                      \
    }

#define PARALLELOGRAM(n) (AT(e->u, n) + AT(e->v, n) - AT(e->w, n))
#define AVERAGE(n) ((AT(e->u, n) + AT(e->v, n)) / 2)

SPATIAL(spatial_u16x3, uint16_t, 3u, PARALLELOGRAM(3u))
SPATIAL(spatial_u16x2, uint16_t, 2u, PARALLELOGRAM(2u))
SPATIAL(spatial_i16x4, int16_t, 4u, AVERAGE(4u))
SPATIAL(spatial_u8x4, uint8_t, 4u, AVERAGE(4u))

/* x * weight / 2^shift, rounded down. All supported compilers shift negative
 * numbers arithmetically. */
#define FLOOR(x, weight, shift) (((x) * (weight)) >> (shift))

#define TEMPORAL(name, type)                                                   \
    static void name(const struct predict_stream *s, const type *values,       \
                     size_t first, size_t count, type *residuals)              \
    {                                                                          \
        const type *x = values + first;                                        \
        const type *f = (const type *)s->floor_index + first;                  \
        const type *c = (const type *)s->ceil_index + first;                   \
        const type *p = (const type *)s->previous + first;                     \
        const type *q = (const type *)s->previous_two + first;                 \
        const int32_t wa = s->a;                                               \
        const int32_t wb = s->b;                                               \
        const int32_t wc = s->c;                                               \
                                                                               \
        for (size_t i = 0; i < count; i++) {                                   \
            type lerp = (type)(f[i] + FLOOR(c[i] - f[i], wb, 8));              \
            type motion = (type)(p[i] + FLOOR(p[i] - q[i], wa, 7));            \
            int32_t guess = lerp + FLOOR(motion - lerp, wc, 7);                \
                                                                               \
            residuals[i] = (type)(x[i] - guess);                               \
        }                                                                      \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

TEMPORAL(temporal_u16, uint16_t)
TEMPORAL(temporal_i16, int16_t)
TEMPORAL(temporal_u8, uint8_t)

static void make_spatial(const struct predict_stream *s, const void *values,
                         uint32_t first, uint32_t count, void *residuals)
{
    switch (channel_form(s->channel)) {
    case FORM_U16X3:
        spatial_u16x3(s, values, first, count, residuals);
        return;
    case FORM_I16X4:
        spatial_i16x4(s, values, first, count, residuals);
        return;
    case FORM_U16X2:
        spatial_u16x2(s, values, first, count, residuals);
        return;
    case FORM_U8X4:
        spatial_u8x4(s, values, first, count, residuals);
        return;
    }
}

void residual_make(const struct predict_stream *s, const void *values,
                   uint32_t first, uint32_t count, void *residuals)
{
    size_t n = channel_components(s->channel);
    size_t vertex_bytes = channel_vertex_bytes(s->channel);

    if (s->coding == CODING_SPATIAL)
        make_spatial(s, values, first, count, residuals);
    else if (s->coding == CODING_PLAIN)
        memcpy(residuals, (const uint8_t *)values + first * vertex_bytes,
               count * vertex_bytes);
    else if (channel_form(s->channel) == FORM_I16X4)
        temporal_i16(s, values, first * n, count * n, residuals);
    else if (channel_form(s->channel) == FORM_U8X4)
        temporal_u8(s, values, first * n, count * n, residuals);
    else
        temporal_u16(s, values, first * n, count * n, residuals);
}

/* -- planes -- */

/* Zigzag code of -r: 0, -1, 1, -2 ... become 0, 1, 2, 3 ... */
static uint32_t fold_u16(uint16_t r)
{
    uint32_t x = (uint16_t)-r;

    return (x << 1 ^ (0u - (x >> 15))) & 0xffff;
}

static uint32_t fold_u8(uint8_t r)
{
    uint32_t x = (uint8_t)-r;

    return (x << 1 ^ (0u - (x >> 7))) & 0xff;
}

/* Swap the bits under `mask` of b with the bits `shift` places higher of a. */
static inline void swap_bits(uint64_t *a, uint64_t *b, int shift, uint64_t mask)
{
    uint64_t t = ((*a >> shift) ^ *b) & mask;

    *b ^= t;
    *a ^= t << shift;
}

/* Transpose 8 x 8 bits eight times. Byte i of v[j] is a byte of vertex 8 i + j.
 * Writes `count` bytes of each of the eight bit planes, the highest bit first.
 */
static void put_planes(uint64_t v[8], uint8_t *plane, size_t stride,
                       size_t count)
{
    for (int j = 0; j < 4; j++)
        swap_bits(&v[j], &v[j + 4], 4, 0x0f0f0f0f0f0f0f0fu);
    for (int j = 0; j < 8; j += j % 4 == 1 ? 3 : 1)
        swap_bits(&v[j], &v[j + 2], 2, 0x3333333333333333u);
    for (int j = 0; j < 8; j += 2)
        swap_bits(&v[j], &v[j + 1], 1, 0x5555555555555555u);
    for (int b = 7; b >= 0; b--, plane += stride) {
        if (count == 8)
            spn_store_u64le(plane, v[b]);
        for (size_t i = 0; count < 8 && i < count; i++)
            plane[i] = (uint8_t)(v[b] >> (8 * i));
    }
}

static size_t at_most_eight(size_t bytes)
{
    return bytes < 8 ? bytes : 8;
}

static void split_u16(const uint16_t *residuals, uint32_t count, size_t n,
                      uint8_t *bytes)
{
    size_t stride = count / 8;

    for (size_t k = 0; k < n; k++) {
        const uint16_t *r = residuals + k;
        uint8_t *plane = bytes + k * 16 * stride;

        for (size_t at = 0; at < stride; at += 8) {
            size_t groups = at_most_eight(stride - at);
            uint64_t low[8] = {0};
            uint64_t high[8] = {0};

            for (size_t i = 0; i < 8 * groups; i += 8)
                for (int j = 0; j < 8; j++, r += n) {
                    uint64_t z = fold_u16(*r);

                    low[j] |= (z & 0xff) << i;
                    high[j] |= (z >> 8) << i;
                }
            put_planes(high, plane + at, stride, groups);
            put_planes(low, plane + at + 8 * stride, stride, groups);
        }
    }
    for (size_t i = 8 * stride * n; i < count * n; i++)
        spn_store_u16le(bytes + 2 * i, (uint16_t)fold_u16(residuals[i]));
}

static void split_u8(const uint8_t *residuals, uint32_t count, size_t n,
                     uint8_t *bytes)
{
    size_t stride = count / 8;

    for (size_t k = 0; k < n; k++) {
        const uint8_t *r = residuals + k;
        uint8_t *plane = bytes + k * 8 * stride;

        for (size_t at = 0; at < stride; at += 8) {
            size_t groups = at_most_eight(stride - at);
            uint64_t v[8] = {0};

            for (size_t i = 0; i < 8 * groups; i += 8)
                for (int j = 0; j < 8; j++, r += n)
                    v[j] |= (uint64_t)fold_u8(*r) << i;
            put_planes(v, plane + at, stride, groups);
        }
    }
    for (size_t i = 8 * stride * n; i < count * n; i++)
        bytes[i] = (uint8_t)fold_u8(residuals[i]);
}

void residual_store(enum channel channel, enum residual_order order,
                    const void *residuals, uint32_t count, uint8_t *bytes)
{
    size_t n = channel_components(channel);
    const bool is_bytes = channel_form(channel) == FORM_U8X4;

    if (order == ORDER_PLANES && is_bytes) {
        split_u8(residuals, count, n, bytes);
    } else if (order == ORDER_PLANES) {
        split_u16(residuals, count, n, bytes);
    } else {
        memcpy(bytes, residuals, (size_t)count * channel_vertex_bytes(channel));
        if (!is_bytes)
            spn_swap_u16le(bytes, count * (uint32_t)n);
    }
}
