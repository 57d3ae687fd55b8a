/* retriangulate.h - triangulates faces again that are wrong in some frame.
 *
 * Topology is constant: a face has one triangulation for the whole clip, while
 * its points move. Faces are triangulated at the first sample (triangulate.h).
 * This module checks every frame, and chooses another triangulation for faces
 * of which a triangle is flipped (face_orientation.h) in any of them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_RETRIANGULATE_H
#define OFFLINE_COMPILE_MESH_RETRIANGULATE_H

#include "compile/mesh/source.h"

/* For faces with at most this many corners the triangulation with the fewest
 * flipped triangles, summed over all frames, is found by dynamic programming.
 * Larger faces are triangulated by ear clipping at a few frames in which the
 * current triangulation is wrong; the one that is wrong in the fewest frames is
 * kept. */
#define RETRIANGULATE_EXACT_MAX 32u

struct retriangulate_report {
    uint32_t wrong_count; /* faces that still have flipped triangles */
    uint32_t face;        /* the first of them */
    uint32_t frame;       /* the first frame in which it has one */
};

/* Check the triangles of `source` at `times` (seconds, one for each frame, at
 * least one) and replace those of wrong faces. Returns false after a refusal.
 */
bool retriangulate(struct source *source, const double *times,
                   uint32_t frame_count, struct retriangulate_report *report);

#endif
