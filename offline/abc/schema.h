/* schema.h - transforms, polygon meshes, face sets, visibility, parameters:
 * what the AbcGeom schemas mean, over the properties of archive.h.
 *
 * An open function looks at headers and refuses what does not fit its schema
 * (missing or wrongly typed properties); the read functions give aligned
 * native-endian arrays from an arena and refuse bad samples by object path,
 * property, sample and value. All may be called from any thread, each thread
 * with its own arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_SCHEMA_H
#define OFFLINE_ABC_SCHEMA_H

#include "abc/archive.h"
#include "abc/sampling.h"

enum abc_type {
    ABC_TYPE_XFORM,
    ABC_TYPE_POLYMESH,
    ABC_TYPE_SUBD,
    ABC_TYPE_FACESET,
    ABC_TYPE_CAMERA,
    ABC_TYPE_LIGHT,
    ABC_TYPE_CURVES,
    ABC_TYPE_POINTS,
    ABC_TYPE_NUPATCH,
    ABC_TYPE_MATERIAL,
    ABC_TYPE_COLLECTIONS,
    ABC_TYPE_OTHER
};
enum abc_type abc_object_type(const struct abc_object *object);
const char *abc_type_name(enum abc_type type); /* as the oracles name them */
/* A polygon mesh, or a subdivision surface, whose control cage is one. */
bool abc_is_mesh(const struct abc_object *object);

/* -- visibility -- */

enum abc_visibility { ABC_DEFERRED = -1, ABC_HIDDEN = 0, ABC_VISIBLE = 1 };

/* The object's own `visible` property (scalar i8); NULL: deferred for ever. */
const struct abc_property *abc_visibility(const struct abc_object *object);
/* Own value at a time: the sample at or before it (floor), clamped: nothing
 * is shown or hidden before its time. */
bool abc_visibility_at(const struct abc_archive *archive,
                       const struct abc_object *object, double time,
                       enum abc_visibility *out);

/* -- transforms -- */

struct abc_xform {
    const struct abc_object *object;
    const struct abc_property *inherits; /* scalar bool; NULL: always true */
    const struct abc_property *values;   /* scalar or array f64; NULL: none */
    uint32_t op_count;
    const uint8_t *ops;     /* type << 4 | hint */
    uint32_t channel_count; /* of all ops together */
    uint32_t sample_count;  /* as the library reports it: of `.inherits` */
    uint32_t value_count;   /* samples of `.vals` */
    bool is_constant;       /* neither values nor inherits change */
    bool is_identity;       /* recorded as identity, or no ops */
};
bool abc_xform_open(const struct abc_archive *archive,
                    const struct abc_object *object, struct arena *arena,
                    struct abc_xform *xform);

/* Local matrix of value sample `index`: row vectors (p' = p * M), row by row,
 * translation in [12..14]; the first op is the outermost; angles in degrees. */
bool abc_xform_local(const struct abc_archive *archive,
                     const struct abc_xform *xform, uint32_t index,
                     struct arena *arena, double matrix[16]);
bool abc_xform_inherits(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        bool *out);

/* The channels of value sample `index` (there is one) as they are stored,
 * channel_count of them, from `arena`. */
bool abc_xform_channels(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        struct arena *arena, const double **channels);
/* What a channel is: number and name of its operation ("translate"), and
 * which of the operation's channels. */
const char *abc_xform_channel(const struct abc_xform *xform, uint32_t channel,
                              uint32_t *operation, uint32_t *part);

/* -- geometry parameters -- */

enum abc_scope {
    ABC_SCOPE_CONSTANT,
    ABC_SCOPE_UNIFORM, /* per face */
    ABC_SCOPE_VARYING, /* per point, like vertex on polygon meshes */
    ABC_SCOPE_VERTEX,  /* per point */
    ABC_SCOPE_FACEVARYING,
    ABC_SCOPE_UNKNOWN
};

struct abc_param {
    const char *name;
    enum abc_scope scope;
    const struct abc_property *values;  /* NULL: there is no such parameter */
    const struct abc_property *indices; /* NULL: not indexed */
    uint32_t sample_count;
    bool is_constant;
    uint32_t array_extent; /* elements per value, usually 1 */
    bool is_rgb;           /* interpretation rgb, extent 3 */
    bool is_rgba;          /* interpretation rgba, extent 4 */
};

