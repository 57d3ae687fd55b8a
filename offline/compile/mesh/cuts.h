/* cuts.h - cuts of faces into triangles that are right in all frames.
 *
 * Topology is constant: one cut of a face holds for the whole clip, while the
 * face bends, grows dents and loses them. Triangles are cut at the first
 * sample; here they are looked at in every frame, and faces with a triangle
 * that is turned over in one (face_lie.h) are cut anew.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_CUTS_H
#define OFFLINE_COMPILE_MESH_CUTS_H

#include "compile/mesh/source.h"

/* Of faces with up to this many corners all cuts are considered: the one with
 * the fewest turned triangles, of all frames together, is found. Others are
 * cut as they lie in frames where the cut at hand is wrong, a few times, and
 * keep the cut that is wrong in the fewest. */
#define CUTS_EXACT_MAX 32u

struct cuts_report {
    uint32_t wrong_count; /* faces that have turned triangles still */
    uint32_t face;        /* the first of them */
    uint32_t frame;       /* and the first frame of that */
};

/* `times`: of the frames, at least one. False after a refusal. */
bool cuts_mend(struct source *source, const double *times, uint32_t frame_count,
               struct cuts_report *report);

#endif
