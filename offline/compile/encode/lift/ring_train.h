/* ring_train.h - trains the weights of one-rings so that QTangents guessed from
 * positions come close to the true ones.
 *
 * one_ring.h defines the guess: around each vertex, a normal N is the weighted
 * sum of cross products, and a tangent T the weighted sum of the directions to
 * neighbours (for rings by UVs, of gradients). The weights are fitted by least
 * squares over some frames of the clip, so it does not matter how the source
 * made its normals and tangents. The neighbours come from one_ring_walk.h, as
 * in the decoder. A call reads its arguments, writes to its arena, and may run
 * on any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_RING_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_RING_TRAIN_H

#include "codec/lift/one_ring_walk.h"
#include "common/arena.h"

#include <stdint.h>

#define RING_WEIGHT_MAX 120.0

/* How precise weights are, which decides how many bytes they take. */
struct ring_quality {
    /* Weights are integers, and the largest of a ring becomes about this: at
     * most RING_WEIGHT_MAX. */
    double weight_max;
    /* Bits that one frame is assumed to pay for the square of 1 of error in a
     * QTangent's component. More bits make weights more precise. */
    double bits_per_square;
};

/* The input. The caller owns all that it points to. */
struct ring_part {
    uint32_t vertex_count;
    const struct one_ring_part *triangles;
    bool by_uvs;    /* T from the gradient of the UVs, which move */
    double step[3]; /* length of a quantization step of each axis, in metres or
                     * any unit */
    struct ring_quality quality;
    uint32_t clip_frames; /* of the clip, in all of which errors cost bits */
    uint32_t frame_count; /* of the arrays below, which the fit uses */
    /* Of each frame: four numbers a vertex. The fourth of a position is v for
     * rings by UVs. */
    const int16_t *const *positions;
    const int16_t *const *qtangents;
};

/* Train the rings of all vertices. What `out` points to lies in `arena`. */
void ring_train(const struct ring_part *part, struct arena *arena,
                struct one_rings *out);

#endif
