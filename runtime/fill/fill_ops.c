/* fill_ops.c - the scalar kernels.
 *
 * A SIMD kernel does these operations in this order, each rounded once, for
 * several vertices at a time.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_ops.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "codec/lift/root.h"
#include "fill/fill_pack.h"

/* Destination of floats: the target, or `scratch` if they must be packed. */
static uint32_t *columns_of(const struct fill_ops *ops,
                            const struct fill_target *target, uint32_t *scratch)
{
    return ops->pack[target->format] != NULL ? scratch : target->out;
}

static void finish(const struct fill_ops *ops, const struct fill_target *target,
                   const uint32_t *columns, size_t pitch, uint32_t count)
{
    const spn_format format = target->format;

    if (columns != target->out)
        ops->pack[format](target->out, columns, pitch, count);
}

/* Dequantize and interpolate the components of a channel. */
static inline void dequantize(uint32_t *columns,
                              const struct fill_values *values,
                              uint32_t components,
                              const struct fill_range *range)
{
    for (size_t k = 0; k < components; k++) {
        const uint16_t *restrict floor = (const uint16_t *)values->floor + k;
        const uint16_t *restrict ceil = (const uint16_t *)values->ceil + k;
        uint32_t *restrict column = columns + k * values->pitch;
        const size_t count = values->count;
        const float alpha = values->alpha;
        const float least = range->min[k];
        const float step_size = range->step[k];

        for (size_t i = 0; i < count; i++) {
            const float value = fill_between(floor[i * components],
                                             ceil[i * components], alpha);

            column[i] = fill_word(least + value * step_size);
        }
    }
}

static void position(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values,
                     const struct fill_range *range)
{
    uint32_t scratch[4 * FILL_BATCH];
    uint32_t *columns = columns_of(ops, to, scratch);

    dequantize(columns, values, 3, range);
    if (columns != to->out)
        for (size_t i = 0; i < values->count; i++)
            columns[3 * values->pitch + i] = fill_word(range->fourth);
    finish(ops, to, columns, values->pitch, values->count);
}

static void velocity(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values, const float scale[3])
{
    uint32_t scratch[4 * FILL_BATCH];
    uint32_t *columns = columns_of(ops, to, scratch);
    const size_t count = values->count;

    for (size_t k = 0; k < 3; k++) {
        const uint16_t *restrict floor = (const uint16_t *)values->floor + k;
        const uint16_t *restrict ceil = (const uint16_t *)values->ceil + k;
        uint32_t *restrict column = columns + k * values->pitch;

        for (size_t i = 0; i < count; i++)
            column[i] =
                fill_word((float)(ceil[3 * i] - floor[3 * i]) * scale[k]);
    }
    if (columns == scratch)
        memset(columns + 3 * values->pitch, 0, 4 * count);
    finish(ops, to, columns, values->pitch, values->count);
}

static void uv(const struct fill_ops *ops, const struct fill_target *to,
               const struct fill_values *values, const struct fill_range *range)
{
    uint32_t scratch[2 * FILL_BATCH];
    uint32_t *columns = columns_of(ops, to, scratch);

    dequantize(columns, values, 2, range);
    finish(ops, to, columns, values->pitch, values->count);
}

static void color(const struct fill_ops *ops, const struct fill_target *to,
                  const struct fill_values *values)
{
    uint32_t scratch[4 * FILL_BATCH];
    uint32_t *columns = columns_of(ops, to, scratch);
    /* Packers of bytes expect values of 0..255. */
    const float one = columns == to->out ? 255.0f : 1.0f;

    for (size_t k = 0; k < 4; k++) {
        const uint8_t *restrict floor = (const uint8_t *)values->floor + k;
        const uint8_t *restrict ceil = (const uint8_t *)values->ceil + k;
        uint32_t *restrict column = columns + k * values->pitch;
        const size_t count = values->count;
        const float alpha = values->alpha;

        for (size_t i = 0; i < count; i++)
            column[i] =
                fill_word(fill_between(floor[i * 4], ceil[i * 4], alpha) / one);
    }
    finish(ops, to, columns, values->pitch, values->count);
}

/* Tangent frames. */

/* Interpolated QTangents q, and their squared lengths; 1 if q has no direction.
 */
struct quaternions {
    float x[FILL_BATCH];
    float y[FILL_BATCH];
    float z[FILL_BATCH];
    float w[FILL_BATCH];
    float squared[FILL_BATCH];
};

/* A component of q.
 *
 * sign  0, or -1 to negate ceil */
static inline int32_t interpolate(int32_t floor, int32_t ceil, int32_t sign,
                                  int32_t alpha)
{
    const int32_t nearer = (ceil ^ sign) - sign;
    const int32_t moved = (int16_t)((nearer - floor) * 32);

    return (int16_t)(floor * 32 + ((moved * alpha + (1 << 14)) >> 15));
}

