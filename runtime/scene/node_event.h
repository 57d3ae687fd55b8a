/* node_event.h - find what has changed in caches and nodes, and report it.
 *
 * At the end of each update every cache and node is compared with a record of
 * how it was at the end of the one before. The differences are the events of
 * spindle/geom_event.h. Each slot of a cache or node has a record, which is of
 * the cache or node whose handle it has. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCENE_NODE_EVENT_H
#define SPN_SCENE_NODE_EVENT_H

#include "base/carve.h"
#include "play/manager.h"

#include <spindle/features.h>
#include <spindle/geom_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_record {
    spn_cache cache;
    bool is_open;    /* its tables are there */
    bool is_loaded;  /* its static data, too */
    bool has_failed; /* since it was loaded last */
};

struct node_record {
    spn_node node;
    uint32_t starts;
    uint32_t seeks;
    spn_status status; /* of its cursor */
    bool is_playing;
    bool is_precached; /* since the start, or the last seek */
    bool has_ended;
    bool is_degraded;
    bool has_leg; /* the others are set */
    uint64_t leg;
    int64_t playback_us; /* of the node, from the start of its range on */
    int64_t first_us;    /* of the span */
    int64_t leg_us;
};

struct geom_events {
    struct manager *manager;
    spn_geom_event_fn function; /* NULL: none */
    void *user;
    uint32_t listen_count;       /* how often a function was set after none */
    struct cache_record *caches; /* one for each slot */
    struct node_record *nodes;
};

#if SPN_WITH_GEOM_EVENTS

/* Take the struct and its records from `carve`. With a carve that counts, only
 * count bytes and return NULL. */
struct geom_events *spn__geom_events_init(struct manager *m,
                                          struct carve *carve);
/* The implementation of spn_geom_listen. */
void spn__geom_events_listen(struct geom_events *events,
                             spn_geom_event_fn function, void *user);
/* At the end of an update: report what has changed. */
void spn__geom_events_update(struct geom_events *events);

#else

static inline struct geom_events *spn__geom_events_init(struct manager *m,
                                                        struct carve *carve)
{
    (void)m;
    (void)carve;
    return NULL;
}

static inline void spn__geom_events_update(struct geom_events *events)
{
    (void)events;
}

#endif

#endif
