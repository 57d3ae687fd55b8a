/* triangulate.h - polygons to triangles, once per mesh.
 *
 * Decided on the positions of the first sample and kept for all of them, so
 * topology is constant. Alembic's faces run clockwise seen from outside;
 * triangles come out counter-clockwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_TRIANGULATE_H
#define OFFLINE_COMPILE_TRIANGULATE_H

#include "abc/schema.h"
#include "common/arena.h"

#include <stdint.h>

/* A concave face with more corners is cut into a fan: ear clipping takes time
 * by the square. */
#define TRIANGULATE_EARS_MAX 2048u

struct triangulation {
    uint32_t triangle_count;
    /* Three face corners a triangle, as numbered by `indices` of the
     * topology: whatever is left out, a corner keeps its number, and with it
     * its attributes. */
    uint32_t *corners;
    uint32_t *faces;        /* the face of each triangle */
    uint32_t short_faces;   /* left out: fewer than three corners */
    uint32_t collapsed;     /* left out: triangles that use a point twice */
    uint32_t large_concave; /* faces beyond TRIANGULATE_EARS_MAX */
    uint32_t first_large;   /* the first of those */
};

/* `positions`: xyz of the first sample. Everything in `out` belongs to
 * `arena`; `scratch` may be reset afterwards. */
void triangulate(const struct abc_topology *topology, const float *positions,
                 struct arena *arena, struct arena *scratch,
                 struct triangulation *out);

#endif
