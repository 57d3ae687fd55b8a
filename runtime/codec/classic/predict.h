/* predict.h - the classic prediction: index frames in space, B frames in time.
 *
 * One stream is one channel of one tile in one frame: `count` vertices of
 * channel_components() values, interleaved. Residuals become values in place.
 * All arithmetic is modulo the width of the component (16 bits, colours 8);
 * the encoder uses the same functions' formulas backwards.
 *
 * Spatial (index frames, and where it is smaller): each vertex has an entry
 * of three distances back, {u, v, w}; PREDICT_NO_TRIANGLE in u (v and w are
 * then unused): predicted by the vertex before in the stream, the first of the
 * stream by 0. Only this step looks across the border of two parts of a tile.
 *   positions, UVs:    x[i-u] + x[i-v] - x[i-w]         (parallelogram)
 *   QTangents, colours: (x[i-u] + x[i-v]) / 2, toward zero (QTangents signed)
 *
 * Temporal (B frames), component by component, with F, C the index frames
 * around, P, Q the two frames before, in wide arithmetic of the zero-
 * (positions, UVs, colours) or sign-extended (QTangents) component:
 *   lerp   = F + floor((C - F) * b / 256)
 *   motion = P + floor((P - Q) * a / 128)
 *   x      = lerp + floor((motion - lerp) * c / 128) + residual
 * where lerp and motion are reduced to the width (and extended again) before
 * the last step.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PREDICT_H
#define SPN_CODEC_CLASSIC_PREDICT_H

#include "codec/channel.h"

#include <spindle/status.h>
#include <stdint.h>

/* How a stream's residuals were made; codec/classic/planes.h has how they lie.
 * Numbers of the file format; the next ones join without a new version of it.
 */
enum coding {
    CODING_PLAIN = 0,    /* values as they are */
    CODING_SPATIAL = 1,  /* residuals of the spatial prediction */
    CODING_TEMPORAL = 2, /* residuals of the temporal prediction */
    CODING_LIFTED =
        3, /* a payload of codec/lift/lift.h, which is no residuals */
    CODING_COUNT
};

#define PREDICT_NO_TRIANGLE 0xffffu
#define PREDICT_DISTANCE_MAX 4096u

/* A tile's predictor: 3 distances per vertex. */
struct predict_entry {
    uint16_t u;
    uint16_t v;
    uint16_t w;
};

struct predict_stream {
    enum channel channel;
    enum coding coding;
    uint8_t a;
    uint8_t b;
    uint8_t c;
    uint32_t count; /* vertices */
    /* spatial: `count` entries, judged: every distance is 1..4096 and stays
     * inside the part */
    const struct predict_entry *entries;
    /* temporal: decoded values of the same tile and channel */
    const void *floor_index;  /* F */
    const void *ceil_index;   /* C */
    const void *previous;     /* P */
    const void *previous_two; /* Q */
};

/* The kernels, one per slot; the scalar ones are the specification and fill
 * every slot. `values` holds residuals, and the values afterwards. */
struct predict_ops {
    void (*spatial_u16x3)(uint16_t *values, const struct predict_stream *s);
    void (*spatial_u16x2)(uint16_t *values, const struct predict_stream *s);
    void (*spatial_i16x4)(int16_t *values, const struct predict_stream *s);
    void (*spatial_u8x4)(uint8_t *values, const struct predict_stream *s);
    void (*temporal_u16)(uint16_t *values, const struct predict_stream *s,
                         uint32_t component_count);
    void (*temporal_i16)(int16_t *values, const struct predict_stream *s,
                         uint32_t component_count);
    void (*temporal_u8)(uint8_t *values, const struct predict_stream *s,
                        uint32_t component_count);
    /* codec/classic/planes.h */
    void (*join_u16)(uint16_t *residuals, const uint8_t *planes, uint32_t count,
                     uint32_t components, void *spare);
    void (*join_u8)(uint8_t *residuals, const uint8_t *planes, uint32_t count,
                    uint32_t components, void *spare);
};

/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__predict_ops_init(struct predict_ops *ops, uint32_t cpu);

/* The parts of spn__predict_ops_init; they leave the table as it is where
 * this build has no code for the instruction set. */
void spn__predict_ops_sse41(struct predict_ops *ops);
void spn__predict_ops_avx2(struct predict_ops *ops);
void spn__predict_ops_neon(struct predict_ops *ops);

/* Decode one stream in place. `values` is native-endian (the caller has
 * swapped it). SPN_ERR_FORMAT for a coding that is unknown or no residuals,
 * or temporal without all four references. */
SPN_NODISCARD spn_status spn__predict_decode(const struct predict_ops *ops,
                                             const struct predict_stream *s,
                                             void *values);

#endif