static void find_quaternions(struct quaternions *restrict out,
                             const int16_t *restrict floor,
                             const int16_t *restrict ceil, int32_t alpha,
                             uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t ax = floor[i * 4];
        const int32_t ay = floor[i * 4 + 1];
        const int32_t az = floor[i * 4 + 2];
        const int32_t aw = floor[i * 4 + 3];
        const int32_t bx = ceil[i * 4];
        const int32_t by = ceil[i * 4 + 1];
        const int32_t bz = ceil[i * 4 + 2];
        const int32_t bw = ceil[i * 4 + 3];
        /* q and -q are the same rotation: use the nearer ceil. */
        const uint32_t dot = (uint32_t)(ax * bx) + (uint32_t)(ay * by) +
                             (uint32_t)(az * bz) + (uint32_t)(aw * bw);
        const int32_t sign = (int32_t)dot < 0 ? -1 : 0;
        const int32_t x = interpolate(ax, bx, sign, alpha);
        const int32_t y = interpolate(ay, by, sign, alpha);
        const int32_t z = interpolate(az, bz, sign, alpha);
        const int32_t w = interpolate(aw, bw, sign, alpha);
        const uint32_t squared = (uint32_t)(x * x) + (uint32_t)(y * y) +
                                 (uint32_t)(z * z) + (uint32_t)(w * w);
        const uint32_t mask = (int32_t)squared < FILL_SQUARED_MIN ? 0u : ~0u;

        out->x[i] = (float)x;
        out->y[i] = (float)y;
        out->z[i] = (float)z;
        out->w[i] = (float)w;
        out->squared[i] = (float)(int32_t)((squared & mask) | (1u & ~mask));
    }
}

static inline uint32_t mask_of(float squared)
{
    return squared < (float)FILL_SQUARED_MIN ? 0u : ~0u;
}

/* The factor s of struct fill_frame. */
static inline float scale_of(float squared)
{
    return fill_float(fill_word(2.0f / squared) & mask_of(squared));
}

/* The image of axis c under the rotation (a, b, c, w). Components (x, y, z) in
 * this order give the normal, (y, z, x) the tangent. */
static void find_axis(const struct quaternions *restrict q, const float *a,
                      const float *b, const float *c, uint32_t *restrict out_a,
                      uint32_t *restrict out_b, uint32_t *restrict out_c,
                      uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float s = scale_of(q->squared[i]);
        const float ac_bw = a[i] * c[i] + b[i] * q->w[i];
        const float bc_aw = b[i] * c[i] - a[i] * q->w[i];
        const float aa_bb = a[i] * a[i] + b[i] * b[i];

        out_a[i] = fill_word(ac_bw * s);
        out_b[i] = fill_word(bc_aw * s);
        out_c[i] = fill_word(1.0f - aa_bb * s);
    }
}

static void find_qtangents(uint32_t *restrict out,
                           const struct quaternions *restrict q,
                           const uint32_t *restrict hand, size_t pitch,
                           uint32_t count)
{
    const uint32_t sign = 0x80000000u;
    const uint32_t one = fill_word(1.0f);
    /* Positive floats compare as their bits do. */
    const uint32_t least = fill_word(FILL_W_MIN);

    for (size_t i = 0; i < count; i++) {
        const uint32_t mask = mask_of(q->squared[i]);
        const float inverse = 1.0f / spn__float_root(q->squared[i]);
        const uint32_t w =
            (fill_word(q->w[i] * inverse) & mask) | (one & ~mask);
        const uint32_t flip = (w ^ hand[i]) & sign;
        const uint32_t size = w & ~sign;

        out[i] = (fill_word(q->x[i] * inverse) & mask) ^ flip;
        out[pitch + i] = (fill_word(q->y[i] * inverse) & mask) ^ flip;
        out[2 * pitch + i] = (fill_word(q->z[i] * inverse) & mask) ^ flip;
        out[3 * pitch + i] = (size > least ? size : least) | (hand[i] & sign);
    }
}

static void frame(const struct fill_ops *ops, const struct fill_frame *wanted,
                  const struct fill_values *values)
{
    uint32_t scratch[4 * FILL_BATCH];
    const size_t pitch = values->pitch;
    const uint32_t count = values->count;
    struct quaternions q;
    uint32_t *columns;

    find_quaternions(&q, values->floor, values->ceil, (int32_t)wanted->alpha,
                     count);
    if (wanted->normal.format != SPN_FORMAT_NONE) {
        columns = columns_of(ops, &wanted->normal, scratch);
        find_axis(&q, q.x, q.y, q.z, columns, columns + pitch,
                  columns + 2 * pitch, count);
        if (columns == scratch)
            memset(columns + 3 * pitch, 0, 4 * count);
        finish(ops, &wanted->normal, columns, pitch, count);
    }
    if (wanted->tangent.format != SPN_FORMAT_NONE) {
        columns = columns_of(ops, &wanted->tangent, scratch);
        find_axis(&q, q.y, q.z, q.x, columns + pitch, columns + 2 * pitch,
                  columns, count);
        if (wanted->tangent.format != SPN_FORMAT_F32X3)
            memcpy(columns + 3 * pitch, wanted->hand, 4 * count);
        finish(ops, &wanted->tangent, columns, pitch, count);
    }
    if (wanted->qtangent.format != SPN_FORMAT_NONE) {
        columns = columns_of(ops, &wanted->qtangent, scratch);
        find_qtangents(columns, &q, wanted->hand, pitch, count);
        finish(ops, &wanted->qtangent, columns, pitch, count);
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

static void offsets(uint32_t *restrict out, const uint16_t *restrict order,
                    uint32_t stride, uint32_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = order[i] * stride;
}

static void store(uint8_t *target, const uint32_t *bytes, const uint32_t *in,
                  size_t pitch, uint32_t column_count, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = target + bytes[i];

        for (size_t k = 0; k < column_count; k++)
            memcpy(at + 4 * k, &in[k * pitch + i], 4);
    }
}

void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu)
{
    ops->position = position;
    ops->velocity = velocity;
    ops->uv = uv;
    ops->color = color;
    ops->frame = frame;
    ops->handedness = handedness;
    ops->offsets = offsets;
    ops->store = store;
    spn__fill_pack_init(ops);
    if (cpu & SPN_CPU_SSE41)
        spn__fill_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__fill_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__fill_ops_neon(ops);
}
