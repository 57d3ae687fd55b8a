/* deadline_waiting.c - the waiting reads in trees by place, deadline and age.
 *
 * Invariants: a waiting subject is in the places of its lane, in the age limits
 * of its rank, and in the deadlines of its rank until the deadline passes. If
 * it has copies it is in `copied`, otherwise, unless it is idle, in `single`.
 *
 * A deadline passes once, so expiring them costs O(log n) a read in total.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_waiting.h"

#include "base/assert.h"

void spn__deadline_pool_init(struct deadline_pool *pool, struct carve *carve,
                             uint32_t reads)
{
    struct deadline_pool carved = {
        .items = SPN_CARVE(carve, struct deadline_item, reads),
        .homes = SPN_CARVE(carve, struct deadline_waiting *, reads),
        .lanes = SPN_CARVE(carve, uint8_t, reads),
        .has_deadline = SPN_CARVE(carve, bool, reads),
        .is_offered = SPN_CARVE(carve, bool, reads),
        .by_place = SPN_CARVE(carve, struct order_node, reads),
        .by_deadline = SPN_CARVE(carve, struct order_node, reads),
        .by_age_limit = SPN_CARVE(carve, struct order_node, reads),
        .by_copies = SPN_CARVE(carve, struct order_node, reads),
        .capacity = reads};

    if (pool)
        *pool = carved;
}

void spn__deadline_waiting_init(struct deadline_waiting *w,
                                struct deadline_pool *pool,
                                const struct deadline_rules *rules)
{
    w->pool = pool;
    w->rules = rules;
    w->count = 0;
    w->copied_next = 0;
    spn__order_tree_init(&w->copied, pool->by_copies);
    spn__order_tree_init(&w->single, pool->by_copies);
    for (uint32_t i = 0; i < DEADLINE_LANES; i++)
        spn__order_tree_init(&w->places[i], pool->by_place);
    for (uint32_t i = 0; i < DEADLINE_RANKS; i++) {
        spn__order_tree_init(&w->deadlines[i], pool->by_deadline);
        spn__order_tree_init(&w->age_limits[i], pool->by_age_limit);
    }
}

static void add_places(struct deadline_waiting *w, uint32_t subject)
{
    const struct deadline_item *item = &w->pool->items[subject];
    uint64_t at = item->begin.offset;

    spn__order_tree_add(&w->places[w->pool->lanes[subject]], subject, at);
    if (item->has_copies)
        spn__order_tree_add(&w->copied, subject, subject);
    else if (!item->is_idle)
        spn__order_tree_add(&w->single, subject, at);
}

static void remove_places(struct deadline_waiting *w, uint32_t subject)
{
    const struct deadline_item *item = &w->pool->items[subject];

    spn__order_tree_remove(&w->places[w->pool->lanes[subject]], subject);
    if (item->has_copies)
        spn__order_tree_remove(&w->copied, subject);
    else if (!item->is_idle)
        spn__order_tree_remove(&w->single, subject);
}

void spn__deadline_waiting_add(struct deadline_waiting *w, uint32_t subject)
{
    struct deadline_pool *pool = w->pool;
    const struct deadline_item *item = &pool->items[subject];
    uint32_t rank = deadline_rank_of(item);
    enum deadline_lane lane =
        item->is_idle ? DEADLINE_LANE_IDLE : DEADLINE_LANE_FUTURE;

    SPN_ASSERT(subject < pool->capacity);
    SPN_ASSERT(!pool->homes[subject]);
    pool->homes[subject] = w;
    pool->lanes[subject] = (uint8_t)lane;
    pool->has_deadline[subject] = true;
    add_places(w, subject);
    spn__order_tree_add(&w->deadlines[rank], subject, item->deadline_us);
    spn__order_tree_add(&w->age_limits[rank], subject,
                        item->arrival_us +
                            w->rules->classes[item->class].age_limit_us);
    w->count++;
}

static void drop_deadline(struct deadline_waiting *w, uint32_t subject)
{
    spn__order_tree_remove(
        &w->deadlines[deadline_rank_of(&w->pool->items[subject])], subject);
    w->pool->has_deadline[subject] = false;
}

void spn__deadline_waiting_remove(struct deadline_waiting *w, uint32_t subject)
{
    struct deadline_pool *pool = w->pool;

    if (pool->homes[subject] != w)
        return;
    remove_places(w, subject);
    spn__order_tree_remove(
        &w->age_limits[deadline_rank_of(&pool->items[subject])], subject);
    if (pool->has_deadline[subject])
        drop_deadline(w, subject);
    pool->homes[subject] = NULL;
    w->count--;
}

void spn__deadline_waiting_change(struct deadline_waiting *w, uint32_t subject,
                                  const struct deadline_item *item)
{
    struct deadline_item *old = &w->pool->items[subject];
    bool is_moved = old->begin.offset != item->begin.offset;
    bool is_same_order = old->deadline_us == item->deadline_us &&
                         old->arrival_us == item->arrival_us &&
                         old->class == item->class &&
                         old->has_copies == item->has_copies &&
                         deadline_rank_of(old) == deadline_rank_of(item);

    SPN_ASSERT(w->pool->homes[subject] == w);
    if (!is_same_order) {
        spn__deadline_waiting_remove(w, subject);
        *old = *item;
        spn__deadline_waiting_add(w, subject);
        return;
    }
    if (is_moved)
        remove_places(w, subject);
    *old = *item;
    if (is_moved)
        add_places(w, subject);
}

uint32_t spn__deadline_waiting_next_copied(struct deadline_waiting *w)
{
    uint32_t next = spn__order_tree_at_least(&w->copied, w->copied_next);

    if (next == ORDER_NONE)
        next = spn__order_tree_first(&w->copied);
    if (next != ORDER_NONE)
        w->copied_next = next + 1;
    return next;
}

uint64_t spn__deadline_waiting_nearest(const struct deadline_waiting *w,
                                       uint64_t head)
{
    uint32_t ahead = spn__order_tree_at_least(&w->single, head);
    uint32_t behind = ahead == ORDER_NONE
                          ? spn__order_tree_last(&w->single)
                          : spn__order_tree_previous(&w->single, ahead);
    const struct order_node *nodes = w->single.nodes;

    if (ahead == ORDER_NONE)
        return behind == ORDER_NONE ? head : nodes[behind].key;
    if (behind == ORDER_NONE ||
        nodes[ahead].key - head <= head - nodes[behind].key)
        return nodes[ahead].key;
    return nodes[behind].key;
}

/* Move reads whose deadlines have passed to their lane. */
static void expire(struct deadline_waiting *w, uint64_t now_us)
{
    for (uint32_t rank = 0; rank < DEADLINE_RANKS; rank++) {
        const struct order_tree *tree = &w->deadlines[rank];
        uint32_t subject;

        while ((subject = spn__order_tree_first(tree)) != ORDER_NONE &&
               tree->nodes[subject].key < now_us) {
            drop_deadline(w, subject);
            if (w->pool->lanes[subject] == DEADLINE_LANE_IDLE)
                continue;
            remove_places(w, subject);
            w->pool->lanes[subject] = DEADLINE_LANE_PASSED;
            add_places(w, subject);
        }
    }
}

