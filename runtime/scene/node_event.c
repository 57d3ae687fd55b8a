/* node_event.c - find what has changed in caches and nodes. */
/* SPDX-License-Identifier: MIT */
#include "scene/node_event.h"

#if SPN_WITH_GEOM_EVENTS

#include "play/cursor_keep.h"
#include "play/cursor_life.h"
#include "play/cursor_promise.h"
#include "play/frame_slot.h"
#include "play/node/node.h"
#include "play/node/update.h"

#include <spindle/memory.h>

#define BIT(kind) (1u << (kind))

struct geom_events *spn__geom_events_init(struct manager *m,
                                          struct carve *carve)
{
    struct geom_events *events;
    struct cache_record *caches;
    struct node_record *nodes;

    spn__carve_for(carve, SPN_MEMORY_CACHES);
    events = SPN_CARVE(carve, struct geom_events, 1);
    caches = SPN_CARVE(carve, struct cache_record, m->config.cache_count);
    spn__carve_for(carve, SPN_MEMORY_NODES);
    nodes = SPN_CARVE(carve, struct node_record, m->config.node_count);
    if (events)
        *events = (struct geom_events){
            .manager = m, .caches = caches, .nodes = nodes};
    return events;
}

/* -- caches -- */

/* Bring the record of a cache up to date. Returns a bit for each event.
 *
 * status  of the event FAILED */
static uint32_t compare_cache(struct cache_record *r, const struct cache *c,
                              spn_status *status)
{
    struct cache_record now = {
        .cache = c->handle,
        .is_open = cache_has_tables(c),
        .is_loaded = cache_has_tables(c) && c->load_status == SPN_OK,
        .has_failed = c->status < 0 || c->load_status < 0};
    uint32_t kinds = 0;

    if (r->cache != c->handle)
        *r = (struct cache_record){0};
    if (r->has_failed && !now.is_loaded)
        now.has_failed = true;
    *status = c->status < 0 ? c->status : c->load_status;
    if (now.is_open && !r->is_open)
        kinds |= BIT(SPN_GEOM_OPENED);
    else if (now.is_loaded && !r->is_loaded)
        kinds |= BIT(SPN_GEOM_LOADED);
    if (r->is_loaded && !now.is_loaded)
        kinds |= BIT(SPN_GEOM_UNLOADED);
    if (now.has_failed && !r->has_failed)
        kinds |= BIT(SPN_GEOM_FAILED);
    *r = now;
    return kinds;
}

/* -- nodes -- */

/* The frames of the decode-ahead time are decoded with all meshes that the node
 * wants, or lost. */
static bool is_decoded_ahead(const struct node *n)
{
    const struct cursor *s = &n->cursor;
    uint64_t frame = s->wanted;

    for (uint32_t i = 0; i < s->frames_max; i++) {
        const struct frame_slot *slot =
            frame_slot_at(n->cache, spn__cursor_number(s, frame));

        if (spn__cursor_time_until(s, frame) > cursor_ahead_us(s))
            return true;
        if (slot->state == FRAME_READY ? cursor_lacks(s, slot->frame)
                                       : slot->state != FRAME_FAILED)
            return false;
        if (!spn__cursor_next_frame(s, &frame))
            return true;
    }
    return true;
}

static bool is_precached(const struct node *n)
{
    return n->cursor.account.frame_promise > 0 && n->shown.is_valid &&
           n->shown.is_exact && !n->shown.lacks_meshes && is_decoded_ahead(n);
}

static bool is_degraded(const struct cursor *s)
{
    struct cursor_need need;

    return s->cut > 0 || s->admission != SPN_ADMITTED ||
           spn__cursor_awaits_memory(s, &need);
}

/* A cursor that does not play turns when it begins. */
static bool is_backward(const struct cursor *s)
{
    return s->set_permille != 0 ? s->set_permille < 0 : s->is_backward;
}

static bool has_ended(const struct node *n)
{
    const struct cursor *s = &n->cursor;

    if (!n->has_span || !n->has_wanted || s->is_looping)
        return false;
    return is_backward(s) ? n->time_us <= s->span.first_us
                          : n->time_us >= s->span.last_us;
}

static bool has_looped(const struct node_record *r,
                       const struct node_record *now)
{
    const int64_t step_us = now->playback_us - r->playback_us;

    return r->has_leg && now->has_leg && r->leg != now->leg &&
           r->first_us == now->first_us && r->leg_us == now->leg_us &&
           step_us <= CURSOR_JUMP_US && step_us >= -CURSOR_JUMP_US;
}

