/* read_order.h - assigns sort keys to the reads of one medium.
 *
 * The sort key (sort_key.h) of a new read depends on the reads served before
 * it. This module keeps, for each priority, the time group and the sweep that
 * were served last, and where the head was then. So a sweep continues after a
 * more urgent read interrupted it.
 *
 * Here time groups count from the start of the clock. Keys store them relative
 * to a base, the group of the oldest pending read, so that they fit. Owner of
 * all fields: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_READ_ORDER_H
#define SPN_SCHEDULE_READ_ORDER_H

#include "schedule/sort_key.h"

#include <stdbool.h>
#include <stdint.h>

/* The last read served with one priority. */
struct order_served {
    uint64_t group;
    uint64_t head; /* where it left the head: byte of the medium */
    uint32_t sweep;
    bool is_set; /* a read was served since the reset */
};

struct read_order {
    uint64_t base_group; /* group 0 of the keys */
    struct order_served served[SORT_KEY_PRIORITY_MAX + 1];
};

/* The position of a read in the order; its place on the medium is apart. */
struct order_ticket {
    uint64_t group;
    uint32_t priority; /* 0..SORT_KEY_PRIORITY_MAX */
    uint32_t sweep;
};

/* Numbers the time groups of all media. All zero before the first use. */
struct order_clock {
    uint64_t first_group; /* begins at since_us */
    uint64_t since_us;    /* since then the groups have the same length */
    uint32_t period_us;   /* that length; 0: none was needed yet */
};

/* The time group of a time, which does not run back. A group begins at each
 * multiple of `period_us` > 0. If it differs from that of the last call, a
 * group begins now, and the next ones are counted from here. */
uint64_t spn__order_group(struct order_clock *clock, uint64_t time_us,
                          uint32_t period_us);

/* No read is pending: forget what was served. `group` is the new base. */
void spn__order_reset(struct read_order *order, uint64_t group);
/* Whether a key cannot hold `group`. Then the caller sets the base to the group
 * of the oldest pending read and computes all keys again. */
bool spn__order_is_far(const struct read_order *order, uint64_t group);
void spn__order_set_base(struct read_order *order, uint64_t group);

/* Set the sweep of a ticket; its priority and group are set. `position` is the
 * place of the read in bytes on the medium, SORT_KEY_OFFSET_UNKNOWN for a file
 * that is not open yet. */
void spn__order_arrive(const struct read_order *order,
                       struct order_ticket *ticket, uint64_t position);
/* The sort key of a ticket. */
uint64_t spn__order_key(const struct read_order *order,
                        const struct order_ticket *ticket, uint64_t position);
/* Record that a read goes to the device. It leaves the head at byte `end`. */
void spn__order_serve(struct read_order *order,
                      const struct order_ticket *ticket, uint64_t end);

#endif
