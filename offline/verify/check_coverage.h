/* check_coverage.h - compares the triangles of a mesh with the faces that they
 * cover.
 *
 * A part of check_match. A face of n corners must have n - 2 triangles with its
 * winding and its material, which do not overlap.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_COVERAGE_H
#define OFFLINE_VERIFY_CHECK_COVERAGE_H

#include "verify/check_match.h"

/* Assign each triangle to a face, fill mesh->pairs, and add to the report
 * triangles that are missing, foreign or reversed, or have another material.
 *
 * mesh  pairs.repeats_point is filled; vertex_of and corner_of hold MATCH_NONE
 * near  the corners near each vertex */
void check_coverage(struct check *check, struct check_mesh *mesh,
                    const struct check_rows *rows,
                    const struct match_lists *near);

#endif
