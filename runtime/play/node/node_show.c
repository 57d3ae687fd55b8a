/* node_show.c - which frames a time wants, and which of them can be shown. */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_show.h"

#include "play/cursor_keep.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"

static bool is_last(const struct node *n, uint64_t frame)
{
    return !n->cursor.is_looping && frame + 1 >= n->cursor.span.frame_count;
}

/* Integers decide which frames; only alpha is a float. */
static float alpha_of(const struct node *n, uint64_t floor, uint64_t ceil)
{
    const struct cursor *s = &n->cursor;
    const int64_t floor_us = spn__cursor_frame_time(s, floor);

    if (floor == ceil)
        return 0;
    return (float)(n->playback_us - floor_us) /
           (float)(spn__cursor_frame_time(s, ceil) - floor_us);
}

bool spn__node_interpolates(const struct node *n)
{
    return n->manager->config.tuning->value[TUNING_interpolate] != 0;
}

void spn__node_find_wanted(struct node *n)
{
    const struct cursor *s = &n->cursor;
    struct node_picture *p = &n->wanted;

    n->is_interpolating = spn__node_interpolates(n);
    n->due = spn__cursor_frame_before(s, n->playback_us);
    *p = (struct node_picture){
        .is_valid = true, .is_exact = true, .floor = n->due};
    while (p->floor > 0 && !spn__cursor_keeps(s, p->floor))
        p->floor = spn__cursor_clip_step(s, p->floor, false);
    p->ceil = p->floor;
    if (is_last(n, n->due) || !n->is_interpolating ||
        n->playback_us == spn__cursor_frame_time(s, p->floor))
        return;
    p->ceil = spn__cursor_clip_step(s, n->due, true);
    while (!is_last(n, p->ceil) && !spn__cursor_keeps(s, p->ceil))
        p->ceil = spn__cursor_clip_step(s, p->ceil, true);
    if (!spn__cursor_keeps(s, p->ceil))
        p->ceil = p->floor;
    p->alpha = alpha_of(n, p->floor, p->ceil);
}

/* With buffers of the engine, a frame is there when its buffer is written. */
static bool is_decoded(const struct node *n, uint64_t frame)
{
    const struct cursor *s = &n->cursor;
    const struct frame_slot *slot =
        frame_slot_at(s->cache, spn__cursor_number(s, frame));

    return slot->state == FRAME_READY && !spn__cursor_rejects(s, slot) &&
           (!cache_has_buffers(s->cache) ||
            frame_buffer_state(slot->frame) == BUFFER_WRITTEN);
}

/* The frame, which is decoded, lacks a mesh that the node wants. */
static bool lacks_meshes(const struct node *n, uint64_t frame)
{
    const struct cursor *s = &n->cursor;

    return cursor_lacks(
        s, frame_slot_ready(s->cache, spn__cursor_number(s, frame)));
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)(a - b) : (uint64_t)(b - a);
}

/* A candidate for the decoded frame nearest in time. */
static void consider(const struct node *n, uint64_t frame, uint64_t *best,
                     uint64_t *out)
{
    uint64_t far;

    if (!is_decoded(n, frame))
        return;
    far = distance(spn__cursor_frame_time(&n->cursor, frame), n->playback_us);
    if (far < *best) {
        *best = far;
        *out = frame;
    }
}

/* The decoded frame nearest in time; of two equally near the earlier one. The
 * frames before the time and those behind it are each in the order of distance,
 * so the first decoded one of each is enough. */
static bool find_nearest(const struct node *n, uint64_t *out)
{
    const struct cursor *s = &n->cursor;
    const uint64_t due = n->due;
    uint64_t best = UINT64_MAX;

    for (uint32_t k = 0;
         k <= CURSOR_SEARCH_FRAMES && k <= due && best == UINT64_MAX; k++)
        consider(n, due - k, &best, out);
    for (uint32_t k = 1; k <= CURSOR_SEARCH_FRAMES; k++) {
        if (!s->is_looping && due + k >= s->span.frame_count)
            break;
        if (is_decoded(n, due + k)) {
            consider(n, due + k, &best, out);
            break;
        }
    }
    if (best == UINT64_MAX && s->has_lost_all)
        consider(n, s->fallback, &best, out);
    return best != UINT64_MAX;
}

