/* corner_values.h - reads a mesh of the archive at any time, with the values of
 * its parameters at every face corner.
 *
 * A face corner is one entry of the archive's face index list. Parameters are
 * stored per corner, point, face or mesh; here each has a value per corner.
 * The compiler has code of its own for this: nothing is shared with it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CORNER_VALUES_H
#define OFFLINE_VERIFY_CORNER_VALUES_H

#include "abc/schema.h"

/* The parameters of a mesh besides its positions. */
enum corner_param {
    CORNER_NORMAL,    /* 3 numbers, of any length */
    CORNER_UV,        /* 2 numbers */
    CORNER_COLOR,     /* r, g, b, a, 0..1 */
    CORNER_SECOND_UV, /* 2 numbers */
    CORNER_VELOCITY,  /* 3 numbers, mesh units per second */
    CORNER_PARAM_COUNT
};
#define CORNER_EXTENT_MAX 4

/* How many numbers a value of the parameter has. */
uint32_t corner_extent(enum corner_param param);

/* A mesh of constant topology. All arrays belong to the arena that it was
 * opened with. */
struct corner_mesh {
    struct abc_mesh mesh;
    uint32_t point_count;
    struct abc_topology topology;
    uint32_t *face_of;  /* per corner */
    uint32_t *first_of; /* per face: its first corner */
    struct abc_param params[CORNER_PARAM_COUNT];
    bool has[CORNER_PARAM_COUNT]; /* the parameter exists, and its counts fit
                                   * the mesh in every sample */
};

/* Which parameters to take where an archive has several. */
struct corner_choice {
    const char *color_set; /* NULL: the first by name */
    const char *second_uv; /* name of the second UV set; NULL: none */
    bool velocities;       /* read velocities */
};

/* Open a mesh. Returns false after a refusal, which the diag of the archive
 * has. */
bool corner_mesh_open(struct corner_mesh *mesh,
                      const struct abc_archive *archive,
                      const struct abc_object *object,
                      const struct corner_choice *choice, struct arena *arena);

struct corner_values {
    const double (*points)[3];                /* per point, mesh units */
    const double *params[CORNER_PARAM_COUNT]; /* per corner, corner_extent
                                               * numbers each; NULL: none */
};

/* Read all values at a time in seconds, interpolated linearly between samples.
 * Arrays belong to `arena`. Returns false after a refusal. */
bool corner_values_read(const struct corner_mesh *mesh,
                        const struct abc_archive *archive, double time,
                        struct arena *arena, struct corner_values *values);

/* The value of a parameter at a corner; NULL: the mesh has none. */
static inline const double *corner_value(const struct corner_values *values,
                                         enum corner_param param,
                                         uint32_t corner)
{
    return values->params[param]
               ? values->params[param] + (size_t)corner * corner_extent(param)
               : NULL;
}

#endif
