/* predict.h - the classic codec: residuals to values, in space or in time.
 *
 * The classic codec is the alternative to lifting (codec/lift/lift.h): smaller
 * code, larger files. An *index frame* is a key frame: it is decoded without
 * other frames. A *B frame* is between two index frames. A stream is one
 * channel of one tile in one frame: `count` vertices of channel_components()
 * numbers each, interleaved. A *part* is a run of at most 8192 vertices of one
 * mesh. A *tile* is one part, or the parts of several small meshes.
 *
 * The frame decoder (cache/) decodes a stream in three steps, in a job on any
 * thread: it decompresses the stream to bit planes, joins the planes to
 * residuals (the prediction errors) by a join kernel of predict_ops
 * (codec/classic/planes.h), and calls spn__predict_decode(), which replaces the
 * residuals by values in place. A call reads shared tables and frames, and
 * writes only its stream. All arithmetic is modulo 2^W, W being the bits of a
 * component: 16, or 8 of colours. The encoder applies the same formulas
 * backwards.
 *
 * IN SPACE (index frames, and B frames where this gives a smaller stream).
 * Vertex i has an entry of three distances u, v, w to earlier vertices. x[i] is
 * its value:
 *
 *   positions, velocities, UVs   x[i-u] + x[i-v] - x[i-w]  (parallelogram)
 *   QTangents, colours           (x[i-u] + x[i-v]) / 2, rounded toward zero;
 *                                QTangents are signed
 *
 * If u is PREDICT_NO_TRIANGLE, x[i-1] predicts the vertex, or 0 if i is 0, and
 * v and w are not used. Only in this case may the two vertices belong to
 * different parts of the tile.
 *
 * IN TIME (B frames), for each component by itself:
 *
 *   F, C     its values in the index frames before (floor) and after (ceil)
 *   P, Q     its values in the two frames before this one, Q before P
 *   a, b, c  coefficients of the stream, 0..255
 *
 *   lerp   = F + floor((C - F) * b / 256)
 *   motion = P + floor((P - Q) * a / 128)
 *   value  = lerp + floor((motion - lerp) * c / 128) + residual
 *
 * Components are zero-extended (QTangents: sign-extended) before the
 * differences are taken. lerp and motion are reduced to W bits and extended
 * again before the last step.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_CLASSIC_PREDICT_H
#define SPN_CODEC_CLASSIC_PREDICT_H

#include "codec/channel.h"

#include <spindle/status.h>
#include <stdint.h>

/* How a stream is coded. These are numbers of the file format; new ones can be
 * added without a new version of it. */
enum coding {
    CODING_PLAIN = 0,    /* values as they are */
    CODING_SPATIAL = 1,  /* residuals of the spatial prediction */
    CODING_TEMPORAL = 2, /* residuals of the temporal prediction */
    CODING_LIFTED = 3,   /* a payload of codec/lift/lift.h */
    CODING_COUNT
};

#define PREDICT_NO_TRIANGLE 0xffffu
#define PREDICT_DISTANCE_MAX 4096u

/* The distances of one vertex. */
struct predict_entry {
    uint16_t u;
    uint16_t v;
    uint16_t w;
};

/* Parameters and inputs of decoding a stream. The caller owns all memory. */
struct predict_stream {
    enum channel channel;
    enum coding coding;
    uint8_t a; /* of CODING_TEMPORAL; likewise b and c */
    uint8_t b;
    uint8_t c;
    uint32_t count; /* vertices */
    /* CODING_SPATIAL: `count` entries. They have been validated: u is
     * PREDICT_NO_TRIANGLE, or u, v and w are 1..PREDICT_DISTANCE_MAX and refer
     * to vertices of the same part. */
    const struct predict_entry *entries;
    /* CODING_TEMPORAL: decoded values of the same tile and channel */
    const void *floor_index;  /* F */
    const void *ceil_index;   /* C */
    const void *previous;     /* P */
    const void *previous_two; /* Q */
};

/* The table of kernels. The scalar ones are the specification; the others give
 * the same results for any input. `values` holds residuals before the call and
 * values after it. `component_count` is the number of components of all
 * vertices. */
struct predict_ops {
    /* Temporal prediction, by enum channel_form. */
    void (*temporal[4])(void *values, const struct predict_stream *s,
                        uint32_t component_count);
    /* Bit planes to residuals; `spare` is scratch (codec/classic/planes.h). */
    void (*join_u16)(uint16_t *residuals, const uint8_t *planes, uint32_t count,
                     uint32_t components, void *spare);
};

/* Fill the table with the best kernels for `cpu`, a mask of SPN_CPU_* that may
 * be used; 0 gives the scalar ones. */
void spn__predict_ops_init(struct predict_ops *ops, uint32_t cpu);

/* Parts of spn__predict_ops_init, one for each instruction set. They leave the
 * table as it is where this build has no code for the instruction set. */
void spn__predict_ops_sse41(struct predict_ops *ops);
void spn__predict_ops_avx2(struct predict_ops *ops);
void spn__predict_ops_neon(struct predict_ops *ops);

/* Decode one stream in place. `values` is in native byte order. SPN_ERR_FORMAT:
 * the channel or coding is unknown, the coding is CODING_LIFTED, or `s` lacks
 * the entries or frames of its coding. */
SPN_NODISCARD spn_status spn__predict_decode(const struct predict_ops *ops,
                                             const struct predict_stream *s,
                                             void *values);

#endif
