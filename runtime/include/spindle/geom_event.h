/* geom_event.h - events of caches and nodes.
 *
 * The engine registers a function, and spn_update calls it when a cache was
 * opened, a node has precached, and so on. All of this can also be polled
 * (spn_cache_get_status, spn_node_get_state); without a function an event costs
 * nothing. geom.h explains the terms and what all functions have in common.
 *
 * Each change is reported once, at the end of the spn_update that found it:
 * first the events of caches, in the order of their slots, then those of nodes,
 * in the order of theirs. Several events of one cache or node come in the order
 * of spn_geom_event_kind. Slots are assigned when caches are opened and nodes
 * are created, so the same calls give the same events in the same order. What
 * begins and ends between two updates is not reported.
 *
 * Ownership. An event is valid during the call.
 *
 * Threads. spn_geom_listen belongs to the caller's thread, and the function is
 * called on it. It may call everything that may be called between two updates,
 * also spn_geom_listen, and may destroy the node and close the cache of the
 * event. Their further events are not reported then. spn_update and
 * spn_shutdown have no effect when they are called there.
 *
 * Errors. geom.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_EVENT_H
#define SPINDLE_GEOM_EVENT_H

#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_node.h>
#include <spindle/geom_state.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds. Caches that were closed, and are still played, have no events. */
typedef enum spn_geom_event_kind {
    /* of caches */
    SPN_GEOM_OPENED = 1,   /* it can be played. Once for each handle: a further
                            * spn_cache_open that returns the same handle has
                            * no event */
    SPN_GEOM_UNLOADED = 2, /* its static data was freed (geom_view.h) */
    SPN_GEOM_LOADED = 3,   /* its static data is there again */
    SPN_GEOM_FAILED = 4,   /* it could not be opened; or its static data could
                            * not be loaded again. Further failures are not
                            * reported until it is loaded */
    /* of nodes */
    SPN_GEOM_NODE_FAILED = 5, /* the node cannot play the cache, or could not
                               * decode a frame. Once for each start of
                               * streaming, and when the error changes */
    SPN_GEOM_PRECACHED = 6, /* all frames are decoded that will be shown within
                             * the decode-ahead time (tuning variable
                             * decode_ahead_ms): once after streaming has
                             * started, and after each seek */
    SPN_GEOM_LOOPED = 7, /* the playback time has passed an end of a range that
                          * repeats, in either direction; in a ping-pong, turned
                          * there. Once in an update. Not if the time was set
                          * more than half a second away */
    SPN_GEOM_ENDED = 8, /* the playback time has come to the end of a range that
                         * does not repeat; played backward, to its start */
    SPN_GEOM_DEGRADED = 9, /* something is short: the node leaves out frames
                             * (spn_shortage), has no share of the drive
                             * (spn_admission), or waits for memory */
    /* after SPN_GEOM_DEGRADED: nothing is short any more, or the node does not
     * stream any more */
    SPN_GEOM_RECOVERED = 10
} spn_geom_event_kind;

typedef struct spn_geom_event {
    spn_geom_event_kind kind;
    spn_cache cache;   /* of a node: as it was given to spn_node_create */
    spn_node node;     /* 0: an event of the cache */
    spn_status status; /* FAILED, NODE_FAILED: why; else SPN_OK. More about it:
                        * spn_cache_get_status, spn_node_get_state */
    int64_t playback_us; /* of a node, as in spn_node_state */
} spn_geom_event;

typedef void (*spn_geom_event_fn)(void *user, const spn_geom_event *event);

#if SPN_WITH_GEOM_EVENTS

/* Set the function that is called at events. What has happened before is not
 * reported. A function that replaces another one gets all events from then on,
 * also those that are left of an update in which it was set.
 *
 * function  NULL: none
 * user      its first argument */
spn_status spn_geom_listen(spn_runtime *rt, spn_geom_event_fn function,
                           void *user);

#endif

#ifdef __cplusplus
}
#endif
#endif
