/* made_writer.h - build small scenes for scene_writer: meshes and transforms
 * with features that no available archive has. Arguments are copied. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_WRITER_H
#define TESTS_SUPPORT_MADE_WRITER_H

#include "abc/archive.h"
#include "common/arena.h"

#include <stdbool.h>

/* Sample i of every property with several samples is at i / 24 seconds. */
#define MADE_FPS 24.0

/* "N", "uv" and ".velocities" are properties of the mesh; other names are
 * placed under .arbGeomParams. Values are floats, stored as `pod` (u8: times
 * 255). */
struct made_param {
    const char *name;
    const char *scope;          /* con, uni, var, vtx or fvr */
    const char *interpretation; /* "rgb", "rgba", or NULL */
    enum abc_pod pod;
    uint32_t extent;
    uint32_t sample_count;
    const uint32_t *counts;  /* number of values of each sample */
    const float *values;     /* values of all samples, one after the other */
    const uint32_t *indices; /* indices, the same in all samples; NULL: not
                              * indexed */
    uint32_t index_count;
};

struct made_face_set {
    const char *name;
    const int32_t *faces; /* corner counts of all samples, one after the
                           * other */
    uint32_t face_count;  /* number of faces of each sample */
    uint32_t sample_count;
};

struct made_mesh {
    const char *name;
    uint32_t sample_count;        /* samples of positions */
    const uint32_t *point_counts; /* points of each sample */
    const float *positions;       /* x, y, z, sample by sample */
    uint32_t topology_samples;    /* samples of the topology */
    uint32_t face_count;
    const int32_t *counts;
    uint32_t corner_count;
    const int32_t *indices;
    uint32_t param_count;
    const struct made_param *params;
    uint32_t set_count;
    const struct made_face_set *sets;
    bool is_subd;   /* write the control cage of a subdivision surface */
    bool has_user;  /* add a user property */
    bool has_tag;   /* add a property outside of the schema */
    bool is_hidden; /* the mesh is never visible */
};

struct made_level;
struct made_writer {
    struct arena arena;       /* memory of the whole scene */
    struct made_level *level; /* the innermost open object */
    double step_s; /* seconds between samples; made_open sets 1 / MADE_FPS */
};

void made_open(struct made_writer *scene);
void made_mesh(struct made_writer *scene, const struct made_mesh *mesh);
/* Add an object without properties. */
void made_object(struct made_writer *scene, const char *name,
                 const char *schema);
/* Open a transform. Objects until its end are below it. `matrices`: 16 numbers
 * for each sample. */
void made_xform(struct made_writer *scene, const char *name,
                uint32_t sample_count, const double *matrices, bool inherits);
void made_xform_end(struct made_writer *scene);
/* Write the file at `path` and free the scene. */
void made_close(struct made_writer *scene, const char *path);

#endif
