/* lift_wire.h - the hierarchy and the rings of a tile as bytes.
 *
 * Both are coded bit by bit by chances that learn (base/range_coder.h), each
 * tile by itself; lift_model.h is the text of it, for both directions.
 *
 * A hierarchy tells, for each layer, whether it begins a level, and whether the
 * last one is of welded vertices: those stand where their one reference
 * stands. Then of each vertex, as the mesh numbers them (members), its layer. A
 * layer has its vertices in that order, so the member at each place follows.
 *   references  how many; then each as a member minus the own number, rising:
 *               one of the LIFT_WIRE_RECENT offsets that were last there in
 *               the same level, or the step from the reference before
 *   weights     all but the last, by an even share of what is left of 64;
 *               those of roots, which have no references, are 0
 *   own         the weights of QTangents in space, then in time, where there
 *               are some, those in time in 32nds: each by the weight that it
 *               stands for; where that is 0 it is 0
 *
 * Rings follow from the triangles (one_ring_walk.h); stored are the range of
 * those, the scales, the largest weight, and vertex by vertex the sectors'
 * weights and the neighbours'. A sector's is like the one before, a neighbour's
 * like the two before if they were a wave around the vertex; or both are like
 * in the last ring with as many slots, whichever was closer of late. Weights of
 * gaps, and of neighbours that come again, are 0. Rings by UVs have one sign in
 * the place of the latter.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_WIRE_H
#define SPN_CODEC_LIFT_LIFT_WIRE_H

#include "base/range_coder.h"
#include "codec/lift/lift.h"
#include "codec/lift/one_ring_walk.h"

#define LIFT_WIRE_VERTICES_MAX 8192u
#define LIFT_WIRE_NUMBER_BITS 28u
#define LIFT_WIRE_LAYER_BITS 6u
#define LIFT_WIRE_LAYERS (1u << LIFT_WIRE_LAYER_BITS)
#define LIFT_WIRE_RECENT 16u
#define LIFT_WIRE_BUCKETS 5u
#define LIFT_WIRE_CHANNEL_STEP 2 /* of own weights in time */

struct wire_number {
    struct chance longer[LIFT_WIRE_NUMBER_BITS];
    struct chance is_negative;
    struct chance high[LIFT_WIRE_NUMBER_BITS + 1];
};

struct wire_hierarchy_models {
    struct chance is_next_level;
    struct chance has_welds;
    struct chance layer[LIFT_WIRE_LAYERS][LIFT_WIRE_LAYERS];
    struct wire_number far_layer;
    struct chance count[2][8];
    struct chance is_recent[3][LIFT_REFERENCES][LIFT_WIRE_RECENT];
    struct wire_number offset[3];
    struct wire_number step[3];
    /* by how many there are; own ones by 0 and 1 */
    struct wire_number weight[LIFT_REFERENCES + 1][LIFT_REFERENCES][2]
                             [LIFT_WIRE_BUCKETS];
};

/* A hierarchy while it is read or written. */
struct wire_hierarchy {
    uint32_t vertex_count;
    uint32_t layer_count;
    uint32_t level_count;
    bool has_welds;
    struct lift_layer *layers;         /* layer_count + 1 */
    uint16_t *references;              /* of each place */
    int8_t *weights[LIFT_WEIGHT_SETS]; /* NULL: there are none */
    /* of each member */
    uint16_t place[LIFT_WIRE_VERTICES_MAX];
    uint16_t layer_of[LIFT_WIRE_VERTICES_MAX];
    uint8_t count[LIFT_WIRE_VERTICES_MAX]; /* of references */
    /* of each place */
    uint16_t *member;
    int16_t recent[LIFT_LEVELS_MAX][LIFT_REFERENCES][LIFT_WIRE_RECENT];
    int32_t last_weight[LIFT_WEIGHT_SETS];
    struct wire_hierarchy_models models;
};

