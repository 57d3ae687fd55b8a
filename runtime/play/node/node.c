/* node.c - start, seek, stop and update of a node.
 *
 * The time of a looping node may be negative; that of its cursor never is. The
 * difference is a number of whole legs (cursor.h) that makes every legal time
 * positive. No sum of times leaves 63 bits: a node's time and the start of a
 * range are at most 2^60 (TIME_US_MAX), a leg at most 2^61, the difference at
 * most 2^61 and two legs, and reading ahead adds one leg. Legs that are short
 * have few frames, so positions of frames do not leave 63 bits either.
 */
/* SPDX-License-Identifier: MIT */
#include "play/node/node.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/cache_references.h"
#include "play/cursor_life.h"
#include "play/cursor_promise.h"
#include "play/drive_share.h"
#include "play/node/mesh_mask.h"
#include "play/node/node_range.h"
#include "play/node/node_show.h"
#include "play/play_trace.h"
#include "schedule/tasks.h"

#define TIME_US_MAX CACHE_DURATION_US_MAX

void spn__node_init(struct node *n, struct manager *m, uint32_t frames_max)
{
    n->manager = m;
    n->cursor.manager = m;
    n->cursor.frames_max = frames_max;
}

void spn__node_open(struct node *n, struct cache *c, spn_node handle,
                    const spn_node_desc *desc)
{
    struct manager *m = n->manager;
    spn_priority priority = spn__tasks_priority(
        SPN_TASK_GEOM_CACHE, desc ? desc->priority : SPN_PRIORITY_DEFAULT);

    spn__cursor_open(&n->cursor, c, (uint16_t)(n - m->nodes + 1), handle,
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
    n->is_stopped = false;
    n->is_asleep = false;
    n->has_wanted = false;
    n->is_seeking = false;
    n->is_timing_unchecked = false;
    n->has_span = false;
    n->second = 0;
    n->importance = n->cursor.importance;
    n->range = (struct node_range){
        .last_us = INT64_MAX, .mode = n->desc.is_looping ? SPN_LOOP : SPN_ONCE};
    n->set_us = 0;
    n->time_us = 0;
    n->playback_us = 0;
    n->wanted = (struct node_picture){0};
    n->shown = (struct node_picture){0};
    n->previous = (struct node_picture){0};
    n->frames_shown = 0;
    n->frames_late = 0;
    n->frames_left_out = 0;
    n->seeks = 0;
    n->starts = 0;
    spn__cache_attach_node(c);
}

/* Clamp to the range if the cache is loaded and it does not loop; else to
 * TIME_US_MAX. */
static int64_t clamp_time(struct node *n, int64_t time_us)
{
    const struct cursor *s = &n->cursor;

    if (node_has_ready_cache(n))
        spn__node_find_span(n);
    if (n->has_span && !s->is_looping)
        return clamp_i64(time_us, s->span.first_us, s->span.last_us);
    return clamp_i64(time_us, -TIME_US_MAX, TIME_US_MAX);
}

static int64_t cursor_time(const struct node *n)
{
    const struct span *span = &n->cursor.span;
    int64_t legs;

    if (!n->cursor.is_looping)
        return n->time_us - span->first_us;
    legs = (TIME_US_MAX + span->first_us) / span->leg_us + 1;
    if (span->is_ping_pong)
        legs += legs % 2;
    return legs * span->leg_us + n->time_us - span->first_us;
}

/* Find the wanted frames for this time and level. */
static void find_wanted(struct node *n)
{
    spn__node_find_wanted(n);
    spn__cursor_move(&n->cursor, n->playback_us, n->wanted.floor,
                     n->wanted.ceil);
    n->cursor.has_new_cut = false;
}

/* A longer step back is a cut. */
#define CUT_US 250000

/* Continue at node.time_us; a seek if the cursor does not cover it. After a
 * seek or a cut there is no motion. */
static void move(struct node *n)
{
    struct cursor *s = &n->cursor;
    const int64_t before_us = n->playback_us;

    n->time_us = clamp_time(n, n->set_us);
    n->playback_us = cursor_time(n);
    find_wanted(n);
    if (cursor_is_playing(s) && manager_is_on(n->manager) &&
        !spn__cursor_covers(s, s->wanted)) {
        n->seeks++;
        n->is_seeking = true;
        n->previous.is_valid = false;
        spn__play_trace(n->manager, TRACE_SEEK, n->handle,
                        spn__cursor_number(s, s->wanted), 0);
    }
    if (before_us - n->playback_us > CUT_US)
        n->previous.is_valid = false;
    (void)spn__node_find_shown(n);
}

void spn__node_start(struct node *n, int64_t time_us)
{
    n->wants_streaming = true;
    n->is_stopped = false;
    n->has_wanted = false;
    n->is_timing_unchecked = false;
    n->set_us = time_us;
    n->time_us = clamp_time(n, time_us);
    n->previous.is_valid = false;
    if (node_has_ready_cache(n))
        move(n);
}

/* Show nothing. Give back at once what nothing uses, the rest later. */
static void end_stream(struct node *n)
{
    n->is_timing_unchecked = false;
    n->shown.is_valid = false;
    n->previous.is_valid = false;
    spn__drive_share_release(&n->cursor);
    spn__cursor_drain(&n->cursor);
    if (n->cursor.is_draining)
        (void)spn__cursor_drain_step(&n->cursor);
}

void spn__node_stop(struct node *n)
{
    n->wants_streaming = false;
    n->is_stopped = true;
    n->has_wanted = false;
    end_stream(n);
}

void spn__node_sleep(struct node *n)
{
    n->is_asleep = true;
    end_stream(n);
}

void spn__node_wake(struct node *n)
{
    n->is_asleep = false;
}

void spn__node_destroy(struct node *n)
{
    spn__node_stop(n);
    n->is_dying = true;
}

void spn__node_set_time(struct node *n, int64_t time_us)
{
    const uint64_t before = n->due;
    bool had_wanted = n->has_wanted;

    n->set_us = time_us;
    time_us = clamp_time(n, time_us);
    if (n->wants_streaming && had_wanted && time_us == n->time_us) {
        n->previous.is_valid = false;
        return;
    }
    n->wants_streaming = true;
    n->is_stopped = false;
    n->has_wanted = true;
    n->time_us = time_us;
    if (!node_has_ready_cache(n)) {
        n->is_timing_unchecked = true;
        return;
    }
    n->previous = n->shown;
    n->previous.is_valid =
        had_wanted && n->shown.is_valid && !n->shown.is_stale;
    move(n);
    if (!had_wanted || before != n->due)
        n->is_timing_unchecked = true;
}

static bool is_same_range(const struct node_range *a,
                          const struct node_range *b)
{
    return a->first_us == b->first_us && a->last_us == b->last_us &&
           a->mode == b->mode;
}

/* Pictures keep their frames, but not their positions. */
static void keep_numbers(const struct node *n, struct node_picture *p)
{
    if (!p->is_valid)
        return;
    p->floor = CURSOR_NUMBER | spn__cursor_number(&n->cursor, p->floor);
    p->ceil = CURSOR_NUMBER | spn__cursor_number(&n->cursor, p->ceil);
}

void spn__node_set_range(struct node *n, const struct node_range *range)
{
    const bool was_moving = n->previous.is_valid;
    uint32_t before = UINT32_MAX;

    /* A traversal that begins again reads lost frames again. */
    if (n->has_span && is_same_range(&n->range, range))
        return;
    if (n->has_span && n->wants_streaming) {
        keep_numbers(n, &n->shown);
        keep_numbers(n, &n->previous);
        before = spn__cursor_number(&n->cursor, n->due);
    }
    n->range = *range;
    n->has_span = false;
    n->time_us = clamp_time(n, n->set_us);
    if (!n->wants_streaming || !node_has_ready_cache(n))
        return;
    /* Places of the old span mean other groups now. */
    n->cursor.next_place = CURSOR_NO_POSITION;
    move(n);
    n->previous.is_valid = was_moving && !n->is_seeking;
    spn__cursor_restart(&n->cursor);
    if (n->has_wanted && spn__cursor_number(&n->cursor, n->due) != before)
        n->is_timing_unchecked = true;
}

static void finish_dying(struct node *n)
{
    struct manager *m = n->manager;

    n->is_dying = false;
    (void)spn__pool_give(&m->node_pool, n->handle);
    n->handle = 0;
    spn__cache_detach_node(n->cache);
    n->cache = NULL;
}

/* Count the frame that is due as shown, left out or late, once for each change
 * of it. */
static void count_timing(struct node *n)
{
    uint32_t number;

    if (!n->is_timing_unchecked)
        return;
    n->is_timing_unchecked = false;
    if (!manager_is_on(n->manager))
        return;
    number = spn__cursor_number(&n->cursor, n->due);
    if (n->shown.is_valid && n->shown.is_exact && !n->shown.lacks_meshes &&
        n->shown.floor != n->due) {
        n->frames_left_out++;
    } else if (n->shown.is_valid && n->shown.is_exact &&
               !n->shown.lacks_meshes) {
        n->frames_shown++;
        spn__play_trace(n->manager, TRACE_SHOW, n->handle, number, 0);
    } else {
        n->frames_late++;
        spn__play_trace(n->manager, TRACE_LATE, n->handle, number, 0);
    }
}

/* Have the cursor keep the frames of a picture. */
static void pin(const struct node_picture *picture, uint64_t pinned[2])
{
    pinned[0] = picture->is_valid ? picture->floor : CURSOR_NO_POSITION;
    pinned[1] = picture->is_valid ? picture->ceil : CURSOR_NO_POSITION;
}

static void begin(struct node *n)
{
    struct cursor *s = &n->cursor;

    move(n);
    n->starts++;
    spn__cursor_begin(s);
    spn__mesh_mask_update(n->cache);
    /* It can never play: do not try again at each update. */
    if (!s->is_active) {
        n->wants_streaming = false;
        n->is_stopped = true;
    }
    (void)spn__node_find_shown(n);
}

static void step_drain(struct node *n)
{
    if (!spn__cursor_drain_step(&n->cursor))
        return;
    n->previous.is_valid = false;
    n->shown.is_valid = false;
}

void spn__node_update(struct node *n)
{
    struct cursor *s = &n->cursor;

    if (s->is_draining)
        step_drain(n);
    if (n->is_dying && !s->is_active) {
        finish_dying(n);
        return;
    }
    if (node_is_streaming(n) && !s->is_active && node_has_ready_cache(n))
        begin(n);
    if (!cursor_is_playing(s))
        return;
    spn__cursor_follow(s);
    if (s->has_new_cut || n->is_interpolating != spn__node_interpolates(n))
        find_wanted(n);
    s->has_lost_all =
        !spn__node_find_shown(n) && spn__cursor_has_lost(s, n->wanted.floor);
    spn__cursor_note_shown(s, n->shown.is_valid && n->shown.is_exact);
    count_timing(n);
    pin(&n->shown, s->pinned);
    pin(&n->previous, s->pinned + 2);
}

bool spn__node_check(const struct node *n)
{
    if (!n->cache || n->cache->node_count == 0)
        return false;
    return spn__cursor_check(&n->cursor);
}
