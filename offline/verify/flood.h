/* flood.h - which corners do the vertices of each triangle stand for? */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_FLOOD_H
#define OFFLINE_VERIFY_FLOOD_H

#include "verify/fit.h"

/* A fit for each triangle of the mesh; corner[0] is MATCH_NONE where there is
 * none. Fills the mesh's vertex_of and corner_of. `left` keeps what the faces
 * still lack. `lists`: corners near each vertex. */
struct flood_result {
    struct fit *fits;
    uint32_t *left;
    uint64_t looked_at; /* corners, for triangles beside those that are found */
};
void flood_triangles(const struct check_mesh *mesh, const uint32_t *indices,
                     uint32_t index_count, uint32_t vertex_count,
                     const struct check_rows *rows,
                     const struct match_lists *lists, struct arena *arena,
                     struct flood_result *result);

#endif
