/* source.h - a polygon mesh of the archive, validated as a whole.
 *
 * source_open looks at every stored sample once: sizes that fit the faces,
 * finite numbers, what changes and what does not, and over which range.
 * Afterwards values at any time come expanded and interpolated, and any
 * thread may ask for them.
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
    uint32_t extent;               /* floats a value */
    uint32_t count;                /* values a sample */
    const uint32_t *index; /* value of each face corner; NULL: its own */
    bool is_per_point;     /* corners of a point have the same value */
    bool is_animated;
    bool is_flipped; /* the second component v is read as 1 - v */
    struct quantize_range range[4]; /* of the values that triangles use */
};

struct source {
    const struct abc_archive *archive;
    const char *path;
    struct abc_mesh mesh;
    /* of the mesh, by the options; NULL: none */
    const struct abc_param *wanted_colors;
    const struct abc_param *wanted_second_uvs;
    const struct abc_param *wanted_velocities;
    uint32_t point_count;
    uint32_t face_count;
    uint32_t corner_count;
    const uint32_t *corner_points;
    const uint32_t *corner_faces;
    struct triangulation triangles;
    bool is_empty;                /* no triangles: nothing below is set */
    const char *why_empty;        /* in words */
    bool is_moving;               /* positions change */
    struct quantize_range box[3]; /* of the points that triangles use */
    struct source_param normals;
    struct source_param uvs;
    struct source_param colors;
    struct source_param second_uvs;
    struct source_param velocities;
};

/* False after a refusal. What is kept belongs to `arena`. */
bool source_open(struct source *source, const struct abc_archive *archive,
                 const struct abc_object *object,
                 const struct compile_options *options,
                 struct warnings *warnings, struct arena *arena);

/* Values and indices each have a sampling: that of the one with more samples
 * counts for both. */
const struct abc_property *source_sampled_by(const struct abc_param *param);

/* Tell the timeline what moves. */
void source_times(const struct source *source, struct timeline *timeline);

/* After a refusal of source_open: tell the timeline what is stored anew, faces
 * included. False where the archive cannot be read. */
bool source_survey(struct source *source, struct timeline *timeline);

/* xyz of every point. */
bool source_positions(const struct source *source, double time,
                      struct arena *arena, const float **positions);

/* Values of a parameter (which must be there), to be found by `index`. */
bool source_values(const struct source *source,
                   const struct source_param *param, double time,
                   struct arena *arena, const float **values);

/* Go through the distinct samples of a parameter: start with *sample = 0;
 * false in *is_more: there was none left. */
bool source_next_values(const struct source *source,
                        const struct source_param *param, uint32_t *sample,
                        bool *is_more, struct arena *arena,
                        const float **values);

#endif
