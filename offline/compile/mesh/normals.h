/* normals.h - smooth normals from positions. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_NORMALS_H
#define OFFLINE_COMPILE_MESH_NORMALS_H

#include "compile/math/arith.h"

#include <stdint.h>

/* One normal a point: the unit normals of its triangles (counter-clockwise
 * seen from outside), weighted by the angle of their corner there (Thuermer
 * and Wuethrich 1998), so that it does not depend on how faces were cut.
 *
 * points         three a triangle, each below point_count
 * positions      xyz of each point, finite
 * normals        one a point; +z where nothing gives a direction
 */
void normals_smooth(const uint32_t *points, uint32_t triangle_count,
                    const float *positions, uint32_t point_count,
                    struct vec3 *normals);

#endif
