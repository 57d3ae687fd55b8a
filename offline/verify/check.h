/* check.h - the steps of comparing a cache with its archive.
 *
 * The run, by verify.c; "sets" names the fields of check_mesh that a step
 * fills:
 *
 *   check_pair                         pair objects; sets mesh, object, corners
 *   check_times
 *   check_scales                       sets axis_scale and the tolerances
 *   for each mesh:
 *     check_match                      sets repeats_point .. pairs; it calls
 *       check_triangles                sets corner_of_index
 *       check_triangulation_open       sets is_divided, is_flipped
 *       check_handedness_open          sets mikkt .. weld_seen
 *   for each frame:
 *     check_nodes                      sets stretch, cofactors
 *     for each visible mesh:
 *       check_mesh_frame               uses all of these; it calls
 *         check_triangulation_frame    adds to is_flipped
 *   for each mesh:
 *     check_triangulation              uses is_flipped
 *
 * check_world is a part of check_scales and check_nodes. All steps add
 * differences and errors to check->report. Terms:
 *
 *   point    a position of a mesh in the archive
 *   corner   a face corner: an entry of the face index list; it has a point
 *   pair     a corner, and a vertex of the cache that was made from it
 *   row      the numbers that describe a corner or a vertex, to find pairs: its
 *            values in a few sampled frames (struct check_rows)
 *   weld     a set of corners with equal position, normal and UV (mikkt.h)
 *   flipped  a triangle whose normal points to the other side than the area
 *            vector of its face
 *
 * The archive is evaluated by modules of this folder that share no code with
 * the compiler. Functions that return bool return false after a refusal, which
 * is in check->diag; a difference is no refusal. One thread runs a check.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_H
#define OFFLINE_VERIFY_CHECK_H

#include "render/cache_surface.h"
#include "verify/corner_match.h"
#include "verify/corner_values.h"
#include "verify/mikkt.h"
#include "verify/scene_eval.h"
#include "verify/verify.h"

/* A node of the cache, paired with its object in the archive. */
struct check_node {
    uint32_t node;           /* index in the cache */
    uint32_t mesh;           /* index in the cache; CACHE_NONE: a transform */
    struct eval_chain chain; /* its object and all ancestors (scene_eval.h) */
};

/* A pair: a corner, and a vertex that was made from it. */
struct corner_vertex {
    uint32_t corner;
    uint32_t vertex;
};

/* The comparison of a triangle's handedness: the orientation of its texture
 * coordinates, which must agree with the tangent frames of its vertices. */
enum handedness_state {
    HANDEDNESS_UNKNOWN,  /* not yet compared */
    HANDEDNESS_COMPARED, /* compared in one frame, or impossible to compare */
    HANDEDNESS_VARIES    /* the orientation differs between frames */
};

/* A mesh of the cache, paired with its object. Arrays belong to
 * check->run_arena. */
struct check_mesh {
    uint32_t mesh;                   /* index in the cache */
    const struct abc_object *object; /* NULL: not in the archive */
    struct corner_mesh corners;

    /* check_scales */
    double axis_scale[3]; /* mm of a mesh unit along each axis: the largest of
                           * all nodes and frames */
    double tolerance[3];  /* largest position error along each axis that
                           * quantization explains, mesh units */
    /* The same for each number of UVs, second UVs (UV units), colours (1/255)
     * and velocities (mesh units per second). */
    double param_tolerance[CORNER_PARAM_COUNT][CORNER_EXTENT_MAX];

    /* check_match */
    bool *repeats_point; /* per face: two of its corners have the same point. A
                          * triangle with both corners has no area, and the
                          * cache may lack it; corners of such a face may have
                          * no vertex */
    uint32_t *vertex_of; /* per corner: its first vertex; MATCH_NONE if it has
                          * none */
    uint32_t *corner_of; /* per vertex: one of its corners; MATCH_NONE if it has
                          * none */
    uint32_t *corner_of_index; /* per index of the cache: its corner. If a
                                * triangle belongs to no face, its first index
                                * has MATCH_NONE, and the two others are not
                                * used */
    uint32_t pair_count;
    struct corner_vertex *pairs; /* all pairs; one may be listed twice if a
                                  * corner has several vertices */

