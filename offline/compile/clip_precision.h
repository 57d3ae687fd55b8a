/* clip_precision.h - where a cache's fixed number of bits is too few for a
 * mesh: said as warnings. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_PRECISION_H
#define OFFLINE_COMPILE_CLIP_PRECISION_H

#include "compile/clip_private.h"

/* Warn where the texture coordinates of `channel`, whose range is set, may be
 * off by more than half a texel of a texture of 2048. They have 16 bits
 * whatever their range is: enough for 31 textures beside each other. */
void clip_warn_of_uvs(struct clip_private *private,
                      const struct clip_mesh *mesh, enum channel channel);

/* Of a mesh that some node stretches: set its `cofactors`, and warn where its
 * normals are off by more than TANGENTS_WORLD_DEGREES in the world all the
 * same. What is looked at is where it is stretched most. False after a
 * refusal. */
bool clip_judge_normals(struct clip *clip, uint32_t mesh,
                        const struct mesh_world *world);

#endif
