/* clip_precision.h - how finely a mesh's values are kept; where bits are too
 * few for that, a warning. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_PRECISION_H
#define OFFLINE_COMPILE_CLIP_CLIP_PRECISION_H

#include "compile/clip/clip_private.h"

/* Find the ranges and bits of a mesh's channels. False after a refusal. */
bool clip_measure(struct clip *clip, uint32_t number,
                  const struct mesh_world *world);

/* Of a mesh that some node stretches: set its `cofactors`, and warn where its
 * normals are off by more than TANGENTS_WORLD_DEGREES in the world all the
 * same. What is looked at is where it is stretched most. False after a
 * refusal. */
bool clip_validate_normals(struct clip *clip, uint32_t mesh,
                           const struct mesh_world *world);

#endif
