/* fill_scalar.c - the specification of the fill's arithmetic.
 *
 * Every SIMD variant does these operations in this order, each rounded once;
 * it may do them for several vertices at a time, nothing else.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/fill.h"

#include "base/mem.h"
#include "geom/root.h"

/* Exact for alpha 0 and 1: differences of quantized values are floats. */
static inline float between(float floor, float ceil, float alpha)
{
    return floor + (ceil - floor) * alpha;
}

static void position(union fill_word *restrict out, uint32_t pitch,
                     const uint16_t *restrict floor,
                     const uint16_t *restrict ceil, float alpha, uint32_t count,
                     const struct fill_constants *constants)
{
    for (uint32_t k = 0; k < 3; k++) {
        union fill_word *restrict column = out + k * pitch;
        const float min = constants->position_min[k];
        const float step = constants->position_step[k];

        for (uint32_t i = 0; i < count; i++)
            column[i].f =
                min + between(floor[i * 3 + k], ceil[i * 3 + k], alpha) * step;
    }
}

static void uv(union fill_word *restrict out, uint32_t pitch,
               const uint16_t *restrict floor, const uint16_t *restrict ceil,
               float alpha, uint32_t count,
               const struct fill_constants *constants)
{
    for (uint32_t k = 0; k < 2; k++) {
        union fill_word *restrict column = out + k * pitch;
        const float min = constants->uv_min[k];
        const float step = constants->uv_step[k];

        for (uint32_t i = 0; i < count; i++)
            column[i].f =
                min + between(floor[i * 2 + k], ceil[i * 2 + k], alpha) * step;
    }
}

static void color(union fill_word *restrict out, uint32_t pitch,
                  const uint8_t *restrict floor, const uint8_t *restrict ceil,
                  float alpha, uint32_t count, float one)
{
    for (uint32_t k = 0; k < 4; k++) {
        union fill_word *restrict column = out + k * pitch;

        for (uint32_t i = 0; i < count; i++)
            column[i].f =
                between(floor[i * 4 + k], ceil[i * 4 + k], alpha) / one;
    }
}

static void qtangent(union fill_word *restrict out, uint32_t pitch,
                     const int16_t *restrict floor,
                     const int16_t *restrict ceil, float alpha, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float ax = floor[i * 4];
        const float ay = floor[i * 4 + 1];
        const float az = floor[i * 4 + 2];
        const float aw = floor[i * 4 + 3];
        const float bx = ceil[i * 4];
        const float by = ceil[i * 4 + 1];
        const float bz = ceil[i * 4 + 2];
        const float bw = ceil[i * 4 + 3];
        /* q and -q are one rotation: take the ceil that is nearer. */
        const float dot = ((ax * bx + ay * by) + az * bz) + aw * bw;
        const float sign = dot < 0 ? -1.0f : 1.0f;
        const float x = between(ax, bx * sign, alpha);
        const float y = between(ay, by * sign, alpha);
        const float z = between(az, bz * sign, alpha);
        const float w = between(aw, bw * sign, alpha);
        const float squared = ((x * x + y * y) + z * z) + w * w;
        const int is_direction = squared >= FILL_LENGTH_SQUARED_MIN;
        const float safe = is_direction ? squared : 1.0f;
        const float inverse = 1.0f / root_of_normal(safe);

        out[i].f = is_direction ? x * inverse : 0;
        out[pitch + i].f = is_direction ? y * inverse : 0;
        out[2 * pitch + i].f = is_direction ? z * inverse : 0;
        out[3 * pitch + i].f = is_direction ? w * inverse : 1.0f;
    }
}

static void normal(union fill_word *restrict out,
                   const union fill_word *restrict quaternion, uint32_t pitch,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float x = quaternion[i].f;
        const float y = quaternion[pitch + i].f;
        const float z = quaternion[2 * pitch + i].f;
        const float w = quaternion[3 * pitch + i].f;

        out[i].f = 2.0f * (x * z + y * w);
        out[pitch + i].f = 2.0f * (y * z - x * w);
        out[2 * pitch + i].f = 1.0f - 2.0f * (x * x + y * y);
    }
}

static void tangent(union fill_word *restrict out,
                    const union fill_word *restrict quaternion, uint32_t pitch,
                    uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float x = quaternion[i].f;
        const float y = quaternion[pitch + i].f;
        const float z = quaternion[2 * pitch + i].f;
        const float w = quaternion[3 * pitch + i].f;

        out[i].f = 1.0f - 2.0f * (y * y + z * z);
        out[pitch + i].f = 2.0f * (x * y + z * w);
        out[2 * pitch + i].f = 2.0f * (x * z - y * w);
    }
}

static void handedness(union fill_word *restrict out,
                       const uint8_t *restrict reflection, uint32_t first,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bit = first + i;

        out[i].f = reflection[bit >> 3] >> (bit & 7) & 1 ? -1.0f : 1.0f;
    }
}

static void orient(union fill_word *out, const union fill_word *quaternion,
                   const union fill_word *hand, uint32_t pitch, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t sign = 0x80000000u;
        const uint32_t w = quaternion[3 * pitch + i].u;
        const uint32_t flip = (w ^ hand[i].u) & sign;
        union fill_word size;

        size.u = w & ~sign;
        size.f = size.f > FILL_W_MIN ? size.f : FILL_W_MIN;
        out[i].u = quaternion[i].u ^ flip;
        out[pitch + i].u = quaternion[pitch + i].u ^ flip;
        out[2 * pitch + i].u = quaternion[2 * pitch + i].u ^ flip;
        out[3 * pitch + i].u = size.u | (hand[i].u & sign);
    }
}

static void store(uint8_t *target, uint32_t stride, const union fill_word *in,
                  uint32_t pitch, uint32_t column_count, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *at = target + (size_t)i * stride;

        for (uint32_t k = 0; k < column_count; k++)
            memcpy(at + 4 * k, &in[k * pitch + i], 4);
    }
}

void spn__fill_ops_scalar(struct fill_ops *ops)
{
    ops->position = position;
    ops->uv = uv;
    ops->color = color;
    ops->qtangent = qtangent;
    ops->normal = normal;
    ops->tangent = tangent;
    ops->handedness = handedness;
    ops->orient = orient;
    ops->store = store;
}
