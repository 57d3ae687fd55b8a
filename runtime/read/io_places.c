/* io_places.c - where a sweep reads what lies in several places.
 *
 * Of the copies of a read the one counts that lies nearest to where the head
 * goes anyway: to the nearest read of one place. Chosen anew with each choice
 * of the sweep, until the read was begun: for IO_PLACES_MAX reads, and of more
 * for all in turn, so that a choice costs the same however many wait. The
 * others stay where they were nearest when it was their turn.
 *
 * Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_places.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_pak.h"
#include "read/io_sweep.h"
#include "schedule/sweep_waiting.h"

void spn__pak_choose_places(struct io *io, const struct io_medium *medium)
{
    struct sweep_waiting *waiting = &medium->sweep->waiting;
    uint64_t next = spn__sweep_waiting_nearest(waiting, medium->head);
    uint32_t count = waiting->choices.count;

    if (count > IO_PLACES_MAX)
        count = IO_PLACES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = spn__sweep_waiting_next_choice(waiting);

        SPN_ASSERT(io_has_choice(&io->requests[index]));
        if (spn__pak_choose_copy(io, index, next))
            spn__io_weigh(io, index, io->pool->items[index].key);
    }
}
