/* lift_hierarchy.h - the order of a tile's vertices, coarse to fine.
 *
 * Lifting (lift.h) predicts a vertex from coarser vertices of the same tile,
 * as a wavelet scheme on an irregular mesh does. The hierarchy says which ones
 * and with which weights. It does not change over time: the compiler computes
 * it once for each tile, the file stores it (lift_wire.h), and the runtime
 * keeps it in the memory of the open cache, where decoders on any thread read
 * it.
 *
 * The vertices of a tile are ordered by layers. Each vertex has LIFT_REFERENCES
 * references; an unused one has the weight 0. All references are vertices of
 * earlier layers. So no vertex of a layer depends on another vertex of the same
 * layer, and a kernel predicts the vertices of a layer side by side. A level of
 * detail is one or more consecutive layers; level 0 is the coarsest.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_HIERARCHY_H
#define SPN_CODEC_LIFT_LIFT_HIERARCHY_H

#include <stdint.h>

#define LIFT_REFERENCES 4u
#define LIFT_LEVELS_MAX 16u
#define LIFT_VERTICES_MAX 65536u
#define LIFT_WEIGHT_ONE 64 /* the weights of a vertex have this sum */

/* Vertices by which references and weights are padded with zeros. Vector
 * kernels work in steps of up to LIFT_PADDING vertices and read the padding. */
#define LIFT_PADDING 16u

/* A tile has up to three sets of weights. One set serves all channels.
 * QTangents may have two more sets, because rotations are not interpolated best
 * by the weights of positions: one for prediction in space and one for
 * prediction in time. A mask of these bits says which of the two a tile has. */
#define LIFT_CHANNEL_WEIGHTS_SPACE 1u
#define LIFT_CHANNEL_WEIGHTS_TIME 2u
#define LIFT_WEIGHT_SETS 3u

struct lift_layer {
    uint32_t first; /* vertex; the layer ends where the next one begins */
    uint32_t level; /* the level of the layer before, or one more */
};

/* The hierarchy of one tile. The arrays belong to the caller that filled them
 * in. */
struct lift_hierarchy {
    uint32_t vertex_count; /* 1..LIFT_VERTICES_MAX */
    uint32_t layer_count;  /* 1..vertex_count */
    uint32_t level_count;  /* 1..LIFT_LEVELS_MAX */
    /* layer_count + 1 entries; the last one has `first` == vertex_count */
    const struct lift_layer *layers;
    /* LIFT_REFERENCES for each vertex, then for LIFT_PADDING more vertices.
     * A reference is the number of a vertex of an earlier layer. */
    const uint16_t *references;
    /* The weight of each reference, -127..127, in 64ths. The weights of a
     * vertex sum to LIFT_WEIGHT_ONE; all are 0 where it has no references. */
    const int8_t *weights;
    /* The weights of QTangents for prediction in space [0] and in time [1],
     * -127..127, in 64ths, with any sum; 0 where `weights` has 0. NULL:
     * QTangents use `weights`, too. */
    const int8_t *channel_weights[2];
    /* The vertices from here on are welded: each has exactly one reference, and
     * the same position as that vertex in every frame. vertex_count if there
     * are none. */
    uint32_t weld_first;
};

#endif
