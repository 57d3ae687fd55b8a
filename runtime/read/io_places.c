/* io_places.c - where a sweep reads what lies in several places.
 *
 * Of the copies of a read the one counts that lies nearest to where the head
 * goes anyway: to the nearest read of one place. Chosen anew with each choice
 * of the sweep, until the read was begun.
 *
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_places.h"

#include "read/engine.h"
#include "read/io_pak.h"
#include "read/io_sweep.h"
#include "schedule/sweep_waiting.h"

/* The place of the read nearest to the head of those that lie in one; the
 * head's own where there is none. Idle reads do not count: they come when
 * nobody else waits. */
static uint64_t next_place(const struct io *io, const struct io_medium *medium)
{
    const struct queue *queue = &medium->line.queue;
    uint64_t next = medium->head;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < queue->count; i++) {
        const struct sweep_item *item =
            &io->pool->items[queue->entries[i].subject];
        uint64_t at = item->begin.offset;
        uint64_t far =
            at < medium->head ? medium->head - at : at - medium->head;

        if (item->is_idle || item->has_choice || far >= least)
            continue;
        least = far;
        next = at;
    }
    return next;
}

void spn__pak_choose_places(struct io *io, const struct io_medium *medium)
{
    const struct queue *queue = &medium->line.queue;
    uint64_t next = next_place(io, medium);

    for (uint32_t i = 0; i < queue->count; i++) {
        uint32_t index = queue->entries[i].subject;

        if (io_has_choice(&io->requests[index]) &&
            spn__pak_choose_copy(io, index, next))
            spn__io_weigh(io, index, queue->entries[i].key);
    }
}
