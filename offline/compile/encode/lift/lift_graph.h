/* lift_graph.h - the layers of a part: who may predict whom.
 *
 * Vertices that stay at one place in all frames are welded: the first counts,
 * the others come last, each predicted by it alone. Of the rest, level by
 * level, a maximal independent set is kept for the next coarser level and
 * what is left over is coloured, so that no edge joins two of one colour: a
 * colour of a level is a layer. Coarse levels come first, within a level the
 * colours in turn, within a layer vertices as the part has them: so the layer
 * of each vertex tells all places.
 *
 * References are candidates only: the neighbours of a vertex on its level's
 * graph and theirs, as far as their layers are earlier.
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
    /* of each vertex: the first at the same place in all frames, or itself */
    const uint32_t *weld;
    const uint16_t *positions; /* of one frame, three a vertex */
    bool is_fast; /* few vertices make no layer: that would be smaller, but slow
                   * to decode */
};

struct lift_candidates {
    uint32_t count;
    uint16_t vertex[LIFT_CANDIDATES_MAX]; /* in the new order */
};

struct lift_graph {
    uint32_t vertex_count;
    uint32_t layer_count;
    uint32_t level_count;
    uint32_t weld_first;                /* vertex_count: none is welded */
    struct lift_layer *layers;          /* layer_count + 1 */
    uint32_t *order;                    /* the part's vertex at each place */
    struct lift_candidates *candidates; /* at each place; nearest first */
};

void lift_graph_make(const struct lift_part *part, struct arena *arena,
                     struct lift_graph *out);

#endif
