/* stage_device.c - reads with a command at a device. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_device.h"

#include "base/minmax.h"
#include "read/device.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_listen.h"
#include "read/io_report.h"
#include "read/stage/piece_read.h"
#include "read/stage/run_read.h"
#include "read/unpack_reads.h"

enum read_stage spn__device_enter(struct io *io, uint32_t index)
{
    struct io_medium *medium = &io->media[io->requests[index].medium];

    spn__queue_remove(&medium->requests.queue, index);
    return READ_AT_DEVICE;
}

void spn__device_leave(struct io *io, uint32_t index)
{
    if (io_is_of_pak(io, index))
        spn__unpack_drop(io, index);
}

/* -- back from the device -- */

/* Take a command of which `bytes` of the `requested` ones have come back. */
static void take(struct io *io, struct io_medium *medium, uint32_t requested,
                 spn_status status, uint64_t bytes)
{
    bool is_run = io_is_run(medium);
    uint32_t there = 0;
    uint32_t gap_bytes = 0;

    if (status == SPN_OK)
        there = (uint32_t)min_u64(bytes, requested);
    if (listen_is_there(&io->listen))
        spn__io_notify_command(io, medium, SPN_EVENT_READ_END, status, there);
    spn__device_free(io, medium, status, there,
                     there == requested &&
                         (is_run || spn__piece_read_is_clean(io, medium)));
    if (is_run)
        gap_bytes = spn__run_gap_bytes(&medium->scheduler->run, there);
    spn__io_note_piece(io, medium, there - gap_bytes, gap_bytes,
                       spn__device_count(medium));
    if (is_run)
        spn__run_read_copy(&medium->scheduler->run, there);
    medium->arrived_status = status;
    medium->arrived_bytes = there;
}

/* The medium whose command has this tag; NULL: the command was given up. */
static struct io_medium *medium_of_tag(struct io *io, uint32_t tag)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].requests.active != IO_NONE && io->media[i].tag == tag)
            return &io->media[i];
    return NULL;
}

bool spn__device_poll(struct io *io, uint64_t *due_us,
                      struct io_medium **medium)
{
    spn_platform_completion end;
    struct device_command command;

    if (spn__devices_are_free(io) ||
        io->platform->read_poll(io->platform->user, &end, due_us) != SPN_OK)
        return false;
    *medium = medium_of_tag(io, end.tag);
    if (!*medium)
        return true;
    command = spn__device_command(io, *medium);
    spn__device_invalidate(io, &command);
    take(io, *medium, command.bytes, end.status, end.bytes);
    return true;
}

enum read_stage spn__device_step(struct io *io, struct io_medium *medium,
                                 uint32_t i)
{
    return io_is_run(medium) ? spn__run_read_step(io, medium, i)
                             : spn__piece_read_step(io, medium);
}

void spn__device_cancel_unwanted(struct io *io, struct io_medium *medium)
{
    if (medium->requests.active == IO_NONE)
        return;
    for (uint32_t i = 0; i < spn__device_count(medium); i++)
        if (!io_is_unwanted(io, spn__device_read(medium, i)))
            return;
    spn__device_cancel(io, medium);
}

/* -- to the device -- */

bool spn__device_start(struct io *io, struct io_medium *medium)
{
    struct device_command command;

    if (!io_is_run(medium))
        spn__piece_read_plan(io, medium);
    command = spn__device_command(io, medium);
    medium->is_refused = false;
    medium->piece_start_us = io_now_us(io);
    if (listen_is_there(&io->listen))
        spn__io_notify_command(io, medium, SPN_EVENT_READ_BEGIN, SPN_OK,
                               command.bytes);
    if (medium == &io->media[SPN_MEDIUM_MEMORY]) {
        spn__piece_read_copy(io, medium);
        spn__io_note_busy(io, medium, true);
        spn__device_move_head(io, medium, &command);
        take(io, medium, command.bytes, SPN_OK, command.bytes);
        return false;
    }
    if (spn__device_submit(io, medium, &command)) {
        spn__device_move_head(io, medium, &command);
        return true;
    }
    if (listen_is_there(&io->listen))
        spn__io_notify_command(io, medium, SPN_EVENT_READ_END, SPN_ERR_IO, 0);
    medium->is_refused = true;
    return false;
}
