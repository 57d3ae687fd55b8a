/* schema.h - meaning of objects and properties: visibility, transforms, polygon
 * meshes, parameters, face sets, as Alembic's AbcGeom schemas define them.
 *
 * An open function reads headers and refuses missing properties and wrong
 * types. A read function reads one sample into aligned arrays of the machine's
 * byte order, which belong to the arena that is given. A sample index beyond
 * the last sample of a property means its last sample.
 *
 * abc_is_mesh, abc_is_color, abc_is_uv_set and abc_is_velocities are
 * predicates. All other functions that return bool return false after a
 * refusal; its message names object, property, sample and value. Any thread may
 * call them, with its own arena.
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
/* The schema of an object, from its metadata. */
enum abc_type abc_object_type(const struct abc_object *object);
/* A short name of the type, for messages and tests. */
const char *abc_type_name(enum abc_type type);
/* Is the object a polygon mesh or a subdivision surface? The control cage of
 * the latter is a polygon mesh. */
bool abc_is_mesh(const struct abc_object *object);

/* -- visibility -- */

/* ABC_DEFERRED: as the parent object. */
enum abc_visibility { ABC_DEFERRED = -1, ABC_HIDDEN = 0, ABC_VISIBLE = 1 };

/* The property `visible` of the object itself, a scalar i8; NULL: always
 * deferred. */
const struct abc_property *abc_visibility(const struct abc_object *object);
/* Read the object's own value at `time` (seconds): that of the last sample at
 * or before it; before the first sample, that of the first. */
bool abc_visibility_at(const struct abc_archive *archive,
                       const struct abc_object *object, double time,
                       enum abc_visibility *out);

/* -- transforms -- */

struct abc_xform {
    const struct abc_object *object;
    const struct abc_property *inherits; /* scalar bool; NULL: always true */
    const struct abc_property *values;   /* scalar or array f64; NULL: none */
    uint32_t op_count;      /* operations: translate, rotate, scale, matrix */
    const uint8_t *ops;     /* of each: type << 4 | hint, as stored */
    uint32_t channel_count; /* numbers of all operations together */
    uint32_t sample_count;  /* samples of `inherits`, as Alembic's library
                             * counts them; 0 if it is NULL */
    uint32_t value_count;   /* samples of `values`; 0 if it is NULL */
    bool is_constant;       /* neither values nor inherits change */
    bool is_identity;       /* the file says so, or there are no operations */
};
bool abc_xform_open(const struct abc_archive *archive,
                    const struct abc_object *object, struct arena *arena,
                    struct abc_xform *xform);

/* Compute the local matrix M of sample `index` of `values`. It is for row
 * vectors (p' = p * M), stored row by row, with the translation in [12..14].
 * The first operation is the outermost. Angles in the file are degrees. */
bool abc_xform_local(const struct abc_archive *archive,
                     const struct abc_xform *xform, uint32_t index,
                     struct arena *arena, double matrix[16]);
/* Read whether the transform inherits its parent's, in sample `index` of
 * `inherits`; true if there is no such property. */
bool abc_xform_inherits(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        bool *out);

/* Read the channel_count numbers of sample `index` of `values`, as stored.
 * xform->values must not be NULL. */
bool abc_xform_channels(const struct abc_archive *archive,
                        const struct abc_xform *xform, uint32_t index,
                        struct arena *arena, const double **channels);
/* Describe a channel: return the name of its operation ("translate"), and set
 * the index of that operation and the index of the channel within it. */
const char *abc_xform_channel(const struct abc_xform *xform, uint32_t channel,
                              uint32_t *operation, uint32_t *part);

/* -- geometry parameters -- */

/* How many values a parameter has. */
enum abc_scope {
    ABC_SCOPE_CONSTANT,    /* one */
    ABC_SCOPE_UNIFORM,     /* per face */
    ABC_SCOPE_VARYING,     /* per point, like vertex on polygon meshes */
    ABC_SCOPE_VERTEX,      /* per point */
    ABC_SCOPE_FACEVARYING, /* per face corner */
    ABC_SCOPE_UNKNOWN
};

/* A parameter: values, with or without indices into them. */
struct abc_param {
    const char *name;
    enum abc_scope scope;
    const struct abc_property *values;  /* NULL: there is no such parameter */
    const struct abc_property *indices; /* NULL: not indexed */
    uint32_t sample_count;
    bool is_constant;      /* no sample of values or indices differs */
    uint32_t array_extent; /* elements per value, usually 1 */
    bool is_rgb;           /* marked as a colour of 3 numbers */
    bool is_rgba;          /* marked as a colour of 4 numbers */
};

