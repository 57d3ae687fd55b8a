/* triangulate.h - polygons to triangles, once per mesh.
 *
 * Alembic's faces run clockwise seen from outside; triangles come out
 * counter-clockwise.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_TRIANGULATE_H
#define OFFLINE_COMPILE_MESH_TRIANGULATE_H

#include "abc/schema.h"
#include "common/arena.h"
#include "compile/mesh/ear_clipping.h"

#include <stdint.h>

/* Room for a face, used again for the next. */
struct face_cutter {
    double (*plane)[2];
    struct ear_clipping ears;
};

void face_cutter_open(struct face_cutter *cutter, uint32_t corners_max,
                      struct arena *arena);

/* Cut a face of `count` corners, at least three, as it lies at `positions`,
 * xyz of all points. Writes count - 2 triangles: three corners each, from 0,
 * for the face that it is and the triangles that come out. */
void face_cutter_cut(struct face_cutter *cutter, const uint32_t *points,
                     uint32_t count, const float *positions,
                     uint32_t *triangles);

struct triangulation {
    uint32_t triangle_count;
    /* Three face corners a triangle, as numbered by `indices` of the
     * topology: whatever is left out, a corner keeps its number, and with it
     * its attributes. */
    uint32_t *corners;
    uint32_t *faces;      /* the face of each triangle, ascending */
    uint32_t short_faces; /* left out: fewer than three corners */
    uint32_t collapsed;   /* left out: triangles that use a point twice */
};

/* Cut all faces as they lie in the first sample: `positions`. Everything in
 * `out` belongs to `arena`; `scratch` may be reset afterwards. */
void triangulate(const struct abc_topology *topology, const float *positions,
                 struct arena *arena, struct arena *scratch,
                 struct triangulation *out);

#endif
