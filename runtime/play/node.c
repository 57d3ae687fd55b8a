/* node.c - start, seek, stop and update of a node.
 *
 * The time of a looping node may be negative; that of its stream never is. The
 * difference is a number of whole loops that makes every legal time positive.
 * No sum of times leaves 63 bits: a node's time is at most 2^60 (TIME_US_MAX),
 * a loop at most 2^61, the difference at most 2^60 and a loop, and reading
 * ahead adds one loop.
 */
/* SPDX-License-Identifier: MIT */
#include "play/node.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/cache_references.h"
#include "play/drive_share.h"
#include "play/node_show.h"
#include "play/play_trace.h"
#include "play/stream_life.h"
#include "play/stream_memory.h"
#include "play/stream_read.h"
#include "play/stream_window.h"
#include "schedule/tasks.h"

#define TIME_US_MAX CACHE_DURATION_US_MAX

void spn__node_init(struct node *n, struct manager *m, struct carve *carve,
                    uint32_t stream_frame_count)
{
    spn__stream_init(n ? &n->stream : NULL, m, carve, stream_frame_count);
    if (n)
        n->manager = m;
}

void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc)
{
    struct manager *m = n->manager;
    spn_priority priority = spn__tasks_priority(
        SPN_TASK_GEOM_CACHE, desc ? desc->priority : SPN_PRIORITY_DEFAULT);

    spn__stream_open(&n->stream, c, handle, desc && desc->is_looping != 0,
                     priority);
    n->handle = handle;
    n->desc = (spn_node_desc){.is_looping = desc ? desc->is_looping : 0,
                              .priority = priority};
    if (desc)
        n->desc.overload = desc->overload;
    n->manager = m;
    n->cache = c;
    n->is_dying = false;
    n->wants_streaming = false;
    n->has_wanted = false;
    n->is_timing_unchecked = false;
    n->time_us = 0;
    n->playback_us = 0;
    n->latest_start = UINT64_MAX;
    n->wanted = (struct node_picture){0};
    n->shown = (struct node_picture){0};
    n->previous = (struct node_picture){0};
    n->frames_shown = 0;
    n->frames_late = 0;
    n->seeks = 0;
    spn__cache_attach_node(c);
}

/* A clip of one frame does not loop. */
static bool is_looping(const struct node *n)
{
    return n->desc.is_looping != 0 && n->cache->header.frame_count > 1 &&
           n->cache->loop_us > 0;
}

static int64_t clamp(int64_t time_us, int64_t low, int64_t high)
{
    return time_us < low ? low : time_us > high ? high : time_us;
}

/* Clamp to the clip if it is loaded and does not loop; else to TIME_US_MAX. */
static int64_t clamp_time(const struct node *n, int64_t time_us)
{
    if (node_has_ready_cache(n) && !is_looping(n))
        return clamp(time_us, 0, n->cache->header.duration_us);
    return clamp(time_us, -TIME_US_MAX, TIME_US_MAX);
}

static int64_t stream_time(const struct node *n)
{
    int64_t loop_us = n->cache->loop_us;

    if (!is_looping(n))
        return n->time_us;
    return (TIME_US_MAX / loop_us + 1) * loop_us + n->time_us;
}

/* True if both wanted frames are in the window or can still enter it. */
static bool is_covered(const struct node *n)
{
    const struct stream *s = &n->stream;
    const struct stream_frame *ceil = spn__stream_frame(s, n->wanted.ceil);

    return spn__stream_covers(s, s->wanted) &&
           !(ceil && ceil->state == FRAME_RETIRED);
}

/* Continue at node.time_us if the stream covers it; otherwise seek. */
static void move(struct node *n)
{
    struct stream *s = &n->stream;

    s->is_looping = is_looping(n);
    n->time_us = clamp_time(n, n->time_us);
    n->playback_us = stream_time(n);
    spn__node_find_wanted(n);
    s->playback_us = n->playback_us;
    /* Playback is at or before latest_start again: the frames after it are
     * tried again. */
    if (n->wanted.floor <= n->latest_start)
        n->latest_start = UINT64_MAX;
    s->wanted =
        n->wanted.floor < n->latest_start ? n->wanted.floor : n->latest_start;
    if (s->is_active && !s->is_draining && !is_covered(n)) {
        n->seeks++;
        spn__play_trace(n->manager, TRACE_SEEK, n->handle,
                        spn__stream_number(s, n->wanted.floor), 0);
        spn__stream_drain(s);
    }
    (void)spn__node_find_shown(n);
}

/* Called while no frame is decoded and no job runs. If the window reaches to
 * the end of the clip, no frame of it can be shown: begin again one group
 * earlier. */
static void begin_earlier(struct node *n)
{
    struct stream *s = &n->stream;

    if (s->first_frame > 0 && spn__stream_has_launched_last(s)) {
        n->latest_start = s->first_frame - 1;
        spn__stream_drain(s);
    }
}

