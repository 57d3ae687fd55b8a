/* retriangulate.h - replaces triangulations that are wrong in some frame.
 *
 * The topology of a mesh is constant: a face has one triangulation for the
 * whole clip, while its points move. triangulate.h makes it from the first
 * sample. This module checks it in all frames. A triangulation is wrong in a
 * frame if one of its triangles is flipped: its normal points to the other side
 * than the area vector of the face (face_orientation.h). For a face of few
 * corners, the triangulation with the fewest flipped triangles, summed over all
 * frames, is found exactly and replaces the wrong one. A larger face keeps the
 * triangulation of its first sample. Faces that remain wrong are reported.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_RETRIANGULATE_H
#define OFFLINE_COMPILE_MESH_RETRIANGULATE_H

#include "compile/mesh/source.h"

/* Corners of the largest face that is triangulated again. Dynamic programming
 * takes count^3 / 6 steps a frame. */
#define RETRIANGULATE_CORNERS_MAX 32u

/* Faces that still have flipped triangles in some frame after the replacement.
 */
struct retriangulate_report {
    uint32_t wrong_count; /* faces, including the large ones */
    uint32_t large_count; /* more than RETRIANGULATE_CORNERS_MAX corners */
    uint32_t face;        /* the first such face, if wrong_count > 0 */
    uint32_t frame;       /* the first frame in which that one is wrong */
};

/* Check the triangles of `source` in all frames and replace those of wrong
 * faces.
 *
 * times        of each frame, in seconds
 * frame_count  at least one
 * report       written on success
 *
 * Returns false after a refusal.
 */
bool retriangulate(struct source *source, const double *times,
                   uint32_t frame_count, struct retriangulate_report *report);

#endif