/* -- offers -- */

struct offering {
    struct deadline_waiting *waiting;
    struct deadline_scheduler *scheduler;
};

/* False if it was offered before. */
static bool offer(struct offering *o, uint32_t subject)
{
    struct deadline_pool *pool = o->waiting->pool;

    if (pool->is_offered[subject])
        return false;
    pool->is_offered[subject] = true;
    spn__deadline_offer(o->scheduler, &pool->items[subject]);
    return true;
}

static void offer_first(struct offering *o, const struct order_tree *tree,
                        uint32_t count)
{
    uint32_t at = spn__order_tree_first(tree);

    for (; at != ORDER_NONE && count > 0; count--) {
        (void)offer(o, at);
        at = spn__order_tree_next(tree, at);
    }
}

/* Offer `count` further reads around the head, two ahead of it for each one
 * behind it. */
static void offer_near(struct offering *o, const struct order_tree *tree,
                       uint64_t head, uint32_t count)
{
    uint32_t ahead = spn__order_tree_at_least(tree, head);
    uint32_t behind = ahead == ORDER_NONE
                          ? spn__order_tree_last(tree)
                          : spn__order_tree_previous(tree, ahead);
    uint32_t step = 0;

    while (count > 0 && (ahead != ORDER_NONE || behind != ORDER_NONE)) {
        bool is_ahead =
            behind == ORDER_NONE || (ahead != ORDER_NONE && step++ % 3 < 2);
        uint32_t *at = is_ahead ? &ahead : &behind;

        count -= offer(o, *at);
        *at = is_ahead ? spn__order_tree_next(tree, *at)
                       : spn__order_tree_previous(tree, *at);
    }
}

