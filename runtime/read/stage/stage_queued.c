/* stage_queued.c - take reads from the inbox. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_queued.h"

#include "read/engine.h"
#include "read/io_report.h"

/* Reads that mount or load a pak are not recorded. */
static void record(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    const struct io_pak_read *pak = &request->pak;
    const char *path = io->files.entries[request->file].path;
    spn_record_event event = {.at_us = request->start_us,
                              .offset = request->offset,
                              .bytes = request->bytes,
                              .deadline_us = request->deadline_us,
                              .task = request->task,
                              .priority =
                                  (spn_priority)request->ticket.priority};

    if (!request->is_public && request->task == SPN_TASK_PAK)
        return;
    if (io_pak_of(request)) {
        event.offset = pak->range.offset;
        event.bytes = pak->range.bytes;
        path = spn__pak_entry(&pak->mount->index, pak->entry).name;
    }
    request->recording_number = io->record.number;
    request->recording_event =
        spn__record_add(&io->record, &event, path, request->thread);
}

enum read_stage spn__queued_step(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];

    request->medium = SPN_MEDIUM_COUNT;
    if (record_is_on(&io->record))
        record(io, index);
    if (io_is_unwanted(io, index))
        return read_drain(request, SPN_ERR_SHUTDOWN);
    request->arrival = io->arrivals++;
    /* Relaxed: the length is a number alone. */
    request->ticket.group =
        spn__order_group(&io->order_clock, io_now_us(io),
                         atomic_load_relaxed(&io->time_group_us));
    spn__io_note_pending(io, request, request->bytes);
    return READ_OPENING;
}
