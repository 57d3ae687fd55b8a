/* lift_plan.h - which meshes are lifted, and what is learnt of them first.
 *
 * Made in one pass over some frames before the clip is encoded in a second
 * one. The values of a lifted mesh stand in an order of its own: part after
 * part, in each part layer after layer; its vertices are numbered in another.
 * Parts are those of the layout (parts.h).
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

/* A part's hierarchy and rings as they are stored; count 0: not known yet.
 * Owner: the turn that works on the part. */
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
    struct one_rings *rings; /* of each part, to guess QTangents by; NULL */
    bool is_fast;            /* nothing that is slow to decode */
    bool has_guess_signs;    /* QTangents hold the signs of guesses */
    struct lift_plan_wires *wires; /* of each part */
    /* What the search finds where it was asked already, part by part of each
     * frame; NULL: frames are not all there, or nothing was. */
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
    /* for all lifted meshes together; NULL: none has the channel */
    struct residual_encoder *coder[CHANNEL_COUNT];
    uint32_t lifted_count;
    bool is_fast; /* nothing that is slow to decode */
    /* of the threads that made it */
    struct arena *arenas;
    uint32_t arena_count;
};

/* Numbers of a channel as the search wants them: four a vertex, LIFT_PADDING
 * vertices more. `values` are as quantized; vertex i is values' order[i], or i
 * without an order. */
void lift_plan_numbers(enum channel channel, const void *values,
                       const uint32_t *order, uint32_t vertex_count,
                       int16_t *out);

/* The vertex of the mesh at each place of a part. */
const uint32_t *lift_plan_order(const struct clip *clip,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part);

/* To the fourth of each vertex' position: v, for rings by UVs. */
void lift_plan_add_v(const void *uvs, const uint32_t *order,
                     uint32_t vertex_count, int16_t *positions);

/* Number the vertices of all lifted meshes, whose hierarchies are there, as
 * they are decoded: a fill then needs no other order, but a GPU fetches more.
 */
void lift_plan_number_by_layers(const struct clip *clip,
                                struct lift_plan *plan);

/* A copy that is kept as long as the plan; `worker`: whose turn it is. */
struct wire_bytes lift_plan_keep(struct lift_plan *plan, uint32_t worker,
                                 struct wire_bytes wire);

/* All meshes that could be lifted: is_lifted alone is set. To be freed before
 * `arena`. */
void lift_plan_begin(const struct clip *clip, struct workers *workers,
                     struct arena *arena, struct lift_plan *out);
void lift_plan_free(struct lift_plan *plan);

#endif
