/* request.c - the table of allowed changes of a read's stage. */
/* SPDX-License-Identifier: MIT */
#include "read/request.h"

#include "base/assert.h"

#define BIT(stage) (1u << (stage))

/* AGAIN: the read goes through READ_OPENING again, or was aborted. ASIDE: the
 * same; or its task was paused. */
#define AGAIN (BIT(READ_OPENING) | BIT(READ_DRAINING))
#define ASIDE (AGAIN | BIT(READ_PAUSED))

/* For each stage: mask of the stages that may follow. Every read ends through
 * READ_DRAINING, so this may follow all stages before it. */
static const uint16_t next_of[READ_STAGE_COUNT] = {
    [READ_UNUSED] = BIT(READ_QUEUED),
    [READ_QUEUED] = AGAIN,
    [READ_OPENING] = BIT(READ_WAITING) | BIT(READ_PAUSED) | BIT(READ_DRAINING),
    [READ_WAITING] = ASIDE | BIT(READ_AT_DEVICE) | BIT(READ_AWAITS_BUDGET) |
                     BIT(READ_AWAITS_STORAGE) | BIT(READ_AWAITS_BLOCK) |
                     BIT(READ_AWAITS_SLOT),
    [READ_AT_DEVICE] = BIT(READ_WAITING) | BIT(READ_DRAINING),
    [READ_PAUSED] = AGAIN,
    [READ_AWAITS_BUDGET] = ASIDE,
    [READ_AWAITS_STORAGE] = ASIDE,
    [READ_AWAITS_BLOCK] = AGAIN | BIT(READ_AWAITS_STORAGE),
    [READ_AWAITS_SLOT] = ASIDE,
    [READ_DRAINING] =
        BIT(READ_UNVERIFIED) | BIT(READ_OPENING) | BIT(READ_AWAITS_ASYNC),
    [READ_UNVERIFIED] = BIT(READ_DRAINING),
    [READ_AWAITS_ASYNC] = BIT(READ_COMPLETING),
    [READ_COMPLETING] = BIT(READ_UNUSED)};

bool spn__read_may_move(enum read_stage from, enum read_stage to)
{
    return next_of[from] >> to & 1;
}

void spn__read_set_stage(struct io_request *request, enum read_stage next)
{
    SPN_ASSERT(spn__read_may_move(request->stage, next));
    request->stage = next;
}
