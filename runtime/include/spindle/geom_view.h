/* geom_view.h - views: what the engine knows about a node, and what follows.
 *
 * The engine tells each node how far away it is, and whether it can be seen.
 * From this view follow: whether the node streams, whether the cache or a
 * stand-in is drawn, and who loses frames first when something is short. A node
 * without a view does what the functions of geom_node.h say. geom.h explains
 * the terms and what all functions have in common.
 *
 *   stand-in   something of the engine that is drawn instead of the cache, e.g.
 *              a simple model
 *   hidden     spn_view.is_visible is 0
 *   away       hidden, or beyond stream_distance
 *   beyond     at a larger distance than a limit. To avoid changes to and fro,
 *              a node that is beyond a limit is within it again at the limit,
 *              and one that is within it is beyond at 9/8 of the limit
 *   distances  in any unit, >= 0 and finite. A limit of 0 is no limit
 *
 * Streaming. A node streams if
 *
 *   1. it was started: by spn_node_start_streaming, by
 *      spn_node_set_playback_time, or by its view, which starts it when it is
 *      visible and within stream_distance; and
 *   2. it was not stopped since. Only the first two of these calls start a node
 *      again that spn_node_stop_streaming has stopped; and
 *   3. its view does not keep it from streaming. It does so while the node is
 *      beyond stream_distance, and when it has been away for the time of the
 *      tuning variable unload_after_ms (0: never).
 *
 * While its view keeps it from streaming, a node has no frames in memory, as
 * after spn_node_stop_streaming, but remembers its time: the times that are set
 * meanwhile hold, and it streams from the last one on when the view allows it.
 * A view has no effect on the second position (spn_node_set_streaming_time): so
 * a hidden node can be prepared for a cut.
 *
 * Unloading. When all nodes of a cache have been away for unload_after_ms, and
 * none has a second position, the cache is unloaded: its static data is freed.
 * Its tables, and so the names and numbers that the functions of geom_cache.h
 * return, its handles and its nodes remain. When one of its nodes is not away
 * any more, gets a second position or a new node is created, its static data is
 * read again, in the order in which caches are loaded. A cache without nodes is
 * loaded. If it cannot be read, spn_node_state.status says why, and it is tried
 * again each second.
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

/* As spn_view.level_max: the node leaves out nothing. */
#define SPN_LEVELS_NONE UINT32_MAX

typedef struct spn_view {
    uint32_t is_visible;   /* 0: hidden, e.g. switched off. A node that is only
                            * out of the picture for a moment is visible */
    float distance;        /* of the node from the viewer */
    float stream_distance; /* limit: no streaming beyond it */
    float stand_in_distance; /* limit: a stand-in is drawn beyond it */
    /* Stand-ins at the first time of the node's range, at its last time, and at
     * all others; 0: none. Without the first or the last, the other one is used
     * instead. In a range that repeats, no time is the last one. */
    uintptr_t stand_in_first;
    uintptr_t stand_in_last;
    uintptr_t stand_in_other;
    uint32_t importance; /* as of spn_node_set_importance, which it overrides;
                          * 0: that of spn_node_set_importance, but 0 while the
                          * node is hidden. Of equally important nodes the
                          * farther ones lose frames first; distances that
                          * differ by less than an eighth count as equal */
    uint32_t level_max;  /* most levels that the node leaves out when something
                          * is short (spn_shortage), 0: all;
                          * SPN_LEVELS_NONE: not even single frames */
} spn_view;

/* What to draw for a node. */
typedef enum spn_draw {
    SPN_DRAW_NOTHING = 0,
    SPN_DRAW_CACHE = 1, /* what fills and frame buffers give */
    SPN_DRAW_STAND_IN = 2
} spn_draw;

typedef struct spn_drawing {
    spn_draw what;
    uintptr_t stand_in; /* with SPN_DRAW_STAND_IN: not 0 */
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
