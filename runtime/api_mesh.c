/* api_mesh.c - the functions of spindle/geom_mesh.h: validate handles and
 * arguments, then call the registry of static meshes. */
/* SPDX-License-Identifier: MIT */
#include "mesh/mesh_registry.h"
#include "play/cache_meshes.h"
#include "play/node/update.h"
#include "runtime.h"

#include <spindle/features.h>

#if SPN_WITH_GEOMETRY

spn_status spn_cache_get_mesh_id(const spn_runtime *rt, spn_cache cache,
                                 uint32_t mesh, spn_mesh_id *out)
{
    const struct static_mesh *m;
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
    m = cache_static_mesh(c, mesh);
    if (!m && c->tables.meshes[mesh].animated_mask == 0)
        return c->load_status;
    *out = m ? static_mesh_id(m) : 0;
    return SPN_OK;
}

/* Get a mesh of the registry. *status: the error if there is none. */
static const struct static_mesh *find_mesh(const spn_runtime *rt,
                                           bool has_pointers, spn_mesh_id id,
                                           spn_status *status)
{
    const struct static_mesh *m;

    *status = SPN_ERR_ARG;
    if (!has_runtime(rt) || !has_pointers)
        return NULL;
    m = spn__mesh_registry_find(rt->manager.mesh_registry, id);
    *status = m ? SPN_OK : SPN_ERR_HANDLE;
    return m;
}

spn_status spn_mesh_get_info(const spn_runtime *rt, spn_mesh_id mesh,
                             spn_static_mesh *out)
{
    spn_status status;
    const struct static_mesh *m = find_mesh(rt, out != NULL, mesh, &status);

    if (m)
        *out = (spn_static_mesh){.vertex_count = m->facts.vertex_count,
                                 .index_count = m->facts.index_count,
                                 .reference_count = m->reference_count,
                                 .content_hash = m->facts.content_hash,
                                 .heap_bytes = m->heap_bytes};
    return status;
}

spn_status spn_mesh_copy_vertices(const spn_runtime *rt, spn_mesh_id mesh,
                                  const spn_vertex_layout *layout,
                                  void *vertices, uint64_t bytes)
{
    spn_status status;
    const struct static_mesh *m =
        find_mesh(rt, layout && vertices, mesh, &status);

    if (!m)
        return status;
    if (spn_layout_check(layout) != SPN_OK ||
        bytes / layout->stride < m->facts.vertex_count)
        return SPN_ERR_ARG;
    spn__static_mesh_fill(m, &rt->manager.fill, layout, vertices);
    return SPN_OK;
}

spn_status spn_mesh_copy_indices(const spn_runtime *rt, spn_mesh_id mesh,
                                 uint32_t index_bytes, void *indices,
                                 uint32_t capacity)
{
    spn_status status;
    const struct static_mesh *m = find_mesh(rt, true, mesh, &status);

    if (!m)
        return status;
    if ((index_bytes != 2 && index_bytes != 4) ||
        capacity < m->facts.index_count ||
        (!indices && m->facts.index_count > 0))
        return SPN_ERR_ARG;
    if (index_bytes == 2 && m->facts.vertex_count > 65536)
        return SPN_ERR_RANGE;
    spn__static_mesh_copy_indices(m, index_bytes, indices);
    return SPN_OK;
}

#endif
