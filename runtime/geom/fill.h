/* fill.h - from quantized frames to the engine's vertices.
 *
 * Dequantize, interpolate, normalise, tangent frame, pack: for a run of
 * vertices of one tile, while it is warm in the cache. Float arithmetic in a
 * fixed order without contraction, so every machine writes the same bytes.
 *
 * QTangents: the quaternion's rotation takes x to the tangent, y to the
 * bitangent before reflection, z to the normal; bitangent = cross(normal,
 * tangent), negated where the vertex's reflection bit is set (handedness -1).
 * Two frames are interpolated by normalised lerp, the shorter way round.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_GEOM_FILL_H
#define SPN_GEOM_FILL_H

#include "base/mem.h"
#include "geom/cache_file.h"
#include "geom/channel.h"

#include <spindle/geom.h>
#include <stddef.h>
#include <stdint.h>

/* Decoded values of `count` vertices. Pointers are to the first vertex of the
 * run; a static channel has floor == ceil; NULL: the mesh has no such channel
 * (UVs, colours). */
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
    /* positions of two frames, and one over the seconds between them */
    const void *velocity_floor;
    const void *velocity_ceil;
    float velocity_rate;
    const uint8_t *reflection; /* bits, low bit first; NULL: see mesh */
    uint32_t reflection_first; /* bit of the run's first vertex */
};

/* What the mesh's constants are, derived once per fill. */
struct fill_constants {
    float position_min[3];
    float position_step[3];
    float uv_min[2];
    float uv_step[2];
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
#define FILL_WORDS 416u /* of a batch, in all columns */
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

/* SIMD variants join behind this table; the scalar one is the specification,
 * the same bits. `out` overlaps no input, except in orient. `alpha` is in
 * [0, 1]: value = floor + (ceil - floor) * alpha. */
struct fill_ops {
    /* 3 and 2 columns: min + value * step */
    void (*position)(uint32_t *out, size_t pitch, const uint16_t *floor,
                     const uint16_t *ceil, float alpha, uint32_t count,
                     const struct fill_constants *constants);
    void (*uv)(uint32_t *out, size_t pitch, const uint16_t *floor,
               const uint16_t *ceil, float alpha, uint32_t count,
               const struct fill_constants *constants);
    /* 4 columns: value / one, so 255 for 0..1 */
    void (*color)(uint32_t *out, size_t pitch, const uint8_t *floor,
                  const uint8_t *ceil, float alpha, uint32_t count, float one);
    /* 4 columns: a unit quaternion, the identity where there is none */
    void (*qtangent)(uint32_t *out, size_t pitch, const int16_t *floor,
                     const int16_t *ceil, float alpha, uint32_t count);
    /* 3 columns: the rotated z and x axis */
    void (*normal)(uint32_t *out, const uint32_t *quaternion, size_t pitch,
                   uint32_t count);
    void (*tangent)(uint32_t *out, const uint32_t *quaternion, size_t pitch,
                    uint32_t count);
    /* 1 column: 1, or -1 where the bit is set; `first`: bit of vertex 0 */
    void (*handedness)(uint32_t *out, const uint8_t *reflection, uint32_t first,
                       uint32_t count);
    /* 4 columns: the same rotation, w with the sign of `handedness` and never
     * smaller than FILL_W_MIN; out may be the quaternion */
    void (*orient)(uint32_t *out, const uint32_t *quaternion,
                   const uint32_t *handedness, size_t pitch, uint32_t count);
    /* By spn_format; NULL: the columns are the words. */
    void (*pack[SPN_FORMAT_QUANTIZED])(uint32_t *out, const uint32_t *in,
                                       size_t pitch, uint32_t count);
    /* 1..4 columns side by side, as they lie in memory, to each vertex: at
     * `target` and as many bytes on */
    void (*store)(uint8_t *target, const size_t *bytes, const uint32_t *in,
                  size_t pitch, uint32_t column_count, uint32_t count);
};
/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__fill_ops_init(struct fill_ops *ops, uint32_t cpu);

/* The least |w| of a QTangent: one step of SNORM16, far below the error of
 * the quantized values. Zero has no sign that a shader could rely on. */
#define FILL_W_MIN (1.0f / 32767.0f)

/* Below this a QTangent has no direction; real ones are near 511^2. */
#define FILL_LENGTH_SQUARED_MIN 0.25f

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
 * velocity_floor NULL: velocities are 0. */
void spn__fill_run(const struct fill_ops *ops,
                   const struct fill_constants *constants,
                   const struct fill_source *source,
                   const spn_vertex_layout *layout, void *vertices);

#endif
