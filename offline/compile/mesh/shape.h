/* shape.h - a mesh of the archive with the vertices and triangles of the cache.
 *
 * shape_build decides once, over all frames, what never changes: triangles,
 * their order, and the vertices. A vertex represents one or more face corners
 * with equal values. Afterwards shape_fill computes the values of all vertices
 * at any time. compile/clip then quantizes them.
 *
 * A shape is written by one thread, until shape_build returns. Then several
 * threads may call shape_fill at once.
 */
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
    struct source source; /* opened by the caller */

    /* Set by shape_face_sets. */
    uint32_t set_count; /* face sets, sorted by name */
    struct material_set *sets;

    /* Set by shape_build. */
    uint32_t range_count;
    struct material_range *ranges; /* of the triangles, by material */
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t *indices;         /* three vertices for each triangle */
    uint32_t *points;          /* of each vertex: its point in the archive */
    uint32_t *corners;         /* of each vertex: one of its face corners */
    uint32_t *triangle_points; /* three points for each triangle */
    uint8_t *reflection; /* of each vertex: 1 if its texture is mirrored */
    /* Of each vertex: a vertex of a common triangle that has a smaller number;
     * its own number if there is none. */
    uint32_t *earlier_neighbour;
    const float *uvs; /* of each vertex, if they never change; or NULL */
    uint32_t *tangent_source; /* tangents.h; NULL if it is not needed, or if it
                               * differs between frames */

    /* Only if tangent groups differ between frames; NULL otherwise. Triangles
     * are in the order of source.triangles. */
    struct tangent_topology topology;
    uint32_t *vertex_of; /* of each triangle corner */

    struct tangent_anchor *anchors; /* of each vertex */
};

/* Read the face sets and add their names to `names`. Call it for all meshes of
 * the archive before material_names_finish. Returns false after a refusal. */
bool shape_face_sets(struct shape *shape, struct material_names *names,
                     struct warnings *warnings, struct arena *arena);

/* Build triangles and vertices.
 *
 * shape     its source is open and not empty; its face sets are read
 * names     finished
 * times     of each frame, in seconds: corners become one vertex if they are
 *           equal in all of them
 * warnings  receives one for each difference between shape and archive
 * arena     owns all arrays of the shape
 *
 * Returns false after a refusal. */
bool shape_build(struct shape *shape, const struct material_names *names,
                 const double *times, uint32_t frame_count,
                 struct warnings *warnings, struct arena *arena);

/* A step of shape_build: fill `uvs` if texture coordinates never change. */
bool shape_keep_uvs(struct shape *shape, struct arena *arena,
                    struct arena *scratch);
/* A step of shape_build: choose the anchors in the first sample. */
bool shape_anchor(struct shape *shape, struct arena *arena,
                  struct arena *scratch);

/* Values of all vertices at one time. A pointer is NULL if the archive has no
 * such values, or if they were not requested. */
struct shape_frame {
    const float *positions;  /* xyz */
    struct vec3 *normals;    /* unit length; with QTangents */
    struct vec3 *tangents;   /* unit length; with QTangents */
    const float *uvs;        /* u v */
    const float *colors;     /* r g b a; values outside 0..1 are possible */
    const float *second_uvs; /* u v */
    const float *velocities; /* xyz, mesh units per second */
};

/* Compute the values of all vertices.
 *
 * time      seconds; values are interpolated between samples
 * channels  CHANNEL_BITs of the requested values; positions and UVs are always
 *           computed
 * arena     owns the arrays of `frame`
 *
 * Returns false after a refusal. */
bool shape_fill(const struct shape *shape, double time, uint32_t channels,
                struct arena *arena, struct shape_frame *frame);

#endif
