/* clip_expect.h - what a compiled mesh should hold, from the archive's own
 * samples: expanded to face corners, interpolated, without the compiler. */
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
    const int32_t *counts; /* corners of each face */
    const int32_t *points; /* of each corner */
    uint32_t *faces;       /* of each corner */
};
void expect_open(struct expect *expect, const struct abc_archive *archive,
                 const struct abc_object *object, struct arena *arena);

/* xyz of every point. */
const float *expect_positions(const struct expect *expect, double time,
                              struct arena *arena);

/* `*extent` floats for every corner; NULL: no such parameter, or its number
 * of values fits nothing. */
const float *expect_values(const struct expect *expect,
                           const struct abc_param *param, double time,
                           struct arena *arena, uint32_t *extent);

/* Angle-weighted normals of the points, not of unit length, from triangles
 * that run counter-clockwise. */
double *expect_smooth_normals(const uint32_t *points, uint32_t triangle_count,
                              const float *positions, uint32_t point_count,
                              struct arena *arena);

/* Object by path; NULL: none. */
const struct abc_object *expect_find(const struct abc_archive *archive,
                                     const char *path);

/* Do all transforms above an object have a sample of their own at a time? */
bool expect_is_sampled(const struct abc_archive *archive,
                       const struct abc_object *object, double time);

/* Is a polygon mesh visible at a time, and are there triangles in it? */
bool expect_is_drawn(const struct abc_archive *archive,
                     const struct abc_object *object, double time);

#endif
