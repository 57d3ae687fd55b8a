/* seams.h - groups the triangle corners that share a tangent in all frames.
 *
 * In one frame, the corners of a tangent group share a tangent (tangents.h).
 * Groups depend on the winding of the triangles in texture space, but not on
 * positions. If texture coordinates are animated, groups may differ between
 * frames. This module intersects the groups of all frames: two corners are of
 * one common group if they are of one group in every frame. Vertices are split
 * along the borders of common groups.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SEAMS_H
#define OFFLINE_COMPILE_MESH_SEAMS_H

#include "compile/mesh/source.h"
#include "compile/mesh/tangents.h"

struct seams {
    /* The common groups. is_mirrored: in the first frame in which one of the
     * group's triangles has an area in texture space. */
    struct tangent_groups groups;
    bool is_changing; /* some frames have other groups than frame 0 */
    /* Face corners whose handedness changes over time. A vertex has only one
     * handedness, so their tangents are wrong in some frames. */
    uint32_t reversed_count;
    uint32_t reversed_frame; /* the first frame in which one has changed */
};

/* Find the common groups of a mesh with texture coordinates.
 *
 * topology  of the triangles of `source`, in their order
 * times     of each frame, in seconds
 * seams     filled; its arrays belong to `arena`
 *
 * Returns false after a refusal. */
bool seams_find(const struct source *source,
                const struct tangent_topology *topology, const double *times,
                uint32_t frame_count, struct arena *arena, struct seams *seams);

#endif
