/* sim_shared.c - caches that share static meshes, and the truth about these. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_shared.h"

#include "mesh/mesh_registry.h"
#include "sim/made_clips.h"
#include "sim/made_shared.h"
#include "sim/sim.h"

#include <string.h>

#define REFERENCES_MAX 3u
#define VERTICES_MAX 256u
#define INDICES_MAX 1024u

void sim_shared_init(struct sim *sim)
{
    struct sim_shared *s = &sim->shared;

    memset(s, 0, sizeof *s);
    s->is_on = sim_is_in_seed(sim, UINT64_C(0x736861726500002b), CANARY_MESH,
                              &s->random);
}

/* Caches and nodes that are closing need slots, too. */
void sim_shared_add_sizes(const struct sim *sim, spn_config *config)
{
    if (!sim->shared.is_on)
        return;
    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++)
        config->heap_bytes += (uint32_t)sim->disc->shared[i].heap_bytes;
    config->cache_count += 2 * MADE_SHARED_CACHES;
    config->file_count += 2 * MADE_SHARED_CACHES;
    config->node_count += 2 * MADE_SHARED_CACHES;
}

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->shared.random, limit);
}

static const struct made_shared *made_of(const struct sim *sim,
                                         const struct sim_shared_cache *c)
{
    return &sim->disc->shared[c - sim->shared.caches];
}

/* -- opening and closing -- */

static void open_one(struct sim *sim, struct sim_shared_cache *c)
{
    spn_cache cache = 0;
    const spn_status status =
        spn_cache_open(sim->rt, made_of(sim, c)->path, &cache);

    sim_note(sim, "shared opened", cache, c->references, status);
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
    /* A path that is open has one handle. */
    SIM_MUST(sim, SIM_STATUS,
             c->references == 0 || (status == SPN_OK && cache == c->cache));
    if (status != SPN_OK)
        return;
    c->cache = cache;
    c->references++;
}

void sim_shared_destroy_node(struct sim *sim, uint32_t cache)
{
    struct sim_shared_cache *c = &sim->shared.caches[cache];

    SIM_MUST(sim, SIM_STATUS, spn_node_destroy(sim->rt, c->node) == SPN_OK);
    c->node = 0;
}

void sim_shared_close_one(struct sim *sim, uint32_t cache)
{
    struct sim_shared_cache *c = &sim->shared.caches[cache];
    /* A node of a cache that is closed before it was open never plays. */
    const bool is_open =
        spn_cache_get_status(sim->rt, c->cache, NULL) == SPN_OK;

    sim_note(sim, "shared closed", c->cache, c->references, 0);
    SIM_MUST(sim, SIM_STATUS, spn_cache_close(sim->rt, c->cache) == SPN_OK);
    c->references--;
    if (c->references > 0)
        return;
    SIM_MUST(sim, SIM_STATUS,
             spn_cache_close(sim->rt, c->cache) == SPN_ERR_HANDLE);
    c->cache = 0;
    if (!is_open && c->node != 0)
        sim_shared_destroy_node(sim, cache);
}

static void close_all(struct sim *sim, struct sim_shared_cache *c)
{
    const uint32_t i = (uint32_t)(c - sim->shared.caches);

    if (c->node != 0)
        sim_shared_destroy_node(sim, i);
    while (c->references > 0)
        sim_shared_close_one(sim, i);
}

static void create_node(struct sim *sim, struct sim_shared_cache *c)
{
    const spn_node_desc desc = {.is_looping = 1};
    const spn_status status =
        spn_node_create(sim->rt, c->cache, &desc, &c->node);

    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
    if (status != SPN_OK)
        c->node = 0;
    c->time_us = 0;
}

static void step_node(struct sim *sim, struct sim_shared_cache *c)
{
    c->time_us += (int64_t)sim->frame_us;
    SIM_MUST(sim, SIM_STATUS,
             spn_node_set_playback_time(sim->rt, c->node, c->time_us) ==
                 SPN_OK);
}

