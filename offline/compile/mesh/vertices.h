/* vertices.h - finds the face corners that become one vertex.
 *
 * A face corner is an entry of the face index list of the archive. Corners
 * become one vertex if and only if they have the same point and equal
 * attributes in every sample. This module keeps a partition of the corners into
 * classes. At first, a class is all corners of a point. Each attribute of each
 * sample refines the partition: corners with different values go to different
 * classes. Finally, vertices_split separates corners of different tangent
 * groups.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_VERTICES_H
#define OFFLINE_COMPILE_MESH_VERTICES_H

#include "common/arena.h"

#include <stdint.h>

#define VERTICES_NONE UINT32_MAX

/* One attribute in one sample. */
struct corner_values {
    const float *values;
    uint32_t extent;       /* floats of one value */
    const uint32_t *index; /* value of each corner; NULL: its own number */
};

struct vertices {
    uint32_t corner_count;
    uint32_t class_count;
    uint32_t *class_of; /* of each corner; numbered by first use */
    uint32_t *first_of; /* of each class: its first corner */
};

/* Begin with one class for each point. `points`: of each corner. The arrays
 * belong to `arena`; `scratch` may be reset after the call. */
void vertices_begin(struct vertices *vertices, const uint32_t *points,
                    uint32_t corner_count, struct arena *arena,
                    struct arena *scratch);

/* Refine the classes by one attribute of one sample. Values are compared as
 * numbers: 0 equals -0. NaN is not allowed. Attributes that are equal for all
 * corners of a point change nothing and may be omitted. `scratch` is used only
 * if classes are divided. */
void vertices_refine(struct vertices *vertices,
                     const struct corner_values *values, struct arena *scratch);

/* Make a vertex of each class and tangent group.
 *
 * count      triangle corners
 * corners    of each triangle corner: its face corner
 * groups     of each triangle corner: its tangent group, or VERTICES_NONE: it
 *            joins the first group of its class
 * vertex_of  filled, of each triangle corner: its vertex, numbered by first use
 * class_of   filled, of each vertex: its class (room for `count`)
 * group_of   filled, of each vertex: its group (room for `count`);
 *            VERTICES_NONE if its class has none
 *
 * Returns the number of vertices. */
uint32_t vertices_split(const struct vertices *vertices,
                        const uint32_t *corners, const uint32_t *groups,
                        uint32_t count, struct arena *scratch,
                        uint32_t *vertex_of, uint32_t *class_of,
                        uint32_t *group_of);

#endif
