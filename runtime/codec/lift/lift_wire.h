/* lift_wire.h - reads the static data of lifted tiles from a file.
 *
 * A lifted tile stores its hierarchy (lift_hierarchy.h) and, for some tiles,
 * the weights of its one-rings (one_ring.h). The runtime reads both in a job
 * when it opens a cache. The compiler writes them (lift_wire_write.h).
 *
 * Both are sequences of numbers (number_model.h), coded by an adaptive range
 * coder (base/range_coder.h). lift_model.h and one_ring_model.h have the order
 * of the numbers and their models. They are compiled once to read and once to
 * write, so both always agree. This comment describes the same in words.
 *
 * A part is a range of a mesh's vertices: those of one tile. A vertex of a part
 * has two numbers. Its member is its number in the order of the mesh, counted
 * from the part's first vertex. Its place is its number in the order of the
 * hierarchy.
 *
 * HIERARCHY. First, one bit for each layer but the first: whether it begins a
 * level. Then whether the vertices of the last layer are welded. Then the layer
 * of each member. Within a layer, vertices are in the order of members, so the
 * layers give the place of each member. Then, for each member:
 *
 *   references       how many, 0..4, and their members in rising order. The
 *                    first is coded as the difference to the vertex's own
 *                    member, each other as the distance from the one before
 *   weights          of all references but the last one, whose weight follows
 *                    from the sum, 64. If r references remain, and their
 *                    weights must have the sum w, the next weight is coded as
 *                    its difference to w / r
 *   channel weights  only in tiles that have them: the weights of QTangents in
 *                    space, then in time. Each is coded as its difference to
 *                    the weight above, in time in units of
 *                    LIFT_WIRE_CHANNEL_STEP. Where the weight above is 0, so is
 *                    this one, and nothing is coded
 *
 * ONE-RINGS. The neighbours are not stored: they follow from the triangles
 * (one_ring_walk.h). First, the range of triangles, the steps of the axes, and
 * the largest weight. Then, for each vertex, the weights of its sectors and the
 * weights of its neighbours. A weight is coded as the difference to one of two
 * predictions: the one whose errors were smaller lately.
 *
 *   from this ring      for a sector the weight of the sector before. For a
 *                       neighbour the continuation of the two weights before
 *                       it, as if the weights were a cosine around the vertex
 *   from another ring   the weight in the same slot of the last one-ring with
 *                       as many slots
 *
 * A sector that no triangle fills (a gap) has the weight 0, which is not coded.
 * So has a neighbour that an earlier slot has, too. One-rings by UVs code one
 * sign instead of the weights of the neighbours.
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
    /* Index: the layer of the member before, counted from the last layer. */
    struct number_model layer[LIFT_WIRE_LAYER_CONTEXTS];
    /* How many references. Index: 1 for vertices of the finest level, else 0.
     */
    struct number_model count[2];
    /* Members of references. Index: 0 for vertices of the finest level, 1 for
     * the second finest, 2 for others; then the number of the reference. */
    struct number_model offset[3][LIFT_REFERENCES];
    struct number_model weight[LIFT_WEIGHT_SETS][LIFT_REFERENCES];
};

/* Workspace: a hierarchy that is being read or written. It belongs to the
 * caller, and keeps nothing from one tile to the next. */
struct wire_hierarchy {
    uint32_t vertex_count;
    uint32_t layer_count;
    uint32_t level_count;
    bool has_welds;
    struct lift_layer *layers; /* layer_count + 1 */
    /* For each place. */
    uint16_t *references;              /* LIFT_REFERENCES of them */
    int8_t *weights[LIFT_WEIGHT_SETS]; /* likewise; NULL: the set is absent */
    uint16_t *member;
    /* For each member. */
    uint16_t place[LIFT_WIRE_VERTICES_MAX];
    uint16_t layer_of[LIFT_WIRE_VERTICES_MAX];
    uint8_t count[LIFT_WIRE_VERTICES_MAX]; /* how many references */
    struct wire_hierarchy_models models;
};

/* The model of the weights of sectors, or of neighbours. */
struct wire_weight_model {
    /* Index: 0 for the first weight of a one-ring, 1 for the second, 2 for
     * others. Sectors use 0 only. */
    struct number_model number[3];
    /* Errors of the two predictions, in decaying sums: [0] from this ring, [1]
     * from another ring. */
    int32_t error[2];
};

/* The one-rings of a window of vertices (ONE_RING_WINDOW), and their weights:
 * a_k of sectors and c_k of neighbours. */
