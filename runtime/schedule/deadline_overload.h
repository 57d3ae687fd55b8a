/* deadline_overload.h - the choice when not all deadlines can be met.
 *
 * An item is feasible if its deadline is not missed yet and it is not idle.
 * Take one upward pass over the feasible items, where bytes that several items
 * want are read once. There is overload if that pass ends after the last of
 * their deadlines. Items that were not offered count as much as the offered
 * ones on average.
 *
 * In overload the number of reads in a second decides how many deadlines are
 * met. So the choice is the item from which a run upward takes the least time
 * for each of its items. Many small items that lie together come before large
 * and solitary ones. Missed items are served when no feasible one is left, when
 * a run passes them, or when they are overdue.
 *
 * If positioning is less than a twentieth of the transfer in the pass, little
 * can be saved, and the usual costs (deadline.h) decide.
 *
 * Thread: the owner's of the scheduler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_OVERLOAD_H
#define SPN_SCHEDULE_DEADLINE_OVERLOAD_H

#include "schedule/deadline.h"

/* After spn__deadline_estimate: the index of the item to begin with, or
 * scheduler->count if there is no overload. */
uint32_t spn__deadline_find_overloaded(struct deadline_scheduler *scheduler);

#endif
