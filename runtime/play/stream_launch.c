/* stream_launch.c - memory, counters and jobs of a group. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_launch.h"

#include "base/assert.h"
#include "play/play_trace.h"
#include "play/stream_decode.h"
#include "play/stream_memory.h"

#include <spindle/features.h>

#define MS 1000

/* Memory. */

static bool is_arrived(const struct stream *s, const struct stream_group *g)
{
    return g->read != STREAM_NO_READ && s->reads[g->read].state == READ_DONE;
}

static spn_status alloc_frame(struct stream *s, struct stream_group *g,
                              uint32_t index)
{
    const struct stream_read *read = &s->reads[g->read];
    const struct cache_frame *frame =
        cache_frame_at(s->cache, g->info->first_frame + index);
    struct stream_frame *f = stream_group_frame(g, index);
    uint32_t at = (uint32_t)(frame->offset - read->offset);
    spn_status status;

    status = spn__frame_alloc(s->cache, read->block, at, f->is_readable,
                              &f->control);
    if (status == SPN_OK)
        s->decoded_pages += f->control->pages;
    return status;
}

static void free_frames(struct stream *s, struct stream_group *g)
{
    for (uint32_t i = 0; i < g->info->frame_count; i++) {
        struct stream_frame *f = stream_group_frame(g, i);

        if (f->state != FRAME_EMPTY || !f->control)
            continue;
        spn__stream_free_control(s, f->control, g->first + i);
        f->control = NULL;
    }
}

/* Allocate all frames of the group.
 *
 * before  the group before, if its anchor must be decoded, too; or NULL */
static bool alloc_group(struct stream *s, struct stream_group *g,
                        struct stream_group *before)
{
    spn_status status = SPN_OK;

    if (before)
        status = alloc_frame(s, before, before->anchor_index);
    for (uint32_t i = 0; status == SPN_OK && i < g->info->frame_count; i++)
        status = alloc_frame(s, g, i);
    if (status == SPN_OK)
        return true;
    free_frames(s, g);
    if (before)
        free_frames(s, before);
    return false;
}

/* Counters. */

static uint32_t wait_count(const struct cache_frame *frame)
{
    uint32_t count = 0;

    for (uint32_t r = 0; r < frame->reference_count; r++)
        count += frame->wait_mask >> r & 1u;
    return count;
}

static void prepare_frame(struct stream *s, struct stream_group *g,
                          uint32_t index, uint32_t waits)
{
    struct stream_frame *f = stream_group_frame(g, index);
    const struct stream_buffers *b = SPN_WITH_FRAME_BUFFERS ? s->buffers : NULL;
    uint32_t tile_count = s->cache->header.tile_count;

    if (b)
        f->control->vertices = b->engine.acquire(b->engine.user, s->node_handle,
                                                 g->info->first_frame + index);
    if (b && f->control->vertices)
        s->buffers_out++;
    f->first_dependent = 0;
    f->state = FRAME_RUNNING;
    atomic_store_relaxed(&f->failed, 0);
    atomic_store_relaxed(&f->unfinished, tile_count + 1);
    for (uint32_t t = 0; t < tile_count; t++) {
        struct tile_state *tile = &f->control->tiles[t];

        atomic_store_relaxed(&tile->counter, 1 + waits);
        tile->group = g;
        tile->argument = index << 24 | t;
    }
}

/* Enter this frame in the lists of the frames for which it waits. */
static void link_frame(struct stream *s, struct stream_group *g, uint32_t index)
{
    struct stream_frame *f = stream_group_frame(g, index);
    uint32_t number = g->info->first_frame + index;
    const struct cache_frame *frame = cache_frame_at(s->cache, number);

    for (uint32_t r = 0; r < frame->reference_count; r++) {
        uint32_t target = (uint32_t)((int64_t)number + frame->reference[r]);
        uint16_t *list = &g->anchor_dependents;

        if (!(frame->wait_mask >> r & 1u))
            continue;
        if (target >= g->info->first_frame)
            list = &stream_group_frame(g, target - g->info->first_frame)
                        ->first_dependent;
        f->next_edge[r] = *list;
        *list = (uint16_t)(index * CACHE_REFERENCES_MAX + r + 1);
    }
}

/* Have the jobs that decode the anchor's tiles release this group. For tiles
 * that are final already, this function releases it. */
static void subscribe(struct stream *s, struct stream_group *g)
{
    for (uint32_t t = 0; t < s->cache->header.tile_count; t++) {
        struct tile_state *tile = &g->anchor->control->tiles[t];
        uint32_t before = atomic_or_acq_rel(&tile->flags, TILE_SUBSCRIBED);

        if (before & TILE_DONE)
            spn__decode_release_anchor(g, t);
    }
}

