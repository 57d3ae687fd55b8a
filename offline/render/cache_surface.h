/* cache_surface.h - surfaces of a cache's frames. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_CACHE_SURFACE_H
#define OFFLINE_RENDER_CACHE_SURFACE_H

#include "cachefile/cache_reader.h"
#include "render/surface.h"

/* Does the frame hold the mesh? False only after a refusal. */
bool cache_surface_is_present(struct cache_reader *reader, uint32_t frame,
                              uint32_t mesh, bool *is_present);

/* One mesh in mesh space, whether it is seen or not; it must be present. */
bool cache_surface_mesh(struct cache_reader *reader, uint32_t frame,
                        uint32_t mesh, struct arena *arena,
                        struct surface *surface);

/* Which nodes are meant: those at or below a path, and those that show the mesh
 * of this path wherever they lie. */
struct cache_surface_choice {
    const char *path;       /* NULL: all nodes */
    bool is_without_copies; /* only what lies there itself */
};

/* What is seen of a frame: one surface for each visible node with a mesh that
 * is meant, in its world or its mesh's space. */
bool cache_surface_list(struct cache_reader *reader, uint32_t frame,
                        const struct cache_surface_choice *choice,
                        bool in_world, struct arena *arena,
                        struct surface_list *list);

/* Is `name` the path, or below it? "/a" covers "/a/b" and not "/ab"; "/"
 * covers everything; a slash at the end says nothing. */
bool cache_surface_covers(const char *path, const char *name);

/* How many nodes, and how many with a mesh, are meant in any frame. */
void cache_surface_count(struct cache_reader *reader,
                         const struct cache_surface_choice *choice,
                         uint32_t *node_count, uint32_t *mesh_node_count);

/* Paths of nodes and meshes that have the longest beginnings and ends in
 * common with `path`, the nearest first, equal ones in the cache's order.
 * They belong to the reader. Returns how many there are, at most `capacity`. */
uint32_t cache_surface_nearest(struct cache_reader *reader, const char *path,
                               const char **nearest, uint32_t capacity);

#endif
