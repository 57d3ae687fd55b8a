/* surface.h - what is seen of one frame: triangles with float vertices.
 *
 * Made from a cache or from an archive, drawn by scene_view, written by ply.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_SURFACE_H
#define OFFLINE_RENDER_SURFACE_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct surface {
    const char *path; /* of the node that shows it */
    uint32_t mesh;    /* number in its file */
    uint32_t vertex_count;
    float (*positions)[3];
    float (*normals)[3];    /* unit, outward */
    float (*tangents)[4];   /* unit, and handedness +-1; NULL: not asked for */
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

/* The box around all vertices; min > max: there are none. */
void surface_list_box(const struct surface_list *list, float box_min[3],
                      float box_max[3]);

/* Positions, normals and velocities through a 3 x 4 matrix (row-major, column
 * vectors); what the matrix itself moves is no part of velocities.
 * A mirroring matrix turns the triangles, too, into indices of the arena. */
void surface_transform(struct surface *surface, const float matrix[12],
                       struct arena *arena);

#endif
