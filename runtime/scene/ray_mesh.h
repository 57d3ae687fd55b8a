/* ray_mesh.h - a ray against the triangles of one mesh.
 *
 * Positions are read where they lie: in the registry of static meshes, or in
 * the decoded frames, dequantized and interpolated as the fill does
 * (fill/fill.h). Any thread, while these live.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_RAY_MESH_H
#define SPN_SCENE_RAY_MESH_H

#include "cache/cache_tables.h"
#include "mesh/mesh_registry.h"
#include "play/mesh_source.h"
#include "scene/ray.h"

#include <stdbool.h>
#include <stdint.h>

struct ray_mesh {
    const struct cache_mesh *facts;
    const struct static_mesh *shared; /* NULL: a mesh of the cache's own */
    const struct cache *cache;        /* of its own mesh */
    uint32_t mesh;                    /* its number there */
    struct fill_frames frames;        /* that have it */
};

struct ray_mesh_hit {
    struct ray_triangle at;
    uint32_t triangle;
    float corners[3][3]; /* in mesh space */
};

/* The mesh of a cache, in frames that have it; any frames if it is static. */
void spn__ray_mesh(const struct cache *c, uint32_t mesh,
                   const struct fill_frames *frames, struct ray_mesh *out);
/* A mesh of the registry. */
void spn__ray_mesh_static(const struct static_mesh *shared,
                          struct ray_mesh *out);
/* Find the nearest triangle up to a distance; of several the first one. False:
 * there is none. */
bool spn__ray_mesh_hits(const struct ray_mesh *m, const struct ray_space *space,
                        float distance, struct ray_mesh_hit *out);

#endif