static void frame(struct sim *sim, struct sim_shared_cache *c)
{
    const uint32_t i = (uint32_t)(c - sim->shared.caches);

    if (below(sim, 24) == 0 && c->references < REFERENCES_MAX)
        open_one(sim, c);
    if (c->cache != 0 && c->node == 0 && below(sim, 24) == 0)
        create_node(sim, c);
    if (c->cache != 0 && below(sim, 40) == 0)
        sim_shared_close_one(sim, i);
    if (c->node != 0 && below(sim, 64) == 0)
        sim_shared_destroy_node(sim, i);
    if (c->node != 0)
        sim_views_frame(sim, SIM_NODES + i, c->node);
    /* A view may start it, too. */
    if (c->node != 0 && below(sim, 8) != 0)
        step_node(sim, c);
}

void sim_shared_frame(struct sim *sim)
{
    for (uint32_t i = 0; sim->shared.is_on && i < MADE_SHARED_CACHES; i++)
        frame(sim, &sim->shared.caches[i]);
}

/* -- checks -- */

static void look_at_cache(struct sim *sim, struct sim_shared_cache *c)
{
    const uint32_t i = (uint32_t)(c - sim->shared.caches);
    spn_fault fault = {0};
    spn_status status;

    c->is_loaded = false;
    if (c->cache == 0)
        return;
    status = spn_cache_get_status(sim->rt, c->cache, &fault);
    if (status == SPN_OK) {
        c->is_loaded = sim_unload_look(sim, MADE_CLIPS + i).is_loaded;
        return;
    }
    if (status == SPN_PENDING)
        return;
    if (!sim_scene_is_legal(sim, MADE_CLIPS + i, status) || !fault.what)
        sim_fail(sim, SIM_STATUS, "shared cache %u: %s", i,
                 spn_status_name(status));
    sim_note(sim, "shared failed", i, 0, status);
    close_all(sim, c);
}

static void check_content(struct sim *sim, const struct made_static *truth)
{
    static const spn_vertex_layout layout = {
        .stride = MADE_STRIDE, .position = {0, SPN_FORMAT_QUANTIZED}};
    static uint8_t vertices[VERTICES_MAX * MADE_STRIDE];
    static uint16_t indices[INDICES_MAX];
    uint64_t hash;

    memset(vertices, 0, sizeof vertices);
    SIM_MUST(sim, SIM_SCENE,
             spn_mesh_copy_vertices(sim->rt, truth->id, &layout, vertices,
                                    sizeof vertices) == SPN_OK);
    SIM_MUST(sim, SIM_SCENE,
             spn_mesh_copy_indices(sim->rt, truth->id, 2, indices,
                                   INDICES_MAX) == SPN_OK);
    hash = made_clips_hash(vertices, truth->vertices);
    sim_log_mix(&sim->log, hash);
    SIM_MUST(sim, SIM_SCENE, hash == truth->vertex_hash);
    SIM_MUST(sim, SIM_SCENE,
             made_shared_index_hash(indices, truth->index_count) ==
                 truth->index_hash);
    swarm_hit(&sim->swarm, SWARM_MESH_COPY);
}

/* The meshes of a loaded cache have the ids of their content; an animated mesh
 * has none. While a cache comes back, some meshes are there before others. */
static void check_ids(struct sim *sim, const struct sim_shared_cache *c)
{
    const struct made_shared *made = made_of(sim, c);

    for (uint32_t m = 0; m < made->mesh_count; m++) {
        const bool is_static = m < made->static_count;
        spn_mesh_id id = 1;
        const spn_status status =
            spn_cache_get_mesh_id(sim->rt, c->cache, m, &id);

        if (!c->is_loaded && is_static && status != SPN_OK)
            continue;
        SIM_MUST(sim, SIM_SCENE, status == SPN_OK);
        SIM_MUST(sim, SIM_SCENE,
                 id ==
                     (is_static ? sim->disc->statics[made->statics[m]].id : 0));
    }
}

