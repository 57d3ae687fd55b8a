/* cache_surface.h - surfaces of the frames of a cache.
 *
 * Frames come from cache_reader.h, which decodes them with the runtime's
 * decoder. render and export draw or write the surfaces; verify compares them
 * with the archive. One thread at a time may use a reader.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_CACHE_SURFACE_H
#define OFFLINE_RENDER_CACHE_SURFACE_H

#include "cachefile/cache_reader.h"
#include "render/surface.h"

/* Set *is_present to whether the frame contains the mesh. Returns false after a
 * refusal. */
bool cache_surface_is_present(struct cache_reader *reader, uint32_t frame,
                              uint32_t mesh, bool *is_present);

/* Decode one mesh in mesh space, visible or not. The frame must contain it. */
bool cache_surface_mesh(struct cache_reader *reader, uint32_t frame,
                        uint32_t mesh, struct arena *arena,
                        struct surface *surface);

/* A choice of nodes: those at or below a path, and instances of the mesh with
 * this path wherever they are. */
struct cache_surface_choice {
    const char *path;       /* NULL: all nodes */
    bool is_without_copies; /* leave out instances elsewhere */
};

/* List one surface for each chosen node that is visible and has a mesh: in
 * world space or in mesh space. Surfaces belong to the arena. */
bool cache_surface_list(struct cache_reader *reader, uint32_t frame,
                        const struct cache_surface_choice *choice,
                        bool in_world, struct arena *arena,
                        struct surface_list *list);

/* Count the chosen nodes, and those of them with a mesh, visible or not. */
void cache_surface_count(struct cache_reader *reader,
                         const struct cache_surface_choice *choice,
                         uint32_t *node_count, uint32_t *mesh_node_count);

/* Find the paths of nodes and meshes that are most similar to `path`: longest
 * common prefix and suffix. The most similar comes first, equal ones in the
 * order of the cache. They belong to the reader. Returns their number, at most
 * `capacity`. */
uint32_t cache_surface_nearest(struct cache_reader *reader, const char *path,
                               const char **nearest, uint32_t capacity);

#endif
