/* ring_train.h - rings of neighbours, and weights that guess QTangents well.
 *
 * The rings are those of codec/lift/one_ring_walk.h. The weights come from the
 * clip itself: least squares over some frames, so that the sectors' normals add
 * up to the vertex's normal and the neighbours' directions to its tangent,
 * however those were made.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_RING_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_RING_TRAIN_H

#include "codec/lift/one_ring_walk.h"
#include "common/arena.h"

#include <stdint.h>

#define RING_WEIGHT_MAX 120.0

/* How much weights may cost. */
struct ring_quality {
    double weight_max; /* that the largest becomes: at most RING_WEIGHT_MAX */
    /* what a frame pays for a number of a QTangent that is wrong by 1 */
    double bits_per_square;
};

/* Unused slots have the neighbour of the slot before. */
struct ring_part {
    uint32_t vertex_count;
    const struct one_ring_part *triangles;
    bool by_uvs;
    double step[3]; /* length of a quantization step of each axis */
    struct ring_quality quality;
    uint32_t clip_frames; /* that the weights serve */
    uint32_t frame_count; /* to learn from */
    /* of each: four numbers a vertex, the last v for rings by UVs */
    const int16_t *const *positions;
    const int16_t *const *qtangents;
};

void ring_train(const struct ring_part *part, struct arena *arena,
                struct one_rings *out);

#endif
