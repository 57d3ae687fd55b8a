/* governor.c - decide what cursors leave out. */
/* SPDX-License-Identifier: MIT */
#include "play/node/governor.h"

#include "base/minmax.h"
#include "play/cursor.h"
#include "play/cursor_life.h"
#include "play/cursor_range.h"
#include "play/level.h"
#include "play/node/node.h"

#define SECONDS_1000_US UINT64_C(1000000000)
/* Parts of the decode-ahead time: a frame that is needed within the first is in
 * danger; if none is needed within the second, all is well. */
#define DANGER_PART 8
#define HEALTH_PART 4
/* A need below this part of the capacity can be met, with time to catch up. */
#define NEED_PERCENT 90u
/* A cursor loses this part of the clip's frames at a time. It gets back the
 * same if there is time for it, otherwise a half of that. */
#define STEP_PART 16u
/* A cursor that lacked nothing for so long does not decode. */
#define IDLE_US 1000000u
/* Frames that were left out for the drive come back after so long. */
#define DRIVE_HOLD_US 4000000u

static struct cursor *cursor_at(const struct manager *m, uint32_t i)
{
    struct node *n = &m->nodes[i];

    return n->handle != 0 && cursor_is_playing(&n->cursor) ? &n->cursor : NULL;
}

#define EACH_CURSOR(m, s)                                                      \
    for (uint32_t i = 0; i < (m)->node_pool.capacity; i++)                     \
        for (struct cursor *s = cursor_at((m), i); s; s = NULL)

/* -- what cursors need -- */

/* True if two cursors need the same frames, so that each finds those that the
 * other one has decoded. */
static bool share(const struct cursor *a, const struct cursor *b)
{
    const int64_t period_us = span_period_us(&a->span);
    int64_t apart_us = a->position_us - b->position_us;

    if (a->cache != b->cache || a->is_backward != b->is_backward ||
        a->span.first_us != b->span.first_us ||
        a->span.leg_us != b->span.leg_us ||
        a->span.is_ping_pong != b->span.is_ping_pong)
        return false;
    if (apart_us < 0)
        apart_us = -apart_us;
    if (a->is_looping && b->is_looping) {
        apart_us %= period_us;
        if (apart_us > period_us - apart_us)
            apart_us = period_us - apart_us;
    }
    return apart_us <= cursor_ahead_us(a) && apart_us <= cursor_ahead_us(b);
}

static uint64_t importance_of(const struct cursor *s)
{
    return (uint64_t)s->importance << 16 | s->nearness;
}

/* The greatest cut that a cursor may have. */
static uint32_t cut_max(const struct cursor *s)
{
    return min_u32(level_cut_max(s->cache), s->cut_limit);
}

/* Cursor a shares frames with b. */
static void join(struct cursor *a, const struct cursor *b)
{
    a->shared_importance = max_u64(a->shared_importance, importance_of(b));
    a->shared_limit = (uint16_t)min_u32(a->shared_limit, cut_max(b));
}

/* Find the leader of each set of cursors that share: the one that leaves out
 * least; of these the one in the lowest slot. Only leaders need anything. */
static void find_leaders(struct manager *m)
{
    EACH_CURSOR(m, s)
    {
        s->is_leader = true;
        s->shared_importance = importance_of(s);
        s->shared_limit = (uint16_t)cut_max(s);
    }
    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct cursor *a = cursor_at(m, i);

        for (uint32_t k = i + 1; a && k < m->node_pool.capacity; k++) {
            struct cursor *b = cursor_at(m, k);

            if (!b || !share(a, b))
                continue;
            if (b->cut < a->cut)
                a->is_leader = false;
            else
                b->is_leader = false;
            join(a, b);
            join(b, a);
        }
    }
}

static bool decodes(const struct cursor *s)
{
    return s->manager->now_us - s->lack_us < IDLE_US;
}

/* The load that a cursor needs in a thousand seconds with a cut. */
static uint64_t need_with(const struct cursor *s, uint32_t cut)
{
    const struct cache *c = s->cache;

    if (!s->is_leader || !decodes(s) || c->loop_us == 0)
        return 0;
    return spn__level_frames(c, cut) * SECONDS_1000_US / (uint64_t)c->loop_us *
           c->plan.frame_pages * s->pace_permille / 1000;
}

/* The capacity that is left for one cursor beside all others. UINT64_MAX: the
 * capacity is not known. */
static uint64_t capacity_for(struct manager *m, const struct cursor *a)
{
    const uint64_t capacity = spn__decode_pace_capacity(&m->launches->pace);
    uint64_t left = capacity / 100 * NEED_PERCENT;

    if (capacity == 0)
        return UINT64_MAX;
    EACH_CURSOR(m, s)
    if (s != a) {
        const uint64_t need = need_with(s, s->cut);

        left = left > need ? left - need : 0;
    }
    return left;
}

/* -- lose -- */

