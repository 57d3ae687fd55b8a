/* io_run.c - a run at the device: several reads that come and go together.
 *
 * While it is there its reads stand in no line. Each is looked at when the run
 * comes back: aborted ones end, the others get their bytes, and end or stand in
 * line again. A run that failed or came short says nothing of any of its reads:
 * those that lack bytes stand alone from then on, and are tried, and retried,
 * as if there had been no run. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_run.h"

#include "base/assert.h"
#include "read/engine.h"
#include "read/io_device.h"
#include "read/io_end.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_report.h"
#include "read/io_sweep.h"
#include "read/io_unpack.h"

bool spn__io_run_is_unwanted(const struct io *io,
                             const struct io_medium *medium)
{
    const struct run *run = &medium->sweep->run;

    for (uint32_t i = 0; i < run->member_count; i++)
        if (!io->is_stopping && !io_is_aborted(io, run->members[i].subject))
            return false;
    return true;
}

/* -- back from the device -- */

static void invalidate(const struct io *io, const struct run *run)
{
    if (!io->platform->cache_invalidate)
        return;
    for (uint32_t i = 0; i < run->extent_count; i++)
        io->platform->cache_invalidate(io->platform->user, run->extents[i].data,
                                       run->extents[i].bytes);
}

static void stand_alone(struct io *io, uint32_t index)
{
    io->requests[index].is_alone = true;
    if (io_is_of_pak(io, index))
        spn__unpack_drop(io, index);
    (void)spn__io_put_back(io, index);
}

/* All copies come first: afterwards memory belongs to others. */
static void bring_home(const struct run *run, uint32_t arrived)
{
    for (uint32_t i = 0; i < run->member_count; i++)
        spn__run_copy(run, i, spn__run_useful(run, i, arrived));
}

static void hand_out(struct io *io, struct io_medium *medium, uint32_t arrived)
{
    const struct run *run = &medium->sweep->run;

    for (uint32_t i = 0; i < run->member_count; i++) {
        uint32_t index = run->members[i].subject;
        uint32_t useful = spn__run_useful(run, i, arrived);

        if (spn__io_end_if_unwanted(io, index))
            continue;
        if (useful < run->members[i].bytes)
            io->requests[index].is_alone = true;
        if (io_is_of_pak(io, index))
            (void)spn__unpack_take(io, index, &useful);
        if (useful > 0)
            spn__io_advance(io, medium, index, useful);
        else if (medium->is_timed_out)
            spn__io_end(io, index, SPN_ERR_TIMEOUT);
        else
            stand_alone(io, index);
    }
}

void spn__io_end_run(struct io *io, struct io_medium *medium, spn_status status,
                     uint64_t bytes)
{
    const struct run *run = &medium->sweep->run;
    uint32_t there = 0;
    uint32_t gap_bytes;

    SPN_ASSERT(medium->sweep->is_running);
    medium->sweep->is_running = false;
    invalidate(io, run);
    if (status == SPN_OK)
        there = bytes < run->bytes ? (uint32_t)bytes : run->bytes;
    if (listen_is_there(&io->listen))
        spn__io_hear_run_end(io, medium, status, there);
    spn__io_leave_device(io, medium, status, there, there == run->bytes);
    gap_bytes = spn__run_gap_bytes(run, there);
    spn__io_note_piece(io, medium, there - gap_bytes, gap_bytes,
                       run->member_count);
    bring_home(run, there);
    hand_out(io, medium, there);
}

/* -- to the device -- */

static void fail_to_start(struct io *io, const struct run *run)
{
    for (uint32_t i = 0; i < run->member_count; i++)
        stand_alone(io, run->members[i].subject);
}

void spn__io_start_run(struct io *io, struct io_medium *medium)
{
    const struct run *run = &medium->sweep->run;
    uint32_t first = run->members[0].subject;
    const spn_platform_file_info *info =
        spn__files_info(&io->files, io->requests[first].file);

    medium->piece_start_us = io_now_us(io);
    if (listen_is_there(&io->listen))
        spn__io_hear_run_begin(io, medium);
    if (!spn__io_submit(io, medium, info->file, run->offset, run->extents,
                        run->extent_count)) {
        if (listen_is_there(&io->listen))
            spn__io_hear_run_end(io, medium, SPN_ERR_IO, 0);
        fail_to_start(io, run);
        return;
    }
    medium->sweep->is_running = true;
    spn__io_move_head(io, medium, first, run->offset, run->offset + run->bytes);
}
