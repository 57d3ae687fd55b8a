/* node.h - one playing instance of a cache: the record, and its life.
 *
 * The user sets a node's playback time. The node finds the two frames around
 * that time (*floor* at or before it, *ceil* after it), has its stream
 * (stream.h) read and decode them, and shows them when they are decoded; until
 * then it shows the nearest frame that is. A time that the stream covers
 * continues playback; any other is a seek, which keeps the shown frame visible
 * while the stream begins again.
 *
 * Terms (more in stream.h)
 *
 *   position    number of a frame, counted through all loops of the clip
 *   held frame  the frame that stays visible during a seek
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

/* Two frames, and a point between them. If nothing is interpolated, both are
 * the same. */
struct node_picture {
    bool is_valid;      /* the other fields are set */
    bool is_exact;      /* these are the wanted frames, not others in their
                         * place */
    bool is_held_frame; /* it is the stream's held frame, from before a seek */
    uint64_t floor;     /* position of the earlier frame */
    uint64_t ceil;      /* position of the later frame */
    float alpha;        /* 0: floor alone; up to 1: ceil alone */
};

struct node {
    /* -- identity -- */
    struct manager *manager; /* fixed after init */
    spn_node handle;         /* 0: the slot is free */
    spn_node_desc desc;      /* with defaults filled in */
    struct cache *cache;
    /* The last position at which the stream may begin; UINT64_MAX: any. It is
     * set if all frames from the beginning of the stream to the end of the clip
     * are damaged, so that nothing could be shown. Example: the stream began
     * with frame 40, and frames 40 to 99, the last one, are damaged. Then this
     * becomes 39, and the stream begins again with the group of frame 39. If
     * that group is damaged too, this becomes the position before the group,
     * and so on. When the user sets a time at or before this position, it
     * becomes UINT64_MAX again, and the damaged frames are tried again. */
    uint64_t latest_start;

    /* -- life -- */
    bool is_dying; /* destroyed by the user; reads or jobs have not ended */
    bool wants_streaming;     /* started by the user */
    bool is_ordered;          /* is in the manager's decode_order, read_order */
    bool has_wanted;          /* the user has set a time since the start */
    bool is_timing_unchecked; /* the wanted frame has changed, and was not yet
                                 counted in frames_shown or frames_late */

    /* -- time and pictures -- */
    /* The time that the user set: of a clip that does not loop, clamped to the
     * clip; of a looping one as set, also negative or beyond the clip. */
    int64_t time_us;
    /* Not looping: time_us. Looping: time_us plus a constant number of loops,
     * which makes every time >= 0. For example, if the clip has 2 s, -0.5 s
     * becomes N * 2 s - 0.5 s. */
    int64_t playback_us;
    struct node_picture wanted;
    struct node_picture shown;
    struct node_picture previous; /* what was shown before the last change of
                                   * time */

    /* -- statistics, see spn_node_state -- */
    uint32_t frames_shown;
    uint32_t frames_late;
    uint32_t seeks;

    struct stream stream;
#if SPN_WITH_FRAME_BUFFERS
    struct stream_buffers buffers; /* in use if stream.buffers is not NULL */
#endif
};

/* Take the memory of the stream's tables from `carve` (base/carve.h: it hands
 * out parts of the runtime's memory, or only counts bytes). With n == NULL only
 * count. */
void spn__node_init(struct node *n, struct manager *m, struct carve *carve,
                    uint32_t stream_frame_count);
/* Set up a free slot.
 *
 * handle  from the manager's pool
 * desc    copied; NULL: defaults */
void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc);
/* Stop. The slot is freed by spn__node_update when all reads and jobs have
 * ended. */
void spn__node_destroy(struct node *n);
/* Prefetch: begin to stream at a time that is not set yet. */
void spn__node_start(struct node *n, int64_t time_us);
/* Stop streaming, and show nothing. */
void spn__node_stop(struct node *n);
/* Set the playback time. Starts the node if necessary. */
void spn__node_set_time(struct node *n, int64_t time_us);
/* Collect what ended, choose what is shown, free what playback has passed. */
void spn__node_update(struct node *n);
/* True if the cache counts the node, and spn__stream_check passes. */
bool spn__node_check(const struct node *n);

static inline bool node_has_ready_cache(const struct node *n)
{
    return n->cache->state == CACHE_READY;
}

#endif
