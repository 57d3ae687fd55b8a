/* lift_weights.h - references and weights that predict a vertex best.
 *
 * For each vertex, products of the differences to its candidates are added up
 * over some frames of the clip, in their order. From them four references are
 * chosen, and weights by least squares that are drawn a little to equal ones.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WEIGHTS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_WEIGHTS_H

#include "compile/encode/lift/lift_graph.h"

/* Frames that a clip's weights are trained on, at most. */
#define LIFT_TRAINING_FRAMES_MAX 128u
/* Of fewer, weights cost more than they save: 2.5 bytes a vertex once, a tenth
 * of some 2 bytes a vertex and frame. */
#define LIFT_FRAMES_WORTH_WEIGHTS 12u

struct lift_training {
    const struct lift_graph *graph;
    /* Sums, vertex after vertex: of its candidates the upper triangle of a
     * symmetric matrix, row by row. */
    double *products;
    size_t product_count;
    double ridge; /* how much weights are drawn to equal ones, of the mean of
                   * the candidates' squares; LIFT_RIDGE after the beginning */
};
#define LIFT_RIDGE 0.0002

void lift_training_begin(struct lift_training *training,
                         const struct lift_graph *graph, struct arena *arena);

/* The same sums once more, in `arena`: each goes on by itself. */
void lift_training_copy(const struct lift_training *from, struct arena *arena,
                        struct lift_training *out);

/* Add one frame: three numbers of each vertex, in the graph's order, four
 * apart. Of each vertex
 * scale  what its prediction is multiplied by, if numbers are what time left
 *        over; NULL: they are places, whose differences wrap
 * worth  what its squares count; NULL: 1 */
void lift_training_add(struct lift_training *training, const int16_t *values,
                       const double *scale, const double *worth);

/* The shape, with everything in `arena`. Without a frame added the weights
 * are equal. */
void lift_training_finish(const struct lift_training *training,
                          struct arena *arena, struct lift_hierarchy *out);

#endif
