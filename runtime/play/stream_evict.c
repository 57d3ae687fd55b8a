/* stream_evict.c - which groups a stream can give up. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_evict.h"

#include "base/assert.h"
#include "play/stream_life.h"
#include "play/stream_memory.h"
#include "play/stream_window.h"

/* True for the groups of the wanted frame, of the next one, and of the later
 * shown frame, which may lie behind these. If no later frame is shown,
 * pinned[1] is STREAM_NO_PLACE, and + 1 makes it 0. */
static bool is_wanted(const struct stream *s, const struct stream_group *g)
{
    return s->group_count < 2 || g->first <= s->wanted + 1 ||
           g->first < s->pinned[1] + 1;
}

/* True if the last group lies beyond the promise and is not needed soon. Groups
 * that were only read lie behind decoded ones. So if decoded pages exceed their
 * promise, a read goes, too, even if the promise covers it. */
static bool may_drop(const struct stream *s, const struct stream_group *g)
{
    bool has_frames = s->decoded_pages > s->decode_promise;

    if (is_wanted(s, g))
        return false;
    if (g->state == GROUP_WAITING)
        return s->read_pages > s->read_promise || has_frames;
    return g->state == GROUP_COMPLETE && has_frames;
}

static const struct stream_group *last_group(const struct stream *s)
{
    return spn__stream_group(s, s->first_place + s->group_count - 1);
}

bool spn__stream_evict(struct stream *s)
{
    uint8_t read;
    bool has_dropped = false;

    SPN_ASSERT(s->is_active);
    SPN_ASSERT(!s->is_draining);
    if (s->group_count == 0)
        return false;
    read = last_group(s)->read;
    /* Remove all last groups that share a read, so that its buffer is freed;
     * then decoded groups, down to the promise. */
    while (may_drop(s, last_group(s)) &&
           (last_group(s)->read == read ||
            last_group(s)->state == GROUP_COMPLETE)) {
        spn__stream_pop_back(s);
        has_dropped = true;
    }
    if (has_dropped)
        spn__stream_update_promise(s);
    return has_dropped;
}

/* How long a stream must have lacked memory before it frees its own, because
 * other streams may free pages meanwhile. */
#define LACK_US_MIN 100000u

bool spn__stream_make_room(struct stream *s)
{
    uint64_t now_us = s->manager->now_us;

    if (!s->lacks_memory || s->decoded_pages == 0 ||
        now_us - s->lacks_since_us < LACK_US_MIN)
        return false;
    s->lacks_since_us = now_us;
    if (s->held_frame) {
        spn__stream_drop_held_frame(s);
        return true;
    }
    s->frees_held_frame = true;
    spn__stream_drain(s);
    return true;
}