static uint32_t compare_node(struct node_record *r, const struct node *n)
{
    const struct cursor *s = &n->cursor;
    struct node_record now = {.node = n->handle,
                              .starts = n->starts,
                              .seeks = n->seeks,
                              .status = s->status,
                              .is_playing = cursor_is_playing(s),
                              .has_ended = has_ended(n),
                              .has_leg =
                                  n->has_span && n->has_wanted && s->is_looping,
                              .leg = s->leg,
                              .playback_us = n->playback_us,
                              .first_us = s->span.first_us,
                              .leg_us = s->span.leg_us};
    bool was_precached;
    uint32_t kinds = 0;

    if (r->node != n->handle)
        *r = (struct node_record){0};
    was_precached =
        r->is_precached && r->starts == now.starts && r->seeks == now.seeks;
    now.is_degraded = now.is_playing && is_degraded(s);
    now.is_precached = now.is_playing && (was_precached || is_precached(n));
    if (now.status < 0 && (now.status != r->status || r->starts != now.starts))
        kinds |= BIT(SPN_GEOM_NODE_FAILED);
    if (now.is_precached && !was_precached)
        kinds |= BIT(SPN_GEOM_PRECACHED);
    if (has_looped(r, &now))
        kinds |= BIT(SPN_GEOM_LOOPED);
    if (now.has_ended && !r->has_ended)
        kinds |= BIT(SPN_GEOM_ENDED);
    if (now.is_degraded != r->is_degraded)
        kinds |= BIT(now.is_degraded ? SPN_GEOM_DEGRADED : SPN_GEOM_RECOVERED);
    *r = now;
    return kinds;
}

/* -- all -- */

static bool is_open_cache(const struct manager *m, uint32_t i)
{
    return spn__pool_is_used(&m->cache_pool, i) &&
           m->caches[i].reference_count > 0;
}

static bool is_node_of_user(const struct node *n)
{
    return n->handle != 0 && !n->is_dying && !n->cursor.is_second;
}

/* Call the function for each kind, as long as the cache or the node is there,
 * and there is a function: the same, or one that replaced it. For one that was
 * set after none, all of this is in the past. */
static void report(const struct geom_events *events, uint32_t kinds,
                   spn_geom_event event, spn_status status)
{
    const struct manager *m = events->manager;
    const uint32_t listen_count = events->listen_count;

    for (uint32_t k = SPN_GEOM_OPENED; k <= SPN_GEOM_RECOVERED; k++) {
        if (!(kinds & BIT(k)))
            continue;
        if (!events->function || events->listen_count != listen_count)
            return;
        if (event.node ? !spn__manager_node(m, event.node)
                       : !spn__manager_cache(m, event.cache))
            return;
        event.kind = (spn_geom_event_kind)k;
        event.status =
            k == SPN_GEOM_FAILED || k == SPN_GEOM_NODE_FAILED ? status : SPN_OK;
        events->function(events->user, &event);
    }
}

/* Compare all, and report the differences.
 *
 * is_silent  report none */
static void compare_all(struct geom_events *events, bool is_silent)
{
    const struct manager *m = events->manager;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        const struct cache *c = &m->caches[i];
        spn_status status;
        uint32_t kinds;

        if (!is_open_cache(m, i))
            continue;
        kinds = compare_cache(&events->caches[i], c, &status);
        if (!is_silent)
            report(events, kinds, (spn_geom_event){.cache = c->handle}, status);
    }
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        const struct node *n = &m->nodes[i];
        uint32_t kinds;

        if (!is_node_of_user(n))
            continue;
        kinds = compare_node(&events->nodes[i], n);
        if (!is_silent)
            report(events, kinds,
                   (spn_geom_event){.cache = n->cursor.account.cache,
                                    .node = n->handle,
                                    .playback_us = n->time_us},
                   events->nodes[i].status);
    }
}

void spn__geom_events_listen(struct geom_events *events,
                             spn_geom_event_fn function, void *user)
{
    if (function && !events->function) {
        compare_all(events, true);
        events->listen_count++;
    }
    events->function = function;
    events->user = user;
}

void spn__geom_events_update(struct geom_events *events)
{
    if (events->function)
        compare_all(events, false);
}

#endif
