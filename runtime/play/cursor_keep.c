/* cursor_keep.c - mark memory as needed, held and charged. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_keep.h"

#include "play/frame_slot.h"
#include "play/group_read.h"

static struct keeper *keeper_of(const struct cursor *s)
{
    return &s->manager->promises.keeper;
}

/* In units of 1024 us. */
static uint32_t deadline(int64_t until_us)
{
    if (until_us < 0)
        return 0;
    return until_us >> 10 < UINT32_MAX ? (uint32_t)(until_us >> 10)
                                       : UINT32_MAX;
}

/* What a degraded cursor has beyond its promise is idle: the others come first.
 */
static bool needs_more(const struct cursor *s)
{
    return s->admission != SPN_DEGRADED;
}

/* Mark memory as needed; if it fits the promise, hold and charge it. */
static void keep(struct cursor *s, struct kept *k, bool fits, int64_t until_us)
{
    if (fits || needs_more(s))
        spn__kept_need(keeper_of(s), k, deadline(until_us));
    if (fits)
        spn__promise_hold(&s->manager->promises, &s->account, k);
}

bool spn__cursor_lacks(const struct cursor *s, const struct decoded_frame *f)
{
    for (uint32_t t = 0; f->lacks && t < s->cache->header.tile_count; t++)
        if (decoded_frame_omits(f, t) && spn__cursor_wants_tile(s, t))
            return true;
    return false;
}

/* A frame that lacks a wanted tile is kept all the same if its time comes so
 * soon that it would not be decoded again by then; but not for long, because in
 * a short range that repeats the time of each frame comes soon. */
#define SOON_US 100000

static bool is_useless(const struct cursor *s, const struct frame_slot *slot,
                       int64_t until_us)
{
    return cursor_lacks(s, slot->frame) &&
           (until_us > SOON_US || spn__cursor_has_old_mask(s));
}

bool spn__cursor_rejects(const struct cursor *s, const struct frame_slot *slot)
{
    const struct kept *k = &slot->kept;
    const bool is_others = k->is_held && k->charged_to != s->account.index &&
                           keeper_of(s)->stamp - k->stamp <= 1;

    return !is_others && cursor_lacks(s, slot->frame) &&
           spn__cursor_is_still(s);
}

static void keep_frame(struct cursor *s, struct kept *k, int64_t until_us)
{
    const struct account *a = &s->account;

    keep(s, k, a->frame_pages + a->frame_reserve + k->pages <= a->frame_promise,
         until_us);
}

void spn__cursor_keep_frame(struct cursor *s, struct frame_slot *slot,
                            int64_t until_us)
{
    if (!is_useless(s, slot, until_us))
        keep_frame(s, &slot->kept, until_us);
}

void spn__cursor_keep_shown(struct cursor *s, struct frame_slot *slot)
{
    if (!cursor_lacks(s, slot->frame) || !spn__cursor_is_still(s))
        keep_frame(s, &slot->kept, 0);
}

void spn__cursor_keep_read(struct cursor *s, struct group_read *r,
                           int64_t until_us)
{
    const struct account *a = &s->account;
    const bool fits =
        a->read_pages + a->read_reserve + r->kept.pages <= a->read_promise;

    if (!fits && cursor_lacks_memory_long(s) && r->state == READ_DONE &&
        r->pins == 0 && !kept_is_held(keeper_of(s), &r->kept)) {
        spn__group_read_free(r);
        return;
    }
    r->wanted_stamp = keeper_of(s)->stamp;
    keep(s, &r->kept, fits, until_us);
}

void spn__cursor_want_read(struct cursor *s, struct group_read *r,
                           int64_t until_us)
{
    keep(s, &r->kept, false, until_us);
}

/* A ping-pong turns round: it needs first what it has used last. So there the
 * entries are freed that were used least recently. */
void spn__cursor_pass_read(struct cursor *s, struct group_read *r)
{
    if (!s->span.is_ping_pong)
        spn__kept_pass(keeper_of(s), &r->kept, !s->is_looping);
}