static bool has_content(const struct made_shared *made, uint32_t content)
{
    for (uint32_t m = 0; m < made->static_count; m++)
        if (made->statics[m] == content)
            return true;
    return false;
}

/* Caches of a path that have a slot: also those that are opening, and those
 * that are closing. */
static uint32_t slots_of(const struct sim *sim, const char *path)
{
    const struct manager *m = &sim->rt->manager;
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        count += spn__pool_is_used(&m->cache_pool, i) &&
                 strcmp(m->caches[i].path, path) == 0;
    return count;
}

/* Each loaded cache has a reference; others that exist may have one. */
static void check_content_counts(struct sim *sim, uint32_t content)
{
    const struct made_static *truth = &sim->disc->statics[content];
    uint32_t least = 0;
    uint32_t most = 0;
    spn_static_mesh info;
    spn_status status;

    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++) {
        const struct made_shared *made = &sim->disc->shared[i];

        if (!has_content(made, content))
            continue;
        least += sim->shared.caches[i].is_loaded;
        most += slots_of(sim, made->path);
    }
    status = spn_mesh_get_info(sim->rt, truth->id, &info);
    if (status != SPN_OK) {
        SIM_MUST(sim, SIM_SCENE, status == SPN_ERR_HANDLE && least == 0);
        return;
    }
    if (info.reference_count < least || info.reference_count > most)
        sim_fail(sim, SIM_SCENE, "mesh %u has %u references, caches %u to %u",
                 content, info.reference_count, least, most);
    SIM_MUST(sim, SIM_SCENE, info.content_hash == truth->id);
    SIM_MUST(sim, SIM_SCENE, info.vertex_count == truth->vertices);
    SIM_MUST(sim, SIM_SCENE, info.index_count == truth->index_count);
    if (least > 1)
        swarm_hit(&sim->swarm, SWARM_SHARED_MESH);
    check_content(sim, truth);
}

void sim_shared_check(struct sim *sim)
{
    struct sim_shared *s = &sim->shared;
    uint32_t count = 0;

    if (!s->is_on)
        return;
    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++)
        look_at_cache(sim, &s->caches[i]);
    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++)
        if (s->caches[i].cache != 0 &&
            spn_cache_get_status(sim->rt, s->caches[i].cache, NULL) == SPN_OK)
            check_ids(sim, &s->caches[i]);
    check_content_counts(sim, s->round++ % MADE_STATICS);
    /* No content is there twice. */
    for (uint32_t i = 0; i < MADE_STATICS; i++) {
        spn_static_mesh info;

        count += spn_mesh_get_info(sim->rt, sim->disc->statics[i].id, &info) ==
                 SPN_OK;
    }
    SIM_MUST(sim, SIM_SCENE,
             sim->rt->manager.mesh_registry->mesh_count == count);
}

/* -- the end -- */

bool sim_shared_recover(struct sim *sim)
{
    bool is_all = true;

    for (uint32_t i = 0; sim->shared.is_on && i < MADE_SHARED_CACHES; i++) {
        struct sim_shared_cache *c = &sim->shared.caches[i];

        if (c->cache == 0) {
            if (c->node != 0)
                sim_shared_destroy_node(sim, i);
            open_one(sim, c);
        }
        if (c->cache != 0 && c->node == 0)
            create_node(sim, c);
        if (c->node != 0)
            step_node(sim, c);
        is_all = is_all && (sim->is_poor || (c->node != 0 && c->is_loaded));
    }
    return is_all;
}

void sim_shared_close(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_SHARED_CACHES; i++)
        close_all(sim, &sim->shared.caches[i]);
}

bool sim_shared_leak(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_STATICS; i++) {
        struct static_mesh *m = spn__mesh_registry_find(
            sim->rt->manager.mesh_registry, sim->disc->statics[i].id);

        if (!m)
            continue;
        m->reference_count++;
        return true;
    }
    return false;
}
