/* lift_train.h - the two steps of training: shapes, then tables.
 *
 * `frames`: those of lift_frames_make, for the meshes that are lifted.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LIFT_TRAIN_H
#define OFFLINE_COMPILE_LIFT_TRAIN_H

#include "compile/lift_frames.h"
#include "compile/lift_plan.h"

/* Orders, parts and shapes of all lifted meshes. One that no frame shows is
 * lifted no more. */
void lift_train_shapes(const struct clip *clip,
                       const struct lift_frames *frames,
                       struct workers *workers, struct arena *arena,
                       struct lift_plan *plan);

/* One part of a lifted mesh. `order`: its vertices as lift_parts_cut has them;
 * then in the order of the shape. Everything that stays lies in `arena`. */
void lift_train_shape(const struct clip *clip, const struct lift_frames *frames,
                      uint32_t mesh, uint32_t vertex_count, uint32_t *order,
                      struct arena *arena, struct lift_shape *out);

/* The coders of a plan whose shapes are there, in `arena`. Again after some
 * meshes are lifted no more. */
void lift_train_tables(const struct clip *clip,
                       const struct lift_frames *frames, uint32_t distance,
                       struct workers *workers, struct arena *arena,
                       struct lift_plan *plan);

#endif
