/* io_listen.c - events of reads, sent by the owner of the request. */
/* SPDX-License-Identifier: MIT */
#include "read/io_listen.h"

#include "base/mem.h"
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
    event->user = request->user;
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

/* An event has the position of the head before the piece. medium->head still
 * has it when a piece begins and when it ends. */
static void describe_piece(const struct io *io, const struct io_medium *medium,
                           uint32_t index, spn_event *event)
{
    uint64_t position = spn__files_position(
        &io->files, io->requests[index].file, medium->piece.offset);

    describe(io, index, event);
    name_file(io, index, event);
    event->position = position;
    event->piece_bytes = medium->piece.bytes;
    event->together = 1;
    if (medium->has_head)
        event->seek_bytes = position > medium->head ? position - medium->head
                                                    : medium->head - position;
}

void spn__io_notify_begin(const struct io *io, const struct io_medium *medium,
                          uint32_t index)
{
    spn_event event;

    describe_piece(io, medium, index, &event);
    spn__listen_notify(&io->listen, SPN_EVENT_READ_BEGIN, &event);
}

void spn__io_notify_end(const struct io *io, const struct io_medium *medium,
                        uint32_t index, spn_status status, uint64_t bytes)
{
    spn_event event;

    describe_piece(io, medium, index, &event);
    event.status = status;
    event.piece_bytes = bytes;
    spn__listen_notify(&io->listen, SPN_EVENT_READ_END, &event);
}

static void describe_member(const struct io *io, const struct io_medium *medium,
                            uint32_t i, spn_event *event)
{
    const struct run *run = &medium->scheduler->run;
    uint32_t index = run->members[i].subject;
    uint32_t file = io->requests[index].file;
    uint64_t start = spn__files_position(&io->files, file, run->offset);

    describe(io, index, event);
    name_file(io, index, event);
    event->position = spn__files_position(&io->files, file,
                                          run->offset + run->members[i].offset);
    event->piece_bytes = run->members[i].bytes;
    event->together = run->member_count;
    if (medium->has_head && i == 0)
        event->seek_bytes =
            start > medium->head ? start - medium->head : medium->head - start;
}

void spn__io_notify_run_begin(const struct io *io,
                              const struct io_medium *medium)
{
    for (uint32_t i = 0; i < medium->scheduler->run.member_count; i++) {
        spn_event event;

        describe_member(io, medium, i, &event);
        spn__listen_notify(&io->listen, SPN_EVENT_READ_BEGIN, &event);
    }
}

void spn__io_notify_run_end(const struct io *io, const struct io_medium *medium,
                            spn_status status, uint32_t bytes)
{
    const struct run *run = &medium->scheduler->run;

    for (uint32_t i = 0; i < run->member_count; i++) {
        spn_event event;

        describe_member(io, medium, i, &event);
        event.status = status;
        event.piece_bytes = spn__run_useful(run, i, bytes);
        spn__listen_notify(&io->listen, SPN_EVENT_READ_END, &event);
    }
}

static void describe_end(const struct io *io, uint32_t index, spn_event *event)
{
    const struct io_request *request = &io->requests[index];

    describe(io, index, event);
    event->status = request->status;
    event->done_bytes = request->done_bytes;
    event->ended_us = request->ended_us;
}

void spn__io_notify_aborted(const struct io *io, uint32_t index)
{
    spn_event event;

    describe_end(io, index, &event);
    spn__listen_notify(&io->listen, SPN_EVENT_ABORTED, &event);
}

void spn__io_notify_completed(const struct io *io, uint32_t index)
{
    spn_event event;

    describe_end(io, index, &event);
    spn__listen_notify(&io->listen, SPN_EVENT_COMPLETED, &event);
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