static void launch_anchor(struct stream *s, struct stream_group *g)
{
    g->is_anchor_only = true;
    g->state = GROUP_LAUNCHED;
    g->submitted_count = 0;
    atomic_store_relaxed(&g->undecompressed, 1);
    prepare_frame(s, g, g->anchor_index, 0);
}

static void launch_group(struct stream *s, struct stream_group *g)
{
    uint32_t count = g->info->frame_count;

    g->anchor_dependents = 0;
    g->submitted_count = 0;
    g->state = GROUP_LAUNCHED;
    atomic_store_relaxed(&g->undecompressed, count);
    for (uint32_t i = 0; i < count; i++)
        prepare_frame(
            s, g, i,
            wait_count(cache_frame_at(s->cache, g->info->first_frame + i)));
    for (uint32_t i = 0; i < count; i++)
        link_frame(s, g, i);
    if (g->anchor)
        subscribe(s, g);
    spn__play_trace(s->manager, TRACE_DECODE_START, s->node_handle,
                    g->info->first_frame, count);
}

/* False if its data has not arrived, or there is no memory for it. */
static bool try_launch(struct stream *s, struct stream_group *g)
{
    struct stream_group *before =
        NULL; /* group whose anchor is launched with it */
    uint32_t frames = g->info->frame_count;
    uint32_t pages;
    uint32_t left;

    if (!is_arrived(s, g))
        return false;
    g->anchor = NULL;
    if (g->info->anchor_frame != CACHE_NONE) {
        struct stream_group *b = spn__stream_group(s, g->place - 1);

        SPN_ASSERT(stream_has_group(s, g->place - 1));
        g->anchor = stream_group_frame(b, b->anchor_index);
        if (b->state == GROUP_WAITING) {
            if (!is_arrived(s, b))
                return false;
            before = b;
            frames++;
        }
        SPN_ASSERT(before || g->anchor->control);
    }
    /* Buffers of frames that playback has passed come back later. */
    if (SPN_WITH_FRAME_BUFFERS && s->buffers &&
        s->buffers_out + frames > s->buffers_max)
        return false;
    pages = frames * s->cache->plan.frame_pages;
    left = stream_unused_pages(s->decode_promise, s->decoded_pages);
    if ((pages > left &&
         !spn__promise_may_take(&s->manager->promises, pages, left)) ||
        !alloc_group(s, g, before)) {
        spn__play_trace(s->manager, TRACE_ALLOC_FAIL, s->node_handle,
                        g->info->first_frame, frames);
        if (pages <= left)
            s->manager->promises.wants_eviction = true;
        /* Only the wanted frame and the next one are needed now. */
        if (g->first <= s->wanted + 1)
            s->lacks_memory = true;
        return false;
    }
    if (before)
        launch_anchor(s, before);
    launch_group(s, g);
    return true;
}

/* Jobs. */

/* Index of the frame that has this rank in the decode order. */
static uint32_t frame_of_rank(const struct stream_group *g, uint32_t rank)
{
    const struct cache *c = g->stream->cache;
    uint32_t first = g->info->first_frame;

    for (uint32_t i = 0; i < g->info->frame_count; i++)
        if (cache_frame_at(c, first + i)->decode_rank == rank)
            return i;
    return CACHE_NONE;
}

static bool submit_group(struct stream *s, struct stream_group *g)
{
    struct jobs *jobs = s->manager->config.jobs;

    while (g->submitted_count < g->info->frame_count) {
        uint32_t index = frame_of_rank(g, g->submitted_count);

        SPN_ASSERT(index != CACHE_NONE);
        if ((!g->is_anchor_only || index == g->anchor_index) &&
            !spn__jobs_submit(jobs, spn__decode_frame_job, g, index))
            return false;
        g->submitted_count++;
    }
    return true;
}

void spn__stream_submit(struct stream *s)
{
    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = spn__stream_group(s, s->first_place + i);

        if (g->state == GROUP_LAUNCHED && !submit_group(s, g))
            return;
    }
}

void spn__stream_launch(struct stream *s)
{
    int64_t ahead_us =
        (int64_t)s->manager->config.tuning->value[TUNING_decode_ahead_ms] * MS;

    s->lacks_memory = false;
    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = spn__stream_group(s, s->first_place + i);

        if (g->state != GROUP_WAITING || g->is_anchor_only ||
            g->first + g->info->frame_count <= s->wanted)
            continue;
        if (spn__stream_group_time(s, g->place) - s->playback_us > ahead_us ||
            !try_launch(s, g))
            break;
        if (!submit_group(s, g))
            break;
    }
    if (!s->lacks_memory)
        s->lacks_since_us = s->manager->now_us;
    spn__stream_submit(s);
    spn__stream_update_promise(s);
}
