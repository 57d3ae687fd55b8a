/* node_view.c - what follows from distance and visibility of nodes. */
/* SPDX-License-Identifier: MIT */
#include "scene/node_view.h"

#if SPN_WITH_VIEWS

#include "base/mem.h"
#include "play/level.h"

struct views *spn__views_init(struct manager *m, struct carve *carve)
{
    struct views *views;
    struct view *all;

    spn__carve_for(carve, SPN_MEMORY_NODES);
    views = SPN_CARVE(carve, struct views, 1);
    all = SPN_CARVE(carve, struct view, m->config.node_count);
    if (views)
        *views = (struct views){m, all};
    return views;
}

static struct view *slot_of(const struct views *views, const struct node *n)
{
    return &views->all[n - views->manager->nodes];
}

/* The view of a node; NULL: it has none. */
static struct view *view_of(const struct views *views, const struct node *n)
{
    struct view *v = slot_of(views, n);

    return v->node == n->handle ? v : NULL;
}

/* -- distances -- */

static bool is_length(float x)
{
    /* Not true for infinity and for what is not a number. */
    return x >= 0 && x - x == 0;
}

bool spn__view_is_good(const spn_view *set)
{
    return is_length(set->distance) && is_length(set->stream_distance) &&
           is_length(set->stand_in_distance);
}

/* Rounding cannot change the result: limit / 8 is exact, and so is the
 * difference up to twice the limit. */
static bool is_beyond(float distance, float limit, bool was_beyond)
{
    return limit > 0 && distance > limit &&
           (was_beyond || distance - limit > limit / 8);
}

/* Higher for nearer nodes. Floats >= 0 have the order of their bits. The
 * exponent and two bits of the fraction are used. */
static uint16_t nearness(float distance)
{
    uint32_t bits = 0; /* -0 is 0 */

    if (distance > 0)
        memcpy(&bits, &distance, sizeof bits);
    return (uint16_t)(UINT16_MAX - (bits >> 21));
}

/* -- the view of one node -- */

static uint16_t cut_limit(uint32_t level_max)
{
    if (level_max == SPN_LEVELS_NONE)
        return 0;
    return level_max == 0 || level_max > UINT16_MAX / LEVEL_STEPS
               ? UINT16_MAX
               : (uint16_t)(level_max * LEVEL_STEPS);
}

void spn__view_rank(const struct views *views, struct node *n)
{
    const struct view *v = view_of(views, n);
    struct cursor *s = &n->cursor;

    s->importance = n->importance;
    s->nearness = UINT16_MAX;
    s->cut_limit = UINT16_MAX;
    if (!v)
        return;
    s->nearness = nearness(v->set.distance);
    s->cut_limit = cut_limit(v->set.level_max);
    if (v->set.importance != 0)
        s->importance = v->set.importance;
    else if (!v->set.is_visible)
        s->importance = 0;
}

static uint64_t clock_us(const struct views *views)
{
    const spn_platform *p = views->manager->config.platform;

    return p->now_us(p->user);
}

void spn__view_set(struct views *views, struct node *n, const spn_view *set)
{
    struct view *v = slot_of(views, n);
    bool is_away;

    if (v->node != n->handle || !set)
        *v = (struct view){0};
    if (set) {
        v->node = n->handle;
        v->set = *set;
        v->is_far = is_beyond(set->distance, set->stream_distance, v->is_far);
        v->has_stand_in =
            is_beyond(set->distance, set->stand_in_distance, v->has_stand_in);
        is_away = v->is_far || !set->is_visible;
        if (is_away && !v->is_away)
            v->away_since_us = clock_us(views);
        v->is_away = is_away;
    } else {
        spn__node_wake(n);
    }
    spn__view_rank(views, n);
}

/* It has been away for the time after which nothing is kept for it. */
static bool is_gone(const struct views *views, const struct view *v,
                    uint64_t now_us)
{
    const uint64_t after_us =
        (uint64_t)views->manager->config.tuning->value[TUNING_unload_after_ms] *
        1000;

    return v->is_away && after_us > 0 && now_us - v->away_since_us >= after_us;
}

static void update(const struct views *views, struct node *n,
                   const struct view *v, uint64_t now_us)
{
    const bool is_asleep = v->is_far || is_gone(views, v, now_us);

    if (is_asleep && !n->is_asleep)
        spn__node_sleep(n);
    else if (!is_asleep && n->is_asleep)
        spn__node_wake(n);
    if (v->set.stream_distance > 0 && !v->is_away && !n->wants_streaming &&
        !n->is_stopped)
        spn__node_start(n, n->set_us);
}

/* A cache is unwanted if it has nodes, and all of them are gone: the first pass
 * finds those that are gone, the second one those that are not. */
static void find_unwanted(const struct views *views, uint64_t now_us)
{
    const struct manager *m = views->manager;
    const bool may_unload = m->config.tuning->value[TUNING_unload_hidden] != 0;

    for (uint32_t i = 0; i < m->cache_pool.capacity; i++)
        m->caches[i].is_unwanted = false;
    for (uint32_t k = 0; may_unload && k < 2; k++)
        for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
            const struct node *n = &m->nodes[i];
            const struct view *v = view_of(views, n);
            const bool is_away = v && is_gone(views, v, now_us);

            if (n->handle != 0 && !n->is_dying && is_away == (k == 0))
                n->cache->is_unwanted = is_away;
        }
}

void spn__views_update(struct views *views, uint64_t now_us)
{
    const struct manager *m = views->manager;

    for (uint32_t i = 0; i < m->node_pool.capacity; i++) {
        struct node *n = &m->nodes[i];

        if (n->handle != 0 && !n->is_dying && views->all[i].node == n->handle)
            update(views, n, &views->all[i], now_us);
    }
    find_unwanted(views, now_us);
}

/* -- stand-ins -- */

/* The ends of the range, as far as they are known. */
static int64_t first_us(const struct node *n)
{
    return n->has_span ? n->cursor.span.first_us : n->range.first_us;
}

static int64_t last_us(const struct node *n)
{
    return n->has_span ? n->cursor.span.last_us : n->range.last_us;
}

static uintptr_t stand_in(const struct node *n, const spn_view *set)
{
    const bool is_once = n->range.mode == SPN_ONCE;
    /* Until the span is known, times are not clamped to it. */
    const bool is_one_time = first_us(n) == last_us(n);

    if (set->stand_in_first != 0 && (is_one_time || n->time_us == first_us(n) ||
                                     (is_once && n->time_us < first_us(n))))
        return set->stand_in_first;
    if (set->stand_in_last != 0 && is_once &&
        (is_one_time || n->time_us >= last_us(n)))
        return set->stand_in_last;
    return set->stand_in_other;
}

spn_drawing spn__view_drawing(const struct views *views, const struct node *n)
{
    const struct view *v = view_of(views, n);
    const bool is_decoded =
        spn__node_frame(n, &n->shown, n->shown.floor) != NULL;
    spn_drawing drawing = {0};

    if (!manager_is_on(views->manager) || (v && !v->set.is_visible))
        return drawing;
    if (v && (v->has_stand_in || !is_decoded))
        drawing.stand_in = stand_in(n, &v->set);
    if (drawing.stand_in != 0)
        drawing.what = SPN_DRAW_STAND_IN;
    else if (is_decoded)
        drawing.what = SPN_DRAW_CACHE;
    return drawing;
}

#endif
