/* stage_device.c - reads with a command at a device. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/stage_device.h"

#include "read/device.h"
#include "read/engine.h"
#include "read/io_deadline.h"
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

uint32_t spn__device_count(const struct io_medium *medium)
{
    if (io_is_run(medium))
        return medium->scheduler->run.member_count;
    return medium->chosen != IO_NONE;
}

uint32_t spn__device_read(const struct io_medium *medium, uint32_t i)
{
    if (io_is_run(medium))
        return medium->scheduler->run.members[i].subject;
    return medium->chosen;
}

bool spn__device_start(struct io *io, struct io_medium *medium)
{
    medium->is_refused = false;
    return io_is_run(medium) ? spn__run_read_start(io, medium)
                             : spn__piece_read_start(io, medium);
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

    if (spn__devices_are_free(io) ||
        io->platform->read_poll(io->platform->user, &end, due_us) != SPN_OK)
        return false;
    *medium = medium_of_tag(io, end.tag);
    if (!*medium)
        return true;
    if (io_is_run(*medium))
        spn__run_read_take(io, *medium, end.status, end.bytes);
    else
        spn__piece_read_take(io, *medium, end.status, end.bytes);
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
