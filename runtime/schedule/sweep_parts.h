/* sweep_parts.h - what the files of the deadline-aware sweep share. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_SWEEP_PARTS_H
#define SPN_SCHEDULE_SWEEP_PARTS_H

#include "schedule/sweep.h"

/* From one time to another, signed, and so bounded that sums of a few thousand
 * do not overflow. */
int64_t spn__sweep_between(uint64_t from_us, uint64_t to_us);
/* Is reading on from `end` to `begin` cheaper than coming again? */
bool spn__sweep_is_chained(const struct sweep *sweep,
                           const struct forecast_place *end,
                           const struct forecast_place *begin);

/* Overload: of the reads that are neither lost nor idle more wait than can be
 * read until the last of their deadlines, by the steps of one pass over the
 * disc. Then the read to begin with so that most deadlines are kept; else
 * sweep->count. All views and the order by place are worked out. */
uint32_t spn__sweep_find_overloaded(struct sweep *sweep);

#endif
