/* lift_wire.h - reads hierarchies and one-rings from a file.
 *
 * A lifted tile stores the static data of lifting: its hierarchy
 * (lift_hierarchy.h) and, for some tiles, the weights of its one-rings
 * (one_ring.h). Both are streams of an adaptive binary range coder
 * (base/range_coder.h); each tile is a stream of its own. The runtime reads
 * them in a job when it opens a cache. The compiler writes them with the same
 * model: the text of lift_model.h and one_ring_model.h is compiled once to read
 * and once to write, so both always agree. The workspaces (struct wire_*)
 * belong to the caller, and keep nothing from one tile to the next.
 *
 * A place is the number of a vertex in the order of the hierarchy; a member is
 * the number of the same vertex in the order of the mesh, from the part's first
 * vertex on.
 *
 * HIERARCHY. First, for each layer but the first, whether it begins a level;
 * then whether the vertices of the last layer are welded. Then, member by
 * member, its layer; the vertices of a layer are in the order of members, so
 * this gives the place of each member. Then, member by member:
 *
 *   references  how many, 0..4; then their members, in rising order. The
 *               first is coded as the difference to the vertex's own member,
 *               the others as the distance from the reference before
 *   weights     all but the last one, which follows from the sum of 64. Each is
 *               coded as the difference to an even share of what is left of 64
 *   channel     the weights of QTangents in space and in time, where the tile
 *   weights     has them: each as the difference to the weight of positions, in
 *               time in units of LIFT_WIRE_CHANNEL_STEP; 0 where that is 0
 *
 * ONE-RINGS. The rings follow from the triangles (one_ring_walk.h). Stored are
 * the range of triangles, the steps of the axes, and the largest weight; then,
 * vertex by vertex, the weights of its sectors and of its neighbours. A
 * sector's weight is coded as the difference to the one before, a neighbour's
 * as the difference to what the two before it extrapolate, as if weights were a
 * wave around the vertex. Or either is coded as the difference to the weight in
 * the last ring with as many slots. The one of these two predictions is used
 * whose errors were smaller lately. Gaps, and neighbours that an earlier slot
 * has, have the weight 0. Rings by UVs code one sign instead of the neighbours'
 * weights.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_WIRE_H
#define SPN_CODEC_LIFT_LIFT_WIRE_H

#include "codec/lift/lift.h"
#include "codec/lift/number_model.h"
#include "codec/lift/one_ring_walk.h"

#define LIFT_WIRE_VERTICES_MAX 8192u
#define LIFT_WIRE_CHANNEL_STEP 2 /* of channel weights in time */
#define LIFT_WIRE_LAYER_CONTEXTS 5u

/* The models of a hierarchy. */
struct wire_hierarchy_models {
    struct number_model is_next_level;
    struct number_model has_welds;
    struct number_model layer[LIFT_WIRE_LAYER_CONTEXTS]; /* by the last one */
    struct number_model count[2]; /* [1]: of vertices of the finest level */
    /* by the level: finest, second finest, others; by the reference */
    struct number_model offset[3][LIFT_REFERENCES];
    struct number_model weight[LIFT_WEIGHT_SETS][LIFT_REFERENCES];
};

/* Workspace: a hierarchy that is being read or written. */
struct wire_hierarchy {
    uint32_t vertex_count;
    uint32_t layer_count;
    uint32_t level_count;
    bool has_welds;
    struct lift_layer *layers;         /* layer_count + 1 */
    uint16_t *references;              /* of each place */
    int8_t *weights[LIFT_WEIGHT_SETS]; /* NULL: the set is absent */
    /* of each member */
    uint16_t place[LIFT_WIRE_VERTICES_MAX];
    uint16_t layer_of[LIFT_WIRE_VERTICES_MAX];
    uint8_t count[LIFT_WIRE_VERTICES_MAX]; /* of references */
    /* of each place */
    uint16_t *member;
    struct wire_hierarchy_models models;
};

/* The model of weights of sectors, or of neighbours. */
struct wire_weight_model {
    struct number_model number[3]; /* by the place in the ring: 0, 1, later */
    int32_t error[2]; /* decaying sums of both predictions' errors: within
                       * the ring, and from the last ring */
};