void spn__node_start(struct node *n, int64_t time_us)
{
    n->wants_streaming = true;
    n->has_wanted = false;
    n->is_timing_unchecked = false;
    n->time_us = clamp_time(n, time_us);
    n->previous.is_valid = false;
    if (node_has_ready_cache(n))
        move(n);
}

void spn__node_stop(struct node *n)
{
    n->wants_streaming = false;
    n->has_wanted = false;
    n->is_timing_unchecked = false;
    n->shown.is_valid = false;
    n->previous.is_valid = false;
    spn__drive_share_release(&n->stream);
    spn__stream_drain(&n->stream);
    if (!n->stream.is_active)
        spn__stream_drop_held_frame(&n->stream);
}

void spn__node_destroy(struct node *n)
{
    spn__node_stop(n);
    n->is_dying = true;
}

void spn__node_set_time(struct node *n, int64_t time_us)
{
    struct node_picture before = n->wanted;
    bool had_wanted = n->has_wanted;

    time_us = clamp_time(n, time_us);
    if (n->wants_streaming && had_wanted && time_us == n->time_us) {
        n->previous.is_valid = false;
        return;
    }
    n->wants_streaming = true;
    n->has_wanted = true;
    n->time_us = time_us;
    if (!node_has_ready_cache(n)) {
        n->is_timing_unchecked = true;
        return;
    }
    n->previous = n->shown;
    n->previous.is_valid =
        had_wanted && n->shown.is_valid && !n->shown.is_held_frame;
    move(n);
    if (!had_wanted || before.floor != n->wanted.floor)
        n->is_timing_unchecked = true;
}

static void finish_dying(struct node *n)
{
    struct manager *m = n->manager;

    spn__stream_drop_held_frame(&n->stream);
    n->is_dying = false;
    (void)spn__pool_give(&m->node_pool, n->handle);
    n->handle = 0;
    spn__cache_detach_node(n->cache);
    n->cache = NULL;
}

static void step_drain(struct node *n)
{
    struct stream *s = &n->stream;
    bool keeps = n->wants_streaming && n->shown.is_valid;
    uint64_t keep =
        keeps && !n->shown.is_held_frame ? n->shown.floor : STREAM_NO_PLACE;

    if (!spn__stream_drain_step(s, keeps, keep))
        return;
    n->previous.is_valid = false;
    n->shown = (struct node_picture){.is_valid = s->held_frame != NULL,
                                     .is_held_frame = s->held_frame != NULL,
                                     .floor = s->held_position,
                                     .ceil = s->held_position};
}

/* Count the wanted frame as shown or late, once for each change of it. */
static void count_timing(struct node *n)
{
    uint32_t number;

    if (!n->is_timing_unchecked)
        return;
    n->is_timing_unchecked = false;
    number = spn__stream_number(&n->stream, n->wanted.floor);
    if (n->shown.is_valid && n->shown.is_exact) {
        n->frames_shown++;
        spn__play_trace(n->manager, TRACE_SHOW, n->handle, number, 0);
    } else {
        n->frames_late++;
        spn__play_trace(n->manager, TRACE_LATE, n->handle, number, 0);
    }
}

static void pin(const struct node_picture *picture, uint64_t pinned[2])
{
    bool is_there = picture->is_valid && !picture->is_held_frame;

    pinned[0] = is_there ? picture->floor : STREAM_NO_PLACE;
    pinned[1] = is_there ? picture->ceil : STREAM_NO_PLACE;
}

/* Free frames, except the shown ones, those shown before, and all from the
 * wanted frame on. */
static void retire(struct node *n)
{
    struct stream *s = &n->stream;

    /* In too little memory, give up the previous frames: no motion vectors. */
    if (s->lacks_slots || s->lacks_memory)
        n->previous.is_valid = false;
    s->retire_before = s->wanted;
    pin(&n->shown, s->pinned);
    pin(&n->previous, s->pinned + 2);
    spn__stream_retire(s);
}

static void begin(struct node *n)
{
    struct stream *s = &n->stream;

    move(n);
    spn__stream_begin(s);
    /* It can never play: do not try again at each update. */
    if (!s->is_active)
        n->wants_streaming = false;
}

void spn__node_update(struct node *n)
{
    struct stream *s = &n->stream;
    uint32_t running;

    if (s->is_draining) {
        step_drain(n);
    } else if (s->is_active) {
        spn__stream_retry(s);
        running = spn__stream_collect(s);
        if (!spn__node_find_shown(n) && running == 0)
            begin_earlier(n);
    }
    if (n->is_dying && !s->is_active) {
        finish_dying(n);
        return;
    }
    if (n->wants_streaming && !s->is_active && node_has_ready_cache(n))
        begin(n);
    if (!s->is_active)
        return;
    count_timing(n);
    if (!s->is_draining)
        retire(n);
}

bool spn__node_check(const struct node *n)
{
    if (!n->cache || n->cache->node_count == 0)
        return false;
    return spn__stream_check(&n->stream);
}
