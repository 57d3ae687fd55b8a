/* node.c - a node's life: start, time, seek, stop, end.
 *
 * Setting a time that the stream covers is playback; any other is a seek: the
 * stream ends what runs, keeps the picture that is shown, and begins anew.
 * Nothing here waits and nothing reads frames.
 *
 * A looping node's time may be negative, the stream's never is: between them
 * lie so many whole loops that every legal time fits. With TIME_US_MAX as the
 * limit of both a time and a clip, no sum of them leaves 63 bits: 2^60 of the
 * time, 2^60 and a loop of at most 2^61 between, and one loop ahead.
 */
/* SPDX-License-Identifier: MIT */
#include "play/node.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/admission.h"
#include "schedule/tasks.h"

#define TIME_US_MAX CACHE_DURATION_US_MAX

void spn__node_init(struct node *n, struct manager *m, struct carve *carve,
                    uint32_t stream_frame_count)
{
    spn__stream_init(n ? &n->stream : NULL, m, carve, stream_frame_count);
    if (n)
        n->manager = m;
}

static bool is_cache_ready(const struct node *n)
{
    return n->cache->state == CACHE_READY;
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
    n->is_unjudged = false;
    n->time_us = 0;
    n->playback_us = 0;
    n->latest = UINT64_MAX;
    n->wanted = (struct node_picture){0};
    n->shown = (struct node_picture){0};
    n->previous = (struct node_picture){0};
    n->frames_shown = 0;
    n->frames_late = 0;
    n->seeks = 0;
    spn__cache_hold(c);
}

/* A clip of one frame has nothing to loop over. */
static bool is_looping(const struct node *n)
{
    return n->desc.is_looping != 0 && n->cache->header.frame_count > 1 &&
           n->cache->loop_us > 0;
}

static int64_t clamp(int64_t time_us, int64_t low, int64_t high)
{
    return time_us < low ? low : time_us > high ? high : time_us;
}

