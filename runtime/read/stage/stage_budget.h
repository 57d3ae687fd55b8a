/* stage_budget.h - READ_AWAITS_BUDGET: reads for which the budget has no
 * memory.
 *
 * They get memory in the order of their due times, so that large reads and
 * reads of low priority cannot starve. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_BUDGET_H
#define SPN_READ_STAGE_BUDGET_H

#include "read/request.h"

struct io;

enum read_stage spn__budget_enter(struct io *io, uint32_t index);
/* To be called before a sequence of steps. */
void spn__budget_begin_steps(struct io *io);
/* Give the first read its memory and take it out; its next stage is
 * READ_OPENING. Returns false if none waits, or if the first does not fit. */
bool spn__budget_step(struct io *io, uint32_t *index);

#endif
