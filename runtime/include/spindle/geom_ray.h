/* geom_ray.h - ray casts: what a ray hits first.
 *
 * spn_node_ray_cast finds the nearest triangle that a node shows at its
 * playback time: the same vertices that spn_node_fill writes as floats, under
 * the transforms that spn_node_get_transforms returns. spn_mesh_ray_cast does
 * it for a static mesh alone, without a node. geom.h explains the terms and
 * what all functions have in common.
 *
 *   ray       starts at `origin` and goes on in `direction`. It hits both sides
 *             of a triangle. Where triangles share an edge or a vertex, it
 *             cannot pass between them
 *   shown     by visible scene nodes, as of spn_node_get_transforms: the meshes
 *             of the node's mask (spn_node_set_mesh_mask) whose vertices are
 *             decoded. Views have no effect (geom_view.h), and a stand-in is
 *             not hit
 *   lengths   in the units of the scene; of spn_mesh_ray_cast in those of the
 *             mesh
 *
 * Results are the same on every machine. Of triangles at the same distance, the
 * one of the first scene node is reported, and of its triangles the first one.
 *
 * Cost. For each scene node that shows a mesh, its transform and a test of the
 * mesh's box; then for each triangle of meshes whose box the ray passes before
 * the nearest hit so far. Triangles are skipped where the ray misses the box of
 * a part (geom.h). A triangle takes about 9 ns on a processor of today, so a
 * ray that must test all 60,000 triangles of a frame takes about 0.5 ms (row
 * ray_at_cloth of `make bench`).
 *
 * Memory. No memory is allocated. A cache with lifted meshes has 2 bytes more
 * for each of their vertices than without this feature (features.h).
 *
 * Ownership. Nothing is kept.
 *
 * Threads. Any thread may call these functions between two updates.
 *
 * Errors. geom.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_RAY_H
#define SPINDLE_GEOM_RAY_H

#include <spindle/features.h>
#include <spindle/geom_mesh.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_ray {
    float origin[3];
    float direction[3]; /* of any length but 0 */
    float distance_max; /* farthest hit, >= 0; 0: no limit */
} spn_ray;

typedef struct spn_ray_hit {
    uint32_t is_hit;     /* 0: nothing was hit, and all other fields are 0 */
    uint32_t scene_node; /* of spn_mesh_ray_cast: UINT32_MAX */
    uint32_t mesh;       /* of the cache; of spn_mesh_ray_cast: UINT32_MAX */
    uint32_t triangle;   /* its corners are the indices 3 * triangle and the two
                          * after it, of spn_cache_copy_indices */
    uint32_t material;   /* the range that has it: spn_cache_get_material */
    uint32_t is_back;    /* 1: hit from inside (spn_cache_copy_indices) */
    float distance;      /* from the origin */
    float barycentric[3]; /* weights of the corners; their sum is 1 */
    float position[3];
    float normal[3]; /* of the triangle, to the outside, length 1 */
} spn_ray_hit;

#if SPN_WITH_RAY_CASTS

/* Find the nearest hit of a ray with what a node shows. Ray and hit are in
 * world space, as the matrices of spn_node_get_transforms. Between two frames,
 * vertices are interpolated as by spn_node_fill, and transforms as by
 * spn_node_get_transforms.
 *
 * Returns SPN_ERR_ARG if a number of the ray is infinite or not a number, but
 * an infinite distance_max is no limit; if distance_max is negative; if the
 * direction is shorter than 1.2e-38. Otherwise the same as spn_node_fill, but
 * meshes that were not decoded are left out. */
spn_status spn_node_ray_cast(const spn_runtime *rt, spn_node node,
                             const spn_ray *ray, spn_ray_hit *out);

/* The same for one static mesh in mesh space. No node and no frame is needed
 * (geom_mesh.h). */
spn_status spn_mesh_ray_cast(const spn_runtime *rt, spn_mesh_id mesh,
                             const spn_ray *ray, spn_ray_hit *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
