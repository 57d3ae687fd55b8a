/* check_tangents.h - compares the tangent frames of vertices with those that
 * MikkTSpace gives the archive's mesh (mikkt.h).
 *
 * A part of check_mesh_frame. The direction of tangents is compared in each
 * frame. The handedness of a vertex says whether the texture is mirrored on its
 * triangles. A cache stores it once for all frames, but a texture may be
 * mirrored in some frames only. Therefore the handedness is compared once for
 * each triangle: in the first frame in which the triangle has an area in UV
 * space.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_TANGENTS_H
#define OFFLINE_VERIFY_CHECK_TANGENTS_H

#include "verify/mikkt.h"

struct check;
struct check_mesh;
struct surface;

enum handedness_state {
    HANDEDNESS_UNKNOWN,  /* not yet compared */
    HANDEDNESS_COMPARED, /* compared in one frame, or impossible to compare */
    HANDEDNESS_VARIES    /* the orientation differs between frames */
};

/* What is known of a mesh after the frames so far. */
struct handedness {
    struct mikkt mikkt; /* the welds and triangles of the mesh; prepared once */
    uint8_t *first_orientation; /* per triangle: enum mikkt_orientation in the
                                 * first frame in which it has an area in UV
                                 * space; MIKKT_NO_AREA until then */
    uint8_t *state;             /* per triangle: enum handedness_state */
    uint8_t *weld_seen;         /* per weld, that is a set of corners with equal
                         * position, normal and UV: 1 if a triangle around it
                         * had an area in UV space in some frame so far */
};

/* Before the first frame: prepare mesh->handedness. check_match calls it, with
 * mesh->pairs filled. */
bool check_tangents_open(struct check *check, struct check_mesh *mesh);

/* In each frame: compare all tangents of a mesh that has UVs.
 *
 * surface  the frame of the cache, with tangents
 * values   the frame of the archive, with UVs
 * normals  per corner, of length 1; of length 0 if unknown */
void check_tangents_frame(struct check *check, const struct check_mesh *mesh,
                          uint32_t frame, const struct surface *surface,
                          const struct corner_values *values,
                          const double (*normals)[3]);

#endif
