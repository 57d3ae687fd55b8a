/* stage_budget.h - READ_AWAITS_BUDGET: reads for which the budget has no
 * memory.
 *
 * They are served by when they are due, so that a large read, or one of low
 * priority, is not passed by others for ever. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STAGE_BUDGET_H
#define SPN_READ_STAGE_BUDGET_H

#include "read/request.h"

struct io;

enum read_stage spn__budget_enter(struct io *io, uint32_t index);
/* Before the first of a row of steps. */
void spn__budget_begin_steps(struct io *io);
/* Give the first its memory and take it out; it goes to READ_OPENING. False
 * when none waits, or the first does not fit. */
bool spn__budget_step(struct io *io, uint32_t *index);

/* Does a read wait that is due before this one? */
bool spn__budget_has_earlier(const struct io *io, const struct io_request *r);

#endif
