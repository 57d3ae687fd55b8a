/* face_orientation.h - tells whether a triangle of a face is flipped in a
 * frame.
 *
 * The area vector of a polygon is normal to it and as long as its area (Newell
 * 1972). A triangle of a face is flipped if the dot product of its area vector
 * and that of the face is negative by more than the rounding of the coordinates
 * explains.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_FACE_ORIENTATION_H
#define OFFLINE_COMPILE_MESH_FACE_ORIENTATION_H

#include "compile/math/arith.h"

#include <stdbool.h>
#include <stdint.h>

struct face_orientation {
    uint32_t count;         /* corners of the face */
    const uint32_t *points; /* of each corner */
    const float *positions; /* xyz of all points of the mesh */
    const struct vec3 *at;  /* each corner's position minus the first one's */
    struct vec3 area;       /* twice the area vector of the face */
    /* A triangle is flipped if the dot product of twice its area vector with
     * `area` is less than this. Computed when it is first needed: 1 before,
     * then at most 0. */
    double product_min;
};

/* Compute the area vector of a face. Corners are in the order of the archive
 * (clockwise seen from outside), triangles counter-clockwise.
 *
 * at  memory for `count` corners; filled
 *
 * The result refers to all three arrays. */
struct face_orientation face_orientation_of(const uint32_t *points,
                                            uint32_t count,
                                            const float *positions,
                                            struct vec3 *at);

/* Return whether the triangle of the corners a, b, c of the face is flipped.
 * Always false for a face whose area is within the rounding of its coordinates.
 */
bool face_orientation_is_flipped(struct face_orientation *orientation,
                                 uint32_t a, uint32_t b, uint32_t c);

#endif
