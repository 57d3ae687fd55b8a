/* clip_expect.h - the values that a compiled mesh must have, computed from the
 * archive's samples without the compiler: expanded to face corners,
 * interpolated. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CLIP_EXPECT_H
#define TESTS_SUPPORT_CLIP_EXPECT_H

#include "abc/schema.h"

/* Every function ends the running claim when the archive cannot be read. */
struct expect {
    const struct abc_archive *archive;
    struct abc_mesh mesh;
    uint32_t point_count;
    uint32_t face_count;
    uint32_t corner_count;
    const int32_t *counts; /* number of corners of each face */
    const int32_t *points; /* point of each corner */
    uint32_t *faces;       /* face of each corner */
};
void expect_open(struct expect *expect, const struct abc_archive *archive,
                 const struct abc_object *object, struct arena *arena);

/* x, y, z of every point. */
const float *expect_positions(const struct expect *expect, double time,
                              struct arena *arena);

/* `*extent` floats for every corner. NULL when there is no such parameter, or
 * when its number of values matches no scope. */
const float *expect_values(const struct expect *expect,
                           const struct abc_param *param, double time,
                           struct arena *arena, uint32_t *extent);

/* Angle-weighted normals of the points, not normalized, from triangles that run
 * counter-clockwise. */
double *expect_smooth_normals(const uint32_t *points, uint32_t triangle_count,
                              const float *positions, uint32_t point_count,
                              struct arena *arena);

/* The object with this path, or NULL. */
const struct abc_object *expect_find(const struct abc_archive *archive,
                                     const char *path);

/* Whether all transforms above an object have a sample at exactly this time. */
bool expect_is_sampled(const struct abc_archive *archive,
                       const struct abc_object *object, double time);

/* Whether a polygon mesh is visible at a time and has triangles. */
bool expect_is_drawn(const struct abc_archive *archive,
                     const struct abc_object *object, double time);

#endif
