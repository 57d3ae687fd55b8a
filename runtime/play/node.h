/* node.h - one playing instance of a cache: the record, and its life.
 *
 * The user sets a node's playback time. The node finds the two frames around
 * that time, has its stream (stream.h) read and decode them, and shows them
 * when they are decoded; until then it shows the nearest frame that is. A time
 * that the stream covers continues playback; any other is a seek, which keeps
 * the shown frame visible while the stream begins again.
 *
 * Other parts: node_show.h chooses frames, node_fill.h and node_pose.h compute
 * vertices and transforms, node_state.h reports. Owner of everything here: the
 * caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_NODE_H
#define SPN_PLAY_NODE_H

#include "base/carve.h"
#include "play/manager.h"
#include "play/stream.h"

#include <spindle/geom.h>
#include <stdbool.h>
#include <stdint.h>

/* Two frames between which is interpolated. */
struct node_picture {
    bool is_valid;      /* the other fields are set */
    bool is_exact;      /* the wanted frames, not others in their place */
    bool is_held_frame; /* the stream's held frame, from before a seek */
    uint64_t floor;     /* positions of the two frames (stream.h); equal */
    uint64_t ceil;      /* where nothing is interpolated */
    float alpha;        /* 0: floor alone, up to 1: ceil alone */
};

struct node {
    struct manager *manager; /* fixed after init */
    spn_node handle;         /* 0: the slot is free */
    spn_node_desc desc;      /* defaults are filled in */
    struct cache *cache;
    /* The stream begins at this frame at the latest: the frames from here to
     * the end of the clip could not be decoded. UINT64_MAX: no limit. */
    uint64_t start_limit;
    bool is_dying; /* destroyed by the user; its memory is not free yet */
    bool wants_streaming;     /* started by the user */
    bool is_ordered;          /* stands in the manager's orders */
    bool has_wanted;          /* the user has set a time since the start */
    bool is_timing_unchecked; /* the wanted frame changed, and has not been
                                 counted as shown or late */
    int64_t time_us;     /* the time that the user set, clamped to the clip */
    int64_t playback_us; /* the same plus whole loops, so that it is >= 0 */
    struct node_picture wanted;
    struct node_picture shown;
    struct node_picture previous; /* shown before the last change of time */
    uint32_t frames_shown;        /* wanted frames that were there in time */
    uint32_t frames_late;         /* wanted frames that were not */
    uint32_t seeks;
    struct stream stream;
#if SPN_WITH_FRAME_BUFFERS
    struct stream_buffers buffers; /* in use if stream.buffers is not NULL */
#endif
};

/* Take the stream's tables from `carve`. n == NULL: only count. */
void spn__node_init(struct node *n, struct manager *m, struct carve *carve,
                    uint32_t stream_frame_count);
/* Set up a free slot.
 *
 * handle  from the manager's pool
 * desc    copied; NULL: defaults */
void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc);
/* Stop, and free the slot when all reads and jobs have ended. */
void spn__node_destroy(struct node *n);
/* Begin to stream at a time, before that time is set. */
void spn__node_start(struct node *n, int64_t time_us);
/* Stop streaming, and show nothing. */
void spn__node_stop(struct node *n);
/* Set the playback time. Starts the node if necessary. */
void spn__node_set_time(struct node *n, int64_t time_us);
/* Collect what ended, choose what is shown, free what playback has passed. */
void spn__node_update(struct node *n);
/* True if the cache knows the node, and the stream is consistent. */
bool spn__node_check(const struct node *n);

static inline bool node_has_ready_cache(const struct node *n)
{
    return n->cache->state == CACHE_READY;
}

#endif
