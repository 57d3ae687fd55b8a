/* face_orientation.h - finds triangles of a face that are flipped in a frame.
 *
 * A triangle is flipped when its normal points away from the normal of its
 * face (the direction of Newell's area vector) by more than the rounding of
 * the coordinates explains.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_FACE_ORIENTATION_H
#define OFFLINE_COMPILE_MESH_FACE_ORIENTATION_H

#include "compile/math/arith.h"

#include <stdbool.h>
#include <stdint.h>

struct face_orientation {
    uint32_t count; /* corners */
    const uint32_t *points;
    const float *positions; /* of all points of the mesh */
    const struct vec3 *at;  /* the corners, relative to the first one */
    struct vec3 area;       /* twice the face's area vector */
    /* A triangle is flipped when the dot product of its area vector with
     * `area` is less than this. 1: not computed yet; computed values are <= 0
     */
    double product_min;
};

/* The corners of a face run in the opposite direction of its triangles.
 * `at`: memory for `count` corners. The result refers to all three arrays. */
struct face_orientation face_orientation_of(const uint32_t *points,
                                            uint32_t count,
                                            const float *positions,
                                            struct vec3 *at);

/* Is the triangle of the corners a, b, c flipped? Always false for a face whose
 * area is within the rounding of its coordinates. */
bool face_orientation_is_flipped(struct face_orientation *orientation,
                                 uint32_t a, uint32_t b, uint32_t c);

#endif
