/* run_read.c - a run of several reads at a device. */
/* SPDX-License-Identifier: MIT */
#include "read/stage/run_read.h"

#include "base/assert.h"
#include "read/device.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_listen.h"
#include "read/io_report.h"
#include "read/stage/piece_read.h"
#include "read/unpack_reads.h"

/* -- back from the device -- */

/* Make all copies. Must be done before any read of the run continues, because a
 * copy may read from the destination of another read. */
static void copy_all(const struct run *run, uint32_t arrived)
{
    for (uint32_t i = 0; i < run->member_count; i++)
        spn__run_copy(run, i, spn__run_useful(run, i, arrived));
}

void spn__run_read_take(struct io *io, struct io_medium *medium,
                        spn_status status, uint64_t bytes)
{
    const struct run *run = &medium->scheduler->run;
    uint32_t there = 0;
    uint32_t gap_bytes;

    spn__device_invalidate(io, run->extents, run->extent_count);
    if (status == SPN_OK)
        there = bytes < run->bytes ? (uint32_t)bytes : run->bytes;
    if (listen_is_there(&io->listen))
        spn__io_notify_run_end(io, medium, status, there);
    spn__device_free(io, medium, status, there, there == run->bytes);
    gap_bytes = spn__run_gap_bytes(run, there);
    spn__io_note_piece(io, medium, there - gap_bytes, gap_bytes,
                       run->member_count);
    copy_all(run, there);
    medium->arrived_status = status;
    medium->arrived_bytes = there;
}

static enum read_stage go_alone(struct io_request *request)
{
    request->is_alone = true;
    return READ_WAITING;
}

enum read_stage spn__run_read_step(struct io *io, struct io_medium *medium,
                                   uint32_t i)
{
    const struct run *run = &medium->scheduler->run;
    uint32_t index = run->members[i].subject;
    struct io_request *request = &io->requests[index];
    uint32_t useful;

    if (medium->is_refused)
        return go_alone(request);
    if (io_is_unwanted(io, index))
        return read_drain(request, SPN_ERR_SHUTDOWN);
    useful = spn__run_useful(run, i, medium->arrived_bytes);
    if (useful < run->members[i].bytes)
        request->is_alone = true;
    if (io_is_of_pak(io, index))
        (void)spn__unpack_take(io, index, &useful);
    if (useful > 0)
        return spn__piece_read_advance(io, medium, index, useful);
    if (medium->is_timed_out)
        return read_drain(request, SPN_ERR_TIMEOUT);
    return go_alone(request);
}

/* -- to the device -- */

bool spn__run_read_start(struct io *io, struct io_medium *medium)
{
    const struct run *run = &medium->scheduler->run;
    uint32_t first = run->members[0].subject;
    const spn_platform_file_info *info =
        spn__files_info(&io->files, io->requests[first].file);

    medium->piece_start_us = io_now_us(io);
    if (listen_is_there(&io->listen))
        spn__io_notify_run_begin(io, medium);
    if (!spn__device_submit(io, medium, info->file, run->offset, run->extents,
                            run->extent_count)) {
        if (listen_is_there(&io->listen))
            spn__io_notify_run_end(io, medium, SPN_ERR_IO, 0);
        medium->is_refused = true;
        return false;
    }
    spn__device_move_head(io, medium, first, run->offset,
                          run->offset + run->bytes);
    return true;
}
