/* lift_weights.h - the references of each vertex and their weights, by least
 * squares.
 *
 * A vertex is predicted as the weighted sum of four references. For each
 * vertex, the products of the differences to its candidates (lift_graph.h) are
 * summed over some frames of the clip. From the sums the best four candidates
 * and their weights are computed, with a small ridge towards equal weights.
 * Frames are added in their order, so results do not depend on threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WEIGHTS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WEIGHTS_H

#include "compile/encode/lift/lift_graph.h"

/* Weights of a clip are trained on at most so many frames. */
#define LIFT_TRAINING_FRAMES_MAX 128u
/* Clips of fewer frames have equal weights. Trained weights take 2.5 bytes a
 * vertex once, and save a tenth of about 2 bytes a vertex in each frame. */
#define LIFT_FRAMES_WORTH_WEIGHTS 12u

struct lift_training {
    const struct lift_graph *graph;
    /* The sums of each vertex in turn: the upper triangle of a symmetric matrix
     * over its candidates, row by row. */
    double *products;
    size_t product_count;
    /* Strength of the ridge, as a part of the mean of the matrix' diagonal.
     * LIFT_RIDGE after lift_training_begin; may be changed. */
    double ridge;
};
#define LIFT_RIDGE 0.0002

/* Start with empty sums, in `arena`. */
void lift_training_begin(struct lift_training *training,
                         const struct lift_graph *graph, struct arena *arena);

/* Copy the sums to `arena`. The two copies are independent. */
void lift_training_copy(const struct lift_training *from, struct arena *arena,
                        struct lift_training *out);

/* Add one frame. `values`: three numbers of each vertex, four apart, in the
 * order of the graph.
 *
 * scale  per vertex: the factor of its prediction where the values are temporal
 *        residuals; NULL: the values are positions, whose differences wrap
 * worth  per vertex: the weight of its squares in the fit; NULL: 1 */
void lift_training_add(struct lift_training *training, const int16_t *values,
                       const double *scale, const double *worth);

/* Choose references and weights, in `arena`. If no frame was added, the weights
 * are equal. */
void lift_training_finish(const struct lift_training *training,
                          struct arena *arena, struct lift_hierarchy *out);

#endif
