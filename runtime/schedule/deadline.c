/* deadline.c - the choice among the offered items, and the dispatches. */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "disc/drive_disc.h"
#include "schedule/deadline_cost.h"
#include "schedule/deadline_overload.h"

/* Largest typical seek. Costs are products of it and fit 32 bits. It is longer
 * than the typical seek of any drive of a console. */
#define SEEK_MAX_US (1u << 21)

/* -- offers -- */

void spn__deadline_init(struct deadline_scheduler *s, struct carve *carve,
                        uint32_t reads, const struct forecast *forecast,
                        const struct deadline_rules *rules)
{
    uint32_t capacity = min_u32(reads, DEADLINE_ITEMS_MAX);
    struct deadline_item *items =
        SPN_CARVE(carve, struct deadline_item, capacity);
    struct deadline_estimate *estimates =
        SPN_CARVE(carve, struct deadline_estimate, capacity);
    uint32_t *order = SPN_CARVE(carve, uint32_t, capacity);
    uint32_t *feasible = SPN_CARVE(carve, uint32_t, capacity);

    if (!s)
        return;
    memset(s, 0, sizeof *s);
    s->capacity = capacity;
    s->items = items;
    s->estimates = estimates;
    s->order = order;
    s->feasible = feasible;
    s->forecast = forecast;
    s->rules = rules;
    s->seek_us = min_u32(spn__drive_typical_us(forecast->profile), SEEK_MAX_US);
}

void spn__deadline_clear(struct deadline_scheduler *s)
{
    s->count = 0;
    s->unoffered = (struct deadline_unoffered){0};
}

void spn__deadline_offer(struct deadline_scheduler *s,
                         const struct deadline_item *item)
{
    SPN_ASSERT(s->count < s->capacity);
    s->items[s->count++] = *item;
}

/* -- searches: s->count where nothing is found -- */

/* The item that was begun and continues at the head. */
static uint32_t find_begun(const struct deadline_scheduler *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_begun && s->estimates[i].position_us == 0)
            return i;
    return s->count;
}

static bool is_overdue(const struct deadline_scheduler *s, uint32_t index,
                       uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];

    return (uint32_t)spn__deadline_age_us(item, now_us) >
           s->rules->classes[item->class].age_limit_us;
}

/* The idle item that arrived first, if it is overdue, when other items wait and
 * enough of them were served. */
static uint32_t find_idle(const struct deadline_scheduler *s, uint64_t now_us)
{
    uint32_t oldest = s->count;

    if (s->since_idle < DEADLINE_IDLE_DISPATCHES || s->idle_count == s->count)
        return s->count;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_idle && is_overdue(s, i, now_us) &&
            (oldest == s->count ||
             s->items[i].arrival_us < s->items[oldest].arrival_us))
            oldest = i;
    return oldest;
}

/* Among the items that were overdue at `before_us`, the first one at or above
 * the head; if there is none, the lowest one. */
static uint32_t find_overdue_before(const struct deadline_scheduler *s,
                                    const struct forecast_place *head,
                                    uint64_t before_us)
{
    /* The drive can return to these blocks without a seek. */
    uint64_t back = 2 * (uint64_t)s->forecast->profile->ecc_bytes;
    bool is_idle = s->idle_count == s->count;
    uint32_t lowest = s->count;

    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t index = s->order[k];
        const struct deadline_item *item = &s->items[index];

        if (item->is_idle != is_idle || !is_overdue(s, index, before_us))
            continue;
        if (item->begin.offset + back >= head->offset)
            return index;
        if (lowest == s->count)
            lowest = index;
    }
    return lowest;
}

/* The next overdue item of the pass; if the pass has ended, the first of a new
 * one. */
static uint32_t find_overdue(struct deadline_scheduler *s,
                             const struct forecast_place *head, uint64_t now_us)
{
    uint32_t next = find_overdue_before(s, head, s->pass_us);

    if (next < s->count)
        return next;
    s->pass_us = now_us;
    return find_overdue_before(s, head, now_us);
}

