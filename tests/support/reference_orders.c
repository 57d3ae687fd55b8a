/* reference_orders.c - a table of waiting reads, and which of them is next.
 *
 * The table is in no order. The read of the least rank is next; of equal ranks
 * the one that arrived first.
 */
/* SPDX-License-Identifier: MIT */
#include "support/reference_orders.h"

#include "common/diag.h"
#include "common/system.h"
#include "schedule/deadline_waiting.h"
#include "schedule/read_order.h"

#include <spindle/read.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY_FIRST 256u

struct waiting {
    uint32_t id;
    uint64_t number; /* number of its arrival, from 0 */
    struct deadline_item item;
    struct order_ticket ticket;
    uint64_t position;
    uint64_t bytes;
};

struct reference_queue {
    enum reference_order order;
    struct forecast *forecast; /* owned by the caller */
    struct waiting *waiting;
    uint32_t count;
    uint32_t capacity; /* capacity of `waiting` */
    uint64_t next_number;
    struct read_order keys; /* state of the sort key */
    struct order_clock clock;
    /* The deadline scheduler. Its subjects are ids below pool.capacity. */
    struct deadline_scheduler scheduler;
    struct deadline_pool pool;
    struct deadline_waiting in_scheduler;
    void *deadline_memory;
};

const char *const reference_order_names[REFERENCE_ORDERS] = {
    "fifo", "key", "sstf", "c-look", "edf", "deadline"};

static void *must(void *memory)
{
    if (!memory) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    return memory;
}

/* -- the deadline scheduler -- */

/* Lay out tables for ids below `limit`, without reads. */
static void make_scheduler(struct reference_queue *q, uint32_t limit)
{
    struct carve carve = {.limit = SIZE_MAX};

    spn__deadline_init(NULL, &carve, limit, q->forecast, &spn__deadline_rules);
    spn__deadline_pool_init(&q->pool, &carve, limit);
    carve.limit = carve.used;
    carve.used = 0;
    carve.base = must(system_aligned_alloc(64, carve.limit));
    system_aligned_free(q->deadline_memory);
    q->deadline_memory = carve.base;
    spn__deadline_init(&q->scheduler, &carve, limit, q->forecast,
                       &spn__deadline_rules);
    spn__deadline_pool_init(&q->pool, &carve, limit);
    spn__deadline_waiting_init(&q->in_scheduler, &q->pool,
                               &spn__deadline_rules);
}

static void add_to_scheduler(struct reference_queue *q, const struct waiting *w)
{
    q->pool.items[w->id] = w->item;
    spn__deadline_waiting_add(&q->in_scheduler, w->id);
}

/* Move all reads to larger tables. The scheduler's record of its last choices
 * is kept. */
static void grow_scheduler(struct reference_queue *q, uint32_t limit)
{
    struct deadline_scheduler old = q->scheduler;

    make_scheduler(q, limit);
    q->scheduler.is_overdue_dispatch = old.is_overdue_dispatch;
    q->scheduler.dispatch_bytes = old.dispatch_bytes;
    q->scheduler.since_idle = old.since_idle;
    q->scheduler.is_idle_dispatch = old.is_idle_dispatch;
    for (uint32_t i = 0; i < q->count; i++)
        add_to_scheduler(q, &q->waiting[i]);
}

static uint32_t take_by_deadline(struct reference_queue *q,
                                 const struct forecast_place *head,
                                 uint64_t now_us,
                                 uint32_t ids[DEADLINE_COALESCE_MAX])
{
    uint32_t chosen[DEADLINE_COALESCE_MAX];
    uint32_t count;
    uint32_t next;

    spn__deadline_waiting_offer(&q->in_scheduler, &q->scheduler, head, now_us);
    next = spn__deadline_choose(&q->scheduler, head, now_us);
    count = spn__deadline_coalesce(&q->scheduler, next, chosen);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = q->scheduler.items[chosen[i]].subject;
    spn__deadline_serve(&q->scheduler, next,
                        q->scheduler.items[next].end.offset -
                            q->scheduler.items[next].begin.offset,
                        now_us);
    return count;
}

/* -- the table -- */

struct reference_queue *reference_queue_create(enum reference_order order,
                                               struct forecast *forecast)
{
    struct reference_queue *q = must(calloc(1, sizeof *q));

    q->order = order;
    q->forecast = forecast;
    if (order == REFERENCE_DEADLINE)
        make_scheduler(q, CAPACITY_FIRST);
    return q;
}

void reference_queue_destroy(struct reference_queue *q)
{
    system_aligned_free(q->deadline_memory);
    free(q->waiting);
    free(q);
}

/* The priority that a game without deadlines would give to the class. */
static uint32_t priority_of(enum deadline_class class)
{
    switch (class) {
    case DEADLINE_SOUND:
        return SPN_PRIORITY_ABOVE_NORMAL;
    case DEADLINE_CLIP:
    case DEADLINE_STREAM:
        return SPN_PRIORITY_NORMAL;
    case DEADLINE_BULK:
    case DEADLINE_CLASSES:
        break;
    }
    return SPN_PRIORITY_BELOW_NORMAL;
}

