/* check.h - the state of one comparison of a cache with its archive.
 *
 * verify.c creates struct check and runs these steps in this order, on one
 * thread. "Fills" names the fields of struct check_mesh.
 *
 *   once:
 *     check_pair        Pairs nodes and meshes of the cache with objects of the
 *                       archive. Fills object, corners.
 *     check_times       Compares the times of frames.
 *     check_scales      Finds the tolerances of each mesh. Fills tolerance.
 *   for each mesh:
 *     check_match       Pairs face corners with vertices, and compares
 *                       triangles with faces. Fills pairs, and begins
 *                       handedness and flips.
 *   for each frame:
 *     check_nodes       Compares transforms and visibility. Fills stretch: how
 *                       far a node distorts the mesh. check_mesh_frame also
 *                       compares normals in the world, where errors are larger
 *                       by the stretch.
 *     check_mesh_frame  For each visible mesh: compares all values. Adds to
 *                       handedness and flips.
 *   for each mesh:
 *     check_flipped     A triangle is flipped if its normal points to the other
 *                       side than that of its face. Of the faces with flipped
 *                       triangles (flips), counts those that another
 *                       triangulation would have divided without any.
 *
 * Each step is declared in a header of its name, with the record that it fills.
 * check_scales and check_nodes are in check_scene.h, check_mesh_frame is in
 * check_mesh.h. verify.c includes those headers that declare no record.
 *
 * Each step adds the errors and differences that it finds to check->report. A
 * function that returns bool returns false after a refusal: a file is damaged
 * or cannot be read, and the message is in check->diag. A cache that differs
 * from the archive is no refusal.
 *
 * Values of the archive are computed by modules of this folder, which share no
 * code with the compiler. Terms of all its headers:
 *
 *   point    an entry of the position list of a mesh in the archive
 *   face     a polygon of the archive's mesh
 *   corner   an entry of the archive's face index list: a face, and a point
 *   vertex, triangle  those of the cache
 *   pair     a corner, and a vertex that was made from it
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VERIFY_CHECK_H
#define OFFLINE_VERIFY_CHECK_H

#include "cachefile/cache_reader.h"
#include "verify/check_flipped.h"
#include "verify/check_match.h"
#include "verify/check_pair.h"
#include "verify/check_scene.h"
#include "verify/check_tangents.h"
#include "verify/corner_values.h"
#include "verify/verify.h"

/* A mesh of the cache and an object that it was made from, with the records of
 * all steps. Arrays in them belong to
 * check->run_arena. */
struct check_mesh {
    /* check_pair */
    uint32_t mesh;                   /* index in the cache */
    const struct abc_object *object; /* its object; NULL: the archive has none,
                                      * and later steps leave the mesh out */
    struct corner_mesh corners;      /* points, faces and corners */

    struct mesh_tolerance tolerance; /* check_scales */
    struct corner_pairs pairs;       /* check_match */
    struct mesh_stretch stretch;     /* check_nodes: of the present frame */
    struct handedness
        handedness;          /* check_match begins it, check_mesh_frame adds
                                   * each frame */
    struct flip_marks flips; /* likewise */
};

struct check {
    /* verify.c, before the first step */
    const struct verify_options *options;
    struct verify_report *report;
    struct diag *diag;
    struct abc_archive *archive;
    struct cache_reader *reader;
    const struct cache_header *header; /* of the reader, as are the next two */
    const struct cache_tables *tables;
    const double *seconds; /* time of each frame of the cache, in the archive */
    double unit_mm;        /* mm of a scene unit */

    /* Memory for the steps, owned by verify.c. */
    struct arena run_arena;   /* lives until the end of the run */
    struct arena frame_arena; /* a step resets it when it begins a frame */
    struct arena mesh_arena;  /* a step resets it when it begins a mesh */

    /* check_pair */
    uint32_t node_count; /* of `nodes`: those that have an object */
    struct check_node *nodes;
    /* The meshes of the cache, header->mesh_count of them. Then, for each mesh
     * that stands for several equal meshes of the archive, one for each of the
     * others: its vertices are compared with all of them. */
    struct check_mesh *meshes;
    uint32_t record_count; /* of `meshes` */

    /* check_scales */
    double scene_size; /* diagonal, in scene units, of the box around the boxes
                        * of all meshes while they are visible. check_nodes
                        * tolerates errors of transforms up to a share of it */
};

#endif