    /* check_mesh_frame: tangents */
    struct mikkt mikkt;
    uint8_t *orientation_seen; /* per triangle: enum mikkt_orientation of the
                                * first frame in which it has an area in UV
                                * space */
    uint8_t *handedness_state; /* per triangle: enum handedness_state */
    uint8_t *weld_seen; /* per weld: in some frame so far, a triangle with a
                         * corner in it had an area in UV space */

    /* check_nodes: the node that stretches the mesh most in this frame */
    double stretch;      /* eval_stretch of the node's world matrix; 0: no node
                          * shows the mesh */
    double cofactors[9]; /* of that matrix, row by row */

    /* check_triangulation */
    uint8_t *is_divided; /* per face: it has several triangles, and no point
                          * twice */
    uint8_t *is_flipped; /* per face: one of its triangles is flipped in some
                          * frame */
};

/* The rows of all corners and vertices of one mesh. check_match samples up to
 * 24 frames, fewer if the mesh is large. A row has this many numbers for each
 * sampled frame: position 3, normal 3, UV 2, colour 4, second UV 2. */
#define CHECK_ROW_NUMBERS 14u
struct check_rows {
    uint32_t dimension; /* of a row: CHECK_ROW_NUMBERS * sampled frames */
    double *corners;    /* the row of each corner */
    double *vertices;   /* the row of each vertex */
};

struct check {
    const struct verify_options *options;
    struct verify_report *report;
    struct diag *diag;
    struct abc_archive *archive;
    struct cache_reader *reader;
    const struct cache_header *header; /* of the reader, as are the next two */
    const struct cache_tables *tables;
    const double *seconds;    /* time of each frame */
    struct arena run_arena;   /* lives until the end of the run */
    struct arena frame_arena; /* reset at the end of a frame */
    struct arena mesh_arena;  /* reset at the end of a mesh in a frame */
    double unit_mm;           /* mm of a scene unit */
    double size; /* diagonal, in scene units, of the box around the boxes of all
                  * meshes while they are visible */
    uint32_t node_count;
    struct check_node *nodes;
    struct check_mesh *meshes; /* header->mesh_count */
};

/* Pair nodes and meshes of the cache with objects of the archive. */
bool check_pair(struct check *check);
/* Compare the times of frames with those of samples. */
bool check_times(struct check *check);
/* Find the size of the scene and the tolerances of all meshes. */
bool check_scales(struct check *check);
/* Find the vertices of each corner of a mesh; check triangles and materials. */
bool check_match(struct check *check, struct check_mesh *mesh);
/* Part of check_match. `near`: corners near each vertex. */
void check_triangles(struct check *check, struct check_mesh *mesh,
                     const struct check_rows *rows,
                     const struct match_lists *near);

/* Compare transforms and visibility of all nodes in one frame. */
bool check_nodes(struct check *check, uint32_t frame);
/* Compare all values of a mesh in one frame. */
bool check_mesh_frame(struct check *check, const struct check_mesh *mesh,
                      uint32_t frame, const struct surface *surface);
/* Prepare the comparison of handedness, before the first frame. */
void check_handedness_open(struct check *check, struct check_mesh *mesh);

/* Find flipped triangles. */

/* Prepare a mesh, before the first frame: find its divided faces. */
void check_triangulation_open(struct check *check, struct check_mesh *mesh);
/* Count the flipped triangles of one frame, and mark their faces.
 *
 * points  positions of the archive's points in the frame */
void check_triangulation_frame(struct check *check,
                               const struct check_mesh *mesh, uint32_t frame,
                               const double (*points)[3]);
/* After all frames: of the marked faces, count those that could be divided in
 * another way into triangles of which none is flipped in any frame. */
bool check_triangulation(struct check *check, const struct check_mesh *mesh);

/* Compute the world matrix of a node in the archive at `time` seconds, for row
 * vectors, with the up axis of the options. */
bool check_world(struct check *check, const struct check_node *node,
                 double time, double matrix[16]);

#endif
