/* stage_budget.c - reads for which the budget has no memory. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_budget.h"

#include "read/engine.h"
#include "read/stage/storage.h"

enum read_stage spn__budget_enter(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    spn__queue_push(&io->budget_waiters, spn__storage_due_us(request),
                    request->arrival, index);
    return READ_AWAITS_BUDGET;
}

void spn__budget_begin_steps(struct io *io)
{
    spn__budget_forget_refusal(&io->budget);
}

bool spn__budget_step(struct io *io, uint32_t *index)
{
    if (!spn__queue_first(&io->budget_waiters, index) ||
        !spn__storage_take_budget(io, &io->requests[*index]))
        return false;
    spn__queue_pop(&io->budget_waiters, index);
    return true;
}
