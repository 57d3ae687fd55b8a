/* deadline_overload.c - make one pass over the feasible items, then find the
 * place where they are densest. */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_overload.h"

#include "base/minmax.h"
#include "schedule/deadline_cost.h"

/* Most items of a run that is considered. */
#define RUN_MAX 32u
/* Positioning matters if it is at least this part of the transfer. */
#define POSITION_PART 20

/* One upward pass over the feasible items. */
struct pass {
    uint64_t time_us;     /* without positioning for the first item */
    uint64_t position_us; /* part of it for positioning */
    int32_t last_us;      /* the last deadline */
};

/* Whether a run that ends with `end` has read bytes of the item. A run reads
 * one file only. */
static bool shares_bytes(const struct deadline_item *end,
                         const struct deadline_item *item)
{
    return end->file == item->file && item->begin.offset < end->end.offset;
}

/* Time to read the bytes of the item after the end of such a run. */
static int32_t rest_us(const struct deadline_scheduler *s,
                       const struct deadline_item *end,
                       const struct deadline_item *item)
{
    if (item->end.offset <= end->end.offset)
        return 0;
    return spn__deadline_transfer_us(s, &end->end,
                                     item->end.offset - end->end.offset);
}

/* The item with the higher end. */
static const struct deadline_item *further(const struct deadline_item *a,
                                           const struct deadline_item *b)
{
    return b->end.offset > a->end.offset ? b : a;
}

/* Make the pass: fill s->feasible, and added_us of its items. */
static void make_pass(struct deadline_scheduler *s, struct pass *pass)
{
    const struct deadline_item *end = NULL;

    *pass = (struct pass){0};
    s->feasible_count = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t index = s->order[k];
        const struct deadline_item *item = &s->items[index];
        struct deadline_estimate *e = &s->estimates[index];
        int32_t position_us = 0;

        if (item->is_idle || e->is_missed)
            continue;
        e->shares_bytes = end && shares_bytes(end, item);
        if (end && !e->shares_bytes)
            position_us = spn__deadline_position_us(s, &end->end, &item->begin);
        e->added_us = e->shares_bytes ? rest_us(s, end, item)
                                      : position_us + e->service_us;
        pass->time_us += (uint32_t)e->added_us;
        pass->position_us += (uint32_t)position_us;
        if (e->deadline_us > pass->last_us)
            pass->last_us = e->deadline_us;
        end = end ? further(end, item) : item;
        s->feasible[s->feasible_count++] = index;
    }
}

static bool is_overloaded(const struct deadline_scheduler *s,
                          const struct pass *pass)
{
    uint64_t all = (uint64_t)s->feasible_count + s->unoffered.unexpired;

    return s->feasible_count > 0 && pass->last_us != DEADLINE_NEVER &&
           pass->time_us / s->feasible_count * all > (uint32_t)pass->last_us &&
           pass->position_us >
               (pass->time_us - pass->position_us) / POSITION_PART;
}

/* -- where items are densest -- */

/* Time that an item adds to a run in which `end` has the highest end. It is the
 * time in the pass, unless bytes of the item were read in the pass for another
 * item that is not in the run. */
static int32_t added_us(const struct deadline_scheduler *s,
                        const struct deadline_item *end, uint32_t index)
{
    const struct deadline_item *item = &s->items[index];
    const struct deadline_estimate *e = &s->estimates[index];

    if (!e->shares_bytes)
        return e->added_us;
    if (shares_bytes(end, item))
        return rest_us(s, end, item);
    return e->service_us +
           spn__deadline_position_us(s, &end->end, &item->begin);
}

/* The smallest mean time for an item among all runs that begin with feasible
 * item number k and meet the deadlines of their items. */
static uint32_t mean_from(const struct deadline_scheduler *s, uint32_t k)
{
    const struct deadline_estimate *first = &s->estimates[s->feasible[k]];
    const struct deadline_item *end = &s->items[s->feasible[k]];
    int32_t time_us = first->position_us + first->service_us;
    uint32_t least_us = (uint32_t)time_us;

    for (uint32_t n = 1; n < RUN_MAX && k + n < s->feasible_count; n++) {
        uint32_t index = s->feasible[k + n];

        time_us += added_us(s, end, index);
        if (time_us > s->estimates[index].deadline_us ||
            time_us > DEADLINE_TIME_MAX_US)
            break;
        end = further(end, &s->items[index]);
        least_us = min_u32(least_us, (uint32_t)time_us / (n + 1));
    }
    return least_us;
}

/* Whether a run that begins with feasible item number k would skip the item
 * before it, although one run could read both. */
static bool is_within_run(const struct deadline_scheduler *s, uint32_t k)
{
    const struct deadline_estimate *e = &s->estimates[s->feasible[k]];

    return k > 0 && e->return_us > 0 && e->position_us > 0 &&
           spn__deadline_is_chained(s, &s->items[s->feasible[k - 1]].end,
                                    &s->items[s->feasible[k]].begin);
}

static uint32_t find_densest(const struct deadline_scheduler *s)
{
    uint32_t least_us = UINT32_MAX;
    uint32_t densest = 0;

    for (uint32_t k = 0; k < s->feasible_count; k++) {
        uint32_t mean_us;

        if (is_within_run(s, k))
            continue;
        mean_us = mean_from(s, k);
        if (mean_us < least_us) {
            least_us = mean_us;
            densest = k;
        }
    }
    return densest;
}

uint32_t spn__deadline_find_overloaded(struct deadline_scheduler *s)
{
    struct pass pass;

    make_pass(s, &pass);
    return is_overloaded(s, &pass) ? s->feasible[find_densest(s)] : s->count;
}