/* The time base of keys is reset only when no other read waits. A run is
 * shorter than the 24 days that a key can represent. */
static void compute_key(struct reference_queue *q, struct waiting *w,
                        uint64_t now_us)
{
    w->ticket.priority = priority_of(w->item.class);
    w->ticket.group = spn__order_group(&q->clock, now_us, SORT_KEY_GROUP_US);
    if (q->count == 1)
        spn__order_reset(&q->keys, w->ticket.group);
    spn__order_arrive(&q->keys, &w->ticket, w->position);
    w->item.key = spn__order_key(&q->keys, &w->ticket, w->position);
}

void reference_queue_add(struct reference_queue *q, uint32_t id,
                         const struct reference_read *read, uint64_t now_us)
{
    struct waiting *w;

    if (q->count == q->capacity) {
        q->capacity = q->capacity ? 2 * q->capacity : CAPACITY_FIRST;
        q->waiting =
            must(realloc(q->waiting, q->capacity * sizeof *q->waiting));
    }
    w = &q->waiting[q->count++];
    *w = (struct waiting){.id = id,
                          .number = q->next_number++,
                          .position = read->position,
                          .bytes = read->bytes,
                          .item = {.subject = id,
                                   .arrival_us = read->arrival_us,
                                   .deadline_us = read->deadline_us,
                                   .class = read->class}};
    spn__forecast_range(q->forecast, w->position, w->bytes, &w->item.begin,
                        &w->item.end);
    compute_key(q, w, now_us);
    if (q->order != REFERENCE_DEADLINE)
        return;
    if (id >= q->pool.capacity)
        grow_scheduler(q, 2 * id);
    else
        add_to_scheduler(q, w);
}

/* The last read of the table moves to the freed place. */
static struct waiting remove_at(struct reference_queue *q, uint32_t index)
{
    struct waiting removed = q->waiting[index];

    if (q->order == REFERENCE_DEADLINE)
        spn__deadline_waiting_remove(&q->in_scheduler, removed.id);
    q->waiting[index] = q->waiting[--q->count];
    return removed;
}

void reference_queue_remove_if(struct reference_queue *q,
                               reference_leaves_fn leaves, void *context)
{
    for (uint32_t i = q->count; i-- > 0;)
        if (leaves(context, q->waiting[i].id))
            (void)remove_at(q, i);
}

uint32_t reference_queue_count(const struct reference_queue *q)
{
    return q->count;
}

/* -- choice of the next read -- */

static uint64_t rank_of(const struct reference_queue *q,
                        const struct waiting *w,
                        const struct forecast_place *head)
{
    /* A read that begins in the head's block, or in the one before, counts as
     * ahead of the head. */
    uint64_t back = 2 * (uint64_t)q->forecast->profile->ecc_bytes;

    switch (q->order) {
    case REFERENCE_SORT_KEY:
        return w->item.key;
    case REFERENCE_SSTF:
        return spn__forecast_position_us(q->forecast, head, &w->item.begin);
    case REFERENCE_C_LOOK:
        return w->position + back >= head->offset
                   ? w->position
                   : w->position + UINT64_MAX / 2;
    case REFERENCE_EDF:
        return w->item.deadline_us;
    case REFERENCE_FIFO:
    case REFERENCE_DEADLINE:
    case REFERENCE_ORDERS:
        break;
    }
    return w->number;
}

static uint32_t find_least(const struct reference_queue *q,
                           const struct forecast_place *head)
{
    uint32_t best = 0;
    uint64_t best_rank = UINT64_MAX;

    for (uint32_t i = 0; i < q->count; i++) {
        uint64_t rank = rank_of(q, &q->waiting[i], head);

        if (rank < best_rank ||
            (rank == best_rank &&
             q->waiting[i].number < q->waiting[best].number)) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

static uint32_t find_id(const struct reference_queue *q, uint32_t id)
{
    uint32_t index = 0;

    while (q->waiting[index].id != id)
        index++;
    return index;
}

uint32_t reference_queue_take(struct reference_queue *q,
                              const struct forecast_place *head,
                              uint64_t now_us,
                              uint32_t ids[DEADLINE_COALESCE_MAX])
{
    uint32_t count = 1;

    if (q->count == 0)
        return 0;
    if (q->order == REFERENCE_DEADLINE)
        count = take_by_deadline(q, head, now_us, ids);
    else
        ids[0] = q->waiting[find_least(q, head)].id;
    for (uint32_t i = 0; i < count; i++) {
        struct waiting taken = remove_at(q, find_id(q, ids[i]));

        spn__order_serve(&q->keys, &taken.ticket, taken.position + taken.bytes);
    }
    return count;
}
