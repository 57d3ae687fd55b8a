/* policy.c - a table of waiting reads, and who of them is next.
 *
 * The table is not in any order; of equals whoever came first is first. Where
 * the order does not depend on the head a queue knows it: many may wait.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/policy.h"

#include "common/diag.h"
#include "common/system.h"
#include "host/host.h"
#include "schedule/queue.h"
#include "schedule/read_order.h"
#include "schedule/sweep_waiting.h"

#include <spindle/read.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY_FIRST 256u

struct waiting {
    uint32_t id;
    uint64_t number; /* counts arrivals */
    struct sweep_item item;
    struct order_ticket ticket;
    uint64_t position;
    uint64_t bytes;
};

struct policy {
    enum policy_kind kind;
    struct forecast *forecast;
    struct waiting *waiting;
    uint32_t count;
    uint32_t capacity;
    uint64_t next_number;
    struct read_order order;
    struct queue queue; /* of ids, where the order is one that stays */
    uint32_t *indices;  /* of each id that waits, in the table */
    uint32_t id_limit;
    struct sweep sweep;
    struct sweep_pool pool; /* of ids */
    struct sweep_waiting in_sweep;
    void *sweep_memory; /* of the three */
};

const char *const policy_names[POLICY_KINDS] = {"fifo",   "key", "sstf",
                                                "c-look", "edf", "sweep"};

/* -- the table -- */

static void *grow(void *memory, uint32_t count, size_t bytes)
{
    memory = realloc(memory, count * bytes);
    if (!memory) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    return memory;
}

static void set_capacity(struct policy *p, uint32_t capacity)
{
    p->capacity = capacity;
    p->queue.capacity = capacity;
    p->waiting = grow(p->waiting, capacity, sizeof *p->waiting);
    p->queue.entries =
        grow(p->queue.entries, capacity, sizeof *p->queue.entries);
}

/* For ids below `limit`, none of which waits yet. */
static void make_sweep(struct policy *p, uint32_t limit)
{
    struct carve carve = {.limit = SIZE_MAX};

    spn__sweep_init(NULL, &carve, limit, p->forecast, &spn__sweep_rules);
    spn__sweep_pool_init(&p->pool, &carve, limit);
    carve.limit = carve.used;
    carve.used = 0;
    carve.base = system_aligned_alloc(64, carve.limit);
    if (!carve.base) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    system_aligned_free(p->sweep_memory);
    p->sweep_memory = carve.base;
    spn__sweep_init(&p->sweep, &carve, limit, p->forecast, &spn__sweep_rules);
    spn__sweep_pool_init(&p->pool, &carve, limit);
    spn__sweep_waiting_init(&p->in_sweep, &p->pool, &spn__sweep_rules);
}

struct policy *policy_create(enum policy_kind kind, struct forecast *forecast)
{
    struct policy *p = calloc(1, sizeof *p);

    if (!p) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    p->kind = kind;
    p->forecast = forecast;
    set_capacity(p, CAPACITY_FIRST);
    make_sweep(p, CAPACITY_FIRST);
    return p;
}

void policy_destroy(struct policy *p)
{
    system_aligned_free(p->sweep_memory);
    free(p->waiting);
    free(p->indices);
    free(p->queue.entries);
    free(p->queue.spots);
    free(p);
}

/* As a game without deadlines would say it. */
static uint32_t priority_of(enum sweep_class class)
{
    switch (class) {
    case SWEEP_SOUND:
        return SPN_PRIORITY_ABOVE_NORMAL;
    case SWEEP_CLIP:
    case SWEEP_STREAM:
        return SPN_PRIORITY_NORMAL;
    case SWEEP_BULK:
    case SWEEP_CLASSES:
        break;
    }
    return SPN_PRIORITY_BELOW_NORMAL;
}

static bool is_by_queue(enum policy_kind kind)
{
    return kind == POLICY_FIFO || kind == POLICY_EDF || kind == POLICY_KEY;
}

static uint64_t queue_key(const struct policy *p, const struct waiting *w)
{
    return p->kind == POLICY_FIFO  ? w->number
           : p->kind == POLICY_EDF ? w->item.deadline_us
                                   : w->item.key;
}

/* The base of the groups never moves but when nothing waits: a simulation is
 * shorter than the 24 days that a key counts. */
static void line_up(struct policy *p, struct waiting *w, uint64_t now_us)
{
    bool has_room;

    w->ticket.priority = priority_of(w->item.class);
    w->ticket.group = spn__order_group(now_us);
    if (p->count == 1)
        spn__order_reset(&p->order, w->ticket.group);
    spn__order_arrive(&p->order, &w->ticket, w->position);
    w->item.key = spn__order_key(&p->order, &w->ticket, w->position);
    if (!is_by_queue(p->kind))
        return;
    has_room = spn__queue_push(&p->queue, queue_key(p, w), w->number, w->id);
    (void)has_room;
}

static void place(const struct policy *p, struct waiting *w, uint64_t position)
{
    w->position = position;
    spn__forecast_range(p->forecast, position, w->bytes, &w->item.begin,
                        &w->item.end);
}

static void add_to_sweep(struct policy *p, struct waiting *w)
{
    w->item.subject = w->id;
    p->pool.items[w->id] = w->item;
    spn__sweep_waiting_add(&p->in_sweep, w->id);
}

