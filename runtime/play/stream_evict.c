/* stream_evict.c - which groups a stream can give up. */
/* SPDX-License-Identifier: MIT */
#include "play/stream_evict.h"

#include "base/assert.h"
#include "play/stream_life.h"
#include "play/stream_memory.h"
#include "play/stream_window.h"

/* Frames that are needed now, or next; or the later one that is shown, where it
 * lies behind what is wanted (STREAM_NO_PLACE + 1 is 0). */
static bool is_wanted(const struct stream *s, const struct stream_group *g)
{
    return s->group_count < 2 || g->first <= s->wanted + 1 ||
           g->first < s->pinned[1] + 1;
}

/* May the last group of several go, which holds a read or is decoded? It can be
 * read again, at the price of the time. Reads lie behind what is decoded: where
 * frames must go, even a promised read gives way. */
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
    /* All groups that end this read, so that its memory comes back; then
     * decoded ones, until what was promised is left. */
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

/* Others may give pages back by themselves. */
#define PATIENCE_US 100000u

bool spn__stream_make_room(struct stream *s)
{
    uint64_t now_us = s->manager->now_us;

    if (!s->lacks_memory || s->decoded_pages == 0 ||
        now_us - s->lacks_since_us < PATIENCE_US)
        return false;
    s->lacks_since_us = now_us;
    if (s->held_frame) {
        spn__stream_drop_held_frame(s);
        return true;
    }
    s->is_out_of_room = true;
    spn__stream_drain(s);
    return true;
}
