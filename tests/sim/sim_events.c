/* sim_events.c - listen to events, check each of them, and react. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_events.h"

#include "sim/sim.h"
#include "sim/sim_event_truth.h"

#include <string.h>

#define BIT(kind) (1u << (kind))

void sim_events_init(struct sim *sim)
{
    struct sim_events *e = &sim->events;

    memset(e, 0, sizeof *e);
    e->is_on = sim_is_in_seed(sim, UINT64_C(0x6576656e740001b2),
                              CANARY_GEOM_EVENT, &e->random);
}

static uint32_t below(struct sim *sim, uint32_t limit)
{
    return test_random_below(&sim->events.random, limit);
}

static uint32_t slot_of(const struct sim *sim, spn_node node)
{
    uint32_t slot = 0;

    while (slot < SIM_VIEWS && sim_views_node(sim, slot) != node)
        slot++;
    return slot;
}

static uint32_t number_of(const struct sim *sim, spn_cache cache)
{
    uint32_t i = 0;

    while (i < SIM_CACHES && sim_cache_handle(sim, i) != cache)
        i++;
    return i;
}

void sim_events_touch(struct sim *sim, uint32_t slot)
{
    struct sim_last_node *l = &sim->events.nodes[slot];

    if (sim->events.is_inside)
        l->is_touched_inside = true;
    else
        l->is_touched = true;
}

/* -- reactions -- */

static void destroy_node(struct sim *sim, uint32_t slot)
{
    if (sim_views_node(sim, slot) == 0)
        return;
    if (slot < SIM_NODES)
        sim_scene_destroy_node(sim, &sim->scene.nodes[slot]);
    else
        sim_shared_destroy_node(sim, slot - SIM_NODES);
}

static void close_cache(struct sim *sim, uint32_t number)
{
    if (sim_cache_handle(sim, number) == 0)
        return;
    if (number < MADE_CLIPS)
        sim_scene_close_cache(sim, number);
    else
        sim_shared_close_one(sim, number - MADE_CLIPS);
}

static void stop_node(struct sim *sim, uint32_t slot)
{
    if (slot >= SIM_NODES || sim->scene.nodes[slot].node == 0)
        return;
    sim_scene_stop(sim, &sim->scene.nodes[slot]);
}

/* Neither has an effect here. */
static void call_what_is_ignored(struct sim *sim)
{
    const uint64_t now_us = sim->rt->manager.now_us;

    spn_update(sim->rt);
    spn_shutdown(sim->rt);
    SIM_MUST(sim, SIM_EVENT, sim->rt->manager.now_us == now_us);
}

/* The object of the event, or another one. */
static void react(struct sim *sim, uint32_t slot, uint32_t number)
{
    if (below(sim, 2) == 0 || slot >= SIM_VIEWS)
        slot = below(sim, SIM_VIEWS);
    if (below(sim, 2) == 0 || number >= SIM_CACHES)
        number = below(sim, SIM_CACHES);
    swarm_hit(&sim->swarm, SWARM_REACTION);
    sim->events.has_reacted = true;
    switch (below(sim, 6)) {
    case 0:
        destroy_node(sim, slot);
        break;
    case 1:
        close_cache(sim, number);
        break;
    case 2:
        stop_node(sim, slot);
        break;
    case 3:
        if (sim->views.is_on && sim_views_node(sim, slot) != 0)
            sim_views_change(sim, slot, sim_views_node(sim, slot));
        break;
    case 4:
        call_what_is_ignored(sim);
        break;
    default:
        SIM_MUST(sim, SIM_STATUS,
                 spn_geom_listen(sim->rt, NULL, NULL) == SPN_OK);
        sim->events.is_listening = false;
    }
}

/* -- events -- */

