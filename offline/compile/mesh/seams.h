/* seams.h - where the tangents of a mesh part, over all frames.
 *
 * Which triangle corners share a tangent follows from the welds, which never
 * change, and from the sides on which the texture lies on the triangles: from
 * the texture alone, not from where the points are. Where the texture moves,
 * corners are of one part when they are of one group in every frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SEAMS_H
#define OFFLINE_COMPILE_MESH_SEAMS_H

#include "compile/mesh/source.h"
#include "compile/mesh/tangents.h"

struct seams {
    struct tangent_groups parts; /* mirrored: where its side is known first */
    bool is_changing;            /* groups are not those of all frames */
    uint32_t turned_count;       /* face corners whose side changes */
    uint32_t turned_frame;       /* the first in which one has changed */
};

/* `net`: of the source's triangles, in their order; the source has UVs.
 * `times`: of the frames. False after a refusal. */
bool seams_find(const struct source *source, const struct tangent_net *net,
                const double *times, uint32_t frame_count, struct arena *arena,
                struct seams *seams);

#endif