/* Weights of sectors or of neighbours. */
struct wire_one_ring_kind {
    struct wire_number number[3][LIFT_WIRE_BUCKETS];
    int32_t last;     /* what the guess was wrong by */
    int32_t error[2]; /* of either guess, of late */
};

/* Rings and weights of a window's vertices. */
struct one_ring_window {
    struct one_ring ring[ONE_RING_WINDOW];
    int8_t sectors[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
    int8_t along[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
};

struct wire_one_rings {
    bool by_uvs;
    bool is_mirrored;   /* the last */
    int32_t weight_max; /* 0..127 */
    struct wire_one_ring_kind sector;
    struct wire_one_ring_kind along;
    struct chance mirrored[2]; /* by the last */
    /* sectors and neighbours of the last ring with so many slots */
    int8_t before[ONE_RING_SLOTS_MAX + 1][2][ONE_RING_SLOTS_MAX];
    struct one_ring_corners corners;
    struct one_ring_window window;
};

/* Before either direction: models that know nothing. */
void spn__wire_hierarchy_begin(struct wire_hierarchy *hierarchy);
void spn__wire_one_rings_begin(struct wire_one_rings *rings, bool by_uvs);

/* Bytes of each array of a hierarchy, with its padding; of all sets of weights,
 * `own` being LIFT_CHANNEL_WEIGHTS_*. */
size_t spn__lift_layers_bytes(uint32_t layer_count);
size_t spn__lift_references_bytes(uint32_t vertex_count);
size_t spn__lift_weights_bytes(uint32_t vertex_count, uint32_t channel_weights);

/* The sets that follow each other from `weights` on: everything's, QTangents'
 * own in space and in time; NULL: `own` (LIFT_CHANNEL_WEIGHTS_*) has it not. */
void spn__lift_weight_sets(int8_t *weights, uint32_t vertex_count,
                           uint32_t channel_weights,
                           int8_t *sets[LIFT_WEIGHT_SETS]);

/* Where a hierarchy is read to. */
struct lift_arrays {
    uint32_t vertex_count;    /* 1..LIFT_WIRE_VERTICES_MAX */
    uint32_t layer_count;     /* 1..vertex_count */
    uint32_t channel_weights; /* LIFT_CHANNEL_WEIGHTS_*: so many times more
                                 weights */
    /* of the sizes above */
    struct lift_layer *layers;
    uint16_t *references;
    int8_t *weights;
    uint16_t *members; /* vertex_count: of each place */
};

/* Read a hierarchy; it is one that spn__lift_validate takes. The arrays hold
 * anything after a refusal. */
SPN_NODISCARD spn_status spn__lift_wire_hierarchy(const uint8_t *bytes,
                                                  size_t count,
                                                  const struct lift_arrays *to,
                                                  struct wire_hierarchy *work,
                                                  struct lift_hierarchy *out,
                                                  struct spn_fault *fault);

/* Arrays of rings with so many slots. */
struct one_ring_arrays {
    bool by_uvs;
    uint32_t slot_count;
    uint32_t *first; /* blocks + 1; the first is 0 */
    struct one_ring_slot *slots;
    uint8_t *vertex; /* of each lane of each block */
    uint16_t *scale; /* 3 */
};

/* Deal the rings of the `count` vertices from `first` on, a window, out to its
 * blocks: shorter ones first, and in their order. The blocks before are there.
 * False: there are not as many slots. */
bool spn__one_rings_pack(struct one_ring_window *window, uint32_t first,
                         uint32_t count, const struct one_ring_arrays *to);

/* Walk around all vertices and read the weights: rings that
 * spn__one_rings_validate takes. The range of `part` is read. `more`: bytes
 * behind the `count`; NULL: none. */
SPN_NODISCARD spn_status spn__lift_wire_one_rings(
    const uint8_t *bytes, size_t count, const struct range_source *more,
    struct one_ring_part *part, const struct one_ring_arrays *to,
    struct wire_one_rings *work, struct spn_fault *fault);

#endif
