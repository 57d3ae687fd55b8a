/* deadline_waiting.h - all reads that wait for a medium under the
 * deadline-aware scheduler, and which of them a choice weighs.
 *
 * Up to DEADLINE_ITEMS_MAX reads are all weighed. Of more, these are:
 *
 *   - those whose patience ends first, and of idle ones that one,
 *   - those whose deadlines come first, of those that can still be kept,
 *   - the neighbours of the head by place: mostly such as can still keep their
 *     deadlines, some whose deadlines have passed, some idle ones.
 *
 * So a choice costs the same however many wait, but for finding where these
 * begin, and adding or removing a read costs O(log n).
 *
 * A read that lies in several places stands at one of them. The owner may place
 * some anew before each choice: they are found in turn, and beside them the
 * place nearest to the head where one is read that lies in one place only.
 *
 * Items belong to the owner, by subject; several media may share them, for a
 * read waits for one at a time. Of an item that waits only the key may change,
 * but for spn__deadline_waiting_change. Owner: one thread (the io thread).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_WAITING_H
#define SPN_SCHEDULE_DEADLINE_WAITING_H

#include "base/carve.h"
#include "schedule/deadline.h"
#include "schedule/order_tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Of more than DEADLINE_ITEMS_MAX reads, so many at least are weighed for each
 * reason, if there are: and the more neighbours, the fewer others there are. */
#define DEADLINE_WAITING_PATIENCE 8u
#define DEADLINE_WAITING_DEADLINES 48u
#define DEADLINE_WAITING_LOST 40u
#define DEADLINE_WAITING_IDLE 16u

enum deadline_lane {
    DEADLINE_LANE_KEPT, /* its deadline has not passed */
    DEADLINE_LANE_LOST,
    DEADLINE_LANE_IDLE,
    DEADLINE_LANES
};

/* Reads by what goes before all others: urgent, not idle, idle. */
#define DEADLINE_RANKS 3u

struct deadline_waiting;

struct deadline_pool {
    struct deadline_item *items;     /* by subject */
    struct deadline_waiting **homes; /* where it waits; NULL: nowhere */
    uint8_t *lanes;     /* enum deadline_lane, of those that wait */
    bool *has_deadline; /* it stands among the deadlines */
    bool *is_offered;
    struct order_node *by_place;
    struct order_node *by_deadline;
    struct order_node *by_patience;
    struct order_node *by_choice;
    uint32_t capacity;
};

/* For subjects below `reads`. NULL where the carve only counts. */
void spn__deadline_pool_init(struct deadline_pool *pool, struct carve *carve,
                             uint32_t reads);

struct deadline_waiting {
    struct deadline_pool *pool;
    const struct deadline_rules *rules;
    struct order_tree places[DEADLINE_LANES];
    struct order_tree deadlines[DEADLINE_RANKS]; /* that have not passed */
    struct order_tree patience[DEADLINE_RANKS];  /* by its end */
    struct order_tree choices; /* that lie in several places, by subject */
    struct order_tree fixed;   /* all others but idle ones, by place */
    uint32_t choice_next;      /* the subject whose turn it is, or after it */
    uint32_t count;
};

void spn__deadline_waiting_init(struct deadline_waiting *waiting,
                                struct deadline_pool *pool,
                                const struct deadline_rules *rules);
/* The subject waits nowhere; its item is filled in. O(log n). */
void spn__deadline_waiting_add(struct deadline_waiting *waiting,
                               uint32_t subject);
/* It waits here, and is another item from now on. O(log n), or O(1) where
 * nothing changes that orders it. */
void spn__deadline_waiting_change(struct deadline_waiting *waiting,
                                  uint32_t subject,
                                  const struct deadline_item *item);
/* No effect if it does not wait here. O(log n). */
void spn__deadline_waiting_remove(struct deadline_waiting *waiting,
                                  uint32_t subject);

/* Who lies in several places, all of them in turn, whoever comes and goes;
 * ORDER_NONE: nobody does. O(log n). */
uint32_t spn__deadline_waiting_next_choice(struct deadline_waiting *waiting);
/* Where the read begins that is nearest to `head` of those that lie in one
 * place and are not idle; `head`: none is. O(log n). */
uint64_t spn__deadline_waiting_nearest(const struct deadline_waiting *waiting,
                                       uint64_t head);

/* Offer the scheduler what is to be weighed. Time never runs back. */
void spn__deadline_waiting_offer(struct deadline_waiting *waiting,
                                 struct deadline_scheduler *scheduler,
                                 const struct forecast_place *head,
                                 uint64_t now_us);

/* Do all invariants hold? O(n). */
bool spn__deadline_waiting_check(const struct deadline_waiting *waiting);

#endif
