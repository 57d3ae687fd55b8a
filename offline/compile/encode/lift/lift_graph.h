/* lift_graph.h - the levels and layers of a part: which vertices may be
 * predicted from which.
 *
 * Input are the triangles of a part. Output is the decoding order, and for each
 * vertex a list of candidates for its references, of which lift_weights.h
 * chooses four. Vertices at the same position in all frames are welded: the
 * first of them takes part, and the others come last in the order and refer to
 * it alone.
 *
 * From fine to coarse, each level keeps a maximal independent set of its
 * vertices for the next coarser level, and colours the rest so that no edge
 * joins two vertices of one colour. One colour of one level is a layer. The
 * order has coarse levels first, within a level one colour after another, and
 * within a layer the order of the part. So a file needs only the layer of each
 * vertex.
 *
 * Candidates of a vertex are its neighbours in the graph of its level, and
 * their neighbours, if they are in earlier layers.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_GRAPH_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_GRAPH_H

#include "codec/lift/lift.h"
#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define LIFT_CANDIDATES_MAX 12u

struct lift_part {
    uint32_t vertex_count; /* 1..LIFT_VERTICES_MAX */
    uint32_t index_count;
    const uint32_t *indices; /* of triangles inside the part, from 0 */
    /* of each vertex: the first vertex at the same position in all frames,
     * which may be itself */
    const uint32_t *weld;
    const uint16_t *positions; /* of one frame, three a vertex */
    /* Merge small layers: they make files smaller, but decode slowly. */
    bool merges_layers;
};

struct lift_candidates {
    uint32_t count;
    uint16_t vertex[LIFT_CANDIDATES_MAX]; /* places in the order */
};

struct lift_graph {
    uint32_t vertex_count;
    uint32_t layer_count;
    uint32_t level_count;
    uint32_t weld_first;                /* vertex_count: none is welded */
    struct lift_layer *layers;          /* layer_count + 1 */
    uint32_t *order;                    /* the part's vertex at each place */
    struct lift_candidates *candidates; /* per place; nearest first */
};

/* Everything in `out` lies in `arena`. */
void lift_graph_make(const struct lift_part *part, struct arena *arena,
                     struct lift_graph *out);

#endif
