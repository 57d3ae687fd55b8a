/* stream_window.c - what enters a stream's window, ends in it and leaves it. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_window.h"

#include "base/assert.h"
#include "base/mem.h"
#include "play/drive_share.h"
#include "play/play_trace.h"
#include "play/stream_memory.h"
#include "play/stream_read_buffer.h"

bool spn__stream_has_room(const struct stream *s, uint32_t group_count,
                          uint32_t frame_count)
{
    return group_count <= s->capacity - s->group_count &&
           frame_count <= s->capacity - s->frame_count;
}

/* Index of the frame to which the next group refers; CACHE_NONE: to none. */
static uint32_t anchor_index_of(const struct stream *s, uint64_t place)
{
    const struct cache *c = s->cache;
    uint32_t group = (uint32_t)(place % c->header.group_count);
    uint32_t anchor = CACHE_NONE;

    if (group + 1 < c->header.group_count)
        anchor = cache_group_at(c, group + 1)->anchor_frame;
    if (anchor == CACHE_NONE)
        return CACHE_NONE;
    return anchor - cache_group_at(c, group)->first_frame;
}

void spn__stream_push(struct stream *s, uint64_t place, uint32_t read,
                      bool is_anchor_only)
{
    struct stream_group *g = spn__stream_group(s, place);

    SPN_ASSERT(s->group_count == 0 || place == s->first_place + s->group_count);
    memset(g, 0, sizeof *g);
    g->stream = s;
    g->info = spn__stream_group_info(s, place);
    g->place = place;
    g->first = spn__stream_group_first(s, place);
    g->slot = (uint32_t)(g->first % s->capacity);
    g->anchor_index = anchor_index_of(s, place);
    g->is_anchor_only = is_anchor_only;
    g->read = (uint8_t)read;
    s->reads[read].group_count++;
    for (uint32_t i = 0; i < g->info->frame_count; i++)
        memset(stream_group_frame(g, i), 0, sizeof(struct stream_frame));
    if (s->group_count == 0) {
        s->first_place = place;
        s->first_frame = g->first;
        s->frame_count = 0;
    }
    s->group_count++;
    s->frame_count += g->info->frame_count;
}

static void free_frame(struct stream *s, struct stream_group *g, uint32_t index)
{
    struct stream_frame *f = stream_group_frame(g, index);

    SPN_ASSERT(f->state != FRAME_RUNNING);
    if (f->control) {
        spn__stream_free_control(s, f->control, g->first + index);
        f->control = NULL;
    }
    if (f->state != FRAME_EMPTY)
        f->state = FRAME_RETIRED;
}

static void clear_group(struct stream *s, struct stream_group *g)
{
    for (uint32_t i = 0; i < g->info->frame_count; i++)
        free_frame(s, g, i);
    spn__stream_release_read(s, g);
}

void spn__stream_pop_front(struct stream *s)
{
    struct stream_group *g = spn__stream_group(s, s->first_place);

    clear_group(s, g);
    s->first_place++;
    s->first_frame += g->info->frame_count;
    s->frame_count -= g->info->frame_count;
    s->group_count--;
}

void spn__stream_pop_back(struct stream *s)
{
    struct stream_group *g =
        spn__stream_group(s, s->first_place + s->group_count - 1);

    clear_group(s, g);
    s->frame_count -= g->info->frame_count;
    s->group_count--;
    s->next_place = g->place;
    /* If the clip had been read to its end, its share was returned. */
    spn__drive_share_request(s);
}

/* Results of jobs. */

static void note_failure(struct stream *s, const struct stream_group *g,
                         uint32_t index, uint32_t failed)
{
    const struct frame_control *control = stream_group_frame(g, index)->control;
    uint32_t number = g->info->first_frame + index;

    if (s->is_draining)
        return;
    s->frames_dropped++;
    if (failed & FRAME_FAULT) {
        s->status = control->fault.status;
        s->fault = control->fault;
        s->fault.file = s->cache->path;
        s->fault_frame = number;
    }
    spn__play_trace(s->manager, TRACE_FAIL, s->node_handle, number, failed);
}

