/* deadline_cost.h - estimates and costs of the items of one choice.
 *
 * deadline.h defines the cost. Every time here is relative to now and fits 32
 * bits: a positioning or a transfer counts DEADLINE_LEG_MAX_US at most, and a
 * deadline that is DEADLINE_TIME_MAX_US (nine minutes) away counts as none. So
 * a sum of a deadline and three legs, or of seven legs, does not overflow.
 *
 * Thread: the owner's of the scheduler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_COST_H
#define SPN_SCHEDULE_DEADLINE_COST_H

#include "schedule/deadline.h"

#define DEADLINE_LEG_MAX_US (1 << 28)
#define DEADLINE_TIME_MAX_US (1 << 29)
#define DEADLINE_NEVER INT32_MAX

/* The forecast's times, at most DEADLINE_LEG_MAX_US each. */
int32_t spn__deadline_position_us(const struct deadline_scheduler *scheduler,
                                  const struct forecast_place *from,
                                  const struct forecast_place *to);
int32_t spn__deadline_seek_us(const struct deadline_scheduler *scheduler,
                              const struct forecast_place *from,
                              const struct forecast_place *to);
int32_t spn__deadline_transfer_us(const struct deadline_scheduler *scheduler,
                                  const struct forecast_place *from,
                                  uint64_t bytes);

/* Whether reading on from `end` through the gap to `begin` takes less time than
 * a seek. True if they overlap. */
bool spn__deadline_is_chained(const struct deadline_scheduler *scheduler,
                              const struct forecast_place *end,
                              const struct forecast_place *begin);

/* Compute all estimates, the order by place and the binding deadlines. */
void spn__deadline_estimate(struct deadline_scheduler *scheduler,
                            const struct forecast_place *head, uint64_t now_us);

/* How long an item has waited, at most DEADLINE_TIME_MAX_US. */
int32_t spn__deadline_age_us(const struct deadline_item *item, uint64_t now_us);

/* The cost of an item in microseconds, exact up to `limit`: any larger result
 * means only that the cost is above the limit. `begun` is the item that a
 * choice of another one interrupts, scheduler->count if there is none. */
int32_t spn__deadline_cost(struct deadline_scheduler *scheduler, uint32_t index,
                           uint32_t begun, uint64_t now_us, int32_t limit);

#endif
