/* fill_ops.h - the kernels that convert quantized channels to vertex
 * attributes.
 *
 * fill.c divides the vertices of a part into *batches* that fit the stack. For
 * each batch a kernel dequantizes and interpolates one channel, packs the
 * result to the format that the engine wants, and another kernel stores it.
 * Between the kernels, values lie in *columns*: one array of 32-bit words for
 * each component. A word is a float (by its bits) or a packed value, so no
 * packed word passes through a float register. Column k of an array begins at
 * word k * pitch; the pitch is a multiple of FILL_LANES and at least the number
 * of vertices. A kernel may therefore write whole vectors of FILL_LANES words,
 * but it never reads or writes a source or vertex beyond `count`.
 *
 * fill_ops.c has the scalar kernels, which are the specification; fill_pack.c
 * packs. The files named for an instruction set compute the same bits: float
 * operations have a fixed order and are not contracted. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_OPS_H
#define SPN_FILL_FILL_OPS_H

#include "base/mem.h"

#include <spindle/geom_layout.h>
#include <stddef.h>
#include <stdint.h>

#define FILL_LANES 8u   /* words of the widest vector */
#define FILL_WORDS 448u /* most words of a batch, in all its columns */
#define FILL_BATCH 48u  /* most vertices of a batch; it has up to 8 columns */

/* Smallest |w| of a written QTangent: one step of SNORM16. A shader reads the
 * handedness from the sign of w, and a zero has no sign in SNORM16. */
#define FILL_W_MIN (1.0f / 32767.0f)

/* A QTangent with a smaller squared length is replaced by the identity. Squared
 * lengths of valid QTangents are near (32 * 511)^2. */
#define FILL_SQUARED_MIN 256

/* A component of a channel is min + q * step; q is the quantized value. */
struct fill_range {
    float min[3];
    float step[3];
    float fourth; /* written where a format has a fourth component: 1 for
                     positions, 0 for velocities */
};

/* Destination of one attribute. */
struct fill_target {
    spn_format format; /* SPN_FORMAT_NONE: the attribute is not written */
    uint32_t *out;     /* first column of the attribute */
};

/* A channel of the vertices of a batch, in two frames. */
struct fill_values {
    const void *floor; /* the earlier frame */
    const void *ceil;  /* the later frame; equal to floor: not interpolated */
    float alpha;       /* position between them, in [0, 1] */
    uint32_t count;    /* vertices */
    size_t pitch;      /* of the columns that are written */
};

/* The attributes that are computed from QTangents. Let F and C be the quantized
 * QTangents of floor and ceil (four 16-bit integers each), A = `alpha`. As q
 * and -q mean the same rotation, C is negated if the dot product of F and C,
 * modulo 2^32 and taken as a signed integer, is negative. The interpolated
 * QTangent (x, y, z, w) is, modulo 2^16,
 *
 *   q_k = 32 F_k + ((D_k A + 2^14) >> 15),   D_k = 32 (C_k - F_k) modulo 2^16
 *
 * Let n = x^2 + y^2 + z^2 + w^2, modulo 2^32 and signed, and s = 2 / n; s = 0
 * if n < FILL_SQUARED_MIN, which gives the identity. Let h be the handedness.
 * Then
 *
 *   normal    ((xz + yw) s, (yz - xw) s, 1 - (xx + yy) s), fourth component 0
 *   tangent   (1 - (yy + zz) s, (xy + zw) s, (xz - yw) s), fourth component h
 *   qtangent  (x, y, z, w) / sqrt(n), negated if needed so that w has the sign
 *             of h, with |w| >= FILL_W_MIN */
struct fill_frame {
    struct fill_target normal;
    struct fill_target tangent;
    struct fill_target qtangent;
    uint32_t alpha;       /* A, in units of 2^-15, below 2^15 */
    const uint32_t *hand; /* h of each vertex: a column of 1.0f and -1.0f */
};

/* Table of kernels. In the formulas F and C are the values of a component in
 * floor and ceil, and a is values->alpha. Targets must not overlap inputs. The
 * argument `ops` is this table: kernels call its packers. */
struct fill_ops {
    /* (F + (C - F) a) step + min: for channels of positions and of velocities.
     */
    void (*position)(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values,
                     const struct fill_range *range);
    /* (C - F) scale: velocities computed from positions. The fourth component
     * is 0. */
    void (*velocity)(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values, const float scale[3]);
    /* (F + (C - F) a) step + min. */
    void (*uv)(const struct fill_ops *ops, const struct fill_target *to,
               const struct fill_values *values,
               const struct fill_range *range);
    /* (F + (C - F) a) / 255. */
    void (*color)(const struct fill_ops *ops, const struct fill_target *to,
                  const struct fill_values *values);
    /* Normals, tangents and QTangents, from QTangents. */
    void (*frame)(const struct fill_ops *ops, const struct fill_frame *wanted,
                  const struct fill_values *values);
    /* Handedness: a column with -1.0f for each set bit and 1.0f for each clear
     * one.
     *
     * first  number of the first vertex's bit; number k is bit k % 8 of byte
     *        k / 8 */
    void (*handedness)(uint32_t *out, const uint8_t *reflection, uint32_t first,
                       uint32_t count);
    /* For each spn_format: pack columns of floats to columns of packed words.
     * NULL: the format stores floats, and nothing is packed. */
    void (*pack[SPN_FORMAT_QUANTIZED])(uint32_t *out, const uint32_t *in,
                                       size_t pitch, uint32_t count);
    /* Byte offset of each vertex in the target: order * stride. */
    void (*offsets)(uint32_t *out, const uint16_t *order, uint32_t stride,
                    uint32_t count);
    /* Store column_count (1 to 4) adjacent columns: the words of vertex i go to
     * target + bytes[i], unaligned. */
    void (*store)(uint8_t *target, const uint32_t *bytes, const uint32_t *in,
                  size_t pitch, uint32_t column_count, uint32_t count);
};

/* Fill the table with the best kernels.
 *
 * cpu  SPN_CPU_* bits of the instruction sets that may be used; 0: scalar */
void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu);

/* Replace scalar kernels by the kernels of an instruction set. No effect if the
 * build has no code for it. */
void spn__fill_ops_sse41(struct fill_ops *ops);
void spn__fill_ops_avx2(struct fill_ops *ops);
void spn__fill_ops_neon(struct fill_ops *ops);

/* Clamp alpha to 0..1. Less than 2^-24 of a step between quantized values is
 * invisible and becomes 0; so no subnormals occur, which some machines flush to
 * zero. */
static inline float fill_fraction(float alpha)
{
    if (!(alpha >= 5.9604645e-08f))
        return 0;
    return alpha < 1.0f ? alpha : 1.0f;
}

/* Interpolate quantized values. Exact for alpha 0 and 1, because differences of
 * quantized values are exact in single precision. */
static inline float fill_between(float floor, float ceil, float alpha)
{
    return floor + (ceil - floor) * alpha;
}

/* Reinterpret the bits of a float as a word, and the reverse. */
static inline uint32_t fill_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof word);
    return word;
}

static inline float fill_float(uint32_t word)
{
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

#endif
