/* deadline_coalesce.h - reads that are read in one run with the chosen one.
 *
 * A run reads upward from its first item, through gaps that take less time than
 * a seek, and brings the bytes of several items of one file. It never makes an
 * item miss a deadline that would be met without the longer run.
 *
 * A run begins with the chosen item, or with items right before it: the drive
 * still has the two ECC blocks before the head, so the run can include what
 * lies there. It does not if the chosen item is urgent or overdue, unless the
 * head is there already.
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
