/* vertices.h - which face corners are one vertex.
 *
 * Corners are one vertex if and only if they are the same point and their
 * attributes are equal in every sample. Samples pass by one at a time: each
 * corner gathers a 64-bit hash over all of them; corners with equal hashes
 * form a class; then all samples pass once more and every corner is compared
 * for real with the first of its class. Where a hash lied the class is
 * divided, and the samples pass again.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_VERTICES_H
#define OFFLINE_COMPILE_MESH_VERTICES_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define VERTICES_NONE UINT32_MAX

/* One attribute in one sample. */
struct corner_values {
    const float *values;
    uint32_t extent;       /* floats a value */
    const uint32_t *index; /* value of each corner; NULL: the corner's own */
};

struct vertices {
    uint32_t corner_count;
    const uint32_t *points; /* of each corner */
    uint64_t *hash;         /* of each corner, over what passed so far */
    uint64_t hash_mask;     /* all ones; tests make collisions with less */
    uint32_t *class_of;     /* of each corner, numbered by first use */
    uint32_t *first_of;     /* first corner of each class */
    uint32_t class_count;
    uint32_t lies;     /* corners that differ from the first of their class */
    uint8_t *is_apart; /* ... those corners */
};

/* `points` stays the caller's and must outlive the vertices. */
void vertices_begin(struct vertices *vertices, const uint32_t *points,
                    uint32_t corner_count, struct arena *arena);

/* First pass: take one attribute of one sample into the hashes. Attributes
 * that are the same for all corners of a point need not pass. */
void vertices_hash(struct vertices *vertices,
                   const struct corner_values *values);

/* Form classes by the hashes. */
void vertices_group(struct vertices *vertices, struct arena *scratch);

/* Second pass: compare one attribute of one sample. */
void vertices_compare(struct vertices *vertices,
                      const struct corner_values *values);

/* After each second pass. True: the classes are right. False: some were
 * divided, and everything must be compared again. */
bool vertices_settle(struct vertices *vertices, struct arena *scratch);

/* Divide classes further: corners of one class whose triangles belong to
 * different tangent groups become vertices of their own. For each of `count`
 * triangle corners: `corners` its face corner, `parts` its group, or
 * VERTICES_NONE for whichever its class has (the first). Writes vertex
 * numbers, by first use, to `vertex_of`, and for each vertex its class to
 * `class_of` and its group to `part_of` (room for `count` each). Returns the
 * number of vertices. */
uint32_t vertices_divide(const struct vertices *vertices,
                         const uint32_t *corners, const uint32_t *parts,
                         uint32_t count, struct arena *scratch,
                         uint32_t *vertex_of, uint32_t *class_of,
                         uint32_t *part_of);

#endif
