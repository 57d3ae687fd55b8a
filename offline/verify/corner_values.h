/* corners.h - a mesh of the archive at one time, with its parameters at every
 * face corner: expanded anew from the archive, face by face as stored. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORNER_VALUES_H
#define OFFLINE_VERIFY_CORNER_VALUES_H

#include "abc/schema.h"

/* What does not change over time. */
struct corner_mesh {
    struct abc_mesh mesh;
    uint32_t point_count;
    struct abc_topology topology;
    struct abc_param colors; /* those that were chosen */
    uint32_t *face_of;       /* per corner */
    uint32_t *first_of;      /* per face: its first corner */
    bool has_normals;
    bool has_uvs;
    bool has_colors;
    struct abc_param second_uvs; /* those that were chosen */
    bool has_second_uvs;
    bool has_velocities;
};

/* What is to be found of several. */
struct corner_choice {
    const char *color_set; /* NULL: the first by name */
    const char *second_uv; /* NULL: none */
    bool velocities;
};
bool corner_mesh_open(struct corner_mesh *mesh,
                      const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct corner_choice *choice, struct arena *arena);

/* Values at a time; between samples linear. */
struct corner_values {
    const double (*points)[3];     /* per point */
    const double (*normals)[3];    /* per corner, as stored; NULL: none */
    const double (*uvs)[2];        /* per corner */
    const double (*colors)[4];     /* per corner, 0..1 */
    const double (*second_uvs)[2]; /* per corner */
    const double (*velocities)[3]; /* per corner */
};
bool corner_values_read(const struct corner_mesh *mesh,
                        const struct abc_archive *archive, double time,
                        struct arena *arena, struct corner_values *values);

#endif
