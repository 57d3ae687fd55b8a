/* shape.h - a mesh with its vertices: made once, filled at any time. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SHAPE_H
#define OFFLINE_COMPILE_MESH_SHAPE_H

#include "codec/channel.h"
#include "compile/math/arith.h"
#include "compile/mesh/materials.h"
#include "compile/mesh/source.h"
#include "compile/mesh/tangents.h"

#include <stdbool.h>
#include <stdint.h>

struct shape {
    struct source source;
    uint32_t set_count; /* face sets, in the order of their names */
    struct material_set *sets;
    uint32_t range_count;
    struct material_range *ranges; /* triangles by material */
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t *indices; /* vertices of the triangles */
    uint32_t *points;  /* of each vertex */
    uint32_t *corners; /* a face corner of each vertex, for its values */
    uint32_t *triangle_points; /* points of the triangles */
    uint8_t *reflection;       /* of each vertex, 0 or 1 */
    uint32_t *lead;            /* of each vertex: an earlier neighbour; itself:
                                * none */
    const float *uvs;          /* of each vertex, where they never change */
    uint32_t *sum_of;          /* tangents.h, of all frames; or NULL */
    /* Where groups of tangents change over time: the triangles as they were
     * cut, not in order, and their corners' vertices; NULL: they do not. */
    struct tangent_net net;
    uint32_t *vertex_of;
    struct tangent_anchor *anchors; /* of each vertex */
};

/* Read the face sets and note their names, before material_names_finish. */
bool shape_face_sets(struct shape *shape, struct material_names *names,
                     struct warnings *warnings, struct arena *arena);

/* Everything else. `shape->source` is open; not empty. `times`: of the frames,
 * in all of which the vertices are to be right. */
bool shape_build(struct shape *shape, const struct material_names *names,
                 const double *times, uint32_t frame_count,
                 struct warnings *warnings, struct arena *arena);

/* Part of it: spread texture coordinates that never change to the vertices. */
bool shape_keep_uvs(struct shape *shape, struct arena *arena,
                    struct arena *scratch);
/* Part of it: choose directions for tangents where the texture gives none, in
 * the first sample. */
bool shape_anchor(struct shape *shape, struct arena *arena,
                  struct arena *scratch);

/* The vertices at one time. */
struct shape_frame {
    const float *positions; /* xyz of each vertex */
    struct vec3 *normals;   /* NULL unless QTangents are asked for */
    struct vec3 *tangents;
    const float *uvs;    /* NULL: none */
    const float *colors; /* r g b a, 0..1 and beyond; NULL: none or not asked
                          * for */
    const float *second_uvs; /* likewise */
    const float *velocities; /* likewise; xyz */
};
/* `channels`: CHANNEL_BITs of what is asked for; positions and UVs are always
 * given. */
bool shape_fill(const struct shape *shape, double time, uint32_t channels,
                struct arena *arena, struct shape_frame *frame);

#endif
