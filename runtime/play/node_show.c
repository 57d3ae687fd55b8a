/* node_show.c - which frames a time wants, and which of them can be shown. */
/* SPDX-License-Identifier: MIT */
#include "play/node_show.h"

#include "play/stream_memory.h"

/* Integers decide which frames; only alpha is a float. */
void spn__node_find_wanted(struct node *n)
{
    const struct stream *s = &n->stream;
    int64_t floor_us;
    int64_t ceil_us;
    bool is_last;

    n->wanted = (struct node_picture){.is_valid = true, .is_exact = true};
    n->wanted.floor = spn__stream_frame_before(s, n->playback_us);
    n->wanted.ceil = n->wanted.floor;
    is_last =
        !s->is_looping && n->wanted.floor + 1 >= n->cache->header.frame_count;
    if (is_last || n->manager->config.tuning->value[TUNING_interpolate] == 0)
        return;
    floor_us = spn__stream_frame_time(s, n->wanted.floor);
    if (n->playback_us == floor_us)
        return;
    n->wanted.ceil = n->wanted.floor + 1;
    ceil_us = spn__stream_frame_time(s, n->wanted.ceil);
    n->wanted.alpha =
        (float)(n->playback_us - floor_us) / (float)(ceil_us - floor_us);
}

static bool is_decoded(const struct stream *s, uint64_t frame)
{
    const struct stream_frame *f = spn__stream_frame(s, frame);

    return f && f->state == FRAME_READY;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)(a - b) : (uint64_t)(b - a);
}

/* The decoded frame nearest in time; of two equally near the earlier one. */
static bool find_nearest(const struct node *n, uint64_t *out)
{
    const struct stream *s = &n->stream;
    uint64_t best = UINT64_MAX;

    for (uint32_t i = 0; i < s->frame_count; i++) {
        uint64_t frame = s->first_frame + i;
        uint64_t far;

        if (!is_decoded(s, frame))
            continue;
        far = distance(spn__stream_frame_time(s, frame), n->playback_us);
        if (far >= best)
            continue;
        best = far;
        *out = frame;
    }
    return best != UINT64_MAX;
}

bool spn__node_find_shown(struct node *n)
{
    struct stream *s = &n->stream;
    uint64_t nearest = 0;

    if (!s->is_active || s->is_draining) {
        /* The last frame stays visible until another one is decoded. */
        n->shown.is_exact = false;
        return false;
    }
    if (is_decoded(s, n->wanted.floor) && is_decoded(s, n->wanted.ceil)) {
        n->shown = n->wanted;
    } else if (find_nearest(n, &nearest)) {
        n->shown = (struct node_picture){
            .is_valid = true, .floor = nearest, .ceil = nearest};
    } else {
        n->shown.is_exact = false;
        n->shown.is_valid =
            n->shown.is_valid && n->shown.is_held_frame && s->held_frame;
        return false;
    }
    spn__stream_drop_held_frame(s);
    return true;
}

struct frame_control *spn__node_frame(const struct node *n,
                                      const struct node_picture *picture,
                                      uint64_t frame)
{
    const struct stream_frame *f;

    if (!picture->is_valid)
        return NULL;
    if (picture->is_held_frame)
        return n->stream.held_frame;
    f = spn__stream_frame(&n->stream, frame);
    return f && f->state == FRAME_READY ? f->control : NULL;
}