/* One sample of a parameter: `count` values of `extent` floats. Indices are
 * resolved: value i is the one that index i names. Stored f16, f32, f64 and u8
 * become float; u8 of colours are divided by 255. */
struct abc_param_sample {
    const float *values;
    uint64_t count;
    uint32_t extent;
};
/* Is the property a colour: rgb or rgba, of f16, f32, f64 or u8? */
bool abc_is_color(const struct abc_property *property);
/* May the property be texture coordinates: two f16, f32 or f64 for each value?
 */
bool abc_is_uv_set(const struct abc_property *property);
/* Does the property have the type of .velocities: an array of three f32 for
 * each value? */
bool abc_is_velocities(const struct abc_property *property);
/* Find the parameter with a name; if `name` is NULL, the first one. NULL if
 * there is none. */
const struct abc_param *abc_param_named(const struct abc_param *params,
                                        uint32_t count, const char *name);
/* Read sample `index`. Indices out of range are refused. */
bool abc_param_read(const struct abc_archive *archive,
                    const struct abc_object *object,
                    const struct abc_param *param, uint32_t index,
                    struct arena *arena, struct abc_param_sample *sample);

/* Largest `extent` of a parameter; a larger one is refused. */
#define ABC_PARAM_EXTENT_MAX 16u

/* Read one value of sample `index` in double precision, for messages about
 * values that a float cannot hold.
 *
 * element  index of the value in abc_param_sample; out of range: refused
 * numbers  set to the `extent` numbers of the value
 * stored   set to its index among the stored values, which differs if the
 *          parameter is indexed */
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
    struct abc_param uvs;                    /* values NULL: none */
    uint32_t color_count; /* colour parameters under .arbGeomParams */
    const struct abc_param *colors;
    uint32_t uv_set_count; /* texture coordinates under .arbGeomParams */
    const struct abc_param *uv_sets;
    struct abc_param velocities; /* f32[3] of each point; values NULL: none */
    uint32_t position_samples;
    bool is_topology_constant; /* counts and indices are equal in all samples;
                                * compared by content, since some writers store
                                * them in every frame */
    uint32_t topology_change;  /* the first sample that differs from sample 0;
                                * UINT32_MAX: none */
    bool is_constant;          /* no property of the schema changes */
    uint32_t sample_count;     /* the largest of all properties of the schema */
    uint32_t face_set_count;
    const struct abc_object *const *face_sets;
};
bool abc_mesh_open(const struct abc_archive *archive,
                   const struct abc_object *object, struct arena *arena,
                   struct abc_mesh *mesh);

/* Read the positions of sample `index`: x, y and z of each point. */
bool abc_mesh_positions(const struct abc_archive *archive,
                        const struct abc_mesh *mesh, uint32_t index,
                        struct arena *arena, const float **positions,
                        uint32_t *point_count);

/* The faces of a mesh. A face corner is an entry of `indices`; the corners of a
 * face follow one another, clockwise seen from outside. */
struct abc_topology {
    uint32_t face_count;
    uint32_t corner_count;
    const int32_t *counts;  /* of each face: its number of corners, >= 0 */
    const int32_t *indices; /* of each face corner: its point */
};
/* Read the topology of sample `index`. Refused unless the sum of the counts is
 * the number of indices, and each index is less than point_count. */
bool abc_mesh_topology(const struct abc_archive *archive,
                       const struct abc_mesh *mesh, uint32_t index,
                       uint32_t point_count, struct arena *arena,
                       struct abc_topology *topology);

/* Find the first sample of an array whose content differs from that of sample
 * 0; *change is UINT32_MAX if there is none. The number of bytes that are
 * compared is bounded; beyond it, a stored sample counts as different. */
bool abc_first_change(const struct abc_archive *archive,
                      const struct abc_property *property, struct arena *arena,
                      uint32_t *change);

/* Read the face numbers of sample 0 of a face set. They are not validated. */
bool abc_face_set_read(const struct abc_archive *archive,
                       const struct abc_object *face_set, struct arena *arena,
                       const int32_t **faces, uint32_t *count);

/* -- the whole archive -- */

/* Validate the archive as a scene: read every stored sample of every property,
 * open every schema, check every sample of every mesh. The work is bounded by a
 * multiple of the file's size; samples beyond that bound are validated when
 * they are read.
 */
bool abc_check_scene(const struct abc_archive *archive);

#endif
