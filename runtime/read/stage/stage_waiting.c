/* stage_waiting.c - reads in the queues of their media. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_waiting.h"

#include "read/engine.h"
#include "read/io_listen.h"
#include "read/pak_read.h"
#include "read/request_queue.h"
#include "read/stage/deadline_choice.h"
#include "read/stage/make_ready.h"

static void forget_unfinished(struct io_medium *medium, uint32_t index)
{
    if (medium->unfinished == index)
        medium->unfinished = IO_NONE;
}

/* Return a read from the device to a queue: of its medium, or of
 * SPN_MEDIUM_MEMORY if its pak was loaded meanwhile. */
static enum read_stage return_to_queue(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    struct io_medium *before = &io->media[request->medium];

    if (io_is_paused(io, index))
        return READ_PAUSED;
    (void)spn__request_find_medium(io, request);
    if (before != &io->media[request->medium])
        forget_unfinished(before, index);
    spn__request_requeue(io, index);
    return READ_WAITING;
}

enum read_stage spn__waiting_enter(struct io *io, uint32_t index,
                                   enum read_stage from)
{
    const struct io_request *request = &io->requests[index];

    if (from == READ_AT_DEVICE)
        return return_to_queue(io, index);
    if (io_has_choice(request))
        (void)spn__pak_choose_copy(io, index, io->media[request->medium].head);
    spn__request_enqueue(io, index);
    if (listen_is_there(&io->listen))
        spn__io_notify_queued(io, index, spn__request_key(io, index));
    return READ_WAITING;
}

void spn__waiting_leave(struct io *io, uint32_t index)
{
    forget_unfinished(&io->media[io->requests[index].medium], index);
}

/* -- the choice -- */

void spn__waiting_interrupt(struct io *io, struct io_medium *medium,
                            uint32_t first)
{
    uint32_t index = medium->unfinished;
    struct io_request *request;

    if (index == IO_NONE)
        return;
    medium->unfinished = IO_NONE;
    request = &io->requests[index];
    /* A deadline scheduler has a cost term for interrupted reads instead. */
    if (!io_deadline_of(medium) &&
        io->requests[first].ticket.priority == SPN_PRIORITY_URGENT &&
        request->ticket.priority > SPN_PRIORITY_PREEMPTED) {
        request->is_interrupted = true;
        spn__request_rekey(io, index);
    }
    if (listen_is_there(&io->listen))
        spn__io_notify_preempted(io, index, first, spn__request_key(io, index));
}

bool spn__waiting_choose(struct io *io, struct io_medium *medium)
{
    uint32_t first;

    if (medium->requests.active != IO_NONE ||
        !spn__queue_first(&medium->requests.queue, &first))
        return false;
    medium->is_run = false;
    medium->chosen = IO_NONE;
    if (io_deadline_of(medium)) {
        spn__deadline_choice_run(io, medium);
        return true;
    }
    if (io_has_choice(&io->requests[first]))
        (void)spn__pak_choose_copy(io, first, medium->head);
    medium->candidate = first;
    return true;
}

bool spn__waiting_step(struct io *io, struct io_medium *medium, uint32_t *index,
                       enum read_stage *next)
{
    if (io_deadline_of(medium))
        return spn__deadline_choice_step(io, medium, index, next);
    if (medium->candidate == IO_NONE)
        return false;
    *index = medium->candidate;
    medium->candidate = IO_NONE;
    *next = spn__make_ready(io, *index);
    if (*next == READ_AT_DEVICE)
        medium->chosen = *index;
    else
        spn__queue_remove(&medium->requests.queue, *index);
    return true;
}
