/* cache_surface.h - surfaces of a cache's frames. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_CACHE_SURFACE_H
#define OFFLINE_RENDER_CACHE_SURFACE_H

#include "cache_reader.h"
#include "render/surface.h"

/* Does the frame hold the mesh? False only after a refusal. */
bool cache_surface_is_present(struct cache_reader *reader, uint32_t frame,
                              uint32_t mesh, bool *is_present);

/* One mesh in mesh space, whether it is seen or not; it must be present. */
bool cache_surface_mesh(struct cache_reader *reader, uint32_t frame,
                        uint32_t mesh, struct arena *arena,
                        struct surface *surface);

/* What is seen of a frame: one surface for each visible node with a mesh, in
 * its world or its mesh's space. `path` (NULL: all) names a mesh, a node,
 * or what nodes lie in. */
bool cache_surface_list(struct cache_reader *reader, uint32_t frame,
                        const char *path, bool in_world, struct arena *arena,
                        struct surface_list *list);

/* Is `name` the path, or below it? "/a" covers "/a/b" and not "/ab"; "/"
 * covers everything; a slash at the end says nothing. */
bool cache_surface_covers(const char *path, const char *name);

/* How many nodes, and how many with a mesh, a path means in any frame. */
void cache_surface_count(struct cache_reader *reader, const char *path,
                         uint32_t *node_count, uint32_t *mesh_node_count);

#endif
