/* deadline_coalesce.h - choose the waiting items that are read by the same
 * command as the chosen item (deadline.h). Such a command is called a run.
 *
 * A run reads upward from its first item, through gaps that take less time than
 * a seek, and brings the bytes of several items of one file. An item is added
 * only if no binding deadline that would be met without it is missed.
 *
 * A run may begin with an item below the chosen one, because a drive can return
 * to the last two ECC blocks before the head without a seek:
 *
 *   offset on the disc -->
 *            | item 1 | item 2 | chosen item | item 3 |
 *            run of all four, if each begins at most two ECC blocks before the
 *            end of the item after it
 *
 * Three cases:
 *   - The chosen item needs no positioning of the head. Then the run begins
 *     with the lowest item of the file that needs none either.
 *   - The chosen item is urgent or overdue, and needs positioning. Then the run
 *     begins with it.
 *   - Otherwise the run begins with the lowest item that can be reached as in
 *     the picture, if this causes no missed deadline.
 *
 * Thread: the owner's of the scheduler.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_COALESCE_H
#define SPN_SCHEDULE_DEADLINE_COALESCE_H

#include "schedule/deadline.h"

/* Most items of one run. */
#define DEADLINE_COALESCE_MAX 32u

/* After spn__deadline_choose returned `chosen`: fill `run` with the indices of
 * the items to read in one run, `chosen` among them. The first index begins the
 * run. The others are in no order and can share bytes. Returns their number. */
uint32_t spn__deadline_coalesce(const struct deadline_scheduler *scheduler,
                                uint32_t chosen,
                                uint32_t run[DEADLINE_COALESCE_MAX]);

#endif
