/* ray_cast.h - what a ray hits first of what a node shows, or of a static mesh.
 *
 * See spindle/geom_ray.h. No state; any thread, between two updates.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_RAY_CAST_H
#define SPN_SCENE_RAY_CAST_H

#include "mesh/mesh_registry.h"
#include "play/node/node.h"
#include "scene/ray.h"

/* The implementations of spn_node_ray_cast and spn_mesh_ray_cast; the arguments
 * were checked. SPN_PENDING: no frame is shown. */
spn_status spn__node_ray_cast(const struct node *n, const struct ray *ray,
                              spn_ray_hit *out);
void spn__mesh_ray_cast(const struct static_mesh *mesh, const struct ray *ray,
                        spn_ray_hit *out);

#endif
