/* correspondence.h - assigns each triangle of a cache to a face of the
 * archive, and each of its vertices to a corner of that face.
 *
 * A cache does not store which corner of the archive a vertex was made from.
 * This module finds an assignment from positions, attributes and topology.
 * It need not be the one that the compiler had: check_triangles.c and
 * check_mesh.c compare all values of the assigned pairs in every frame, so
 * that a wrong assignment can cause a false alarm, but never hide an error.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORRESPONDENCE_H
#define OFFLINE_VERIFY_CORRESPONDENCE_H

#include "verify/attribute_fit.h"

struct correspondence {
    struct fit *fits;  /* per triangle; corner[0] is MATCH_NONE without one */
    uint32_t *missing; /* per face: triangles that it still lacks */
    uint64_t candidate_count; /* corners looked at; for tests of the cost */
};

/* Fill *result, and vertex_of and corner_of of the mesh, which hold MATCH_NONE
 * before. `near`: corners near each vertex. All memory comes from `arena`. */
void correspondence_find(const struct check_mesh *mesh, const uint32_t *indices,
                         uint32_t index_count, uint32_t vertex_count,
                         const struct check_rows *rows,
                         const struct match_lists *near, struct arena *arena,
                         struct correspondence *result);

#endif
