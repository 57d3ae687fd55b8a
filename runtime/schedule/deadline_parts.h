/* deadline_parts.h - what the files of the deadline scheduler share. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_DEADLINE_PARTS_H
#define SPN_SCHEDULE_DEADLINE_PARTS_H

#include "schedule/deadline.h"

/* From one time to another, signed, and so bounded that sums of a few thousand
 * do not overflow. */
int64_t spn__deadline_between(uint64_t from_us, uint64_t to_us);
/* Is reading on from `end` to `begin` cheaper than coming again? */
bool spn__deadline_is_chained(const struct deadline_scheduler *scheduler,
                              const struct forecast_place *end,
                              const struct forecast_place *begin);

/* Overload: of the reads that are neither lost nor idle more wait than can be
 * read until the last of their deadlines, by the steps of one pass over the
 * disc. Then the read to begin with so that most deadlines are kept; else
 * scheduler->count. All views and the order by place are worked out. */
uint32_t spn__deadline_find_overloaded(struct deadline_scheduler *scheduler);

#endif
