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

/* Component k of items of `components`. */
#define DEQUANTIZE(components, min, step)                                      \
    for (size_t k = 0; k < (components); k++) {                                \
        uint32_t *restrict column = out + k * pitch;                           \
        const float least = (min)[k];                                          \
        const float step_size = (step)[k];                                     \
                                                                               \
        for (size_t i = 0; i < count; i++) {                                   \
            const float value = between(floor[i * (components) + k],           \
                                        ceil[i * (components) + k], alpha);    \
                                                                               \
            column[i] = fill_word(least + value * step_size);                  \
        }                                                                      \
    }

static void position(uint32_t *restrict out, size_t pitch,
                     const uint16_t *restrict floor,
                     const uint16_t *restrict ceil, float alpha, uint32_t count,
                     const struct fill_constants *constants)
{
    DEQUANTIZE(3u, constants->position_min, constants->position_step)
}

static void uv(uint32_t *restrict out, size_t pitch,
               const uint16_t *restrict floor, const uint16_t *restrict ceil,
               float alpha, uint32_t count,
               const struct fill_constants *constants)
{
    DEQUANTIZE(2u, constants->uv_min, constants->uv_step)
}

static void color(uint32_t *restrict out, size_t pitch,
                  const uint8_t *restrict floor, const uint8_t *restrict ceil,
                  float alpha, uint32_t count, float one)
{
    for (size_t k = 0; k < 4; k++) {
        uint32_t *restrict column = out + k * pitch;

        for (size_t i = 0; i < count; i++)
            column[i] = fill_word(
                between(floor[i * 4 + k], ceil[i * 4 + k], alpha) / one);
    }
}

static void qtangent(uint32_t *restrict out, size_t pitch,
                     const int16_t *restrict floor,
                     const int16_t *restrict ceil, float alpha, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
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
        const uint32_t is_direction = squared >= FILL_LENGTH_SQUARED_MIN;
        const uint32_t mask = 0u - is_direction;
        const uint32_t one = fill_word(1.0f);
        const uint32_t safe = (fill_word(squared) & mask) | (one & ~mask);
        const float inverse = 1.0f / root_of_normal(fill_float(safe));

        out[i] = fill_word(x * inverse) & mask;
        out[pitch + i] = fill_word(y * inverse) & mask;
        out[2 * pitch + i] = fill_word(z * inverse) & mask;
        out[3 * pitch + i] = (fill_word(w * inverse) & mask) | (one & ~mask);
    }
}

static void normal(uint32_t *restrict out, const uint32_t *restrict quaternion,
                   size_t pitch, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float x = fill_float(quaternion[i]);
        const float y = fill_float(quaternion[pitch + i]);
        const float z = fill_float(quaternion[2 * pitch + i]);
        const float w = fill_float(quaternion[3 * pitch + i]);

        out[i] = fill_word(2.0f * (x * z + y * w));
        out[pitch + i] = fill_word(2.0f * (y * z - x * w));
        out[2 * pitch + i] = fill_word(1.0f - 2.0f * (x * x + y * y));
    }
}

static void tangent(uint32_t *restrict out, const uint32_t *restrict quaternion,
                    size_t pitch, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float x = fill_float(quaternion[i]);
        const float y = fill_float(quaternion[pitch + i]);
        const float z = fill_float(quaternion[2 * pitch + i]);
        const float w = fill_float(quaternion[3 * pitch + i]);

        out[i] = fill_word(1.0f - 2.0f * (y * y + z * z));
        out[pitch + i] = fill_word(2.0f * (x * y + z * w));
        out[2 * pitch + i] = fill_word(2.0f * (x * z - y * w));
    }
}

static void handedness(uint32_t *restrict out,
                       const uint8_t *restrict reflection, uint32_t first,
                       uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t bit = first + i;
        const uint32_t is_set = reflection[bit >> 3] >> (bit & 7) & 1u;

        out[i] = fill_word(1.0f) | is_set << 31;
    }
}

/* In place, so without restrict: the columns of one vertex are read before
 * they are written. */
static void orient(uint32_t *out, const uint32_t *quaternion,
                   const uint32_t *hand, size_t pitch, uint32_t count)
{
    const uint32_t sign = 0x80000000u;
    /* Floats without a sign are ordered as their bits are. */
    const uint32_t least = fill_word(FILL_W_MIN);

    for (size_t i = 0; i < count; i++) {
        const uint32_t w = quaternion[3 * pitch + i];
        const uint32_t flip = (w ^ hand[i]) & sign;
        const uint32_t size = w & ~sign;

        out[i] = quaternion[i] ^ flip;
        out[pitch + i] = quaternion[pitch + i] ^ flip;
        out[2 * pitch + i] = quaternion[2 * pitch + i] ^ flip;
        out[3 * pitch + i] = (size > least ? size : least) | (hand[i] & sign);
    }
}

static void store(uint8_t *target, const size_t *bytes, const uint32_t *in,
                  size_t pitch, uint32_t column_count, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = target + bytes[i];

        for (size_t k = 0; k < column_count; k++)
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
