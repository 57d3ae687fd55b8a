/* node_ahead.c - which frames ahead of a node are wanted, decoded and read.
 *
 * Goes on by groups, because hundreds of frames can be ahead of each node. It
 * looks at single frames only where a group is in memory in part, and where
 * frames are left out.
 */
/* SPDX-License-Identifier: MIT */
#include "play/node/node_ahead.h"

#include "base/minmax.h"
#include "play/arrival.h"
#include "play/cursor_keep.h"
#include "play/frame_slot.h"
#include "play/group_table.h"

enum range { WANTED, DECODED, READ };

/* Time from playback, in its direction, to a frame that is not in a range. */
static int64_t time_to(const struct node *n, uint64_t frame)
{
    const struct cursor *s = &n->cursor;
    const int64_t us =
        spn__cursor_frame_time(s, frame + s->is_backward) - n->playback_us;

    return s->is_backward ? -us : us;
}

static int64_t time_to_end(const struct node *n)
{
    return n->cursor.is_backward
               ? n->playback_us
               : spn__cursor_end_us(&n->cursor) - n->playback_us;
}

/* Frames that playback passes from `frame` on before it leaves the group, or
 * the leg. One if frames may be left out.
 *
 * step  set to what is added to a number for the next one: 1 or UINT32_MAX */
static uint32_t frames_of_group(const struct cursor *s, uint64_t frame,
                                uint32_t *step)
{
    const struct span *span = &s->span;
    const uint32_t number = spn__cursor_number(s, frame);
    const struct cache_group *info =
        cache_group_at(s->cache, cache_frame_at(s->cache, number)->group);

    *step = 1;
    if (s->near_cut > 0)
        return 1;
    if (!spn__cursor_runs_back(s, spn__cursor_place_of(s, frame)))
        return min_u32(info->first_frame + info->frame_count,
                       span->first_frame + span->frame_count) -
               number;
    *step = UINT32_MAX;
    return number - max_u32(info->first_frame, span->first_frame) + 1;
}

/* All frames of a group are in the range. */
static bool has_group(const struct cursor *s, enum range range, uint32_t group)
{
    const struct cache *c = s->cache;
    const bool is_ready = cache_group_slot_at(c, group)->ready_count ==
                          cache_group_at(c, group)->frame_count;

    switch (range) {
    case WANTED:
        break;
    case DECODED:
        return is_ready && !c->has_lacking;
    case READ:
        return is_ready || spn__group_table_has_all(c, group);
    }
    return false;
}

/* Decoded: with all meshes that the node wants. Read: or decoded. */
static bool has_frame(const struct cursor *s, enum range range, uint64_t frame,
                      uint32_t number)
{
    const struct frame_slot *slot = frame_slot_at(s->cache, number);

    switch (range) {
    case WANTED:
        return spn__cursor_time_until(s, frame) <= cursor_ahead_us(s);
    case DECODED:
        return slot->state == FRAME_READY && !cursor_lacks(s, slot->frame);
    case READ:
        break;
    }
    if (slot->state == FRAME_EMPTY)
        return spn__group_table_has(s->cache, number);
    return slot->state != FRAME_RUNNING || !arrival_is_awaited(slot->frame);
}

static uint64_t frame_after(const struct cursor *s, uint64_t frame,
                            uint32_t count)
{
    return s->is_backward ? frame - count : frame + count;
}

/* How many of `count` frames of a group are in the range, without a gap. */
static uint32_t count_frames(const struct cursor *s, enum range range,
                             uint64_t frame, uint32_t step, uint32_t count)
{
    const uint32_t number = spn__cursor_number(s, frame);
    uint32_t i = 0;

    if (has_group(s, range, cache_frame_at(s->cache, number)->group))
        return count;
    while (i < count &&
           has_frame(s, range, frame_after(s, frame, i), number + i * step))
        i++;
    return i;
}

static struct node_range_ahead look(const struct node *n, enum range range)
{
    const struct cursor *s = &n->cursor;
    uint64_t frame = s->wanted;
    struct node_range_ahead out = {.first = spn__cursor_number(s, frame)};

    for (;;) {
        uint32_t step;
        const uint32_t limit = min_u32(frames_of_group(s, frame, &step),
                                       s->frames_max - out.count);
        const uint32_t count = count_frames(s, range, frame, step, limit);

        if (count > 0) {
            frame = frame_after(s, frame, count - 1);
            out.count += count;
            out.last = spn__cursor_number(s, frame);
            if (!spn__cursor_next_frame(s, &frame)) {
                out.us = time_to_end(n);
                return out;
            }
        }
        if (count < limit || out.count == s->frames_max)
            break;
    }
    if (out.count == 0)
        return (struct node_range_ahead){0};
    out.us = time_to(n, frame);
    return out;
}

void spn__node_look_ahead(const struct node *n, struct node_ahead *out)
{
    *out = (struct node_ahead){0};
    if (!node_has_ready_cache(n) || !cursor_is_playing(&n->cursor))
        return;
    out->wanted = look(n, WANTED);
    out->decoded = look(n, DECODED);
    out->read = look(n, READ);
}
