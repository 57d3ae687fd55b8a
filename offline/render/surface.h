/* surface.h - one mesh of one frame as triangles with float vertices.
 *
 * cache_surface.h makes surfaces from a cache, clip_surface.h from an archive.
 * scene_view.h draws them, ply.h writes them, verify compares them. Arrays
 * belong to the arena of the call that made the surface.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_SURFACE_H
#define OFFLINE_RENDER_SURFACE_H

#include "common/arena.h"

#include <stdint.h>

struct surface {
    const char *path; /* of the node; in mesh space, of the mesh */
    uint32_t mesh;    /* index in its cache or clip */
    uint32_t vertex_count;
    float (*positions)[3];  /* scene units */
    float (*normals)[3];    /* unit length, outward */
    float (*tangents)[4];   /* unit length, and handedness +-1; NULL: none */
    float (*uvs)[2];        /* NULL: none */
    uint8_t (*colors)[4];   /* r g b a; NULL: none */
    float (*second_uvs)[2]; /* NULL: none */
    float (*velocities)[3]; /* units per second; NULL: none */
    uint32_t index_count;
    const uint32_t *indices; /* counter-clockwise from outside */
};

struct surface_list {
    struct surface *items;
    uint32_t count;
};

/* The box around all vertices. Without vertices, min > max. */
void surface_list_box(const struct surface_list *list, float box_min[3],
                      float box_max[3]);

/* Transform positions, normals and velocities by a 3 x 4 matrix (row-major, for
 * column vectors). Velocities do not include the motion of the matrix itself. A
 * mirroring matrix reverses the triangles; then the new indices belong to the
 * arena. */
void surface_transform(struct surface *surface, const float matrix[12],
                       struct arena *arena);

#endif
