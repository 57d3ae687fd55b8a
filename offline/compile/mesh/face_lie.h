/* face_lie.h - how a face lies in a frame, and which triangles of its corners
 * are turned over.
 *
 * A triangle is turned when it faces away from the side that its face shows as
 * a whole (the direction of Newell's area vector), by more than the rounding of
 * coordinates explains.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_FACE_LIE_H
#define OFFLINE_COMPILE_MESH_FACE_LIE_H

#include "compile/math/arith.h"

#include <stdbool.h>
#include <stdint.h>

struct face_lie {
    uint32_t count;
    const uint32_t *points;
    const float *positions; /* of all points */
    const struct vec3 *at;  /* of the corners, from the first */
    struct vec3 area;       /* twice, in the direction of the triangles */
    double product_min;     /* with the area of a triangle that may be turned by
                             * rounding alone; > 0: not known yet */
};

/* Faces run the other way than their triangles. `at`: room for the corners;
 * all pointers are used until the next look. */
struct face_lie face_lie_look(const uint32_t *points, uint32_t count,
                              const float *positions, struct vec3 *at);

/* a, b, c: corners of the face. A face whose own area may be rounding alone
 * says nothing. */
bool face_lie_is_turned(struct face_lie *lie, uint32_t a, uint32_t b,
                        uint32_t c);

#endif
