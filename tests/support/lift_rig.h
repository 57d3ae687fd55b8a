/* lift_rig.h - a mesh's clip in memory, through the lifting codec and back.
 *
 * Holds all quantized frames of one mesh, cuts the mesh into parts, encodes
 * them and decodes them again. For tests and benchmarks; everything lives in
 * one arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LIFT_RIG_H
#define TESTS_SUPPORT_LIFT_RIG_H

#include "compile/encode/entropy/residual_train.h"
#include "compile/encode/lift/lift_search.h"
#include "compile/encode/lift/lift_weights.h"
#include "compile/encode/lift/one_ring_train.h"

#include <stdbool.h>
#include <stdint.h>

struct lift_payload {
    uint8_t *bytes; /* RESIDUAL_PADDING more */
    size_t size;
    uint64_t entropy_bits; /* of the residuals, each component by itself */
};

struct lift_rig_part {
    const uint32_t *members; /* vertices of the mesh */
    uint32_t vertex_count;
    struct lift_graph graph;
    struct lift_hierarchy hierarchy;
    const struct one_rings *rings; /* NULL until lift_rig_use_rings */
    struct lift_payload *payload[CHANNEL_COUNT]; /* of each frame */
    void **values[CHANNEL_COUNT]; /* of each frame, as laid out, in the part's
                                   * order: what decoding must give */
};

struct lift_rig {
    struct arena *arena;
    /* set by the caller */
    uint32_t frame_count;
    uint32_t vertex_count;
    uint32_t index_count;
    const uint32_t *indices;
    void **frames[CHANNEL_COUNT]; /* of each frame; NULL: no such channel */
    uint32_t distance;            /* of index frames */
    bool is_fast;
    bool has_equal_weights;
    bool has_channel_weights; /* QTangents: three quarters of the others in
                               * space, in time about a half */
    double step[3];           /* of quantized positions; for rings */
    bool holds_guesses;       /* QTangents hold the signs of guesses */
    bool has_rings_by_uvs;
    /* made by lift_rig_encode */
    uint32_t part_count;
    struct lift_rig_part *parts;
    struct residual_encoder *coder[CHANNEL_COUNT];
    struct residual_tables *tables[CHANNEL_COUNT];
    double search_seconds;
};

/* Cut into even parts of at most `part_vertices`, encode all frames. */
void lift_rig_encode(struct lift_rig *rig, uint32_t part_vertices);

/* Encode the QTangents again, which may be guessed by the positions of their
 * frame. With holds_guesses their signs in `values` of the parts become those
 * that are held. */
void lift_rig_use_rings(struct lift_rig *rig);

/* Decode one channel of one frame of a part to `values`; `from`: decoded
 * frames by number. Rings take the positions and UVs of part->values. */
spn_status lift_rig_decode(const struct lift_rig *rig,
                           const struct lift_ops *ops,
                           const struct lift_rig_part *part,
                           enum channel channel, uint32_t frame,
                           void *const *from, void *workspace, void *values);

#endif
