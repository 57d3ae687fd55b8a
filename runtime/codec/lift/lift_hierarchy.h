/* lift_hierarchy.h - the order of a tile's vertices, coarse to fine.
 *
 * The lifting codec (lift.h) predicts a vertex from coarser vertices of the
 * same tile, as a wavelet transform of an irregular mesh does. The hierarchy
 * says from which ones, and with which weights. It does not change over time.
 * The compiler computes it once for each tile, and the file stores it
 * (lift_wire.h). The runtime reads it when it opens a cache; after that,
 * decoders on any thread read it.
 *
 * The vertices of a tile are ordered by layers. Each vertex has LIFT_REFERENCES
 * references: the vertices from which it is predicted. All references are
 * vertices of earlier layers, so the vertices of a layer do not depend on each
 * other, and a kernel decodes them side by side. A reference that is not used
 * has the weight 0. A level of detail is one or more consecutive layers; level
 * 0 is the coarsest.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_HIERARCHY_H
#define SPN_CODEC_LIFT_LIFT_HIERARCHY_H

#include <stdint.h>

#define LIFT_REFERENCES 4u
#define LIFT_LEVELS_MAX 16u
#define LIFT_VERTICES_MAX 65536u
#define LIFT_WEIGHT_ONE 64 /* the weights of a vertex have this sum */

/* The arrays of references and weights go on for so many vertices, with zeros.
 * Vector kernels work in steps of up to LIFT_PADDING vertices, and read beyond
 * the last vertex. */
#define LIFT_PADDING 16u

/* A tile has up to three sets of weights. One set serves all channels.
 * QTangents may have two sets of their own, because the weights of positions
 * are not the best ones for rotations: one for prediction in space alone, and
 * one for prediction in time and space. A mask of these bits says which of the
 * two a tile has. */
#define LIFT_CHANNEL_WEIGHTS_SPACE 1u
#define LIFT_CHANNEL_WEIGHTS_TIME 2u
#define LIFT_WEIGHT_SETS 3u

struct lift_layer {
    uint32_t first; /* its first vertex; it ends where the next layer begins */
    uint32_t level; /* its level: that of the layer before, or one more */
};

/* The hierarchy of one tile. The arrays belong to the caller that filled them
 * in. */
struct lift_hierarchy {
    uint32_t vertex_count; /* 1..LIFT_VERTICES_MAX */
    uint32_t layer_count;  /* 1..vertex_count */
    uint32_t level_count;  /* 1..LIFT_LEVELS_MAX */
    /* layer_count + 1 entries; the last one has `first` == vertex_count */
    const struct lift_layer *layers;
    /* LIFT_REFERENCES for each vertex, then padding. A reference is the number
     * of a vertex of an earlier layer. */
    const uint16_t *references;
    /* The weight of each reference, -127..127, in 64ths. The weights of a
     * vertex sum to LIFT_WEIGHT_ONE; all are 0 where it has no references. */
    const int8_t *weights;
    /* The weights of QTangents, in space alone [0], and in time and space [1].
     * They are -127..127, in 64ths, with any sum, and 0 where `weights` is 0.
     * NULL: QTangents use `weights`. */
    const int8_t *channel_weights[2];
    /* Vertices from this one on are welded: each has exactly one reference with
     * a weight, and in every frame the same position as this reference.
     * vertex_count if there are none. */
    uint32_t weld_first;
};

#endif
