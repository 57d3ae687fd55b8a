/* pak_nearest.c - choose among the copies of pak entries. */
/* SPDX-License-Identifier: MIT */
#include "read/pak_nearest.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/pak_read.h"
#include "schedule/deadline_waiting.h"

void spn__pak_choose_nearest(struct io *io, const struct io_medium *medium)
{
    struct deadline_waiting *waiting = &medium->scheduler->waiting;
    uint64_t next = spn__deadline_waiting_nearest(waiting, medium->head);
    uint32_t count = min_u32(waiting->copied.count, PAK_NEAREST_MAX);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = spn__deadline_waiting_next_copied(waiting);

        SPN_ASSERT(io_has_choice(&io->requests[index]));
        if (spn__pak_choose_copy(io, index, next))
            spn__io_weigh(io, index, io->pool->items[index].key);
    }
}
