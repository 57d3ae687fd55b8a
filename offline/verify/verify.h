/* verify.h - is a cache what its archive says? */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_VERIFY_H
#define OFFLINE_VERIFY_VERIFY_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct verify_options {
    const char *cache;
    const char *archive; /* NULL: only decode everything */
    /* as it was compiled */
    bool flip_v;
    char up;               /* 'Y', 'Z', 0 */
    const char *color_set; /* NULL: the first by name */
};

/* Errors of one kind, with the place of the worst. */
struct verify_error {
    double worst;
    double sum;
    uint64_t count;
    double worst_share; /* of what is tolerated; > 1 fails */
    uint32_t frame;
    uint32_t mesh;   /* VERIFY_NO_MESH: of a transform without one */
    uint32_t vertex; /* of transforms: the node */
};

#define VERIFY_NO_MESH UINT32_MAX
#define VERIFY_PATH_BYTES 1024u

struct verify_report {
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t node_count;
    uint64_t vertex_count;
    uint64_t triangle_count;
    struct verify_error axis[3];      /* mm, in the world's scale */
    struct verify_error position;     /* mm */
    struct verify_error normal;       /* degrees */
    struct verify_error world_normal; /* degrees, in the world: where a frame's
                                       * nodes stretch the mesh most */
    struct verify_error tangent;      /* degrees, from MikkTSpace's */
    struct verify_error uv;           /* UV units */
    struct verify_error color;        /* 1/255 */
    struct verify_error second_uv;    /* UV units */
    struct verify_error velocity;     /* mm per second, in the world's scale */
    struct verify_error transform;    /* mm, of the corners of mesh boxes */
    struct verify_error time;         /* seconds */
    char transform_node[VERIFY_PATH_BYTES]; /* its path; cut where it is longer,
                                             * "" where there is none */
    /* What may not be at all. */
    uint64_t missing_frames;     /* times of samples without a frame */
    uint64_t surplus_frames;     /* frames at the time of no sample */
    uint64_t missing_meshes;     /* in the cache */
    uint64_t missing_nodes;      /* in a cache without meshes: transforms */
    uint64_t unknown_nodes;      /* in the archive */
    uint64_t unmatched_corners;  /* no vertex is near */
    uint64_t unmatched_vertices; /* stand for no corner */
    uint64_t missing_triangles;  /* of the faces' corners - 2 */
    uint64_t foreign_triangles;  /* of no face, or of one too often */
    uint64_t reversed_triangles;
    uint64_t wrong_cuts;       /* faces with triangles that are turned over
                                * in a frame, and need not be */
    uint64_t wrong_materials;  /* triangles */
    uint64_t wrong_visibility; /* nodes in frames */
    uint64_t wrong_handedness; /* indices */
    uint64_t wrong_channels;   /* one side has UVs or colours alone, or the
                                * cache what it was asked to keep */
    uint64_t coarse_axes;      /* precision was asked for and not kept */
    /* What a cache cannot help. */
    uint64_t turned_triangles;  /* in frames: with all that might be helped */
    uint64_t turned_textures;   /* triangles: it changes its side */
    uint64_t stretched_normals; /* corners in frames: normals that are off in
                                 * the world by more than 0.5 degrees */
    const char *failure;        /* the first that failed; NULL: passed */
};

/* False after a refusal. A cache that is readable but differs is not refused:
 * look at report->failure. */
bool verify_run(const struct verify_options *options, struct diag *diag,
                struct verify_report *report);

void verify_add(struct verify_error *error, double value, double tolerated,
                uint32_t frame, uint32_t mesh, uint32_t vertex);
double verify_mean(const struct verify_error *error);
/* Is the worst more than what is tolerated? */
bool verify_is_off(const struct verify_error *error);

#endif
