/* lift_plan.h - which meshes are lifted, and what was trained for each.
 *
 * The plan is made from the training frames (lift_frames.h), before a second
 * pass encodes all frames. lift_plan_begin marks the candidates, lift_train.h
 * and encode_tangents.h fill the plan, and encode_choice.c removes meshes that
 * would be larger than by the classic codec. From then on it is read only.
 *
 * The values of a lifted mesh are stored in an order of its own: part after
 * part, and within a part layer after layer. The number of a vertex, which
 * indices refer to, is another one (lift_triangles.h). Parts are those of the
 * layout (parts.h).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PLAN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_PLAN_H

#include "codec/lift/lift.h"
#include "codec/lift/one_ring_walk.h"
#include "common/workers.h"
#include "compile/clip/clip.h"
#include "compile/encode/entropy/residual_encode.h"
#include "compile/encode/lift/lift_wire_write.h"

#include <stdbool.h>
#include <stdint.h>

/* A part's hierarchy and rings as they are stored; count 0: not written yet.
 * Owner: the job that works on the part. */
struct lift_plan_wires {
    struct wire_bytes hierarchy;
    struct wire_bytes rings;
};

struct lift_plan_mesh {
    bool is_lifted;
    uint32_t part_count;
    uint32_t *order;   /* the clip's vertex at each place */
    uint16_t *members; /* its number, counted from its part's first */
    uint32_t *indices; /* triangles as they are stored, by numbers */
    struct triangle_range *ranges; /* of each part: its triangles among them */
    struct lift_hierarchy *parts;  /* of each part */
    struct one_rings
        *rings;           /* of each part, which guess QTangents; NULL: none */
    bool is_fast;         /* nothing that is slow to decode */
    bool has_guess_signs; /* QTangents are stored with the signs of guesses */
    struct lift_plan_wires *wires; /* of each part */
    /* Predictions that training has searched already, part by part of each
     * frame; NULL: none. */
    struct lift_prediction **found[CHANNEL_COUNT];
};

static inline struct lift_prediction **lift_plan_found(
    const struct lift_plan_mesh *mesh, enum channel channel, uint32_t frame,
    uint32_t part)
{
    return mesh->found[channel]
               ? &mesh->found[channel][(size_t)frame * mesh->part_count + part]
               : NULL;
}

struct lift_plan {
    struct lift_plan_mesh *meshes;
    /* Huffman tables for all lifted meshes together; NULL: none has the channel
     */
    struct residual_encoder *coder[CHANNEL_COUNT];
    uint32_t lifted_count;
    bool is_fast; /* nothing that is slow to decode */
    /* one of each worker thread, for results that live as long as the plan */
    struct arena *arenas;
    uint32_t arena_count;
};

/* Copy quantized values of a channel to four numbers a vertex, with
 * LIFT_PADDING vertices of zeros behind. Vertex i comes from order[i], or from
 * i if `order` is NULL. */
void lift_plan_numbers(enum channel channel, const void *values,
                       const uint32_t *order, uint32_t vertex_count,
                       int16_t *out);

/* The vertex of the mesh at each place of a part. */
const uint32_t *lift_plan_order(const struct clip *clip,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part);

/* Set the fourth number of each position to v, as rings by UVs need it. */
void lift_plan_add_v(const void *uvs, const uint32_t *order,
                     uint32_t vertex_count, int16_t *positions);

/* Number the vertices of all lifted meshes in decoding order, once their
 * hierarchies are trained. Fills are then faster, but a GPU fetches more. */
void lift_plan_number_by_layers(const struct clip *clip,
                                struct lift_plan *plan);

/* Copy bytes to memory that lives as long as the plan. `worker`: the number of
 * the calling thread. */
struct wire_bytes lift_plan_keep(struct lift_plan *plan, uint32_t worker,
                                 struct wire_bytes wire);

/* Start a plan: set is_lifted of all meshes that could be lifted. Call
 * lift_plan_free before `arena` is freed. */
void lift_plan_begin(const struct clip *clip, struct workers *workers,
                     struct arena *arena, struct lift_plan *out);
void lift_plan_free(struct lift_plan *plan);

#endif
