/* io_listen.c - events of reads, sent by the owner of the request. */
/* SPDX-License-Identifier: MIT */
#include "read/io_listen.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "read/device.h"
#include "read/engine.h"
#include "read/io_deadline.h"

static void describe(const struct io *io, uint32_t index, spn_event *event)
{
    const struct io_request *request = &io->requests[index];

    memset(event, 0, sizeof *event);
    event->read = io_handle(io, index);
    event->task = request->task;
    event->task_class = request->task_class;
    event->priority = (spn_priority)io_priority(request);
    event->medium = request->medium;
    event->offset = request->offset;
    event->bytes = request->bytes;
    event->start_us = request->start_us;
    event->deadline_us = request->deadline_us;
    event->user = io_event_user(request);
}

/* Must be called while the read holds its file. After that the entry of the
 * table of files may have another file. */
static void name_file(const struct io *io, uint32_t index, spn_event *event)
{
    event->path = io->files.entries[io->requests[index].file].path;
}

void spn__io_notify_queued(const struct io *io, uint32_t index, uint64_t key)
{
    spn_event event;

    describe(io, index, &event);
    name_file(io, index, &event);
    event.key = key;
    spn__listen_notify(&io->listen, SPN_EVENT_QUEUED, &event);
}

void spn__io_notify_preempted(const struct io *io, uint32_t index, uint32_t by,
                              uint64_t key)
{
    spn_event event;

    describe(io, index, &event);
    name_file(io, index, &event);
    event.by = io_handle(io, by);
    event.key = key;
    spn__listen_notify(&io->listen, SPN_EVENT_PREEMPTED, &event);
}

/* Describe the part of read number `i` in the command of a medium, of which
 * `bytes` were requested or have arrived. The first event has the distance from
 * medium->head, which is still the position before the command. */
static void describe_part(const struct io *io, const struct io_medium *medium,
                          uint32_t i, uint32_t bytes, spn_event *event)
{
    uint32_t index = spn__device_read(medium, i);
    uint32_t file = io->requests[index].file;
    uint64_t offset = spn__device_command(io, medium).offset;
    uint64_t start = spn__files_position(&io->files, file, offset);

    describe(io, index, event);
    name_file(io, index, event);
    event->position = start;
    event->piece_bytes = bytes;
    event->together = spn__device_count(medium);
    if (io_is_run(medium)) {
        const struct run *run = &medium->scheduler->run;

        event->position = spn__files_position(&io->files, file,
                                              offset + run->members[i].offset);
        event->piece_bytes = spn__run_useful(run, i, bytes);
    }
    if (medium->has_head && i == 0)
        event->seek_bytes = distance_u64(start, medium->head);
}

void spn__io_notify_command(const struct io *io, const struct io_medium *medium,
                            spn_event_kind kind, spn_status status,
                            uint32_t bytes)
{
    for (uint32_t i = 0; i < spn__device_count(medium); i++) {
        spn_event event;

        describe_part(io, medium, i, bytes, &event);
        event.status = status;
        spn__listen_notify(&io->listen, kind, &event);
    }
}

void spn__io_notify_over(const struct io *io, uint32_t index,
                         spn_event_kind kind)
{
    const struct io_request *request = &io->requests[index];
    spn_event event;

    describe(io, index, &event);
    event.status = request->status;
    event.done_bytes = request->done_bytes;
    event.ended_us = request->ended_us;
    spn__listen_notify(&io->listen, kind, &event);
}

void spn__io_notify_callback(const struct io *io, uint32_t index,
                             spn_callback callback, spn_event_kind kind,
                             spn_status status)
{
    spn_event event;

    describe(io, index, &event);
    event.callback = callback;
    event.status = status;
    spn__listen_notify(&io->listen, kind, &event);
}
