/* lift_rig.h - one mesh's clip in memory, through the lifting codec and back.
 *
 * Holds all quantized frames of one mesh, cuts the mesh into parts, encodes and
 * decodes them. For tests and benchmarks. All memory is in one arena.
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
    uint8_t *bytes; /* with RESIDUAL_PADDING bytes after the end */
    size_t size;
    uint64_t entropy_bits; /* entropy of the residuals, for each component
                            * alone */
};

struct lift_rig_part {
    const uint32_t *members; /* the part's vertices, as vertices of the mesh */
    uint32_t vertex_count;
    struct lift_graph graph;
    struct lift_hierarchy hierarchy;
    const struct one_rings *rings; /* NULL until lift_rig_use_one_rings */
    struct lift_payload *payload[CHANNEL_COUNT]; /* for each frame */
    void **values[CHANNEL_COUNT]; /* for each frame, in the part's order: the
                                   * values that decoding must restore */
};

struct lift_rig {
    struct arena *arena;
    /* set by the caller */
    uint32_t frame_count;
    uint32_t vertex_count;
    uint32_t index_count;
    const uint32_t *indices;
    void **frames[CHANNEL_COUNT]; /* for each frame; NULL: no such channel */
    uint32_t distance;            /* frames between index frames */
    bool merges_layers;
    bool has_equal_weights;
    bool has_channel_weights; /* QTangents have per-channel weights: 3/4 of
                               * the others in space, about 1/2 in time */
    double step[3];           /* steps of quantized positions; used by
                               * one-rings */
    bool holds_guesses;       /* QTangents store the sign of the predicted
                               * rotation */
    bool has_rings_by_uvs;
    /* made by lift_rig_encode */
    uint32_t part_count;
    struct lift_rig_part *parts;
    struct residual_encoder *coder[CHANNEL_COUNT];
    struct residual_tables *tables[CHANNEL_COUNT];
    double search_seconds;
};

/* Cut the mesh into parts of at most `part_vertices`, and encode all frames. */
void lift_rig_encode(struct lift_rig *rig, uint32_t part_vertices);

/* Encode the QTangents again, predicted from the positions of their frame. With
 * holds_guesses the signs in the parts' `values` become the stored ones. */
void lift_rig_use_one_rings(struct lift_rig *rig);

/* Decode one channel of one frame of a part to `values`. `from` has decoded
 * frames by number. One-rings use the positions and UVs in part->values. */
spn_status lift_rig_decode(const struct lift_rig *rig,
                           const struct lift_ops *ops,
                           const struct lift_rig_part *part,
                           enum channel channel, uint32_t frame,
                           void *const *from, void *workspace, void *values);

#endif
