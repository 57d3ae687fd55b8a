/* read_order.h - what the sort key needs to remember between two reads.
 *
 * For each priority: the time group and sweep last served, and where that left
 * the head. So a sweep goes on where it was after an urgent read came between.
 * Time groups are counted from the start of the clock here; a base that
 * follows the oldest pending read makes them small enough for the key. Owner:
 * the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_READ_ORDER_H
#define SPN_SCHEDULE_READ_ORDER_H

#include "schedule/sort_key.h"

#include <stdbool.h>
#include <stdint.h>

struct order_served {
    uint64_t group;
    uint64_t head; /* byte on the medium */
    uint32_t sweep;
    bool is_set;
};

struct read_order {
    uint64_t base_group;
    struct order_served served[SORT_KEY_PRIORITY_MAX + 1];
};

/* Where a read stands in the order. */
struct order_ticket {
    uint64_t group;
    uint32_t priority;
    uint32_t sweep;
};

/* Time group of a moment. */
uint64_t spn__order_group(uint64_t time_us);

/* Nothing is pending: forget what was served, count groups from `group`. */
void spn__order_reset(struct read_order *order, uint64_t group);
/* Would `group` saturate in a key? Then find the oldest pending read, set the
 * base, and make all keys again. */
bool spn__order_is_far(const struct read_order *order, uint64_t group);
void spn__order_set_base(struct read_order *order, uint64_t group);

/* Choose the sweep of a ticket whose priority and group stand: behind what
 * was served in them last, the next one. `position` in bytes on the medium,
 * SORT_KEY_OFFSET_UNKNOWN for a file that was not opened yet. */
void spn__order_arrive(const struct read_order *order,
                       struct order_ticket *ticket, uint64_t position);
uint64_t spn__order_key(const struct read_order *order,
                        const struct order_ticket *ticket, uint64_t position);
/* A read goes to the device, and will leave the head at `end`. */
void spn__order_serve(struct read_order *order,
                      const struct order_ticket *ticket, uint64_t end);

#endif
