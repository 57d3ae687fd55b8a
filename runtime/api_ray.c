/* api_ray.c - the functions of spindle/geom_ray.h: validate handles and
 * arguments, then cast the ray (scene/ray_cast.h). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"
#include "scene/ray_cast.h"

#include <spindle/features.h>
#include <stddef.h>

#if SPN_WITH_RAY_CASTS

spn_status spn_node_ray_cast(const spn_runtime *rt, spn_node node,
                             const spn_ray *ray, spn_ray_hit *out)
{
    spn_status status;
    struct ray checked;
    const struct node *n = spn__find_shown_node(rt, ray && out, node, &status);

    if (!n)
        return status;
    if (!spn__ray_init(&checked, ray))
        return SPN_ERR_ARG;
    return spn__node_ray_cast(n, &checked, out);
}

spn_status spn_mesh_ray_cast(const spn_runtime *rt, spn_mesh_id mesh,
                             const spn_ray *ray, spn_ray_hit *out)
{
    const struct static_mesh *m;
    struct ray checked;

    if (!has_runtime(rt) || !ray || !out)
        return SPN_ERR_ARG;
    m = spn__mesh_registry_find(rt->manager.mesh_registry, mesh);
    if (!m)
        return SPN_ERR_HANDLE;
    if (!spn__ray_init(&checked, ray))
        return SPN_ERR_ARG;
    spn__mesh_ray_cast(m, &checked, out);
    return SPN_OK;
}

#endif