/* What is next goes on where it was: only the table of reads is another. */
static void grow_sweep(struct policy *p, uint32_t limit)
{
    struct sweep turn = p->sweep;

    make_sweep(p, limit);
    p->sweep.is_patient = turn.is_patient;
    p->sweep.turn_bytes = turn.turn_bytes;
    p->sweep.idle_turns = turn.idle_turns;
    p->sweep.is_idle_turn = turn.is_idle_turn;
    for (uint32_t i = 0; i < p->count; i++)
        add_to_sweep(p, &p->waiting[i]);
}

void policy_add(struct policy *p, uint32_t id, const struct policy_read *read,
                uint64_t now_us)
{
    struct waiting *w;

    if (p->count == p->capacity)
        set_capacity(p, 2 * p->capacity);
    if (id >= p->id_limit) {
        p->id_limit = 2 * id + CAPACITY_FIRST;
        p->indices = grow(p->indices, p->id_limit, sizeof *p->indices);
        p->queue.spots =
            grow(p->queue.spots, p->id_limit, sizeof *p->queue.spots);
    }
    p->indices[id] = p->count;
    w = &p->waiting[p->count++];
    *w = (struct waiting){
        .id = id, .number = p->next_number++, .bytes = read->bytes};
    place(p, w, read->position);
    w->item.arrival_us = read->arrival_us;
    w->item.deadline_us = read->deadline_us;
    w->item.class = read->class;
    line_up(p, w, now_us);
    if (p->kind != POLICY_SWEEP)
        return;
    if (id >= p->pool.capacity)
        grow_sweep(p, p->id_limit);
    else
        add_to_sweep(p, w);
}

bool policy_is_by_place(const struct policy *p)
{
    return !is_by_queue(p->kind);
}

void policy_move(struct policy *p, uint32_t id, uint64_t position)
{
    struct waiting *w = &p->waiting[p->indices[id]];

    place(p, w, position);
    if (p->kind == POLICY_SWEEP)
        spn__sweep_waiting_change(&p->in_sweep, id, &w->item);
}

static bool is_gone(void *context, uint32_t subject)
{
    const struct policy *p = context;
    uint32_t index = p->indices[subject];

    return index >= p->count || p->waiting[index].id != subject;
}

void policy_take_if(struct policy *p, policy_leaves_fn leaves, void *context)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->count; i++)
        if (!leaves(context, p->waiting[i].id)) {
            p->indices[p->waiting[i].id] = kept;
            p->waiting[kept++] = p->waiting[i];
        } else if (p->kind == POLICY_SWEEP) {
            spn__sweep_waiting_remove(&p->in_sweep, p->waiting[i].id);
        }
    p->count = kept;
    spn__queue_take_if(&p->queue, is_gone, p);
}

uint32_t policy_count(const struct policy *p)
{
    return p->count;
}

/* -- who is next -- */

/* The smallest is next; of equals the first. */
static uint64_t rank_of(const struct policy *p, const struct waiting *w,
                        const struct forecast_place *head)
{
    uint64_t back = 2 * (uint64_t)p->forecast->profile->ecc_bytes;

    switch (p->kind) {
    case POLICY_SSTF:
        return spn__forecast_position_us(p->forecast, head, &w->item.begin);
    case POLICY_C_LOOK:
        return w->position + back >= head->offset
                   ? w->position
                   : w->position + UINT64_MAX / 2;
    case POLICY_EDF:
    case POLICY_FIFO:
    case POLICY_KEY:
    case POLICY_SWEEP:
    case POLICY_KINDS:
        break;
    }
    return w->number;
}

static uint32_t find_ranked(const struct policy *p,
                            const struct forecast_place *head)
{
    uint32_t best = 0;
    uint64_t best_rank = UINT64_MAX;

    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t rank = rank_of(p, &p->waiting[i], head);

        if (rank < best_rank ||
            (rank == best_rank &&
             p->waiting[i].number < p->waiting[best].number)) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

static void take(struct policy *p, uint32_t id)
{
    uint32_t index = p->indices[id];

    if (p->kind == POLICY_SWEEP)
        spn__sweep_waiting_remove(&p->in_sweep, id);
    spn__order_serve(&p->order, &p->waiting[index].ticket,
                     p->waiting[index].position + p->waiting[index].bytes);
    p->waiting[index] = p->waiting[--p->count];
    p->indices[p->waiting[index].id] = index;
}

static uint32_t choose_by_sweep(struct policy *p,
                                const struct forecast_place *head,
                                uint64_t now_us, uint32_t ids[SWEEP_JOIN_MAX])
{
    uint32_t chosen[SWEEP_JOIN_MAX];
    uint32_t count;
    uint32_t next;

    spn__sweep_waiting_offer(&p->in_sweep, &p->sweep, head, now_us);
    next = spn__sweep_choose(&p->sweep, head, now_us);
    count = spn__sweep_join(&p->sweep, next, chosen);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = p->sweep.items[chosen[i]].subject;
    spn__sweep_serve(&p->sweep, next,
                     p->sweep.items[next].end.offset -
                         p->sweep.items[next].begin.offset,
                     now_us);
    return count;
}

uint32_t policy_take(struct policy *p, const struct forecast_place *head,
                     uint64_t now_us, uint32_t ids[SWEEP_JOIN_MAX])
{
    uint32_t count = 1;

    if (p->count == 0)
        return 0;
    if (p->kind == POLICY_SWEEP)
        count = choose_by_sweep(p, head, now_us, ids);
    else if (!is_by_queue(p->kind))
        ids[0] = p->waiting[find_ranked(p, head)].id;
    else if (!spn__queue_pop(&p->queue, &ids[0]))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        take(p, ids[i]);
    return count;
}
