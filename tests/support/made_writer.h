/* made_writer.h - puts small scenes together for scene_writer: meshes and
 * transforms, for what no archive at hand shows. What it is given is copied. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_MADE_WRITER_H
#define TESTS_SUPPORT_MADE_WRITER_H

#include "abc/archive.h"
#include "common/arena.h"

#include <stdbool.h>

/* Sample i of everything with several samples is at i / 24 seconds. */
#define MADE_FPS 24.0

/* "N", "uv" and ".velocities" are the mesh's own, other names stand under
 * .arbGeomParams.
 * Values are given as floats and stored as `pod` (u8: times 255). */
struct made_param {
    const char *name;
    const char *scope;          /* con uni var vtx fvr */
    const char *interpretation; /* "rgb", "rgba", or NULL */
    enum abc_pod pod;
    uint32_t extent;
    uint32_t sample_count;
    const uint32_t *counts;  /* values of each sample */
    const float *values;     /* of all samples, one after the other */
    const uint32_t *indices; /* the same in all samples; NULL: none */
    uint32_t index_count;
};

struct made_face_set {
    const char *name;
    const int32_t *faces; /* of all samples, one after the other */
    uint32_t face_count;  /* of each sample */
    uint32_t sample_count;
};

struct made_mesh {
    const char *name;
    uint32_t sample_count;        /* of positions */
    const uint32_t *point_counts; /* of each */
    const float *positions;       /* xyz, sample by sample */
    uint32_t topology_samples;    /* each of the counts below */
    uint32_t face_count;
    const int32_t *counts;
    uint32_t corner_count;
    const int32_t *indices;
    uint32_t param_count;
    const struct made_param *params;
    uint32_t set_count;
    const struct made_face_set *sets;
    bool is_subd;   /* the control cage of a subdivision surface */
    bool has_user;  /* a user property */
    bool has_tag;   /* a property beside the schema's */
    bool is_hidden; /* never visible */
};

struct made_level;
struct made_writer {
    struct arena arena;       /* all of the scene */
    struct made_level *level; /* the innermost object that is open */
    double step_s; /* from sample to sample; made_open: 1 / MADE_FPS */
};

void made_open(struct made_writer *scene);
void made_mesh(struct made_writer *scene, const struct made_mesh *mesh);
/* An object without properties. */
void made_object(struct made_writer *scene, const char *name,
                 const char *schema);
/* What follows until the end is below it. `matrices`: 16 numbers a sample. */
void made_xform(struct made_writer *scene, const char *name,
                uint32_t sample_count, const double *matrices, bool inherits);
void made_xform_end(struct made_writer *scene);
/* The file at `path`; frees. */
void made_close(struct made_writer *scene, const char *path);

#endif
