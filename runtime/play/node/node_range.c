/* node_range.c - the frames that lie in a range of times. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_range.h"

/* True if the range is all of the clip: in a loop the picture goes on from the
 * last frame to the first one, in one more interval of frames. */
static bool is_whole(const struct node *n)
{
    const struct node_range *r = &n->range;

    return r->mode != SPN_PING_PONG && r->first_us == 0 &&
           r->last_us >= n->cache->loop_us;
}

/* The first frame at or behind a time; the last frame if there is none. */
static uint32_t frame_behind(const struct cache *c, int64_t time_us)
{
    const uint32_t before = spn__cache_frame_before(c, time_us);

    return before + (cache_frame_at(c, before)->time_us < time_us &&
                     before + 1 < c->header.frame_count);
}

void spn__node_find_span(struct node *n)
{
    const struct cache *c = n->cache;
    const struct node_range *r = &n->range;
    const int64_t end_us = c->header.duration_us;
    struct cursor *s = &n->cursor;
    struct span span = {0};
    uint32_t last;

    if (n->has_span)
        return;
    span.first_us = clamp_i64(r->first_us, 0, end_us);
    span.last_us = clamp_i64(r->last_us, span.first_us, end_us);
    span.first_frame = spn__cache_frame_before(c, span.first_us);
    last = frame_behind(c, span.last_us);
    span.frame_count = last - span.first_frame + 1;
    span.first_group = cache_frame_at(c, span.first_frame)->group;
    span.group_count = cache_frame_at(c, last)->group - span.first_group + 1;
    span.leg_us = is_whole(n) ? c->loop_us : span.last_us - span.first_us;
    span.leg_max =
        span.leg_us > 0 ? (uint64_t)(INT64_MAX / span.leg_us) - 1 : UINT64_MAX;
    s->is_looping =
        r->mode != SPN_ONCE && span.frame_count > 1 && span.leg_us > 0;
    span.is_part = !is_whole(n);
    span.is_ping_pong = s->is_looping && r->mode == SPN_PING_PONG;
    s->span = span;
    n->has_span = true;
}
