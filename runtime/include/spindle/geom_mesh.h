/* geom_mesh.h - static meshes: equal ones of all caches are one.
 *
 * A mesh is static if none of its vertex data changes over time
 * (spn_mesh_info.is_animated is 0); transforms may still move it. Static meshes
 * with the same content have the same id, whatever caches they are in. So an
 * engine can keep one vertex buffer for an id, and draw all scene nodes that
 * show it in one call.
 *
 * The content is what spn_mesh_info.content_hash is computed from: all that
 * spn_cache_get_mesh and spn_cache_get_material say, but the name of the mesh
 * and its first_vertex; the indices; and the values of the vertices.
 *
 * Threads. Any thread may call these functions between two updates.
 *
 * Errors. geom.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_MESH_H
#define SPINDLE_GEOM_MESH_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Id of a static mesh; 0: none. It is the content hash, so that the same
 * content has the same id in every run and on every machine. If different
 * content that is open has the same hash, which happens by chance of one in
 * 2^64, the mesh that was opened later has another id. */
typedef uint64_t spn_mesh_id;

#if SPN_WITH_GEOMETRY

/* Get the id of a mesh of a cache.
 *
 * mesh  SPN_ERR_ARG unless it is less than mesh_count
 * out   0 if the mesh is animated */
spn_status spn_cache_get_mesh_id(const spn_runtime *rt, spn_cache cache,
                                 uint32_t mesh, spn_mesh_id *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
