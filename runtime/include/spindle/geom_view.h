/* geom_view.h - views: distance and visibility of nodes, and what follows.
 *
 * The engine sets the view of a node: how far away the node is, and whether it
 * can be seen. The view decides whether the node streams, whether the cache or
 * a stand-in is drawn, and which nodes lose frames first when something is
 * short. A node without a view does what the functions of geom_node.h say.
 * geom.h explains the terms and what all functions have in common.
 *
 *   stand-in   something of the engine that is drawn instead of the cache, e.g.
 *              a simple model
 *   hidden     spn_view.is_visible is 0
 *   away       hidden, or beyond stream_distance
 *   beyond     at a larger distance than a limit. A node within a limit goes
 *              beyond it at 9/8 of the limit, and is within it again at the
 *              limit itself, so that small movements change nothing
 *   distances  in any unit, >= 0 and finite. A limit of 0 is no limit
 *
 * Streaming. A node streams if
 *
 *   1. it was started: by spn_node_start_streaming, by
 *      spn_node_set_playback_time, or by its view, which starts it when it is
 *      visible and within stream_distance; and
 *   2. it was not stopped since. A view does not start a node that
 *      spn_node_stop_streaming has stopped, or that can never play its cache;
 *      and
 *   3. its view allows it. A view forbids streaming while the node is beyond
 *      stream_distance, and when the node has been away for the time of the
 *      tuning variable unload_after_ms (0: never).
 *
 * While its view forbids streaming, a node has no frames in memory, as after
 * spn_node_stop_streaming. Its time can still be set. When the view allows it
 * again, the node streams from the time that was set last. A view has no effect
 * on the second position (spn_node_set_streaming_time), so a hidden node can be
 * prepared for a cut.
 *
 * Unloading. When all nodes of a cache have been away for unload_after_ms, and
 * none has a second position, the cache is unloaded: its static data is freed.
 * Its handle, its nodes and its tables remain, and with the tables the names
 * and numbers that the functions of geom_cache.h return. The static data is
 * read again when one of the nodes is not away any more or gets a second
 * position, when a node is created, and when the last node is destroyed. Caches
 * are loaded one by one, in the order in which they were opened. If the static
 * data cannot be read, spn_node_state.status says why, and it is tried again
 * each second.
 *
 * While a cache is unloaded, spn_cache_get_status still returns SPN_OK.
 * spn_cache_copy_indices, fills and frame buffers, also those of meshes that
 * never change, return SPN_PENDING; spn_node_state.status is SPN_PENDING. With
 * the tuning variable unload_hidden at 0 no cache is unloaded.
 *
 * Ownership. Views are copied. Stand-ins are values of the engine; the runtime
 * only returns them.
 *
 * Threads. spn_node_set_view belongs to the caller's thread. Any thread may
 * call spn_node_get_drawing between two updates.
 *
 * Errors. geom.h lists those that are checked first. No function here needs the
 * cache's tables.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_GEOM_VIEW_H
#define SPINDLE_GEOM_VIEW_H

#include <spindle/features.h>
#include <spindle/geom_node.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As spn_view.level_max: the node leaves out no frame. */
#define SPN_LEVELS_NONE UINT32_MAX

typedef struct spn_view {
    uint32_t is_visible;   /* 0: hidden, e.g. switched off. A node that is only
                            * out of the picture for a moment is visible */
    float distance;        /* of the node from the viewer */
    float stream_distance; /* limit: no streaming beyond it */
    float stand_in_distance; /* limit: a stand-in is drawn beyond it */
    /* Stand-ins for the first time of the node's range, for its last time, and
     * for all other times; 0: none. If stand_in_first or stand_in_last is 0,
     * stand_in_other is used for that time, too. In a range that repeats, no
     * time is the last one. */
    uintptr_t stand_in_first;
    uintptr_t stand_in_last;
    uintptr_t stand_in_other;
    uint32_t importance; /* as of spn_node_set_importance, which it overrides;
                          * 0: that of spn_node_set_importance, but 0 while the
                          * node is hidden. Of equally important nodes the
                          * farther ones lose frames first. For this, distances
                          * are rounded down to a power of two times 4/4, 5/4,
                          * 6/4 or 7/4 */
    uint32_t level_max;  /* most levels that the node leaves out when something
                          * is short (spn_shortage). 0: no limit;
                          * SPN_LEVELS_NONE: it leaves out no frame */
} spn_view;

/* What to draw for a node. */
typedef enum spn_draw {
    SPN_DRAW_NOTHING = 0,
    SPN_DRAW_CACHE = 1, /* what fills and frame buffers give */
    SPN_DRAW_STAND_IN = 2
} spn_draw;

typedef struct spn_drawing {
    spn_draw what;
    uintptr_t stand_in; /* with SPN_DRAW_STAND_IN: that of the view; else 0 */
} spn_drawing;

#if SPN_WITH_VIEWS

/* Set the view of a node. Streaming follows in the next spn_update, the rest at
 * once. Call it when something has changed, or before each update.
 *
 * view  copied; NULL: as if no view had been set
 *
 * Returns SPN_ERR_ARG if a distance is negative, infinite or not a number. */
spn_status spn_node_set_view(spn_runtime *rt, spn_node node,
                             const spn_view *view);

/* Get what to draw. The first of these that applies:
 *
 * - hidden, or the tuning variable geometry is 0: nothing
 * - beyond stand_in_distance: the stand-in for the playback time, if there is
 *   one
 * - a frame is decoded: the cache
 * - the stand-in for the playback time, if there is one; otherwise nothing
 *
 * So the stand-in is also drawn while the cache is opening, after it has
 * failed, and while the node does not stream. */
spn_status spn_node_get_drawing(const spn_runtime *rt, spn_node node,
                                spn_drawing *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
