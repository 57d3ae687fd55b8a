/* clip_precision.h - choose how finely the values of a mesh are quantized.
 *
 * Input: the options' precision, the extent of the mesh's values, and the
 * mesh's scaling in the world. Output: the ranges and bits in the clip_mesh,
 * and warnings where 16 bits are too few for the precision.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_CLIP_CLIP_PRECISION_H
#define OFFLINE_COMPILE_CLIP_CLIP_PRECISION_H

#include "compile/clip/clip_nodes.h"

/* Set the channel ranges, `mm_per_unit` and `precision_reached_mm` of the mesh
 * with index `mesh`. Returns false after a refusal. */
bool clip_choose_ranges(struct clip *clip, uint32_t mesh,
                        const struct mesh_scaling *scaling);

/* Set `is_stretched` and `cofactors` of the mesh. If a node stretches the mesh,
 * quantize its normals in the node and frame of the largest stretch; warn when
 * the error of one in the world exceeds TANGENTS_WORLD_DEGREES. Returns false
 * after a refusal. */
bool clip_validate_normals(struct clip *clip, uint32_t mesh,
                           const struct mesh_scaling *scaling);

#endif
