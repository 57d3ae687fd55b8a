/* stage_opening.c - reads whose files are not open yet. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_opening.h"

#include "read/engine.h"
#include "read/request_queue.h"

enum read_stage spn__opening_enter(struct io *io, uint32_t index)
{
    if (io_is_paused(io, index))
        return READ_PAUSED;
    if (spn__request_find_medium(io, &io->requests[index]))
        return READ_WAITING;
    spn__request_enqueue(io, index);
    return READ_OPENING;
}

enum read_stage spn__opening_next(struct io *io, uint32_t index)
{
    return spn__request_find_medium(io, &io->requests[index]) ? READ_WAITING
                                                              : READ_OPENING;
}

bool spn__opening_step(struct io *io, uint32_t *index, enum read_stage *next)
{
    struct queue *queue = &io->opening->queue;
    spn_status status = SPN_ERR_ABORTED;
    uint32_t first;

    if (!spn__queue_first(queue, &first))
        return false;
    *index = IO_NONE;
    if (!io_is_aborted(io, first))
        status = spn__files_ready(&io->files, io->requests[first].file);
    if (status == SPN_OK)
        return true;
    spn__queue_pop(queue, index);
    *next = read_drain(&io->requests[first], status);
    return true;
}

bool spn__opening_is_outranked(const struct io *io)
{
    uint32_t first;
    uint32_t other;

    if (!spn__queue_first(&io->opening->queue, &first))
        return false;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const struct request_queue *requests = &io->media[i].requests;

        if (requests->active == IO_NONE &&
            spn__queue_first(&requests->queue, &other) &&
            io_priority(&io->requests[other]) <
                io_priority(&io->requests[first]))
            return true;
    }
    return false;
}
