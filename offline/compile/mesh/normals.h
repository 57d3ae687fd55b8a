/* normals.h - computes smooth vertex normals from positions, for meshes without
 * normals in the archive.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_NORMALS_H
#define OFFLINE_COMPILE_MESH_NORMALS_H

#include "compile/math/arith.h"

#include <stdint.h>

/* Compute a unit normal for each point: the sum of the unit normals of the
 * triangles around it, each weighted by the triangle's angle at the point
 * (Thuermer and Wuethrich 1998). With these weights the triangulation of a
 * planar face does not matter.
 *
 * points     three for each triangle, counter-clockwise seen from outside
 * positions  xyz of each point; finite
 * normals    filled, one for each point; (0, 0, 1) if the sum has no direction
 */
void normals_smooth(const uint32_t *points, uint32_t triangle_count,
                    const float *positions, uint32_t point_count,
                    struct vec3 *normals);

#endif
