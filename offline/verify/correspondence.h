/* correspondence.h - assigns each triangle of a cache to a face of the
 * archive, and each of its vertices to a corner of that face.
 *
 * A cache does not store the corner of the archive from which a vertex was
 * made. This module finds an assignment from positions, attributes and
 * topology. It may differ from the compiler's: check_coverage.c and
 * check_mesh.c compare all values of the assigned pairs in every frame, so that
 * a wrong assignment can cause a false alarm, but never hide an error.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORRESPONDENCE_H
#define OFFLINE_VERIFY_CORRESPONDENCE_H

#include "verify/attribute_fit.h"
#include "verify/check.h"

struct correspondence {
    struct fit *fits;  /* per triangle: the corner of each of its vertices, all
                        * of one face (attribute_fit.h); corner[0] is MATCH_NONE
                        * if the triangle has no face */
    uint32_t *missing; /* per face: triangles that it still lacks */
    uint64_t candidate_count; /* corners examined; for tests of the cost */
};

/* Assign all triangles of a mesh. A triangle spreads its assignment to the
 * triangles with common vertices, so that the time is nearly linear.
 *
 * mesh     vertex_of[corner] and corner_of[vertex] are filled; they must hold
 *          MATCH_NONE before the call
 * indices  three vertices for each triangle
 * rows     positions and attributes of all corners and vertices, one row of
 *          numbers each (corner_match.h)
 * near     the corners near each vertex (corner_match.h)
 * arena    owns the arrays of *result */
void correspondence_find(const struct check_mesh *mesh, const uint32_t *indices,
                         uint32_t index_count, uint32_t vertex_count,
                         const struct check_rows *rows,
                         const struct match_lists *near, struct arena *arena,
                         struct correspondence *result);

#endif
