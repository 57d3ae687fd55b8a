/* read_order.c - keys from arrival times, places and the reads served before.
 *
 * Time groups begin at multiples of SORT_KEY_GROUP_US of the clock. So another
 * base shifts all groups equally and changes no order.
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

uint64_t spn__order_group(uint64_t time_us)
{
    return time_us / SORT_KEY_GROUP_US;
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
