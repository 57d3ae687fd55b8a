/* check.h - the parts of a verify: times, nodes, meshes. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_H
#define OFFLINE_VERIFY_CHECK_H

#include "render/cache_surface.h"
#include "verify/corner_match.h"
#include "verify/corner_values.h"
#include "verify/mikkt.h"
#include "verify/scene_eval.h"
#include "verify/verify.h"

/* A node of the cache, and its object in the archive. */
struct check_node {
    uint32_t node;
    uint32_t mesh; /* CACHE_NONE: a transform */
    struct eval_chain chain;
};

/* A vertex, and a corner that it stands for. */
struct corner_vertex {
    uint32_t corner;
    uint32_t vertex;
};

struct check_mesh {
    uint32_t mesh;
    const struct abc_object *object; /* NULL: not in the archive */
    struct corner_mesh corners;
    bool *is_folded;      /* per face: it uses a point twice. Triangles that do
                           * may be left out, and with them corners */
    uint32_t *vertex_of;  /* per corner; MATCH_NONE */
    uint32_t *corner_of;  /* per vertex: one of its corners; MATCH_NONE */
    uint32_t *corners_of; /* per index: its corner; MATCH_NONE */
    uint32_t pair_count;
    struct corner_vertex *pairs; /* all that triangles have, each once or, where
                                  * several vertices stand for a corner, once
                                  * or more */
    struct mikkt mikkt;
    uint8_t *side_seen;   /* per triangle: enum mikkt_side, where first known */
    uint8_t *side_state;  /* per triangle: what its handedness is known for */
    uint8_t *weld_seen;   /* per weld: a triangle there had a side */
    uint8_t *is_cut;      /* per face: it has several triangles, and uses no
                           * point twice */
    uint8_t *is_turned;   /* per face: a triangle is, in some frame */
    double axis_scale[3]; /* millimetres of a unit along each axis, at most */
    double stretch;       /* eval_stretch, the largest of all nodes that show
                           * it in this frame; 0: nothing shows it */
    double cofactors[9];  /* of that node's world */
    double tolerance[3];  /* of positions, mesh units */
    double param_tolerance[CORNER_PARAM_COUNT][CORNER_EXTENT_MAX];
};

/* Corners and vertices of one mesh in numbers: see match.h. Of each frame
 * looked at: position, normal, UV, colour, second UV. */
#define CHECK_ROW_NUMBERS 14u
struct check_rows {
    uint32_t dimension;
    double *corners;
    double *vertices;
};

struct check {
    const struct verify_options *options;
    struct verify_report *report;
    struct diag *diag;
    struct abc_archive *archive;
    struct cache_reader *reader;
    const struct cache_header *header;
    const struct cache_tables *tables;
    const double *seconds; /* of the frames */
    struct arena arena;    /* of the run */
    struct arena frame;    /* of one frame */
    struct arena mesh;     /* of one mesh in one frame */
    double unit_mm;
    double size; /* of the scene: the diagonal of the box around the corners of
                  * the boxes of all meshes that are seen in any frame */
    uint32_t node_count;
    struct check_node *nodes;
    struct check_mesh *meshes;
};

/* Pair nodes and meshes of the cache with objects of the archive, and look
 * for objects that the cache should have. */
bool check_pair(struct check *check);
/* Are the frames at the times of the samples? */
bool check_times(struct check *check);
/* Find the largest scales and the scene's size; fills axis_scale and the
 * tolerances. */
bool check_scales(struct check *check);
/* Find the vertex of each corner; judge triangles and materials. */
bool check_match(struct check *check, struct check_mesh *mesh);
void check_triangles(struct check *check, struct check_mesh *mesh,
                     const struct check_rows *rows,
                     const struct match_lists *lists);
/* Are triangles turned over in a frame? `points`: of the archive. After all
 * frames, need they be? */
void check_cuts_open(struct check *check, struct check_mesh *mesh);
void check_cuts_frame(struct check *check, const struct check_mesh *mesh,
                      const double (*points)[3]);
bool check_cuts(struct check *check, const struct check_mesh *mesh);
/* What is known of the texture's sides before the first frame. */
void check_sides_open(struct check *check, struct check_mesh *mesh);
/* One frame: transforms and visibility, then each mesh that is seen. */
bool check_nodes(struct check *check, uint32_t frame);
bool check_mesh_frame(struct check *check, const struct check_mesh *mesh,
                      uint32_t frame, const struct surface *surface);

/* World matrix of the archive for a node, with --up's turn. */
bool check_world(struct check *check, const struct check_node *node,
                 double time, double matrix[16]);

#endif
