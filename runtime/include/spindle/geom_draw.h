/* geom_draw.h - draw lists: what the engine draws for a node, and how often.
 *
 * spn_node_get_draw_list gives one item for each scene node of a cache that
 * shows a mesh now: where the mesh is, its box, its materials, and whether its
 * vertices change. spn_draw_instances finds static meshes that many items show,
 * also items of several nodes and caches, so that the engine can draw each of
 * these meshes in one call. geom.h explains the terms and what all functions
 * have in common.
 *
 *   item      a scene node that shows a mesh, once for each player (spn_node).
 *             If two scene nodes show the same mesh, there are two items
 *   static    the vertices never change (geom_mesh.h). The matrix may
 *   group     items that show the same static mesh with the same materials
 *   matrices  from mesh space to world space: 3 rows of 4 floats, for column
 *             vectors; the fourth column is the translation
 *
 * Usual order of the calls, in each frame of the engine after spn_update:
 *
 *   spn_node_get_drawing     for each node; for SPN_DRAW_STAND_IN the engine
 *                            draws its stand-in
 *   spn_node_get_draw_list   for each node, one behind the other in one array
 *   cull                     the engine removes items whose box is not seen
 *   spn_draw_instances       over all items that are left
 *   draw                     each group, and each item that is in no group:
 *                            one call for each of its materials
 *
 * Vertices. An engine has one vertex buffer for each mesh_id, which
 * spn_mesh_copy_vertices fills once. For an item without mesh_id it has one for
 * each node and mesh, which spn_node_fill or spn_fill_start fills when the time
 * has changed, or the buffers of spn_node_get_frames. `materials` are ranges of
 * the indices that spn_cache_copy_indices and spn_mesh_copy_indices write.
 *
 * Ownership. All arrays belong to the caller; nothing is allocated, and nothing
 * is kept. `materials` and their names belong to the runtime; they are valid as
 * strings are (geom.h).
 *
 * Threads. Any thread between two updates; several at the same time for
 * different arrays.
 *
 * Errors. geom.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_DRAW_H
#define SPINDLE_GEOM_DRAW_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_mesh.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As spn_draw_item.group: the item is in no group. */
#define SPN_DRAW_SINGLE UINT32_MAX

typedef struct spn_draw_item {
    spn_node node;
    uint32_t scene_node; /* index in the cache of the node */
    uint32_t mesh;       /* index in the cache of the node */
    uint32_t material_count;
    const spn_material_range *materials; /* material_count of them: all indices
                                          * of the mesh */
    spn_mesh_id mesh_id; /* of a static mesh; 0: the vertices change */
    /* For the engine, 0 at first: which materials of its own it uses for the
     * item, e.g. an address. Items with different values are not put in one
     * group. */
    uintptr_t material_set;
    uint32_t group; /* index of its group; SPN_DRAW_SINGLE: none */
    uint32_t order; /* for spn_draw_instances */
    float matrix[12];
    float box_min[3]; /* in world space */
    float box_max[3];
} spn_draw_item;

#if SPN_WITH_GEOMETRY

/* List what is drawn for a node at its playback time. There is an item for each
 * scene node
 *
 * - that is visible in the floor frame and shows a mesh,
 * - whose mesh is in the mesh mask (spn_node_set_mesh_mask), and has vertices
 *   in the shown frames: spn_node_fill would write them,
 * - and whose mesh is not excluded by the tuning variable debug_draw_mode.
 *
 * There are none unless spn_node_get_drawing returns SPN_DRAW_CACHE. Items are
 * in the order of their scene nodes.
 *
 * The matrix is that of spn_node_get_transforms. The box contains all vertices
 * that spn_node_fill writes as floats, transformed by the matrix in single
 * precision, also between two frames and while meshes rotate. It is the box
 * around the transformed box of the mesh, and a margin for rounding of a
 * millionth of the coordinates.
 *
 * items     uninitialized memory of the caller. The items behind the first
 *           *count are overwritten, too
 * capacity  number of items that fit; SPN_ERR_ARG if it is less than
 *           scene_node_count of the cache, once the cache is open
 * count     number of items in the list */
spn_status spn_node_get_draw_list(const spn_runtime *rt, spn_node node,
                                  spn_draw_item *items, uint32_t capacity,
                                  uint32_t *count);

#endif

/* Items that are drawn together. */
typedef struct spn_draw_group {
    spn_mesh_id mesh_id;
    const spn_material_range *materials; /* of the first item; those of the
                                          * others are equal */
    uint32_t material_count;
    uint32_t first_item;
    uint32_t first_matrix;
    uint32_t matrix_count; /* one for each item, in the order of the items */
} spn_draw_group;

#if SPN_WITH_GEOMETRY

/* Find the items that can be drawn together: those with the same mesh_id, which
 * is not 0, and the same material_set. They become a group if they are as many
 * as the tuning variable instance_min. The items of a group get its index in
 * `group`, all others SPN_DRAW_SINGLE; nothing else of an item changes, apart
 * from `order`. No item is moved.
 *
 * Groups are in the order of their first items. The matrices of a group are
 * adjacent, so `matrices` may be the mapped instance buffer of the graphics
 * processor: it is only written, never read. The result depends on nothing but
 * the items and instance_min. The time is proportional to n log n for n static
 * items.
 *
 * If a group does not fit into one of the arrays, its items are
 * SPN_DRAW_SINGLE, so that the picture is complete, and smaller groups behind
 * it may still fit. For all groups, item_count matrices and item_count /
 * instance_min groups suffice.
 *
 * items            of any nodes, from spn_node_get_draw_list. The engine may
 *                  have left some out, changed their order, set material_set
 *                  and changed matrices
 * group_capacity   number of groups that fit
 * matrices         12 floats each
 * matrix_capacity  number of matrices that fit
 * group_count      number of groups */
spn_status spn_draw_instances(const spn_runtime *rt, spn_draw_item *items,
                              uint32_t item_count, spn_draw_group *groups,
                              uint32_t group_capacity, float *matrices,
                              uint32_t matrix_capacity, uint32_t *group_count);

#endif

#ifdef __cplusplus
}
#endif
#endif