/* One sample of a parameter of floats (f16, f32, f64, u8 as stored / 255 for
 * colours of u8 are widened), expanded through its indices: `count` values of
 * `extent` floats. A sample without indices is expanded as it is stored.
 * Indices out of range are refused. */
struct abc_param_sample {
    const float *values;
    uint64_t count;
    uint32_t extent;
};
/* Does a property hold colours: rgb or rgba, of f16, f32, f64 or u8? */
bool abc_is_color(const struct abc_property *property);
/* Could it be texture coordinates: two numbers a value, f16, f32 or f64? */
bool abc_is_uv_set(const struct abc_property *property);
/* Is it what a schema's .velocities are: an array of three f32 a value? */
bool abc_is_velocities(const struct abc_property *property);
/* The parameter of this name, or the first (`name` NULL); NULL: none. */
const struct abc_param *abc_param_named(const struct abc_param *params,
                                        uint32_t count, const char *name);
bool abc_param_read(const struct abc_archive *archive,
                    const struct abc_object *object,
                    const struct abc_param *param, uint32_t index,
                    struct arena *arena, struct abc_param_sample *sample);

/* One value of such a sample as it is stored, where a float cannot hold it:
 * `element` counts as in abc_param_sample. `stored` is which of the stored
 * values it is. Elements out of range are refused. */
#define ABC_PARAM_EXTENT_MAX 16u
bool abc_param_element(const struct abc_archive *archive,
                       const struct abc_param *param, uint32_t index,
                       uint64_t element, struct arena *arena,
                       double numbers[ABC_PARAM_EXTENT_MAX], uint64_t *stored);

/* -- polygon meshes -- */

struct abc_mesh {
    const struct abc_object *object;
    const struct abc_property *positions;    /* f32[3] */
    const struct abc_property *face_counts;  /* i32 */
    const struct abc_property *face_indices; /* i32 */
    struct abc_param normals;                /* values NULL: none */
    struct abc_param uvs;
    uint32_t color_count; /* colour parameters under .arbGeomParams */
    const struct abc_param *colors;
    uint32_t uv_set_count; /* texture coordinates there, beside `uvs` */
    const struct abc_param *uv_sets;
    struct abc_param velocities; /* f32[3] of each point; values NULL: none */
    uint32_t position_samples;
    bool is_topology_constant; /* counts and indices never change, by content
                                * (samples restated with equal keys or bytes
                                * are constant) */
    uint32_t topology_change;  /* the first sample that differs from sample 0;
                                * UINT32_MAX: none */
    bool is_constant;          /* no property of the schema changes */
    uint32_t sample_count; /* the schema's: the largest of its properties' */
    uint32_t face_set_count;
    const struct abc_object *const *face_sets;
};
bool abc_mesh_open(const struct abc_archive *archive,
                   const struct abc_object *object, struct arena *arena,
                   struct abc_mesh *mesh);

/* xyz triples of sample `index`. */
bool abc_mesh_positions(const struct abc_archive *archive,
                        const struct abc_mesh *mesh, uint32_t index,
                        struct arena *arena, const float **positions,
                        uint32_t *point_count);

/* Topology of sample `index`, validated: counts >= 0, their sum equals
 * the number of indices, every index < point_count. */
struct abc_topology {
    uint32_t face_count;
    uint32_t corner_count;
    const int32_t *counts;
    const int32_t *indices;
};
bool abc_mesh_topology(const struct abc_archive *archive,
                       const struct abc_mesh *mesh, uint32_t index,
                       uint32_t point_count, struct arena *arena,
                       struct abc_topology *topology);

/* The first sample of an array whose content is not that of sample 0, as far
 * as a bounded look tells; UINT32_MAX: none. */
bool abc_first_change(const struct abc_archive *archive,
                      const struct abc_property *property, struct arena *arena,
                      uint32_t *change);

/* Faces of a face set's sample 0; not validated against the mesh. */
bool abc_face_set_read(const struct abc_archive *archive,
                       const struct abc_object *face_set, struct arena *arena,
                       const int32_t **faces, uint32_t *count);

/* -- everything -- */

/* What is wrong with this archive as a scene? Reads every stored sample of
 * every property, opens every schema, checks every mesh sample. False after
 * the first refusal. Work is bounded by a multiple of the file's size: what
 * hostile sharing adds to it is left to the reads. */
bool abc_check_scene(const struct abc_archive *archive);

#endif
