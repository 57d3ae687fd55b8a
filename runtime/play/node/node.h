/* node.h - one playing instance of a cache: the record, and its life.
 *
 * The user sets a node's playback time. The node finds the two frames around
 * that time, has its cursor (cursor.h) read and decode them, and shows them
 * when they are decoded; until then it shows the nearest frame that is.
 * Playback continues if the frame at the new time is in memory, is being
 * decoded or read, is lost, or is in the group that will be read next
 * (spn__cursor_covers). Any other time is a *seek*, which keeps the shown frame
 * visible until one near the new time is decoded.
 *
 * Other parts: node_show.h chooses frames, node_fill.h and node_pose.h compute
 * vertices and transforms, node_state.h reports. Owner of everything here: the
 * caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_H
#define SPN_PLAY_NODE_H

#include "play/cursor.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

/* Two frames, and a point between them. If nothing is interpolated, both are
 * the same. */
struct node_picture {
    bool is_valid;     /* the other fields are set */
    bool is_exact;     /* the wanted frames, or nearer ones around the time: the
                          frames between the wanted ones are left out (level.h),
                          but some may be decoded all the same */
    bool lacks_meshes; /* a frame lacks a mesh of the node's mask */
    bool is_stale;  /* from before a seek: nothing near the time is decoded */
    uint64_t floor; /* position of the earlier frame (cursor.h) */
    uint64_t ceil;  /* position of the later frame; equal to floor if nothing is
                       interpolated */
    float alpha;    /* 0: floor alone, up to 1: ceil alone */
};

/* What the user set. Times may lie beyond the clip. */
struct node_range {
    int64_t first_us;
    int64_t last_us;
    spn_range_mode mode;
};

struct node {
    /* -- identity -- */
    struct manager *manager; /* fixed after init */
    spn_node handle;         /* 0: the slot is free */
    spn_node_desc desc;      /* with defaults filled in */
    struct cache *cache;
    bool is_dying; /* destroyed by the user; its memory is not free yet */
    bool wants_streaming; /* started by the user, or by its view */
    bool is_stopped;      /* stopped by the user, or it can never play: its view
                             does not start it */
    bool is_asleep;  /* its view keeps it from streaming (scene/node_view.h) */
    bool is_ordered; /* is in decode_order and read_order of the manager,
                             see node_order.h */
    bool is_seeking; /* no wanted picture was shown since the last seek */
    bool has_wanted; /* the user has set a time since the start */
    bool is_timing_unchecked; /* `due` changed, and has not been counted as
                                 shown, left out or late */
    spn_node second;          /* second_position.h; 0: none */
    uint32_t importance;      /* as the user set it; the view may change that of
                               * the cursor */
    bool has_span;            /* cursor.span is that of `range` */
    struct node_range range;  /* without one: all of the clip */
    /* The time that the user set, also beyond the range. */
    int64_t set_us;
    /* set_us; in a range that does not loop, clamped to it. */
    int64_t time_us;
    /* time_us from the start of the range on. In a range that loops, plus a
     * constant number of legs (cursor.h), which makes every time >= 0. For
     * example, if the clip has 2 s, -0.5 s becomes N * 2 s - 0.5 s. */
    int64_t playback_us;
    uint64_t due; /* position of the last frame at or before playback_us */
    bool is_interpolating; /* the tuning variable `interpolate`, when `wanted`
                            * was found */
    struct node_picture wanted;
    struct node_picture shown;
    struct node_picture previous; /* what was shown before the user changed the
                                   * time last: fills take previous positions
                                   * (motion vectors) from it */

    /* -- statistics, see spn_node_state -- */
    uint32_t frames_shown;
    uint32_t frames_late;
    uint32_t frames_left_out;
    uint32_t seeks;
    uint32_t starts; /* times that its cursor began, or could not */
    struct cursor cursor;
};

/* frames_max  frames that it may hold */
void spn__node_init(struct node *n, struct manager *m, uint32_t frames_max);
/* Set up a free slot.
 *
 * handle  from the manager's pool
 * desc    copied; NULL: defaults */
void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc);
/* Stop. The slot is freed by spn__node_update when all reads and jobs have
 * ended. */
void spn__node_destroy(struct node *n);
/* Begin to stream from time_us on, before playback gets there
 * (spn_node_start_streaming). */
void spn__node_start(struct node *n, int64_t time_us);
/* Stop streaming, and show nothing. */
void spn__node_stop(struct node *n);
/* The same, until spn__node_wake. Times may be set meanwhile. */
void spn__node_sleep(struct node *n);
void spn__node_wake(struct node *n);
/* Set the playback time. Starts the node if necessary. */
void spn__node_set_time(struct node *n, int64_t time_us);
/* Set the range; see spn_node_set_range. */
void spn__node_set_range(struct node *n, const struct node_range *range);
/* Choose what is shown, begin and end the cursor. Called once in each update,
 * after spn__launch_collect has taken over the frames that are decoded, and
 * before spn__cursor_plan. */
void spn__node_update(struct node *n);
/* True if the cache knows the node, and the cursor is consistent. */
bool spn__node_check(const struct node *n);

/* It streams, or will as soon as its cache is ready. */
static inline bool node_is_streaming(const struct node *n)
{
    return n->wants_streaming && !n->is_asleep;
}

static inline bool node_has_ready_cache(const struct node *n)
{
    return n->cache->state == CACHE_READY;
}

#endif
