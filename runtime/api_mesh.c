/* api_mesh.c - the functions of spindle/geom_mesh.h: validate handles and
 * arguments, then call the registry of static meshes. */
/* SPDX-License-Identifier: MIT */
#include "play/cache.h"
#include "play/node/update.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_GEOMETRY

spn_status spn_cache_get_mesh_id(const spn_runtime *rt, spn_cache cache,
                                 uint32_t mesh, spn_mesh_id *out)
{
    const struct cache *c;

    if (!has_runtime(rt) || !out)
        return SPN_ERR_ARG;
    c = spn__manager_cache(&rt->manager, cache);
    if (!c)
        return SPN_ERR_HANDLE;
    if (c->status != SPN_OK)
        return c->status;
    if (mesh >= c->header.mesh_count)
        return SPN_ERR_ARG;
    *out = c->tables.meshes[mesh].content_hash;
    return SPN_OK;
}

#endif