/* Returns how many frames of the group still run. */
static uint32_t collect_group(struct stream *s, struct stream_group *g)
{
    uint32_t running = 0;

    for (uint32_t i = 0; i < g->info->frame_count; i++) {
        struct stream_frame *f = stream_group_frame(g, i);
        uint32_t failed;

        if (f->state != FRAME_RUNNING)
            continue;
        /* Acquire: pairs with the count at the end of each job. */
        if (atomic_load_acquire(&f->unfinished) != 0) {
            running++;
            continue;
        }
        failed = atomic_load_relaxed(&f->failed);
        f->state = failed ? FRAME_FAILED : FRAME_READY;
        if (failed)
            note_failure(s, g, i, failed);
        else
            spn__play_trace(s->manager, TRACE_DECODE_END, s->node_handle,
                            g->info->first_frame + i, 0);
    }
    return running;
}

uint32_t spn__stream_collect(struct stream *s)
{
    uint32_t running = 0;

    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = spn__stream_group(s, s->first_place + i);
        uint32_t group_running;

        if (g->state != GROUP_LAUNCHED)
            continue;
        group_running = collect_group(s, g);
        running += group_running;
        /* Acquire: pairs with the count in the decompress job. */
        if (g->read != STREAM_NO_READ &&
            atomic_load_acquire(&g->undecompressed) == 0)
            spn__stream_release_read(s, g);
        if (group_running == 0)
            g->state = GROUP_COMPLETE;
    }
    return running;
}

/* Frames that playback has passed. */

static uint64_t end_of(const struct stream_group *g)
{
    return g->first + g->info->frame_count;
}

/* True if frames of the next group that refer to this anchor are still to be
 * decoded. */
static bool is_anchor_needed(const struct stream *s,
                             const struct stream_group *g)
{
    const struct stream_group *next;

    if (g->anchor_index == CACHE_NONE)
        return false;
    if (!stream_has_group(s, g->place + 1))
        return true; /* it was not requested yet */
    next = spn__stream_group(s, g->place + 1);
    return next->state == GROUP_WAITING || next->state == GROUP_LAUNCHED;
}

/* Release a group that was never launched if playback has passed it, and its
 * anchor is not needed by a wanted group. */
static void skip_group(struct stream *s, struct stream_group *g)
{
    if (g->state != GROUP_WAITING || end_of(g) > s->wanted)
        return;
    if (g->anchor_index != CACHE_NONE) {
        const struct stream_group *next;

        if (!stream_has_group(s, g->place + 1))
            return;
        next = spn__stream_group(s, g->place + 1);
        if (next->state != GROUP_SKIPPED && end_of(next) > s->wanted)
            return;
    }
    g->state = GROUP_SKIPPED;
    spn__stream_release_read(s, g);
}

static bool is_pinned(const struct stream *s, uint64_t frame)
{
    for (uint32_t i = 0; i < STREAM_PINS; i++)
        if (s->pinned[i] == frame)
            return true;
    return false;
}

/* The first frame that is pinned or not passed. */
static uint64_t first_needed(const struct stream *s)
{
    uint64_t first = s->retire_before;

    for (uint32_t i = 0; i < STREAM_PINS; i++)
        if (s->pinned[i] < first)
            first = s->pinned[i];
    return first;
}

static void retire_group(struct stream *s, struct stream_group *g)
{
    bool is_kept = is_anchor_needed(s, g);

    if (g->state != GROUP_COMPLETE)
        return;
    for (uint32_t i = 0; i < g->info->frame_count; i++) {
        struct stream_frame *f = stream_group_frame(g, i);

        if (g->first + i >= s->retire_before)
            break;
        if (f->state == FRAME_RETIRED || is_pinned(s, g->first + i) ||
            (is_kept && i == g->anchor_index))
            continue;
        if (f->state != FRAME_EMPTY)
            spn__play_trace(s->manager, TRACE_RETIRE, s->node_handle,
                            g->info->first_frame + i, 0);
        free_frame(s, g, i);
    }
}

void spn__stream_retire(struct stream *s)
{
    uint64_t needed = first_needed(s);

    for (uint32_t i = s->group_count; i-- > 0;)
        skip_group(s, spn__stream_group(s, s->first_place + i));
    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = spn__stream_group(s, s->first_place + i);

        if (g->first >= s->retire_before)
            break;
        retire_group(s, g);
    }
    while (s->group_count > 0) {
        const struct stream_group *g = spn__stream_group(s, s->first_place);

        if (end_of(g) > needed ||
            (g->state != GROUP_COMPLETE && g->state != GROUP_SKIPPED) ||
            is_anchor_needed(s, g))
            break;
        spn__stream_pop_front(s);
    }
    spn__stream_update_promise(s);
}
