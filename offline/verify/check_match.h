/* check_match.h - pairs the face corners of a mesh with vertices of the cache.
 *
 * A step of a comparison (check.h), once for each mesh. A cache does not store
 * which corner a vertex was made from, so the pairs are found by their values:
 * each corner and each vertex is described by a row of numbers, its position
 * and parameters in a few sampled frames. correspondence.h assigns triangles to
 * faces by these rows; check_coverage.h then compares triangles and faces.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_MATCH_H
#define OFFLINE_VERIFY_CHECK_MATCH_H

#include "verify/corner_match.h"

#include <stdbool.h>

struct check;
struct check_mesh;

/* The rows of all corners and vertices of one mesh, in the unit of
 * corner_match.h. Up to 24 frames are sampled, fewer if the mesh is large. For
 * each of them a row has this many numbers: position 3, normal 3, UV 2, colour
 * 4, second UV 2. Only check_match and the functions that it calls use rows. */
#define CHECK_ROW_NUMBERS 14u
struct check_rows {
    uint32_t dimension; /* of a row: CHECK_ROW_NUMBERS * sampled frames */
    double *corners;    /* the row of each corner */
    double *vertices;   /* the row of each vertex */
};

/* A pair: a corner, and a vertex that was made from it. */
struct corner_vertex {
    uint32_t corner;
    uint32_t vertex;
};

/* Which vertices belong to which corners: the result of check_match.
 * MATCH_NONE (corner_match.h) stands for no corner and for no vertex. */
struct corner_pairs {
    bool *repeats_point; /* per face: two of its corners have the same point. A
                          * triangle with both corners has no area, and the
                          * cache may lack it; corners of such a face may have
                          * no vertex */
    uint32_t *vertex_of; /* per corner: its first vertex. NULL: the mesh is
                          * never visible, and has no pairs */
    uint32_t *corner_of; /* per vertex: one of its corners */
    uint32_t *corner_of_index; /* per index of the cache's triangles: the corner
                                * of its vertex in the face of the triangle. If
                                * a triangle belongs to no face, its first index
                                * has MATCH_NONE, and the two others are not
                                * used */
    uint32_t count;
    struct corner_vertex *list; /* all pairs; one may be listed twice if a
                                 * corner has several vertices */
};

/* Fill mesh->pairs, compare the triangles with the faces, and prepare
 * mesh->flips and mesh->handedness for the frames. */
bool check_match(struct check *check, struct check_mesh *mesh);

#endif
