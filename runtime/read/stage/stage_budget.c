/* stage_budget.c - reads for which the budget has no memory. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_budget.h"

#include "read/engine.h"
#include "read/stage/storage.h"

#define SECOND_US 1000000u

/* Due time of a read: its deadline, but at the latest 4, 8, 16 or 32 s after
 * its start, for the priorities from above normal to idle. */
static uint64_t due_us(const struct io_request *request)
{
    uint32_t limit_us = SECOND_US
                        << (request->ticket.priority - SPN_PRIORITY_URGENT);
    uint64_t at_us = io_due_us(request, limit_us);
    uint64_t last_us = request->start_us + limit_us;

    return at_us < last_us ? at_us : last_us;
}

enum read_stage spn__budget_enter(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    spn__queue_push(&io->budget_waiters, due_us(request), request->arrival,
                    index);
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

bool spn__budget_has_earlier(const struct io *io, const struct io_request *r)
{
    const struct io_request *first;
    uint64_t first_us;
    uint64_t own_us;
    uint32_t index;

    if (!spn__queue_first(&io->budget_waiters, &index))
        return false;
    first = &io->requests[index];
    first_us = due_us(first);
    own_us = due_us(r);
    return first_us < own_us ||
           (first_us == own_us && first->arrival < r->arrival);
}