static void set_cut(struct cursor *s, uint32_t cut, spn_shortage shortage)
{
    s->cut = (uint16_t)cut;
    if (s->near_cut < cut)
        s->near_cut = (uint16_t)cut;
    if (cut == 0)
        s->shortage = SPN_SHORTAGE_NONE;
    else if (shortage != SPN_SHORTAGE_NONE)
        s->shortage = shortage;
    s->has_new_cut = true;
}

static uint32_t step_frames(const struct cursor *s)
{
    return s->cache->header.frame_count / STEP_PART + 1;
}

/* Lower a cursor, and those that need the same frames with it. */
static void lower_to(struct manager *m, struct cursor *a, uint32_t cut,
                     spn_shortage shortage)
{
    EACH_CURSOR(m, s)
    if (s->cut < cut && (s == a || share(s, a)))
        set_cut(s, cut, shortage);
}

/* The cut of a cursor that loses one step more. */
static uint32_t lower_cut(const struct cursor *s)
{
    return min_u32(spn__level_lower(s->cache, s->cut, step_frames(s)),
                   s->shared_limit);
}

static bool loses_before(const struct cursor *a, const struct cursor *b)
{
    if (a->shared_importance != b->shared_importance)
        return a->shared_importance < b->shared_importance;
    return a->cut <= b->cut;
}

/* The cursor that loses the next step; NULL: none can. */
static struct cursor *find_loser(struct manager *m)
{
    struct cursor *best = NULL;

    EACH_CURSOR(m, s)
    if (s->is_leader && decodes(s) && s->cut < s->shared_limit &&
        (!best || loses_before(s, best)))
        best = s;
    return best;
}

/* -- return -- */

static bool returns_before(const struct cursor *a, const struct cursor *b)
{
    if (a->shared_importance != b->shared_importance)
        return a->shared_importance > b->shared_importance;
    return a->cut > b->cut;
}

/* The cursor that returns next; NULL: none. One whose last return has not
 * reached the playback time yet waits. */
static struct cursor *find_returning(struct manager *m)
{
    struct cursor *best = NULL;

    EACH_CURSOR(m, s)
    if (s->is_leader && s->cut > 0 && s->cut == s->near_cut &&
        (s->shortage != SPN_SHORTAGE_DRIVE ||
         m->now_us - m->governor->unread_us >= DRIVE_HOLD_US) &&
        (!best || returns_before(s, best)))
        best = s;
    return best;
}

/* Leave out less from the end of the decode-ahead time on. */
static void raise(struct cursor *s, uint32_t cut)
{
    s->cut_from = s->horizon;
    set_cut(s, cut, SPN_SHORTAGE_NONE);
}

static void raise_shared(struct manager *m, struct cursor *a, uint32_t cut)
{
    EACH_CURSOR(m, s)
    if (s->cut > cut && (s == a || share(s, a)))
        raise(s, cut);
}

static void return_levels(struct manager *m, uint64_t hold_us)
{
    struct governor *g = m->governor;
    struct cursor *s = find_returning(m);
    uint64_t capacity;
    uint32_t cut = 0;

    if (!s)
        return;
    capacity = capacity_for(m, s);
    while (cut < s->cut && need_with(s, cut) > capacity)
        cut++;
    if (cut == s->cut) {
        if (m->now_us - g->raised_us < hold_us)
            return;
        g->raised_us = m->now_us;
        cut = spn__level_raise(s->cache, s->cut, step_frames(s) / 2);
    }
    raise_shared(m, s, cut);
}

/* -- the state of all -- */

/* Playback has reached the frames of the last return, or rests. */
static void end_return(struct cursor *s)
{
    const uint64_t first = cursor_first(s);
    const bool is_before =
        s->is_backward ? first > s->cut_from : first < s->cut_from;

    if (!is_before || s->pace_permille == 0)
        spn__cursor_end_return(s);
}

struct health {
    bool is_strained;  /* a frame is in danger, for lack of time */
    bool is_late;      /* a frame that is needed now was not decoded in time */
    bool lacks_memory; /* ... finds no memory */
    struct cursor *lacks_bytes; /* ... was not read: of this cursor */
    bool is_good;               /* no frame is near danger */
    bool is_whole;              /* no cursor leaves out frames */
};

static bool has_trouble(const struct health *h)
{
    return h->is_strained || h->lacks_memory || h->lacks_bytes;
}

static void examine_one(struct cursor *s, struct health *h)
{
    const int64_t ahead_us = cursor_ahead_us(s);

    /* Without a promise or while playback rests, nothing is in danger. */
    if (s->account.frame_promise == 0 || s->pace_permille == 0 ||
        s->ready_us >= ahead_us / HEALTH_PART)
        return;
    switch (s->lack) {
    case CURSOR_LACKS_TIME:
        h->is_good = false;
        h->is_late = h->is_late || s->ready_us < 0;
        h->is_strained = h->is_strained || s->ready_us < ahead_us / DANGER_PART;
        break;
    case CURSOR_LACKS_MEMORY:
        h->is_good = false;
        h->lacks_memory = h->lacks_memory || s->ready_us < 0;
        break;
    case CURSOR_LACKS_BYTES:
        if (s->ready_us < 0)
            h->lacks_bytes = s;
        break;
    }
}