/* To what is legal; to the clip once that is known. */
static int64_t clamp_time(const struct node *n, int64_t time_us)
{
    if (is_cache_ready(n) && !is_looping(n))
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

/* Both frames are held or still to come. */
static bool is_covered(const struct node *n)
{
    const struct stream *s = &n->stream;
    const struct stream_frame *ceil = spn__stream_frame(s, n->wanted.ceil);

    return spn__stream_covers(s, s->wanted) &&
           !(ceil && ceil->state == FRAME_RETIRED);
}

/* Go to time_us: continue there, or seek. */
static void move(struct node *n)
{
    struct stream *s = &n->stream;

    s->is_looping = is_looping(n);
    n->time_us = clamp_time(n, n->time_us);
    n->playback_us = stream_time(n);
    spn__node_find_wanted(n);
    s->position_us = n->playback_us;
    /* Back before a bad end, it may be good when playback comes again. */
    if (n->wanted.floor <= n->latest)
        n->latest = UINT64_MAX;
    s->wanted = n->wanted.floor < n->latest ? n->wanted.floor : n->latest;
    if (s->is_active && !s->is_draining && !is_covered(n)) {
        n->seeks++;
        spn__manager_trace(n->manager, TRACE_SEEK, n->handle,
                           spn__stream_number(s, n->wanted.floor), 0);
        spn__stream_drain(s);
    }
    (void)spn__node_find_shown(n);
}

/* Nothing is decoded, and nothing runs: where no more will come, the group
 * before may have a picture. */
static void begin_earlier(struct node *n)
{
    struct stream *s = &n->stream;

    if (s->first_frame > 0 && spn__stream_has_launched_last(s)) {
        n->latest = s->first_frame - 1;
        spn__stream_drain(s);
    }
}

void spn__node_start(struct node *n, int64_t time_us)
{
    n->wants_streaming = true;
    n->has_wanted = false;
    n->is_unjudged = false;
    n->time_us = clamp_time(n, time_us);
    n->previous.is_valid = false;
    if (is_cache_ready(n))
        move(n);
}

void spn__node_stop(struct node *n)
{
    n->wants_streaming = false;
    n->has_wanted = false;
    n->is_unjudged = false;
    n->shown.is_valid = false;
    n->previous.is_valid = false;
    spn__admission_release(&n->stream);
    spn__stream_drain(&n->stream);
    if (!n->stream.is_active)
        spn__stream_drop_held(&n->stream);
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
    if (!is_cache_ready(n)) {
        n->is_unjudged = true;
        return;
    }
    n->previous = n->shown;
    n->previous.is_valid = had_wanted && n->shown.is_valid && !n->shown.is_held;
    move(n);
    if (!had_wanted || before.floor != n->wanted.floor)
        n->is_unjudged = true;
}

/* -- updating -- */

static void finish_dying(struct node *n)
{
    struct manager *m = n->manager;

    spn__stream_drop_held(&n->stream);
    n->is_dying = false;
    (void)spn__pool_give(&m->node_pool, n->handle);
    n->handle = 0;
    spn__cache_unhold(n->cache);
    n->cache = NULL;
}

static void step_drain(struct node *n)
{
    struct stream *s = &n->stream;
    bool keeps = n->wants_streaming && n->shown.is_valid;
    uint64_t keep =
        keeps && !n->shown.is_held ? n->shown.floor : STREAM_NO_PLACE;

    if (!spn__stream_drain_step(s, keeps, keep))
        return;
    n->previous.is_valid = false;
    n->shown = (struct node_picture){.is_valid = s->held != NULL,
                                     .is_held = s->held != NULL,
                                     .floor = s->held_frame,
                                     .ceil = s->held_frame};
}

/* Did the wanted frame come in time? Asked once for each. */
static void judge(struct node *n)
{
    uint32_t number;

    if (!n->is_unjudged)
        return;
    n->is_unjudged = false;
    number = spn__stream_number(&n->stream, n->wanted.floor);
    if (n->shown.is_valid && n->shown.is_exact) {
        n->frames_shown++;
        spn__manager_trace(n->manager, TRACE_SHOW, n->handle, number, 0);
    } else {
        n->frames_late++;
        spn__manager_trace(n->manager, TRACE_LATE, n->handle, number, 0);
    }
}

static void pin(const struct node_picture *picture, uint64_t pinned[2])
{
    bool is_there = picture->is_valid && !picture->is_held;

    pinned[0] = is_there ? picture->floor : STREAM_NO_PLACE;
    pinned[1] = is_there ? picture->ceil : STREAM_NO_PLACE;
}

/* Keep what is shown, what was shown before, and all from the wanted frame
 * on. */
static void retire(struct node *n)
{
    struct stream *s = &n->stream;

    /* Where tables or heap are too small for it, motion is shown as none. */
    if (s->lacks_room || s->lacks_memory)
        n->previous.is_valid = false;
    s->keep_from = s->wanted;
    pin(&n->shown, s->pinned);
    pin(&n->previous, s->pinned + 2);
    spn__stream_retire(s);
}

static void begin(struct node *n)
{
    struct stream *s = &n->stream;

    move(n);
    spn__stream_begin(s);
    /* What can never play is not tried at every update. */
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
    if (n->wants_streaming && !s->is_active && is_cache_ready(n))
        begin(n);
    if (!s->is_active)
        return;
    judge(n);
    if (!s->is_draining)
        retire(n);
}

/* -- state -- */

static int64_t end_time(const struct node *n, uint64_t frame)
{
    const struct stream *s = &n->stream;

    if (!s->is_looping && frame >= n->cache->header.frame_count)
        return n->cache->header.duration_us;
    return spn__stream_frame_time(s, frame);
}

/* From playback to the end of what is decoded without a gap. */
static int64_t precached_us(const struct node *n)
{
    uint64_t frame = n->wanted.floor;
    const struct stream_frame *f;

    while ((f = spn__stream_frame(&n->stream, frame)) != NULL &&
           f->state == FRAME_READY)
        frame++;
    return frame == n->wanted.floor ? 0 : end_time(n, frame) - n->playback_us;
}

static bool has_arrived(const struct stream *s, uint64_t place)
{
    const struct stream_group *g = spn__stream_group(s, place);

    if (!stream_has_group(s, place) || g->state == GROUP_SKIPPED)
        return false;
    return g->state != GROUP_WAITING || s->reads[g->read].state == READ_DONE;
}

static int64_t buffered_us(const struct node *n)
{
    const struct stream *s = &n->stream;
    uint64_t first = spn__stream_group_of(s, n->wanted.floor);
    uint64_t place = first;

    while (has_arrived(s, place))
        place++;
    return place == first ? 0
                          : end_time(n, spn__stream_group_first(s, place)) -
                                n->playback_us;
}

static uint64_t heap_bytes(const struct node *n)
{
    const struct heap *heap = n->manager->config.heap;

    return (uint64_t)heap->page_count << heap->page_shift;
}

static void tell_admission(const struct node *n, spn_node_state *state)
{
    const struct stream *s = &n->stream;

    state->admission = s->admission;
    state->drive_permille = s->drive_permille;
    if (s->admission == SPN_ADMITTED)
        return;
    state->status = SPN_NO_TIME_NOW;
    state->fault = (spn_fault){
        .what = "thousandths of the drive's time",
        .value =
            (uint64_t)spn__admission_permille(n->manager, n->cache->medium) +
            s->drive_permille,
        .expected = n->manager->config.tuning->value[TUNING_drive_permille_max],
        .has_expected = 1,
        .status = state->status,
        .file = n->cache->path};
}

void spn__node_get_state(const struct node *n, spn_node_state *out)
{
    const struct stream *s = &n->stream;
    spn_node_state state = {0};
    uint64_t needed;

    state.status = n->cache->status;
    state.shown_frame = UINT32_MAX;
    state.is_streaming = n->wants_streaming;
    state.playback_us = n->time_us;
    state.frames_shown = n->frames_shown;
    state.frames_late = n->frames_late;
    state.frames_dropped = s->frames_dropped;
    state.seeks = n->seeks;
    state.bytes_read = s->bytes_read;
    state.fault = s->fault;
    state.fault_frame = s->fault_frame;
    if (is_cache_ready(n)) {
        state.status = s->status;
        if (spn__stream_waits(s, &needed)) {
            state.status = SPN_NO_MEMORY_NOW;
            state.fault = (spn_fault){.what = "bytes of the heap",
                                      .value = heap_bytes(n),
                                      .expected = needed,
                                      .has_expected = 1,
                                      .status = state.status,
                                      .file = n->cache->path};
        }
        tell_admission(n, &state);
        /* Memory that is short may have taken it since. */
        if (spn__node_frame(n, &n->shown, n->shown.floor))
            state.shown_frame = spn__stream_number(s, n->shown.floor);
        state.is_ready = n->shown.is_valid && n->shown.is_exact;
        if (s->is_active && !s->is_draining) {
            state.precached_us = precached_us(n);
            state.buffered_us = buffered_us(n);
        }
    } else if (n->cache->state == CACHE_FAILED) {
        state.fault = n->cache->fault;
    }
    *out = state;
}

spn_status spn__node_refusal(const struct node *n)
{
    spn_status status = n->stream.status;

    return status == SPN_ERR_MEMORY || status == SPN_ERR_TABLE_FULL ? status
                                                                    : SPN_OK;
}

bool spn__node_check(const struct node *n)
{
    if (!n->cache || n->cache->node_count == 0)
        return false;
    return spn__stream_check(&n->stream);
}
