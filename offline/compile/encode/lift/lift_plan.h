/* lift_plan.h - which meshes are lifted, and what was trained for each.
 *
 * The plan is made from the training frames (lift_frames.h), before a second
 * pass encodes all frames. lift_plan_begin marks the candidates, lift_train.h
 * and encode_tangents.h fill the plan, and encode_choice.c removes meshes that
 * would be larger than by the classic codec. From then on it is read only.
 *
 * A mesh consists of parts (compile/layout/parts.h). A vertex of a lifted mesh
 * is named in three ways:
 *
 *   vertex   its index in the mesh of the clip (compile/clip/clip.h)
 *   place    its index in the arrays of values in the file: part after part,
 *            within a part layer after layer (lift_hierarchy.h)
 *   number   its index in the mesh that a player shows; the stored triangles
 *            refer to numbers. Part after part, within a part by the first use
 *            in the triangles (lift_triangles.h). Counted from the part's first
 *            number it is called a member (lift_wire.h).
 *
 * The places and the numbers of a part are the same range. For example, a mesh
 * has one part, and the triangles 4 2 0 and 2 0 3. By first use, vertex 4 has
 * the number 0, vertex 2 has 1, vertex 0 has 2 and vertex 3 has 3. Vertex 1 has
 * no triangle, so it has the last number, 4. If the coarse layer consists of
 * the vertices 0 and 1, then
 *
 *   place       0 1 2 3 4
 *   vertex_at   0 1 4 2 3
 *   member_at   2 4 0 1 3
 *   indices     0 1 2, 1 2 3
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

/* The hierarchy and the one-rings of a part as they are stored. Their `count`
 * is 0 until they are written. Owner: the job that works on the part. */
struct lift_plan_wires {
    struct wire_bytes hierarchy;
    struct wire_bytes rings;
};

/* What was decided for one mesh. The fields after is_lifted are set only if it
 * is lifted. Arrays lie in the arena of lift_train_hierarchies. */
struct lift_plan_mesh {
    bool is_lifted;
    uint32_t part_count;
    uint32_t *vertex_at;  /* for each place, the vertex */
    uint16_t *member_at;  /* for each place, the member */
    uint32_t *indices;    /* triangles as they are stored: numbers */
    bool merges_layers;   /* as lift_plan.merges_layers */
    bool has_guess_signs; /* QTangents are stored with the signs of guesses */

    /* Arrays of part_count. */

    struct triangle_range *ranges; /* in `indices`: the part's triangles */
    struct lift_hierarchy *parts;
    struct one_rings *rings;       /* NULL: QTangents have no guess */
    struct lift_plan_wires *wires; /* stored form of `parts` and `rings` */

    /* For each channel the predictions that training has searched already, or
     * NULL. Use lift_plan_found(). */
    struct lift_prediction **found[CHANNEL_COUNT];
};

/* Where the plan keeps the prediction of a channel of a part in frame `frame`
 * of the clip. NULL: it keeps none of the channel. The pointer there is NULL if
 * the frame has not been searched. */
static inline struct lift_prediction **lift_plan_found(
    const struct lift_plan_mesh *mesh, enum channel channel, uint32_t frame,
    uint32_t part)
{
    return mesh->found[channel]
               ? &mesh->found[channel][(size_t)frame * mesh->part_count + part]
               : NULL;
}

struct lift_plan {
    struct lift_plan_mesh *meshes; /* one for each mesh of the clip */
    /* Huffman tables for all lifted meshes together; NULL: no lifted mesh has
     * the channel. */
    struct residual_encoder *coder[CHANNEL_COUNT];
    uint32_t lifted_count; /* meshes with is_lifted */
    /* Set by compile_options.is_fast: hierarchies have fewer and larger layers,
     * which decode faster (lift_graph.h). */
    bool merges_layers;
    /* One for each worker thread: memory of results that live as long as the
     * plan (lift_plan_keep). */
    struct arena *arenas;
    uint32_t arena_count;
};

/* Copy quantized values of a channel to four numbers a vertex, with
 * LIFT_PADDING vertices of zeros behind. Vertex i comes from order[i], or from
 * i if `order` is NULL. */
void lift_plan_numbers(enum channel channel, const void *values,
                       const uint32_t *order, uint32_t vertex_count,
                       int16_t *out);

/* vertex_at from the first place of a part on. */
const uint32_t *lift_plan_order(const struct clip *clip,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part);

/* Set the fourth number of each position to v, the second UV coordinate, as
 * one-rings with by_uvs need it (one_ring.h). */
void lift_plan_add_v(const void *uvs, const uint32_t *order,
                     uint32_t vertex_count, int16_t *positions);

/* Make the number of each vertex its place, in all lifted meshes, once their
 * hierarchies are trained. The runtime then writes vertex buffers faster, but a
 * GPU fetches more memory. */
void lift_plan_number_by_layers(const struct clip *clip,
                                struct lift_plan *plan);

/* Copy bytes to memory that lives as long as the plan. `worker`: the number of
 * the calling thread. */
struct wire_bytes lift_plan_keep(struct lift_plan *plan, uint32_t worker,
                                 struct wire_bytes wire);

/* Start a plan in `arena`: set is_lifted of all meshes that could be lifted.
 * Call lift_plan_free before `arena` is freed. */
void lift_plan_begin(const struct clip *clip, struct workers *workers,
                     struct arena *arena, struct lift_plan *out);
void lift_plan_free(struct lift_plan *plan);

#endif
