/* fill.h - from quantized frames to the engine's vertices.
 *
 * Dequantize, interpolate, normalise, tangent frame, pack: for a run of
 * vertices of one tile, while it is warm in the cache. Float arithmetic in a
 * fixed order without contraction, so every machine writes the same bytes.
 *
 * QTangents: the quaternion's rotation takes x to the tangent, y to the
 * bitangent before reflection, z to the normal; bitangent = cross(normal,
 * tangent), negated where the vertex's reflection bit is set (handedness -1).
 * Two frames are interpolated by normalised lerp, the shorter way round, in
 * 32nds of the quantized steps.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_H
#define SPN_FILL_FILL_H

#include "base/mem.h"
#include "cache/cache_tables.h"
#include "codec/channel.h"

#include <spindle/geom.h>
#include <stddef.h>
#include <stdint.h>

/* Decoded values of `count` vertices. Pointers are to the first vertex of the
 * run; a static channel has floor == ceil; NULL: the mesh has no such channel
 * (all but positions and QTangents). */
struct fill_source {
    uint32_t count;
    const uint16_t *order; /* which of the vertices that are written each is;
                            * NULL: they are in order */
    const void *floor[CHANNEL_COUNT];
    const void *ceil[CHANNEL_COUNT];
    float alpha; /* 0..1, from floor to ceil */
    /* positions at the previous playback time; same as above */
    const void *previous_floor;
    const void *previous_ceil;
    float previous_alpha;
    /* positions of two frames, and one over the seconds between them; for
     * velocities where they are no channel */
    const void *velocity_floor;
    const void *velocity_ceil;
    float velocity_rate;
    const uint8_t *reflection; /* bits, low bit first; NULL: see mesh */
    uint32_t reflection_first; /* bit of the run's first vertex */
};

/* A value of a channel is min + q * step, for each component. */
struct fill_range {
    float min[3];
    float step[3];
    float fourth; /* where the format has one: positions 1, velocities 0 */
};

/* What the mesh's constants are, derived once per fill. */
struct fill_constants {
    struct fill_range range[CHANNEL_COUNT];
    uint8_t reflection; /* enum cache_reflection */
};
void spn__fill_constants(const struct cache_mesh *mesh,
                         struct fill_constants *out);

/* A run is worked off in batches: a channel becomes float *columns*, one for
 * each component, these become words as the engine wants them, and the words
 * of attributes that touch each other are stored together.
 *
 * Column k of an array starts at [k * pitch]. The pitch is a multiple of
 * FILL_LANES and holds the batch: kernels may write and read lanes up to
 * `count` rounded up to FILL_LANES, never a source or target beyond `count`.
 */
#define FILL_LANES 8u
#define FILL_WORDS 448u /* of a batch, in all columns */
#define FILL_BATCH 48u  /* vertices of a batch of at most 8 columns */

/* Columns are words: floats by their bits, so that no copy of a packed word
 * ever passes through a float register. */
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

/* Where the words of an attribute go; SPN_FORMAT_NONE: it is not wanted. */
struct fill_target {
    spn_format format;
    uint32_t *out;
};

/* What kernels read of a batch: its values in two frames. */
struct fill_values {
    const void *floor;
    const void *ceil; /* the same: there is nothing to interpolate */
    float alpha;      /* in [0, 1] */
    uint32_t count;
    size_t pitch; /* of the columns that are written */
};

/* Attributes that follow from q, the interpolated QTangent:
 *   q         32 F + half(32 (C - F), A), modulo 2^16: F of the floor, C of the
 *             ceil, A the alpha in 2^-15ths, half() as in lift.h. -C stands for
 *             C where sum F_k C_k, modulo 2^32 and signed, is below 0
 *   normal    q's z axis: (xz + yw) s, (yz - xw) s, 1 - (xx + yy) s, and 0
 *   tangent   q's x axis: 1 - (yy + zz) s, (xy + zw) s, (xz - yw) s, and hand
 *   qtangent  q / |q|, or its negative: w has the sign of hand, and is never
 *             smaller than FILL_W_MIN
 * with s = 2 / |q|^2. Where |q|^2, modulo 2^32 and signed, is below
 * FILL_SQUARED_MIN q has no direction, and stands for the identity: s is 0. */
struct fill_frame {
    struct fill_target normal;
    struct fill_target tangent;
    struct fill_target qtangent;
    uint32_t alpha;       /* A, below 2^15 */
    const uint32_t *hand; /* a column: 1 or -1 */
};

/* SIMD variants join behind this table; the scalar one is the specification,
 * the same bits. `to->out` overlaps no input. Words are packed as the packers
 * of `ops`, which is this table, do it. */
struct fill_ops {
    /* F + (C - F) alpha, with F of the floor and C of the ceil, times the
     * step, plus the least; also of velocities that the file has */
    void (*position)(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values,
                     const struct fill_range *range);
    /* those that follow from positions: (C - F) times the scale; w is 0 */
    void (*velocity)(const struct fill_ops *ops, const struct fill_target *to,
                     const struct fill_values *values, const float scale[3]);
    /* as positions */
    void (*uv)(const struct fill_ops *ops, const struct fill_target *to,
               const struct fill_values *values,
               const struct fill_range *range);
    /* F + (C - F) alpha, in 255ths */
    void (*color)(const struct fill_ops *ops, const struct fill_target *to,
                  const struct fill_values *values);
    void (*frame)(const struct fill_ops *ops, const struct fill_frame *wanted,
                  const struct fill_values *values);
    /* 1 column: 1, or -1 where the bit is set; `first`: bit of vertex 0 */
    void (*handedness)(uint32_t *out, const uint8_t *reflection, uint32_t first,
                       uint32_t count);
    /* By spn_format, columns of floats to words; NULL: they are the words. */
    void (*pack[SPN_FORMAT_QUANTIZED])(uint32_t *out, const uint32_t *in,
                                       size_t pitch, uint32_t count);
    /* bytes to each vertex: order * stride */
    void (*offsets)(uint32_t *out, const uint16_t *order, uint32_t stride,
                    uint32_t count);
    /* 1..4 columns side by side, as they lie in memory, to each vertex: at
     * `target` and as many bytes on */
    void (*store)(uint8_t *target, const uint32_t *bytes, const uint32_t *in,
                  size_t pitch, uint32_t column_count, uint32_t count);
};
/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu);

/* The least |w| of a QTangent: one step of SNORM16, far below the error of
 * the quantized values. Zero has no sign that a shader could rely on. */
#define FILL_W_MIN (1.0f / 32767.0f)

/* Below this a QTangent has no direction; real ones are near (32 * 511)^2. */
#define FILL_SQUARED_MIN 256

/* The parts of spn__fill_ops_init. Those of an instruction set that this
 * build has no code for leave the table as it is. */
void spn__fill_ops_scalar(struct fill_ops *ops);
void spn__fill_ops_pack(struct fill_ops *ops);
void spn__fill_ops_sse41(struct fill_ops *ops);
void spn__fill_ops_avx2(struct fill_ops *ops);
void spn__fill_ops_neon(struct fill_ops *ops);

/* Write source->count vertices at `vertices`. The layout was checked. An alpha
 * outside 0..1 is clamped; one too small to matter is 0, where only `floor` is
 * read. previous_floor NULL: the previous positions are the current ones;
 * velocity_floor NULL: velocities are 0, unless they are a channel. */
void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices);

#endif
