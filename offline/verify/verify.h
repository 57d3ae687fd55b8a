/* verify.h - compares a cache with the archive that it was compiled from.
 *
 * cmd_verify.c calls this. Every vertex, triangle, transform and visibility of
 * every frame is compared with the archive. Errors must be within what
 * quantization explains. Without an archive, all frames are only decoded.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_VERIFY_H
#define OFFLINE_VERIFY_VERIFY_H

#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct verify_options {
    const char *cache;   /* path */
    const char *archive; /* path; NULL: only decode everything */
    /* The options that the cache was compiled with. */
    bool flip_v;
    char up;               /* 'Y', 'Z'; 0: as in the archive */
    const char *color_set; /* NULL: the first by name */
};

/* Errors of one kind. The unit depends on the kind: see verify_report. */
struct verify_error {
    double worst;       /* the largest error */
    double sum;         /* of all errors */
    uint64_t count;     /* of all errors */
    double worst_share; /* largest error / tolerance; above 1: failed */
    uint32_t frame;     /* this and the next two: of the largest error */
    uint32_t mesh;      /* VERIFY_NO_MESH: a transform without a mesh */
    uint32_t vertex;    /* for transforms: the node */
};

#define VERIFY_NO_MESH UINT32_MAX
#define VERIFY_PATH_BYTES 1024u

struct verify_report {
    uint32_t frame_count;
    uint32_t mesh_count;
    uint32_t node_count;
    uint64_t vertex_count;   /* of all meshes */
    uint64_t triangle_count; /* of all meshes */

    struct verify_error axis[3];      /* positions along an axis, mm in world
                                       * space */
    struct verify_error position;     /* mm in world space */
    struct verify_error normal;       /* degrees in mesh space */
    struct verify_error world_normal; /* degrees in world space, for the node
                                       * that stretches the mesh most; never
                                       * fails */
    struct verify_error tangent;      /* degrees from MikkTSpace's tangent */
    struct verify_error uv;           /* UV units */
    struct verify_error color;        /* 1/255 */
    struct verify_error second_uv;    /* UV units */
    struct verify_error velocity;     /* mm per second in world space */
    struct verify_error transform;    /* mm, of the corners of mesh boxes */
    struct verify_error time;         /* seconds */
    char transform_node[VERIFY_PATH_BYTES]; /* path of the node with the worst
                                             * transform, cut to fit; "": none
                                             */

    /* Counts that fail unless 0. */
    uint64_t missing_frames;     /* times of samples without a frame */
    uint64_t surplus_frames;     /* frames without a sample at their time */
    uint64_t missing_meshes;     /* meshes that the cache lacks */
    uint64_t missing_nodes;      /* transforms that a cache without meshes
                                  * lacks */
    uint64_t unknown_nodes;      /* nodes and meshes that the archive lacks */
    uint64_t unmatched_corners;  /* corners without a vertex */
    uint64_t unmatched_vertices; /* vertices without a corner */
    uint64_t missing_triangles;  /* missing from faces: n corners need n - 2 */
    uint64_t foreign_triangles;  /* triangles without a face, and triangles that
                                  * overlap another one of their face */
    uint64_t reversed_triangles; /* triangles with the wrong winding */
    uint64_t wrong_triangulations; /* faces with a flipped triangle, for which
                                    * another triangulation has none in any
                                    * frame; of faces with more than 32 corners,
                                    * only the first frame counts */
    uint64_t wrong_materials;      /* triangles with another material */
    uint64_t wrong_visibility; /* nodes with another visibility; sum over all
                                    * frames */
    uint64_t wrong_handedness; /* indices of vertices whose reflection does
                                    * not agree with their triangle */
    uint64_t wrong_channels;   /* parameters that only one side has */
    uint64_t coarse_axes;      /* axes coarser than --precision */
    uint64_t vertices_outside; /* vertices outside of the box of their part; sum
                                * over all frames. Needs no archive */

    /* Counts that no cache can avoid. */
    uint64_t flipped_triangles;  /* sum over all frames, including those
                                  * of wrong_triangulations */
    uint64_t handedness_changes; /* triangles whose texture is mirrored in some
                                  * frames only */
    uint64_t stretched_normals;  /* normals whose error in world space is above
                                  * 0.5 degrees; sum over all frames */

    const char *failure; /* the first check that failed; NULL: passed */
};

/* Compare, and fill *report. Returns false after a refusal: a file cannot be
 * read or is damaged. A cache that differs from its archive, or whose boxes
 * are wrong, is no refusal, but has report->failure. */
bool verify_run(const struct verify_options *options, struct diag *diag,
                struct verify_report *report);

/* Add one error and its tolerance. */
void verify_add(struct verify_error *error, double value, double tolerated,
                uint32_t frame, uint32_t mesh, uint32_t vertex);
/* The mean error; 0 without errors. */
double verify_mean(const struct verify_error *error);
/* Return whether an error exceeds its tolerance. */
bool verify_exceeds(const struct verify_error *error);

#endif
