/* triangulate.h - triangulates the polygons of a mesh, once for the whole clip.
 *
 * The faces of the archive run clockwise seen from outside; the triangles are
 * counter-clockwise. Convex faces become fans, others are clipped ear by ear
 * (ear_clipping.h), as they are in the first sample. retriangulate.h then
 * checks the triangles in all frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_TRIANGULATE_H
#define OFFLINE_COMPILE_MESH_TRIANGULATE_H

#include "abc/schema.h"
#include "common/arena.h"

#include <stdint.h>

struct triangulation {
    uint32_t triangle_count;
    /* Three face corners for each triangle, numbered like the `indices` of the
     * topology. Faces and triangles that are omitted do not change the numbers
     * of other corners, by which their attributes are found. */
    uint32_t *corners;
    uint32_t *faces;      /* the face of each triangle, ascending */
    uint32_t short_faces; /* omitted faces: fewer than three corners */
    uint32_t collapsed;   /* omitted triangles: two corners share a point */
};

/* Triangulate all faces.
 *
 * positions  xyz of all points in the first sample
 * arena      owns the arrays of `out`
 * scratch    may be reset after the call
 */
void triangulate(const struct abc_topology *topology, const float *positions,
                 struct arena *arena, struct arena *scratch,
                 struct triangulation *out);

#endif