/* Caches before nodes, each in the order of slots, then of kinds. */
static void check_order(struct sim *sim, const spn_geom_event *event)
{
    const struct manager *m = &sim->rt->manager;
    const uint32_t slot = event->node
                              ? spn__pool_index(&m->node_pool, event->node)
                              : spn__pool_index(&m->cache_pool, event->cache);
    const uint64_t key = (uint64_t)(event->node != 0) << 48 |
                         (uint64_t)slot << 8 | (uint64_t)event->kind;

    SIM_MUST(sim, SIM_EVENT, key > sim->events.last_key);
    sim->events.last_key = key;
}

/* The planted bug: the caller does not hear that a cache is open. */
static bool is_lost(struct sim *sim, const spn_geom_event *event)
{
    struct sim_events *e = &sim->events;

    if (sim->options.canary != CANARY_GEOM_EVENT || e->is_lost ||
        event->kind != SPN_GEOM_OPENED)
        return false;
    e->is_lost = true;
    return true;
}

static void on_event(void *user, const spn_geom_event *event)
{
    struct sim *sim = user;
    struct sim_events *e = &sim->events;
    const bool is_failure =
        event->kind == SPN_GEOM_FAILED || event->kind == SPN_GEOM_NODE_FAILED;
    uint32_t slot = SIM_VIEWS;
    uint32_t number = SIM_CACHES;

    SIM_MUST(sim, SIM_EVENT,
             sim->is_updating && e->is_listening && !e->is_inside);
    e->is_inside = true;
    sim_note(sim, "event", event->kind,
             event->node ? event->node : event->cache, event->status);
    check_order(sim, event);
    SIM_MUST(sim, SIM_EVENT,
             (event->kind >= SPN_GEOM_NODE_FAILED) == (event->node != 0));
    SIM_MUST(sim, SIM_EVENT, is_failure == (event->status < SPN_OK));
    if (event->node) {
        slot = slot_of(sim, event->node);
        SIM_MUST(sim, SIM_EVENT, slot < SIM_VIEWS);
        e->kinds_of_nodes[slot] |= BIT(event->kind);
        sim_event_check_node(sim, slot, event);
    } else {
        number = number_of(sim, event->cache);
        SIM_MUST(sim, SIM_EVENT, number < SIM_CACHES);
        if (!is_lost(sim, event))
            e->kinds_of_caches[number] |= BIT(event->kind);
    }
    swarm_hit(&sim->swarm, SWARM_GEOM_EVENT);
    if (!sim->swarm.is_over && below(sim, 6) == 0)
        react(sim, slot, number);
    e->is_inside = false;
}

/* What has happened before is not reported. */
static void listen(struct sim *sim)
{
    sim->events.is_listening = true;
    for (uint32_t i = 0; i < SIM_CACHES; i++)
        sim_event_take_cache(sim, i);
    for (uint32_t i = 0; i < SIM_VIEWS; i++)
        sim_event_take_node(sim, i);
    SIM_MUST(sim, SIM_STATUS,
             spn_geom_listen(sim->rt, on_event, sim) == SPN_OK);
}

void sim_events_begin(struct sim *sim)
{
    if (sim->events.is_on)
        listen(sim);
}

void sim_events_begin_update(struct sim *sim)
{
    struct sim_events *e = &sim->events;

    if (!e->is_on)
        return;
    if (!e->is_listening && (sim->swarm.is_over || below(sim, 8) == 0))
        listen(sim);
    e->last_key = 0;
    e->has_reacted = false;
    for (uint32_t i = 0; i < SIM_CACHES; i++)
        if (!sim->unload.caches[i].is_loaded)
            e->loaded_for[i] = 0;
        else if (e->loaded_for[i] < 2)
            e->loaded_for[i]++;
    memset(e->kinds_of_caches, 0, sizeof e->kinds_of_caches);
    memset(e->kinds_of_nodes, 0, sizeof e->kinds_of_nodes);
}

void sim_events_end_update(struct sim *sim)
{
    if (!sim->events.is_listening)
        return;
    for (uint32_t i = 0; i < SIM_CACHES; i++)
        sim_event_end_cache(sim, i);
    for (uint32_t i = 0; i < SIM_VIEWS; i++)
        sim_event_end_node(sim, i);
}
