/* read_order.c - keys from arrival times, places and the reads served before.
 *
 * Time groups are numbered in the order of time, also when their length
 * changes. So another base shifts all groups equally and changes no order.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/read_order.h"

#include "base/assert.h"
#include "base/mem.h"

/* A group before the base counts as the base. */
static uint64_t relative(const struct read_order *order, uint64_t group)
{
    return group > order->base_group ? group - order->base_group : 0;
}

static uint64_t group_at(const struct order_clock *clock, uint64_t time_us)
{
    if (clock->period_us == 0 || time_us < clock->since_us)
        return clock->first_group;
    return clock->first_group + (time_us - clock->since_us) / clock->period_us;
}

uint64_t spn__order_group(struct order_clock *clock, uint64_t time_us,
                          uint32_t period_us)
{
    SPN_ASSERT(period_us > 0);
    if (clock->period_us != 0 && clock->period_us != period_us) {
        clock->first_group = group_at(clock, time_us) + 1;
        clock->since_us = time_us;
    }
    clock->period_us = period_us;
    return group_at(clock, time_us);
}

void spn__order_reset(struct read_order *order, uint64_t group)
{
    memset(order, 0, sizeof *order);
    order->base_group = group;
}

bool spn__order_is_far(const struct read_order *order, uint64_t group)
{
    return relative(order, group) > SORT_KEY_GROUP_MAX;
}

void spn__order_set_base(struct read_order *order, uint64_t group)
{
    order->base_group = group;
}

void spn__order_arrive(const struct read_order *order,
                       struct order_ticket *ticket, uint64_t position)
{
    const struct order_served *served;
    uint64_t in_progress = 0;

    SPN_ASSERT(ticket->priority <= SORT_KEY_PRIORITY_MAX);
    served = &order->served[ticket->priority];
    if (served->is_set)
        in_progress =
            spn__sort_key(ticket->priority, relative(order, served->group),
                          served->sweep, served->head);
    ticket->sweep = spn__sort_key_sweep(
        spn__sort_key_arrive(ticket->priority, relative(order, ticket->group),
                             position, in_progress));
}

uint64_t spn__order_key(const struct read_order *order,
                        const struct order_ticket *ticket, uint64_t position)
{
    return spn__sort_key(ticket->priority, relative(order, ticket->group),
                         ticket->sweep, position);
}

void spn__order_serve(struct read_order *order,
                      const struct order_ticket *ticket, uint64_t end)
{
    struct order_served *served;

    SPN_ASSERT(ticket->priority <= SORT_KEY_PRIORITY_MAX);
    served = &order->served[ticket->priority];
    served->group = ticket->group;
    served->head = end;
    served->sweep = ticket->sweep;
    served->is_set = true;
}
