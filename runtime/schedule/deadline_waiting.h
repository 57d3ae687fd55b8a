/* deadline_waiting.h - all reads that wait for one medium under the deadline
 * scheduler, and which of them a choice considers.
 *
 * The io thread adds a read when it enters the queue of its medium, and removes
 * it when it leaves. Before each choice it offers the scheduler up to
 * DEADLINE_ITEMS_MAX of the reads. If no more wait, all are offered. Otherwise:
 *
 *   - the reads whose age limits end first, at least one idle read among them,
 *   - the reads whose deadlines are next,
 *   - the reads nearest to the head: most with deadlines in the future, some
 *     with deadlines that have passed, some idle ones.
 *
 * So the cost of a choice does not depend on how many reads wait, except for
 * O(log n) searches. Adding or removing a read takes O(log n).
 *
 * A read of a file with copies is at several places of the disc. It waits with
 * one of them. The owner can give some of these reads another place before each
 * choice: spn__deadline_waiting_next_copied iterates over them.
 *
 * The items of all reads are in one pool, by subject. All media share it,
 * because a read waits for one medium at a time. While a read waits, its item
 * changes through spn__deadline_waiting_change only; the owner may write the
 * key. Thread: the owner's (the io thread).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_WAITING_H
#define SPN_SCHEDULE_DEADLINE_WAITING_H

#include "base/carve.h"
#include "schedule/deadline.h"
#include "schedule/order_tree.h"

#include <stdbool.h>
#include <stdint.h>

/* When more than DEADLINE_ITEMS_MAX reads wait, this many are offered for each
 * reason, if there are as many. The other places are for neighbours of the
 * head with deadlines in the future. */
#define DEADLINE_OFFER_OLDEST 8u
#define DEADLINE_OFFER_DUE 48u
#define DEADLINE_OFFER_PASSED 40u
#define DEADLINE_OFFER_IDLE 16u

enum deadline_lane {
    DEADLINE_LANE_FUTURE, /* the deadline has not passed */
    DEADLINE_LANE_PASSED,
    DEADLINE_LANE_IDLE,
    DEADLINE_LANES
};

/* Results of deadline_rank_of: urgent, normal, idle. */
#define DEADLINE_RANKS 3u

struct deadline_waiting;

/* Arrays indexed by subject. */
struct deadline_pool {
    struct deadline_item *items;
    struct deadline_waiting **homes; /* where the read waits; NULL: nowhere */
    uint8_t *lanes;                  /* enum deadline_lane of a waiting read */
    bool *has_deadline; /* the read is in the tree of its deadline */
    bool *is_offered;   /* during spn__deadline_waiting_offer only */
    struct order_node *by_place;
    struct order_node *by_deadline;
    struct order_node *by_age_limit;
    struct order_node *by_copies;
    uint32_t capacity; /* subjects */
};

/* For subjects below `reads`. `pool` is NULL while the carve only counts. */
void spn__deadline_pool_init(struct deadline_pool *pool, struct carve *carve,
                             uint32_t reads);

/* Owner of all fields: the io thread. */
struct deadline_waiting {
    struct deadline_pool *pool;
    const struct deadline_rules *rules;
    struct order_tree places[DEADLINE_LANES];     /* by begin offset */
    struct order_tree deadlines[DEADLINE_RANKS];  /* that have not passed */
    struct order_tree age_limits[DEADLINE_RANKS]; /* by the time they end */
    struct order_tree copied; /* reads with several places, by subject */
    struct order_tree single; /* other reads, without idle ones, by place */
    uint32_t copied_next;     /* the iteration continues at this subject */
    uint32_t count;           /* reads */
};

void spn__deadline_waiting_init(struct deadline_waiting *waiting,
                                struct deadline_pool *pool,
                                const struct deadline_rules *rules);
/* Add a read that waits nowhere. Its item in the pool is filled in. O(log n).
 */
void spn__deadline_waiting_add(struct deadline_waiting *waiting,
                               uint32_t subject);
/* Replace the item of a read that waits here. O(log n), or O(1) if place, times
 * and rank stay. */
void spn__deadline_waiting_change(struct deadline_waiting *waiting,
                                  uint32_t subject,
                                  const struct deadline_item *item);
/* No effect if the read does not wait here. O(log n). */
void spn__deadline_waiting_remove(struct deadline_waiting *waiting,
                                  uint32_t subject);

/* The next read with several places, in a cycle over all of them; ORDER_NONE if
 * there is none. O(log n). */
uint32_t spn__deadline_waiting_next_copied(struct deadline_waiting *waiting);
/* The begin offset nearest to `head` of the reads with one place, without idle
 * ones; `head` if there is none. O(log n). */
uint64_t spn__deadline_waiting_nearest(const struct deadline_waiting *waiting,
                                       uint64_t head);

/* Clear the scheduler, and offer it the reads to choose from. Time does not run
 * back between two calls. */
void spn__deadline_waiting_offer(struct deadline_waiting *waiting,
                                 struct deadline_scheduler *scheduler,
                                 const struct forecast_place *head,
                                 uint64_t now_us);

/* Whether all invariants hold. O(n). */
bool spn__deadline_waiting_check(const struct deadline_waiting *waiting);

#endif
