/* lift_train.h - trains what lifted meshes are encoded with, before the first
 * frame is encoded.
 *
 * The order is: hierarchies of all parts; then for QTangents one-rings and
 * per-channel weights, where encode_tangents.h chooses them; then the Huffman
 * tables of each channel, from the residuals of the predictions that the
 * encoder will use. Functions for one part may run on any thread, for several
 * parts at a time: they read the clip, the frames and the plan, and write that
 * part's results. Functions for all meshes are called by one thread and use
 * `workers`. `frames` are those of lift_frames_make.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRAIN_H

#include "codec/lift/one_ring_walk.h"
#include "compile/encode/lift/lift_frames.h"
#include "compile/encode/lift/lift_plan.h"
#include "compile/encode/lift/one_ring_train.h"

/* Divide all lifted meshes into parts, and train their orders and hierarchies.
 * A mesh that no frame shows stops being lifted. `distance`: the expected
 * distance of index frames. */
void lift_train_hierarchies(const struct clip *clip,
                            const struct lift_frames *frames, uint32_t distance,
                            struct workers *workers, struct arena *arena,
                            struct lift_plan *plan);

/* Train one part of a lifted mesh. On entry lifted->vertex_at holds its
 * vertices in the order of their numbers, on return layer by layer;
 * lifted->member_at holds the number at each place. The hierarchy lies in
 * `arena`. */
void lift_train_hierarchy(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          uint32_t part, uint32_t distance,
                          const struct lift_plan_mesh *lifted,
                          struct arena *arena);

/* For each of the `members` (a part's vertices), the first of them that is at
 * the same position in all frames. In `scratch`. */
uint32_t *lift_find_welds(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          const uint32_t *members, uint32_t count,
                          struct arena *scratch);

/* The triangles of the range with all corners among the `count` vertices from
 * `first` on. Their indices count from `first`. In `scratch`. */
uint32_t *lift_find_triangles(const uint32_t *indices,
                              struct triangle_range range, uint32_t first,
                              uint32_t count, struct arena *scratch,
                              uint32_t *index_count);

/* The triangles of a part for one_ring_walk.h. The part's hierarchy must be
 * trained. The result points into `arena` and the plan. */
struct one_ring_part lift_part_triangles(const struct clip *clip,
                                         const struct lift_plan *plan,
                                         uint32_t mesh, uint32_t part,
                                         struct arena *arena);

/* Train the one-rings of a part whose hierarchy is trained (one_ring_train.h),
 * in `arena`. `by_uvs`: the UVs move. False: no frame shows the mesh. */
bool lift_train_one_rings(const struct clip *clip,
                          const struct lift_frames *frames,
                          const struct lift_plan *plan, uint32_t mesh,
                          uint32_t part, const struct one_ring_quality *quality,
                          bool by_uvs, struct arena *arena,
                          struct one_rings *out);

/* Train the per-channel weights of QTangents for a part, from its training
 * frames, in `arena`: weights[0] for prediction in space alone, weights[1] for
 * the residuals of prediction in time. With `rings`, which may guess the
 * QTangents, weights[0] is NULL: the guess replaces prediction in space alone.
 */
void lift_train_channel_weights(const struct clip *clip,
                                const struct lift_frames *frames,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part, uint32_t distance,
                                const struct one_rings *rings,
                                bool has_guess_signs, struct arena *arena,
                                const int8_t *weights[2]);

/* Train the Huffman tables (plan->coder) for all meshes that are lifted now, in
 * `arena`. May be called again after some meshes have stopped being lifted. */
void lift_train_tables(const struct clip *clip,
                       const struct lift_frames *frames, uint32_t distance,
                       struct workers *workers, struct arena *arena,
                       struct lift_plan *plan);

#endif
