/* geom_scene.h - where a node's meshes are: transforms and boxes of the scene.
 *
 * The vertices of a mesh are in mesh space. Each scene node that shows the mesh
 * has a world transform, which changes over time, and is visible or not. These
 * functions give both at the playback time of a node, and a box around all that
 * is visible. spn_cache_get_scene_node (geom_cache.h) describes the hierarchy.
 *
 * To attach something to a scene node, find its index once, by the hash of its
 * name, and get its transform in each frame of the engine.
 *
 * geom.h explains the terms, the order of the calls and what all functions have
 * in common.
 *
 *   matrices  from the space of the scene node, which is that of its mesh, to
 *             world space: 3 rows of 4 floats, for column vectors; the fourth
 *             column is the translation
 *   lengths   in the units of the scene
 *   boxes     smallest and largest x, y and z in world space
 *
 * Ownership. Outputs are arrays of the caller. Nothing is kept.
 *
 * Threads. Any thread, between two updates.
 *
 * Errors. geom.h lists those that are checked first. All functions but
 * spn_name_hash need the cache's tables. Those of nodes return the same as
 * spn_node_fill (geom_fill.h) if no frame is shown.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_SCENE_H
#define SPINDLE_GEOM_SCENE_H

#include <spindle/features.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if SPN_WITH_GEOMETRY

/* Compute the hash of the name of a scene node: XXH64 with seed 0, of at most
 * the first 4096 bytes. Tools of the engine may compute it in advance.
 *
 * name  ends with a NUL, which does not count; NULL: as "" */
uint64_t spn_name_hash(const char *name);

/* Find a scene node by the hash of its name. The name is the whole path in the
 * archive, as in spn_scene_node_info, e.g. "/body/arm/hand".
 *
 * first  search from this index on; usually 0
 * out    the smallest index from `first` on whose name has the hash. It is the
 *        same as long as the cache is open
 *
 * Different names may have the same hash, by chance of one in 2^64. Who has to
 * be sure compares the name (spn_cache_get_scene_node), and searches again
 * from *out + 1.
 *
 * Returns SPN_ERR_NOT_FOUND if there is none. The time is proportional to
 * scene_node_count, about 1 ns each. */
spn_status spn_cache_find_scene_node(const spn_runtime *rt, spn_cache cache,
                                     uint64_t name_hash, uint32_t first,
                                     uint32_t *out);

/* Get the world transform of one scene node at the playback time: the same bits
 * as from spn_node_get_transforms. The time is proportional to the number of
 * scene nodes above it.
 *
 * scene_node  SPN_ERR_ARG unless it is less than scene_node_count
 * matrix      3 rows of 4, for column vectors
 * is_visible  as `visible` below; NULL: not wanted */
spn_status spn_node_get_transform(spn_runtime *rt, spn_node node,
                                  uint32_t scene_node, float matrix[12],
                                  uint32_t *is_visible);

/* Get the world transforms of all scene nodes at the playback time. Between
 * floor and ceil, rotations are interpolated by slerp, translations and scales
 * linearly; the matrices of skewed scene nodes are interpolated element by
 * element.
 *
 * matrices  12 floats for each scene node: 3 rows of 4, for column vectors;
 *           NULL: not wanted
 * visible   one byte for each scene node: 1 if it is visible in the floor
 *           frame, otherwise 0; NULL: not wanted
 * count     number of scene nodes that fit; SPN_ERR_ARG if less than
 *           scene_node_count
 *
 * Otherwise the same results as spn_node_fill. */
spn_status spn_node_get_transforms(spn_runtime *rt, spn_node node,
                                   float *matrices, uint8_t *visible,
                                   uint32_t count);

/* Get a world box of the visible meshes at the playback time: the union of the
 * boxes of floor and ceil. min > max if nothing is visible.
 *
 * At the time of a frame, the box contains every vertex that spn_node_fill
 * writes as floats, transformed by its scene node's matrix. It includes a
 * margin for single-precision rounding, some millionths of the coordinates.
 *
 * Between two frames it still contains vertices that move along straight lines,
 * as all do if the matrices only change by translation. Otherwise a vertex may
 * leave the box by at most the sum of two lengths for each scene node above it:
 *
 *   r (1 - cos(a / 2))  a is the angle by which the scene node turns between
 *                       the two frames, r the vertex's distance from the axis
 *   m d / 4             d is the distance that the vertex moves in the space of
 *                       the scene node, m the operator norm of the change of
 *                       the scene node's matrix: for a scale, the difference of
 *                       the factors; for a rotation, 2 sin(a / 2)
 *
 * Returns the same as spn_node_fill. */
spn_status spn_node_get_box(spn_runtime *rt, spn_node node, float box_min[3],
                            float box_max[3]);

#endif

#ifdef __cplusplus
}
#endif
#endif