static uint32_t first_rank(const struct deadline_scheduler *s)
{
    uint32_t first = 2;

    for (uint32_t i = 0; i < s->count; i++)
        first = min_u32(first, deadline_rank_of(&s->items[i]));
    return first;
}

/* Order of items with equal costs: by key, then by arrival. */
static bool is_before(const struct deadline_item *a,
                      const struct deadline_item *b)
{
    return a->key != b->key ? a->key < b->key : a->arrival_us < b->arrival_us;
}

/* The item with the lowest cost among the items of the first rank. */
static uint32_t find_best(struct deadline_scheduler *s, uint32_t begun,
                          uint64_t now_us)
{
    uint32_t rank = first_rank(s);
    uint32_t best = s->count;
    int32_t best_cost = INT32_MAX;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct deadline_item *item = &s->items[i];
        int32_t cost;

        if (deadline_rank_of(item) != rank)
            continue;
        cost = spn__deadline_cost(s, i, begun, now_us, best_cost);
        if (best == s->count || cost < best_cost ||
            (cost == best_cost && is_before(item, &s->items[best]))) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

/* -- the choice -- */

/* The choice if no item is urgent. `begun` can continue the dispatch if
 * may_continue. */
static uint32_t choose_next(struct deadline_scheduler *s,
                            const struct forecast_place *head, uint32_t begun,
                            bool may_continue, uint64_t now_us)
{
    uint32_t idle = find_idle(s, now_us);
    uint32_t overdue = find_overdue(s, head, now_us);
    uint32_t best;

    if (may_continue && ((s->is_idle_dispatch && s->items[begun].is_idle) ||
                         (s->is_overdue_dispatch && overdue < s->count)))
        return begun;
    best = spn__deadline_find_overloaded(s);
    if (best == s->count)
        best = find_best(s, begun, now_us);
    if (may_continue && best == begun)
        return begun;
    if (idle < s->count)
        return idle;
    return overdue < s->count && !s->is_overdue_dispatch ? overdue : best;
}

uint32_t spn__deadline_choose(struct deadline_scheduler *s,
                              const struct forecast_place *head,
                              uint64_t now_us)
{
    uint32_t begun;
    uint32_t next;
    bool may_continue;

    SPN_ASSERT(s->count > 0);
    spn__deadline_estimate(s, head, now_us);
    begun = find_begun(s);
    may_continue =
        begun < s->count && s->dispatch_bytes < DEADLINE_DISPATCH_BYTES_MAX;
    if (first_rank(s) == 0)
        next = find_best(s, begun, now_us);
    else
        next = choose_next(s, head, begun, may_continue, now_us);
    s->continues = may_continue && next == begun;
    s->is_pressing = s->items[next].is_urgent || is_overdue(s, next, now_us);
    return next;
}

void spn__deadline_serve(struct deadline_scheduler *s, uint32_t index,
                         uint64_t bytes, uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];

    SPN_ASSERT(index < s->count);
    if (item->is_urgent)
        return;
    if (s->continues) {
        s->dispatch_bytes += bytes;
        return;
    }
    s->is_idle_dispatch = item->is_idle && s->idle_count < s->count;
    if (!s->is_idle_dispatch)
        s->is_overdue_dispatch =
            is_overdue(s, index, now_us) && !s->is_overdue_dispatch;
    if (item->is_idle || s->idle_count == 0)
        s->since_idle = 0;
    else if (s->since_idle < DEADLINE_IDLE_DISPATCHES)
        s->since_idle++;
    s->dispatch_bytes = bytes;
}

bool spn__deadline_check(const struct deadline_scheduler *s)
{
    if (s->count > s->capacity || s->capacity > DEADLINE_ITEMS_MAX ||
        s->since_idle > DEADLINE_IDLE_DISPATCHES ||
        s->binding_count > DEADLINE_BINDING_MAX || s->seek_us == 0)
        return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct deadline_item *item = &s->items[i];

        if ((uint32_t)item->class >= DEADLINE_CLASSES ||
            (item->is_urgent && item->is_idle) ||
            item->begin.offset > item->end.offset)
            return false;
    }
    return true;
}
