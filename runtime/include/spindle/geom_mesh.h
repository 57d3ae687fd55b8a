/* geom_mesh.h - static meshes, which caches with equal ones share.
 *
 * A mesh is static if none of its vertex data changes over time
 * (spn_mesh_info.is_animated is 0); transforms may still move it. Static meshes
 * with the same content have the same id, whatever caches they are in. So an
 * engine can keep one vertex buffer for an id, and draw all scene nodes that
 * show it in one call. The heap has such a mesh once, as long as an open cache
 * has it.
 *
 * When a cache is open (spn_cache_get_status), its static meshes are in memory:
 * spn_mesh_copy_vertices and spn_mesh_copy_indices need no node and no frame.
 *
 * The content is what spn_mesh_info.content_hash is computed from: all that
 * spn_cache_get_mesh and spn_cache_get_material say, but the name of the mesh
 * and its first_vertex; the indices; and the values of the vertices. The bytes
 * of meshes with the same hash are compared before they become one.
 *
 * Memory. Large vertex data is freed with the last cache that has the mesh.
 * Arrays of at most 16 KiB of several meshes share blocks of at most 64 KiB;
 * such a block is freed when no open cache has any of its meshes. If a mesh
 * shares a run of 16383 or 32766 indices with an animated mesh, the cache keeps
 * this run, too.
 *
 * Threads. Any thread may call these functions between two updates.
 *
 * Errors. geom.h lists those that are checked first. Functions with a
 * spn_mesh_id return SPN_ERR_HANDLE if no cache that is open has this mesh in
 * memory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_MESH_H
#define SPINDLE_GEOM_MESH_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_layout.h>
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
 * out   0 if the mesh is animated
 *
 * If the mesh is static, but the static data of the cache was unloaded
 * (geom_view.h), returns SPN_PENDING, or why it could not be loaded again. */
spn_status spn_cache_get_mesh_id(const spn_runtime *rt, spn_cache cache,
                                 uint32_t mesh, spn_mesh_id *out);

#endif

typedef struct spn_static_mesh {
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t reference_count; /* meshes of open caches that are this one, >= 1
                               */
    uint32_t reserved;        /* 0 */
    uint64_t content_hash;
    uint64_t heap_bytes; /* its vertices, indices and record in the heap */
} spn_static_mesh;

#if SPN_WITH_GEOMETRY

/* Describe a static mesh. */
spn_status spn_mesh_get_info(const spn_runtime *rt, spn_mesh_id mesh,
                             spn_static_mesh *out);

/* Write all vertices of a static mesh, in mesh space: the same bytes that
 * spn_node_fill writes for a node that shows it. Velocities that the file does
 * not store are 0, previous positions are the current ones.
 *
 * layout    SPN_ERR_ARG if spn_layout_check refuses it
 * vertices  memory of the caller, any alignment; only written, never read.
 *           Bytes between attributes are not changed
 * bytes     size of that memory; SPN_ERR_ARG if less than vertex_count *
 *           stride */
spn_status spn_mesh_copy_vertices(const spn_runtime *rt, spn_mesh_id mesh,
                                  const spn_vertex_layout *layout,
                                  void *vertices, uint64_t bytes);

/* Copy the triangle list of a static mesh, as spn_cache_copy_indices does. */
spn_status spn_mesh_copy_indices(const spn_runtime *rt, spn_mesh_id mesh,
                                 uint32_t index_bytes, void *indices,
                                 uint32_t capacity);

#endif

#ifdef __cplusplus
}
#endif
#endif
