/* one_ring_train.h - trains the weights of one-rings so that QTangents guessed
 * from positions come close to the true ones.
 *
 * one_ring.h defines the guess: around each vertex, a normal N is the weighted
 * sum of cross products, and a tangent T the weighted sum of the directions to
 * neighbours. Where UVs move over the surface (by_uvs), T follows from the
 * weights of N and the gradient of the UVs, and has no weights of its own. The
 * weights are fitted by least squares over some frames of the clip, so it does
 * not matter how the source made its normals and tangents. The neighbours come
 * from one_ring_walk.h, as in the decoder. A call reads its arguments, writes
 * to its arena, and may run on any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_ONE_RING_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_ONE_RING_TRAIN_H

#include "codec/lift/one_ring_walk.h"
#include "common/arena.h"

#include <stdint.h>

/* The largest one_ring_quality.weight_max; stored weights are -127..127. */
#define ONE_RING_WEIGHT_MAX 120.0

/* How precise weights are, which decides how many bytes they take. The weights
 * of a ring are first scaled to weight_max. Then each becomes an integer
 * between the exact weight and its prediction from other weights (lift_wire.h):
 * the one with the fewest bits, counting its code and what its error costs in
 * all frames of the clip by bits_per_squared_error. */
struct one_ring_quality {
    /* Weights are integers, and the largest of a ring becomes about this: at
     * most ONE_RING_WEIGHT_MAX. In use: 6, 60 and 120. */
    double weight_max;
    /* Assumed cost in bits, for each vertex and frame, of a squared error of 1
     * in one component of a QTangent (511 is a component of 1.0). A higher cost
     * makes weights more precise. In use: 1 and 16. */
    double bits_per_squared_error;
};

/* The input. The caller owns all that it points to. */
struct one_ring_training {
    uint32_t vertex_count;
    const struct one_ring_part *topology; /* the part's triangles and welds */
    bool by_uvs;    /* derive T from the gradient of the UVs, which move */
    double step[3]; /* length of a quantization step of each axis, in metres or
                     * any unit */
    struct one_ring_quality quality;
    uint32_t clip_frames; /* of the clip, in all of which errors cost bits */
    uint32_t frame_count; /* of the arrays below, which the fit uses */
    /* For each frame, four numbers for each vertex: x, y, z and the second UV
     * coordinate, which only rings by UVs use; and the QTangent x, y, z, w. */
    const int16_t *const *positions;
    const int16_t *const *qtangents;
};

/* Train the rings of all vertices. What `out` points to lies in `arena`. */
void one_ring_train(const struct one_ring_training *training,
                    struct arena *arena, struct one_rings *out);

#endif
