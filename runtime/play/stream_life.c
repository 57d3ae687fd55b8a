/* stream_life.c - begin, continue and drain a stream. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_life.h"

#include "base/assert.h"
#include "play/cache_info.h"
#include "play/drive_share.h"
#include "play/stream_launch.h"
#include "play/stream_memory.h"
#include "play/stream_read_buffer.h"
#include "play/stream_window.h"

#include <spindle/features.h>

static spn_status refuse(struct stream *s, spn_status status, const char *what,
                         uint64_t value, uint64_t expected)
{
    s->status = status;
    s->fault = (spn_fault){.what = what,
                           .value = value,
                           .expected = expected,
                           .has_expected = 1,
                           .status = status,
                           .file = s->cache->path};
    return status;
}

/* Check that the stream can play in this heap and these tables. After this
 * check page counts fit 32 bits. */
static spn_status validate_size(struct stream *s)
{
    const struct cache *c = s->cache;
    uint64_t pages = (uint64_t)CACHE_LEAST_FRAMES(c) * c->plan.frame_pages +
                     c->read_pages_max;

    const struct heap *heap = s->manager->config.heap;

    if (s->capacity < 2 * c->group_frames_max)
        return refuse(s, SPN_ERR_TABLE_FULL, "frames of a stream", s->capacity,
                      2 * c->group_frames_max);
    /* The size of a read has 31 bits, on any heap. */
    if (pages > heap->page_count - c->pages ||
        (uint64_t)c->read_pages_max << heap->page_shift > STREAM_READ_BYTES_MAX)
        return refuse(s, SPN_ERR_MEMORY, "bytes of the heap",
                      (uint64_t)heap->page_count << heap->page_shift,
                      (pages + c->pages) << heap->page_shift);
    s->status = SPN_OK;
    return SPN_OK;
}

void spn__stream_begin(struct stream *s)
{
    SPN_ASSERT(s->cache->state == CACHE_READY);
    SPN_ASSERT(s->group_count == 0);
    if (validate_size(s) != SPN_OK)
        return;
    if (SPN_WITH_FRAME_BUFFERS && s->buffers)
        s->buffers_max = spn__cache_frame_buffers(
            s->cache,
            s->manager->config.tuning->value[TUNING_decode_ahead_ms] * 1000,
            s->capacity);
    s->is_active = true;
    s->is_draining = false;
    s->next_place = spn__stream_group_of(s, s->wanted);
    s->first_place = s->next_place;
    s->retire_before = s->wanted;
    s->lacks_slots = false;
    s->lacks_memory = false;
    s->frees_held_frame = false;
    for (uint32_t i = 0; i < STREAM_PINS; i++)
        s->pinned[i] = STREAM_NO_PLACE;
    atomic_store_relaxed(&s->is_cancelled, 0);
    spn__drive_share_request(s);
    spn__stream_update_promise(s);
}

/* True if the next read can continue the window: there is room for it beside
 * the frames that are shown until it is decoded. If the group before was not
 * launched, only its anchor would be needed, but its read would occupy the
 * promised memory. Then a new start is better: it reads both with one read. */
static bool continues(const struct stream *s, uint64_t place)
{
    const struct cache_group *next = spn__stream_group_info(s, place);

    if (s->group_count > 0 && next->anchor_frame != CACHE_NONE &&
        (spn__stream_group(s, place - 1)->state == GROUP_WAITING ||
         spn__stream_group(s, place - 1)->state == GROUP_SKIPPED))
        return false;
    return spn__stream_has_room(s, 1, next->frame_count);
}

bool spn__stream_covers(const struct stream *s, uint64_t frame)
{
    uint64_t place = spn__stream_group_of(s, frame);

    SPN_ASSERT(s->is_active);
    SPN_ASSERT(!s->is_draining);
    if (place == s->next_place)
        return continues(s, place);
    if (!stream_has_group(s, place))
        return false;
    /* A skipped group is a gap: the window can be played only up to it. A group
     * behind it that was not launched has lost its anchor. */
    if (stream_has_group(s, place - 1) &&
        spn__stream_group(s, place - 1)->state == GROUP_SKIPPED &&
        spn__stream_group(s, place)->state == GROUP_WAITING)
        return false;
    for (uint64_t p = place; stream_has_group(s, p); p++)
        if (spn__stream_group(s, p)->state == GROUP_SKIPPED ||
            spn__stream_group(s, p)->is_anchor_only)
            return false;
    /* Not NULL: the window has all frames of its groups. */
    return spn__stream_frame(s, frame)->state != FRAME_RETIRED;
}

void spn__stream_drain(struct stream *s)
{
    if (s->is_draining || !s->is_active)
        return;
    s->is_draining = true;
    atomic_store_relaxed(&s->is_cancelled, 1);
    spn__stream_abort_reads(s);
}

bool spn__stream_drain_step(struct stream *s, bool keeps_held, uint64_t keep)
{
    SPN_ASSERT(s->is_draining);
    spn__stream_submit(s);
    if (spn__stream_collect(s) > 0 || spn__stream_has_pending_reads(s))
        return false;
    if (keeps_held && !s->frees_held_frame)
        spn__stream_hold_frame(s, keep);
    else
        spn__stream_drop_held_frame(s);
    while (s->group_count > 0)
        spn__stream_pop_front(s);
    s->frame_count = 0;
    s->is_active = false;
    s->is_draining = false;
    spn__stream_update_promise(s);
    return true;
}