/* The nearest pair of decoded frames around the time, within the wanted ones:
 * frames that are left out may be decoded all the same. */
static bool find_pair(struct node *n)
{
    const struct cursor *s = &n->cursor;
    const struct node_picture *wanted = &n->wanted;
    uint64_t floor = n->due;
    uint64_t ceil;

    while (floor != wanted->floor && !is_decoded(n, floor))
        floor = spn__cursor_clip_step(s, floor, false);
    ceil = floor;
    if (wanted->ceil != wanted->floor &&
        n->playback_us != spn__cursor_frame_time(s, floor)) {
        ceil = spn__cursor_clip_step(s, n->due, true);
        while (ceil != wanted->ceil && !is_decoded(n, ceil))
            ceil = spn__cursor_clip_step(s, ceil, true);
    }
    if (!is_decoded(n, floor) || !is_decoded(n, ceil))
        return false;
    n->shown = (struct node_picture){.is_valid = true,
                                     .is_exact = true,
                                     .floor = floor,
                                     .ceil = ceil,
                                     .alpha = alpha_of(n, floor, ceil)};
    return true;
}

/* Keep the earlier frame of what is shown, as long as it is in memory. */
static void keep_stale(struct node *n)
{
    struct node_picture *p = &n->shown;

    p->is_exact = false;
    p->is_stale = true;
    p->ceil = p->floor;
    p->alpha = 0;
    p->is_valid = p->is_valid && is_decoded(n, p->floor);
}

bool spn__node_find_shown(struct node *n)
{
    uint64_t nearest = 0;

    if (!manager_is_on(n->manager)) {
        n->shown = (struct node_picture){0};
        return false;
    }
    if (!cursor_is_playing(&n->cursor)) {
        n->shown.is_exact = false;
        return false;
    }
    if (find_pair(n)) {
        n->shown.lacks_meshes =
            lacks_meshes(n, n->shown.floor) || lacks_meshes(n, n->shown.ceil);
        n->is_seeking = false;
        return true;
    }
    if (find_nearest(n, &nearest)) {
        n->shown = (struct node_picture){.is_valid = true,
                                         .is_stale = n->is_seeking,
                                         .floor = nearest,
                                         .ceil = nearest};
        return true;
    }
    keep_stale(n);
    return false;
}

bool spn__node_shows_wanted(const struct node *n)
{
    return n->shown.is_exact && spn__node_frame(n, &n->shown, n->shown.floor) &&
           spn__node_frame(n, &n->shown, n->shown.ceil);
}

bool spn__node_can_show_wanted(const struct node *n)
{
    return cursor_is_playing(&n->cursor) && is_decoded(n, n->wanted.floor) &&
           is_decoded(n, n->wanted.ceil);
}

struct decoded_frame *spn__node_frame(const struct node *n,
                                      const struct node_picture *picture,
                                      uint64_t frame)
{
    if (!picture->is_valid || !n->cursor.is_active)
        return NULL;
    return frame_slot_ready(n->cache, spn__cursor_number(&n->cursor, frame));
}

bool spn__node_picture_frames(const struct node *n,
                              const struct node_picture *picture,
                              struct fill_frames *out)
{
    out->floor = spn__node_frame(n, picture, picture->floor);
    out->ceil = spn__node_frame(n, picture, picture->ceil);
    out->alpha = picture->alpha;
    if (!out->ceil) {
        out->ceil = out->floor;
        out->alpha = 0;
    }
    return out->floor != NULL;
}
