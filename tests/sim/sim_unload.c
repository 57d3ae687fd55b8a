/* sim_unload.c - check which caches are loaded. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_unload.h"

#include "sim/sim.h"

#include <string.h>

#define INDICES_MAX 65536u

spn_cache sim_cache_handle(const struct sim *sim, uint32_t cache)
{
    return cache < MADE_CLIPS ? sim->scene.caches[cache]
                              : sim->shared.caches[cache - MADE_CLIPS].cache;
}

/* The node of a view's slot, if it plays this cache. */
static spn_node node_of(const struct sim *sim, uint32_t cache, uint32_t slot)
{
    if (slot >= SIM_NODES)
        return cache == MADE_CLIPS + slot - SIM_NODES
                   ? sim->shared.caches[slot - SIM_NODES].node
                   : 0;
    return sim->scene.nodes[slot].clip == cache ? sim->scene.nodes[slot].node
                                                : 0;
}

/* It may play another cache than its handle: one that was closed. */
static bool is_orphan(const struct sim *sim, uint32_t slot)
{
    return slot < SIM_NODES && sim->scene.nodes[slot].is_orphan;
}

/* Why a cache is not loaded, as a node of it says. */
static spn_status load_status(struct sim *sim, uint32_t cache, bool *is_unknown)
{
    for (uint32_t k = 0; k < SIM_VIEWS; k++) {
        const spn_node node = node_of(sim, cache, k);
        spn_node_state state;

        if (node == 0 || is_orphan(sim, k))
            continue;
        SIM_MUST(sim, SIM_STATUS,
                 spn_node_get_state(sim->rt, node, &state) == SPN_OK);
        return state.status;
    }
    *is_unknown = true;
    return SPN_PENDING;
}

/* Indices of the last mesh are static data of the cache. */
struct sim_loaded sim_unload_look(struct sim *sim, uint32_t cache)
{
    static uint32_t indices[INDICES_MAX];
    struct sim_loaded l = {.cache = sim_cache_handle(sim, cache)};
    spn_cache_info info;
    spn_status status;

    l.status =
        l.cache ? spn_cache_get_status(sim->rt, l.cache, NULL) : SPN_ERR_HANDLE;
    if (l.status != SPN_OK)
        return l;
    SIM_MUST(sim, SIM_STATUS,
             spn_cache_get_info(sim->rt, l.cache, &info) == SPN_OK);
    status = spn_cache_copy_indices(sim->rt, l.cache, info.mesh_count - 1, 4,
                                    indices, INDICES_MAX);
    SIM_MUST(sim, SIM_SCENE, status == SPN_OK || status == SPN_PENDING);
    l.is_loaded = status == SPN_OK;
    if (!l.is_loaded)
        l.load_status = load_status(sim, cache, &l.is_unknown);
    SIM_MUST(sim, SIM_SCENE, info.static_bytes >= info.table_bytes);
    /* While it comes back, blobs may be there already. */
    if (l.is_loaded)
        SIM_MUST(sim, SIM_SCENE, info.static_bytes > info.table_bytes);
    return l;
}

void sim_unload_begin_update(struct sim *sim)
{
    struct sim_unload *u = &sim->unload;

    for (uint32_t i = 0; i < SIM_CACHES; i++) {
        u->found[i] = sim_cache_handle(sim, i);
        u->nodes[i] = 0;
        for (uint32_t k = 0; k < SIM_VIEWS; k++)
            u->nodes[i] += node_of(sim, i, k) != 0;
    }
}

static bool has_second(struct sim *sim, spn_node node)
{
    spn_node_state state;

    SIM_MUST(sim, SIM_STATUS,
             spn_node_get_state(sim->rt, node, &state) == SPN_OK);
    return state.streaming_us != SPN_NO_TIME;
}

/* It was unloaded in the last update: none of its nodes needed it. */
static void check_unloaded(struct sim *sim, uint32_t cache)
{
    SIM_MUST(sim, SIM_SCENE, sim->views.is_on && sim->views.may_unload);
    if (sim->unload.nodes[cache] == 0)
        sim_fail(sim, SIM_SCENE, "cache %u is unloaded, but has no node",
                 cache);
    for (uint32_t k = 0; k < SIM_VIEWS; k++) {
        const spn_node node = node_of(sim, cache, k);

        if (node == 0 || is_orphan(sim, k))
            continue;
        if (sim_views_is_gone(sim, k, node) == SIM_NO || has_second(sim, node))
            sim_fail(sim, SIM_SCENE,
                     "cache %u is unloaded, but node %08x "
                     "needs it",
                     cache, (unsigned)node);
    }
}

/* Numbers and names are there. */
static void check_tables(struct sim *sim, const struct sim_loaded *l,
                         uint32_t cache)
{
    spn_mesh_info mesh;
    const uint32_t count =
        cache < MADE_CLIPS ? sim->disc->clips[cache].mesh_count
                           : sim->disc->shared[cache - MADE_CLIPS].mesh_count;

    SIM_MUST(sim, SIM_SCENE,
             l->load_status == SPN_PENDING ||
                 sim_scene_is_legal(sim, cache, l->load_status));
    for (uint32_t i = 0; i < count; i++)
        SIM_MUST(sim, SIM_SCENE,
                 spn_cache_get_mesh(sim->rt, l->cache, i, &mesh) == SPN_OK &&
                     mesh.name && mesh.vertex_count > 0);
}

void sim_unload_end_update(struct sim *sim)
{
    struct sim_unload *u = &sim->unload;

    for (uint32_t i = 0; i < SIM_CACHES; i++) {
        const struct sim_loaded before = u->caches[i];
        const struct sim_loaded now = sim_unload_look(sim, i);

        u->caches[i] = now;
        if (now.status != SPN_OK)
            continue;
        if (!now.is_loaded)
            check_tables(sim, &now, i);
        if (before.cache != now.cache || before.status != SPN_OK)
            continue;
        if (before.is_loaded && !now.is_loaded) {
            check_unloaded(sim, i);
            swarm_hit(&sim->swarm, SWARM_UNLOADED);
        }
        if (!before.is_loaded && now.is_loaded)
            swarm_hit(&sim->swarm, SWARM_RELOADED);
    }
}

bool sim_unload_is_all_unloaded(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_CACHES; i++) {
        const struct sim_loaded *l = &sim->unload.caches[i];
        spn_cache_info info;

        if (l->cache == 0)
            continue;
        if (l->status != SPN_OK || l->is_loaded)
            return false;
        SIM_MUST(sim, SIM_STATUS,
                 spn_cache_get_info(sim->rt, l->cache, &info) == SPN_OK);
        SIM_MUST(sim, SIM_SCENE, info.static_bytes == info.table_bytes);
    }
    for (uint32_t i = 0; i < MADE_STATICS; i++) {
        spn_static_mesh mesh;

        SIM_MUST(sim, SIM_SCENE,
                 spn_mesh_get_info(sim->rt, sim->disc->statics[i].id, &mesh) ==
                     SPN_ERR_HANDLE);
    }
    return true;
}
