/* triangle_overlap.h - tells whether a triangle overlaps those that a face
 * already has.
 *
 * A face of the archive has its corners numbered in order. Treat the face as a
 * convex polygon. Two triangles between its corners overlap unless each of them
 * lies within one of the three arcs into which the corners of the other one
 * divide the outline. Two triangles with the same corners overlap.
 *
 * Each corner keeps a record of the triangles that touch it. To test one more
 * triangle, only the records between its lowest and its highest corner are
 * read. correspondence.c owns the records of all corners of a mesh.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_TRIANGLE_OVERLAP_H
#define OFFLINE_VERIFY_TRIANGLE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

/* The record of one corner. `low` and `high` are the lowest and the highest
 * corner of all triangles that touch this corner; without triangles, both are
 * the corner itself. `middle_count` is the number of triangles whose corner
 * number lies between those of their two other corners here. */
struct corner_reach {
    uint32_t low;
    uint32_t high;
    uint32_t middle_count;
};

/* Set the records of `corner_count` corners to "no triangles". */
void triangle_overlap_clear(struct corner_reach *reach, uint32_t corner_count);

/* Add a triangle. Its three corners are of one face and differ. To take it
 * back, the caller copies the three records first and restores them; triangles
 * are taken back in the reverse order of adding. */
void triangle_overlap_add(struct corner_reach *reach, const uint32_t corner[3]);

/* Return whether the triangle overlaps one that was added. */
bool triangle_overlap_test(const struct corner_reach *reach,
                           const uint32_t corner[3]);

#endif