struct one_ring_window {
    struct one_ring ring[ONE_RING_WINDOW];
    int8_t sector_weights[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
    int8_t neighbour_weights[ONE_RING_WINDOW][ONE_RING_SLOTS_MAX];
};

/* Workspace: one-rings that are being read or written. It belongs to the
 * caller, and keeps nothing from one tile to the next. */
struct wire_one_rings {
    bool by_uvs;
    bool is_mirrored;   /* by UVs: the last sign was negative */
    int32_t weight_max; /* the largest weight, 0..127 */
    struct wire_weight_model sector_model;
    struct wire_weight_model neighbour_model;
    struct number_model mirrored[2]; /* index: is_mirrored */
    struct number_model range;       /* of triangles */
    /* last_weights[n]: the weights of the last one-ring with n slots, of its
     * sectors [0] and of its neighbours [1]. */
    int8_t last_weights[ONE_RING_SLOTS_MAX + 1][2][ONE_RING_SLOTS_MAX];
    struct one_ring_corners corners;
    struct one_ring_window window;
};

/* Reset the models. Call it before reading or writing. */
void spn__wire_hierarchy_begin(struct wire_hierarchy *hierarchy);
void spn__wire_one_rings_begin(struct wire_one_rings *rings, bool by_uvs);

/* Bytes of each array of a hierarchy, with its padding. `channel_weights` is a
 * mask of LIFT_CHANNEL_WEIGHTS_*; the set that serves all channels is always
 * counted. */
size_t spn__lift_layers_bytes(uint32_t layer_count);
size_t spn__lift_references_bytes(uint32_t vertex_count);
size_t spn__lift_weights_bytes(uint32_t vertex_count, uint32_t channel_weights);

/* Divide an array of spn__lift_weights_bytes() into sets: sets[0] serves all
 * channels, sets[1] QTangents in space, sets[2] QTangents in time. NULL: the
 * set is absent. */
void spn__lift_weight_sets(int8_t *weights, uint32_t vertex_count,
                           uint32_t channel_weights,
                           int8_t *sets[LIFT_WEIGHT_SETS]);

/* The arrays that a hierarchy is read into; they belong to the caller. */
struct lift_arrays {
    uint32_t vertex_count;    /* 1..LIFT_WIRE_VERTICES_MAX */
    uint32_t layer_count;     /* 1..vertex_count */
    uint32_t channel_weights; /* a mask of LIFT_CHANNEL_WEIGHTS_* */
    /* Their sizes are those of the functions above. */
    struct lift_layer *layers;
    uint16_t *references;
    int8_t *weights;
    uint16_t *members; /* for each place its member: vertex_count of them */
};

/* Read a hierarchy from `count` bytes. On SPN_OK, `out` points to the arrays
 * and keeps the rules of lift_hierarchy.h, whatever the bytes are.
 * SPN_ERR_FORMAT with a fault: the bytes are damaged, and the arrays hold
 * anything. */
SPN_NODISCARD spn_status spn__lift_wire_read_hierarchy(
    const uint8_t *bytes, size_t count, const struct lift_arrays *to,
    struct wire_hierarchy *work, struct lift_hierarchy *out,
    struct spn_fault *fault);

/* The arrays that one-rings are read into; they belong to the caller. */
struct one_ring_arrays {
    bool by_uvs;
    uint32_t slot_count; /* slots of all batches together */
    /* The arrays of struct one_rings. */
    uint32_t *first;             /* one more than batches */
    struct one_ring_slot *slots; /* slot_count */
    uint8_t *vertex;             /* ONE_RING_LANES for each batch */
    uint16_t *scale;             /* 3 */
};

/* Write the one-rings of a window to the batches of the window. Shorter
 * one-rings come first; of equal lengths, the lower vertex comes first. The
 * window has `count` vertices from `first` on. Call it for one window after the
 * other. False: there are more slots than to->slot_count. */
bool spn__one_rings_pack(struct one_ring_window *window, uint32_t first,
                         uint32_t count, const struct one_ring_arrays *to);

/* Read the one-rings of a part.
 *
 * bytes, count, more   the stored bytes: `count` bytes, then those of `more`
 *                      (NULL: none)
 * part                 the part; its `range` is read, and written here
 * to                   the arrays to fill. slot_count must be the number of
 *                      slots that the one-rings have
 *
 * On SPN_OK the arrays keep the rules of one_ring.h, whatever the bytes are.
 * SPN_ERR_FORMAT with a fault: the bytes are damaged, or do not fit the
 * triangles; the arrays then hold anything. */
SPN_NODISCARD spn_status spn__lift_wire_read_one_rings(
    const uint8_t *bytes, size_t count, const struct range_source *more,
    struct one_ring_part *part, const struct one_ring_arrays *to,
    struct wire_one_rings *work, struct spn_fault *fault);

#endif