/* While the capacity is less than the need, cursors lose a step each, the last
 * one only as much as is necessary. */
static void lose_for_decode(struct manager *m)
{
    for (uint32_t steps = m->order_count / 4 + 1; steps > 0; steps--) {
        struct cursor *s = find_loser(m);
        const uint64_t capacity = s ? capacity_for(m, s) : UINT64_MAX;
        uint32_t cut;

        if (!s || need_with(s, s->cut) <= capacity)
            return;
        cut = lower_cut(s);
        while (cut > s->cut + 1u && need_with(s, cut - 1) <= capacity)
            cut--;
        lower_to(m, s, cut, SPN_SHORTAGE_DECODE);
    }
}

/* Frames have been late for long: one step each `hold_us`. */
static void lose_slowly(struct manager *m, uint64_t hold_us,
                        spn_shortage shortage)
{
    struct governor *g = m->governor;
    struct cursor *s = find_loser(m);

    if (!s || m->now_us - g->late_since_us < 2 * hold_us)
        return;
    g->late_since_us += hold_us;
    lower_to(m, s, lower_cut(s), shortage);
}

/* Only the last level saves time of the drive, where a seek is shorter than the
 * frames that are left out. */
static void lose_for_drive(struct manager *m, const struct cursor *late,
                           uint64_t hold_us)
{
    struct governor *g = m->governor;
    struct cursor *best = NULL;

    g->unread_us = m->now_us;
    if (m->now_us - g->unread_since_us < 2 * hold_us)
        return;
    g->unread_since_us += hold_us;
    EACH_CURSOR(m, s)
    if (s->is_leader && s->cache->medium == late->cache->medium &&
        s->cut < level_cut_max(s->cache) &&
        s->shared_limit == level_cut_max(s->cache) &&
        spn__cursor_can_skip(
            s, spn__cursor_group(s, spn__cursor_place_of(s, s->wanted))) &&
        (!best || loses_before(s, best)))
        best = s;
    if (best)
        lower_to(m, best, level_cut_max(best->cache), SPN_SHORTAGE_DRIVE);
}

static void lose_frames(struct manager *m, const struct health *h,
                        uint64_t hold_us)
{
    struct governor *g = m->governor;

    if (h->is_strained)
        lose_for_decode(m);
    if (!h->is_late && !h->lacks_memory)
        g->late_since_us = m->now_us;
    else
        lose_slowly(m, hold_us,
                    h->is_late ? SPN_SHORTAGE_DECODE : SPN_SHORTAGE_MEMORY);
    if (!h->lacks_bytes)
        g->unread_since_us = m->now_us;
    else
        lose_for_drive(m, h->lacks_bytes, hold_us);
}

/* Of the time between two updates no more than `hold_us` counts: in the rest
 * nobody looked. */
static void skip_hitch(struct governor *g, uint64_t hold_us)
{
    if (g->elapsed_us <= hold_us)
        return;
    g->late_since_us += g->elapsed_us - hold_us;
    g->unread_since_us += g->elapsed_us - hold_us;
}

static void return_all(struct manager *m)
{
    EACH_CURSOR(m, s)
    if (s->cut > 0)
        raise(s, 0);
}

void spn__governor_update(struct manager *m)
{
    const uint64_t hold_us =
        (uint64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * 1000;
    struct governor *g = m->governor;
    struct health h = {.is_good = true, .is_whole = true};

    EACH_CURSOR(m, s)
    {
        end_return(s);
        examine_one(s, &h);
        if (s->cut > cut_max(s))
            raise(s, cut_max(s));
        h.is_whole = h.is_whole && s->cut == 0;
    }
    g->is_strained = h.is_strained;
    skip_hitch(g, hold_us);
    if (!manager_is_on(m)) {
        g->late_since_us = m->now_us;
        g->unread_since_us = m->now_us;
        return;
    }
    if (!m->config.tuning->value[TUNING_leave_out]) {
        g->late_since_us = m->now_us;
        g->unread_since_us = m->now_us;
        return_all(m);
        return;
    }
    if (!h.is_good)
        g->healthy_since_us = m->now_us;
    if (has_trouble(&h) || !h.is_whole)
        find_leaders(m);
    lose_frames(m, &h, hold_us);
    if (!h.is_whole && m->now_us - g->healthy_since_us >= hold_us)
        return_levels(m, hold_us);
}

bool spn__governor_check(const struct manager *m)
{
    EACH_CURSOR(m, s)
    if (s->cut > level_cut_max(s->cache) || s->near_cut < s->cut ||
        (s->cut == 0) != (s->shortage == SPN_SHORTAGE_NONE))
        return false;
    return true;
}