static uint32_t room(const struct offering *o)
{
    return o->scheduler->capacity - o->scheduler->count;
}

static void offer_some(struct offering *o, uint64_t head)
{
    struct deadline_waiting *w = o->waiting;
    uint32_t rank = 0;

    while (w->age_limits[rank].count == 0)
        rank++;
    offer_first(o, &w->age_limits[rank], DEADLINE_OFFER_OLDEST);
    offer_first(o, &w->age_limits[DEADLINE_RANKS - 1], 1);
    offer_first(o, &w->deadlines[rank], DEADLINE_OFFER_DUE);
    offer_near(o, &w->places[DEADLINE_LANE_PASSED], head,
               DEADLINE_OFFER_PASSED);
    offer_near(o, &w->places[DEADLINE_LANE_IDLE], head, DEADLINE_OFFER_IDLE);
    for (uint32_t lane = 0; lane < DEADLINE_LANES; lane++)
        offer_near(o, &w->places[lane], head, room(o));
}

static void offer_all(struct offering *o)
{
    for (uint32_t lane = 0; lane < DEADLINE_LANES; lane++)
        offer_first(o, &o->waiting->places[lane], UINT32_MAX);
}

/* Clear the marks, and count the reads that were not offered. */
static void end_offering(struct offering *o)
{
    const struct deadline_waiting *w = o->waiting;
    struct deadline_unoffered seen = {0};

    for (uint32_t i = 0; i < o->scheduler->count; i++) {
        uint32_t subject = o->scheduler->items[i].subject;

        w->pool->is_offered[subject] = false;
        seen.unexpired += w->pool->lanes[subject] == DEADLINE_LANE_FUTURE;
        seen.count += w->pool->lanes[subject] != DEADLINE_LANE_IDLE;
    }
    o->scheduler->unoffered.unexpired =
        w->places[DEADLINE_LANE_FUTURE].count - seen.unexpired;
    o->scheduler->unoffered.count =
        w->count - w->places[DEADLINE_LANE_IDLE].count - seen.count;
}

void spn__deadline_waiting_offer(struct deadline_waiting *w,
                                 struct deadline_scheduler *scheduler,
                                 const struct forecast_place *head,
                                 uint64_t now_us)
{
    struct offering o = {w, scheduler};

    spn__deadline_clear(scheduler);
    expire(w, now_us);
    if (w->count <= scheduler->capacity)
        offer_all(&o);
    else
        offer_some(&o, head->offset);
    end_offering(&o);
}

bool spn__deadline_waiting_check(const struct deadline_waiting *w)
{
    uint32_t places = 0;
    uint32_t age_limits = 0;
    uint32_t deadlines = 0;
    uint32_t dated = 0;
    uint32_t choices = 0;
    uint32_t fixed = 0;

    if (!spn__order_tree_check(&w->copied) ||
        !spn__order_tree_check(&w->single))
        return false;

    for (uint32_t i = 0; i < DEADLINE_LANES; i++) {
        if (!spn__order_tree_check(&w->places[i]))
            return false;
        places += w->places[i].count;
    }
    for (uint32_t i = 0; i < DEADLINE_RANKS; i++) {
        if (!spn__order_tree_check(&w->age_limits[i]) ||
            !spn__order_tree_check(&w->deadlines[i]))
            return false;
        age_limits += w->age_limits[i].count;
        deadlines += w->deadlines[i].count;
    }
    for (uint32_t i = 0; i < w->pool->capacity; i++) {
        if (w->pool->homes[i] != w)
            continue;
        dated += w->pool->has_deadline[i];
        choices += w->pool->items[i].has_copies;
        fixed += !w->pool->items[i].has_copies && !w->pool->items[i].is_idle;
    }
    return places == w->count && age_limits == w->count && deadlines == dated &&
           choices == w->copied.count && fixed == w->single.count;
}