/* The rings of a window of vertices, and their weights a_k and c_k. */
struct one_ring_window {
    struct one_ring ring[ONE_RING_WINDOW];
    int8_t sector_weights[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
    int8_t neighbour_weights[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
};

/* Workspace: one-rings that are being read or written. */
struct wire_one_rings {
    bool by_uvs;
    bool is_mirrored;   /* the sign of the last ring by UVs */
    int32_t weight_max; /* 0..127 */
    struct wire_weight_model sector_model;
    struct wire_weight_model neighbour_model;
    struct number_model mirrored[2]; /* by is_mirrored */
    struct number_model range;
    /* weights of sectors [0] and neighbours [1] of the last ring, by the number
     * of its slots */
    int8_t before[ONE_RING_SLOTS_MAX + 1][2][ONE_RING_SLOTS_MAX];
    struct one_ring_corners corners;
    struct one_ring_window window;
};

/* Reset the models before reading or writing. */
void spn__wire_hierarchy_begin(struct wire_hierarchy *hierarchy);
void spn__wire_one_rings_begin(struct wire_one_rings *rings, bool by_uvs);

/* Bytes of each array of a hierarchy, with its padding. The weights are of
 * all sets that `channel_weights` (LIFT_CHANNEL_WEIGHTS_*) names, and the set
 * of all channels. */
size_t spn__lift_layers_bytes(uint32_t layer_count);
size_t spn__lift_references_bytes(uint32_t vertex_count);
size_t spn__lift_weights_bytes(uint32_t vertex_count, uint32_t channel_weights);

/* Split an array of that size: sets[0] are the weights of all channels, [1] and
 * [2] of QTangents in space and in time, NULL where absent. */
void spn__lift_weight_sets(int8_t *weights, uint32_t vertex_count,
                           uint32_t channel_weights,
                           int8_t *sets[LIFT_WEIGHT_SETS]);

/* The arrays that a hierarchy is read into; they belong to the caller. */
struct lift_arrays {
    uint32_t vertex_count;    /* 1..LIFT_WIRE_VERTICES_MAX */
    uint32_t layer_count;     /* 1..vertex_count */
    uint32_t channel_weights; /* LIFT_CHANNEL_WEIGHTS_*: so many times more
                                 weights */
    /* of the sizes above */
    struct lift_layer *layers;
    uint16_t *references;
    int8_t *weights;
    uint16_t *members; /* vertex_count: the member at each place */
};

/* Read a hierarchy. It keeps the rules of lift_hierarchy.h, whatever the bytes
 * are. SPN_ERR_FORMAT: the bytes are damaged, and the arrays hold
 * anything. `out` points to the arrays. */
SPN_NODISCARD spn_status spn__lift_wire_hierarchy(const uint8_t *bytes,
                                                  size_t count,
                                                  const struct lift_arrays *to,
                                                  struct wire_hierarchy *work,
                                                  struct lift_hierarchy *out,
                                                  struct spn_fault *fault);

/* The arrays that one-rings are read into; they belong to the caller. */
struct one_ring_arrays {
    bool by_uvs;
    uint32_t slot_count;
    uint32_t *first; /* blocks + 1; the first is 0 */
    struct one_ring_slot *slots;
    uint8_t *vertex; /* one for each lane of each block */
    uint16_t *scale; /* 3 */
};

/* Write the rings of a window to its blocks, shorter rings first, equal ones in
 * the order of vertices. The window has `count` vertices from `first` on, and
 * the blocks before it are written already. False: `to` has not enough slots.
 */
bool spn__one_rings_pack(struct one_ring_window *window, uint32_t first,
                         uint32_t count, const struct one_ring_arrays *to);

/* Read the one-rings of a part. They keep the rules of one_ring.h, whatever
 * the bytes are.
 *
 * bytes, count, more   the stream: `count` bytes, then those of `more` (NULL:
 *                      none)
 * part                 all fields but `range`, which is read
 * to                   written on SPN_OK; it must hold exactly the slots
 *
 * SPN_ERR_FORMAT with a fault: the bytes are damaged, or do not fit the
 * triangles; the arrays then hold anything. */
SPN_NODISCARD spn_status spn__lift_wire_one_rings(
    const uint8_t *bytes, size_t count, const struct range_source *more,
    struct one_ring_part *part, const struct one_ring_arrays *to,
    struct wire_one_rings *work, struct spn_fault *fault);

#endif
