/* attribute_fit.h - finds the face corners that the vertices of a triangle may
 * have been made from.
 *
 * A fit assigns the three vertices of a triangle to three corners of one face.
 * Its cost is the sum of match costs (corner_match.h) of the three pairs, plus
 * a penalty for each rule that the fit breaks. A fit is sound when it breaks
 * none: each vertex is within the position tolerance of its corner in every
 * sampled frame, the triangle runs through the face in the expected
 * direction, it does not overlap a triangle that the face already has, and no
 * vertex is assigned to two points. Every sound fit costs less than every
 * unsound one.
 *
 * correspondence.c owns struct fit_state and updates it after each assignment.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_ATTRIBUTE_FIT_H
#define OFFLINE_VERIFY_ATTRIBUTE_FIT_H

#include "verify/check.h"
#include "verify/triangle_overlap.h"

/* Sound fits cost less than this, unsound ones at least this. */
#define FIT_UNSOUND_COST 1e12

struct fit {
    double cost;
    bool is_reversed;    /* the triangle has the opposite winding */
    bool is_overlapping; /* it overlaps a triangle assigned to the face */
    uint32_t corner[3];  /* of the three vertices, in their order; corner[0]
                          * is MATCH_NONE if there is no fit */
};

/* Groups: the members of group i are list[first[i]] .. list[first[i + 1] - 1].
 */
struct fit_groups {
    uint32_t *first;
    uint32_t *list;
};

/* Which triangles are already assigned, and to which corners. */
struct fit_state {
    const struct check_mesh *mesh; /* vertex_of: the vertex of each corner */
    const struct check_rows *rows;
    const struct match_lists *near; /* corners near each vertex */
    struct fit_groups corners;      /* corners of each point */
    uint32_t *missing; /* per face: number of triangles not yet assigned */
    struct corner_reach *reach; /* per corner: triangles of its face there */
    uint32_t *corner_of;      /* per vertex: a corner assigned to it; MATCH_NONE
                               * while unknown */
    uint64_t candidate_count; /* corners examined so far; for tests */
};

/* The cheapest fits of a triangle, by ascending cost. */
#define FIT_OPTIONS_MAX 64u
struct fit_options {
    uint32_t count;
    struct fit fits[FIT_OPTIONS_MAX];
};

/* Find the fits of the triangle with vertices v, among faces that lack
 * triangles.
 *
 * limit      fits that cost this or more are ignored
 * is_strict  ignore fits in which a vertex is assigned to a second point, and
 *            those that overlap
 * count_max  keep at most this many of the cheapest fits; 1 .. FIT_OPTIONS_MAX
 * options    filled */
void fit_find(struct fit_state *state, const uint32_t v[3], double limit,
              bool is_strict, uint32_t count_max, struct fit_options *options);

#endif
