/* cursor_lost.c - try lost frames again, count them, and replace them. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_lost.h"

#include "play/frame_slot.h"
#include "play/group_table.h"

/* Call `visit` for each frame of a group that was lost in an earlier
 * traversal, until it returns false. */
static bool visit_lost(struct cursor *s, uint32_t group,
                       bool (*visit_one)(struct cursor *s, uint32_t number))
{
    const struct cache *c = s->cache;
    const struct cache_group *info = cache_group_at(c, group);

    for (uint32_t i = 0; i < info->frame_count; i++) {
        const uint32_t n = info->first_frame + i;
        const struct frame_slot *slot = frame_slot_at(c, n);

        if (slot->state == FRAME_FAILED &&
            (int32_t)(slot->failed_stamp - s->retry_stamp) < 0 &&
            !visit_one(s, n))
            return false;
    }
    return true;
}

/* Bytes of a read that was started before the frame was lost may be bad. */
static struct group_read *bad_read(const struct cursor *s, uint32_t number)
{
    const struct frame_slot *slot = frame_slot_at(s->cache, number);
    struct group_read *r = spn__group_table_read(s->cache, number);

    return r && (int32_t)(r->start_stamp - slot->failed_stamp) <= 0 ? r : NULL;
}

static bool can_retry(struct cursor *s, uint32_t number)
{
    const struct group_read *r = bad_read(s, number);

    return !frame_slot_at(s->cache, number)->frame &&
           (!r || (r->state == READ_DONE && r->pins == 0));
}

static bool retry(struct cursor *s, uint32_t number)
{
    struct group_read *r = bad_read(s, number);

    if (r)
        spn__group_read_free(r);
    return spn__frame_slot_retry(s->cache, number);
}

/* Try a frame that was lost in an earlier traversal again, with the others of
 * its group and of the one before: all at once, because they refer to each
 * other. If something still uses what they had, the next update does it. */
void spn__cursor_retry(struct cursor *s, uint64_t frame)
{
    const uint32_t number = spn__cursor_number(s, frame);
    const uint32_t group = cache_frame_at(s->cache, number)->group;
    const bool has_anchor =
        cache_group_at(s->cache, group)->anchor_frame != CACHE_NONE;

    if ((has_anchor && !visit_lost(s, group - 1, can_retry)) ||
        !visit_lost(s, group, can_retry))
        return;
    if (has_anchor)
        (void)visit_lost(s, group - 1, retry);
    (void)visit_lost(s, group, retry);
}

static void note_lost(struct cursor *s)
{
    const struct cache *c = s->cache;

    s->frames_dropped++;
    /* The last damaged frame of the cache: this one, one to which it refers, or
     * one that was lost after them. */
    s->status = c->frame_fault.status;
    s->fault = c->frame_fault;
    s->fault_frame = c->fault_frame;
}

/* True if `frame` lies before `other` in the direction of playback. */
static bool is_behind(const struct cursor *s, uint64_t frame, uint64_t other)
{
    return s->is_backward ? frame > other : frame < other;
}

/* A new leg tries lost frames again. In a cache that plays from memory those
 * are left that were lost after all reasons to try again: otherwise each leg
 * would read and decode damaged frames. */
static void begin_leg(struct cursor *s)
{
    struct cache *c = s->cache;

    if (c->keeps_frames) {
        s->retry_stamp = c->retry_stamp;
    } else {
        s->retry_stamp = s->manager->promises.keeper.stamp;
        spn__frame_slot_allow_retry(c);
    }
}

void spn__cursor_count_lost(struct cursor *s)
{
    const uint32_t count = s->span.frame_count;

    if (s->next_undecided == CURSOR_NO_POSITION)
        return;
    if (is_behind(s, s->next_undecided, cursor_first(s)))
        s->next_undecided = cursor_first(s);
    for (uint32_t i = 0; i < s->frames_max; i++) {
        const struct frame_slot *slot =
            frame_slot_at(s->cache, spn__cursor_number(s, s->next_undecided));
        const bool is_lost = spn__cursor_has_lost(s, s->next_undecided);
        const uint64_t loop = s->next_undecided / count;

        if ((slot->state != FRAME_READY && !is_lost &&
             spn__cursor_keeps(s, s->next_undecided)) ||
            spn__cursor_time_until(s, s->next_undecided) > cursor_ahead_us(s))
            return;
        if (is_lost)
            note_lost(s);
        if (!spn__cursor_next_frame(s, &s->next_undecided)) {
            s->next_undecided = CURSOR_NO_POSITION;
            return;
        }
        if (s->next_undecided / count != loop)
            begin_leg(s);
    }
}

/* The nearest frame before the wanted ones that is not lost. */
void spn__cursor_find_fallback(struct cursor *s)
{
    uint64_t frame = s->wanted;

    if (!s->has_lost_all)
        return;
    for (uint32_t i = 0; i < s->frames_max && frame > 0; i++)
        if (!spn__cursor_has_lost(s, --frame)) {
            s->fallback = frame;
            return;
        }
    s->has_lost_all = false;
}
