/* source.h - a polygon mesh of the archive: validated, triangulated, and read
 * at any time.
 *
 * source_open reads every stored sample once. It refuses a mesh whose topology
 * changes or whose values are not finite, and finds which values change over
 * time, and their ranges. Afterwards source_positions and source_values
 * interpolate between samples.
 *
 * A source is written by one thread, until source_open returns. Then several
 * threads may read it at once.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MESH_SOURCE_H
#define OFFLINE_COMPILE_MESH_SOURCE_H

#include "abc/schema.h"
#include "compile/math/quantize.h"
#include "compile/math/timeline.h"
#include "compile/mesh/triangulate.h"
#include "compile/mesh/vertices.h"
#include "compile/report/options.h"
#include "compile/report/refusals.h"

/* Normals, texture coordinates, colours or velocities. */
struct source_param {
    const struct abc_param *param; /* NULL: none, or not usable */
    uint32_t extent;               /* floats of one value */
    uint32_t count;                /* values in a sample */
    const uint32_t *index; /* of each face corner: the index of its value; NULL:
                            * the number of the corner */
    bool is_per_point;     /* all corners of a point have the same value */
    bool is_animated;      /* values differ between samples */
    bool is_flipped;       /* the second component v is replaced by 1 - v */
    struct quantize_range range[4]; /* of each component, over all samples and
                                     * the corners of triangles */
};

struct source {
    const struct abc_archive *archive;
    const char *path; /* of the mesh in the archive; for messages */
    struct abc_mesh mesh;
    /* Parameters of the mesh that the options select; NULL: none. */
    const struct abc_param *wanted_colors;
    const struct abc_param *wanted_second_uvs;
    const struct abc_param *wanted_velocities;
    uint32_t point_count;
    uint32_t face_count;
    uint32_t corner_count;         /* face corners */
    const uint32_t *corner_points; /* of each face corner */
    const uint32_t *corner_faces;  /* of each face corner; ascending */
    struct triangulation triangles;
    bool is_empty;                /* no triangles; the fields below are unset */
    const char *empty_reason;     /* a static text, if is_empty */
    bool is_moving;               /* positions differ between samples */
    struct quantize_range box[3]; /* of x, y and z, over all samples and the
                                   * points of triangles */
    float extent_min; /* the longest side of the box of a sample, in the sample
                       * where it is the shortest */
    struct source_param normals;
    struct source_param uvs;
    struct source_param colors;
    struct source_param second_uvs;
    struct source_param velocities;
};

/* Open and validate a mesh.
 *
 * archive   stays open while the source is used
 * warnings  receives one for each parameter that is dropped
 * arena     owns the arrays of the source
 *
 * Returns false after a refusal. */
bool source_open(struct source *source, const struct abc_archive *archive,
                 const struct abc_object *object,
                 const struct compile_options *options,
                 struct warnings *warnings, struct arena *arena);

/* A parameter is stored as two properties, values and indices, and each may
 * have samples. Return the property with more samples; the sample times of the
 * parameter are the times of that property. */
const struct abc_property *source_sampled_property(
    const struct abc_param *param);

/* Add the sample times of everything that is animated to the timeline. */
void source_add_times(const struct source *source, struct timeline *timeline);

/* The same for a mesh that source_open has refused. It is not known what is
 * animated, so each property whose stored samples differ counts, faces
 * included. Returns false if the archive cannot be read. */
bool source_add_stored_times(struct source *source, struct timeline *timeline);

/* Read the positions of all points at `time` (seconds): x, y, z each.
 * *positions belongs to `arena`. Returns false after a refusal. */
bool source_positions(const struct source *source, double time,
                      struct arena *arena, const float **positions);

/* Read the values of a parameter at `time` (seconds). param->index gives the
 * value of each corner; param->param must not be NULL. *values belongs to
 * `arena`. Returns false after a refusal. */
bool source_values(const struct source *source,
                   const struct source_param *param, double time,
                   struct arena *arena, const float **values);

/* Read the values of sample *sample, and advance *sample to the next sample
 * that may differ: samples that the archive stores as repetitions of the one
 * before are skipped.
 *
 * sample   must be 0 in the first call; UINT32_MAX after the last sample
 * is_more  set to false if *sample was UINT32_MAX; *values is unset then
 * values   owned by `arena`
 *
 * Returns false after a refusal. */
bool source_next_values(const struct source *source,
                        const struct source_param *param, uint32_t *sample,
                        bool *is_more, struct arena *arena,
                        const float **values);

#endif
