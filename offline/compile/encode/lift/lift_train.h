/* lift_train.h - the two steps of training: hierarchies, then tables.
 *
 * `frames`: those of lift_frames_make, for the meshes that are lifted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TRAIN_H

#include "codec/lift/one_ring_walk.h"
#include "compile/encode/lift/lift_frames.h"
#include "compile/encode/lift/lift_plan.h"
#include "compile/encode/lift/ring_train.h"

/* Orders, parts and hierarchies of all lifted meshes. One that no frame shows
 * is lifted no more. `distance`: of index frames, as far as it is known. */
void lift_train_hierarchies(const struct clip *clip,
                            const struct lift_frames *frames, uint32_t distance,
                            struct workers *workers, struct arena *arena,
                            struct lift_plan *plan);

/* One part of a lifted mesh: its hierarchy and places; `order` has its vertices
 * as they are numbered, then layer by layer. Everything that stays lies in
 * `arena`. */
void lift_train_hierarchy(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          uint32_t part, uint32_t distance,
                          const struct lift_plan_mesh *lifted,
                          struct arena *arena);

/* Who is welded to whom: the first of `members` (a part's vertices) that is at
 * the same place in all frames. */
uint32_t *lift_find_welds(const struct clip *clip,
                          const struct lift_frames *frames, uint32_t mesh,
                          const uint32_t *members, uint32_t count,
                          struct arena *scratch);

/* Triangles with all corners among `count` vertices from `first` on, counted
 * from there. */
uint32_t *lift_find_triangles(const uint32_t *indices,
                              struct triangle_range range, uint32_t first,
                              uint32_t count, struct arena *scratch,
                              uint32_t *index_count);

/* The triangles of a part whose hierarchy is there. Everything that they point
 * to is in `arena` or the plan. */
struct one_ring_part lift_part_triangles(const struct clip *clip,
                                         const struct lift_plan *plan,
                                         uint32_t mesh, uint32_t part,
                                         struct arena *arena);

/* Train the rings of a part whose hierarchy is there (ring_train.h). `by_uvs`:
 * the UVs move. False: no frame shows the mesh. */
bool lift_train_rings(const struct clip *clip, const struct lift_frames *frames,
                      const struct lift_plan *plan, uint32_t mesh,
                      uint32_t part, const struct ring_quality *quality,
                      bool by_uvs, struct arena *arena, struct one_rings *out);

/* The weights that QTangents of a part have of their own, in space and in time,
 * by all frames that show it. `rings`: those that may guess them, which leave
 * nothing to be had in space; or NULL. */
void lift_train_channel_weights(const struct clip *clip,
                                const struct lift_frames *frames,
                                const struct lift_plan *plan, uint32_t mesh,
                                uint32_t part, uint32_t distance,
                                const struct one_rings *rings,
                                bool has_guess_signs, struct arena *arena,
                                const int8_t *own[2]);

/* The coders of a plan whose hierarchies are there, in `arena`. Again after
 * some meshes are lifted no more. */
void lift_train_tables(const struct clip *clip,
                       const struct lift_frames *frames, uint32_t distance,
                       struct workers *workers, struct arena *arena,
                       struct lift_plan *plan);

#endif
