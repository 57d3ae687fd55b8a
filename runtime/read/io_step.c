/* io_step.c - the io thread's step: from the inbox to the devices.
 *
 * A read whose file is not open waits until it is, and then goes on to the line
 * of its medium. Each medium has a line and a device of its own (io_device.c),
 * so that none waits for another.
 * Aborts and shutdown are honoured wherever a read is: when it comes out of the
 * inbox, in a line or aside, before and after each piece.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_step.h"

#include "read/engine.h"
#include "read/io_device.h"
#include "read/io_end.h"
#include "read/io_line.h"
#include "read/io_pak.h"
#include "read/io_report.h"
#include "read/io_storage.h"
#include "read/io_unpack.h"
#include "read/io_watch.h"

/* When to look again whether the table of jobs has room. */
#define JOBS_RETRY_US 1000u

/* -- inbox and signals -- */

/* Reads of a pak itself are no reads of the game's. */
static void record_new(struct io *io, uint32_t index)
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
    request->record_number = io->record.number;
    request->record_event =
        spn__record_add(&io->record, &event, path, request->thread);
}

static bool admit_new(struct io *io)
{
    bool worked = false;
    uint32_t index;

    while (spn__ring_pop(&io->inbox, &index)) {
        worked = true;
        if (io->requests[index].is_lent) {
            spn__io_take_lent(io, index);
            continue;
        }
        if (record_is_on(&io->record))
            record_new(io, index);
        if (!spn__io_end_if_unwanted(io, index))
            spn__io_line_up(io, index, io_now_us(io));
    }
    return worked;
}

static bool end_if_unwanted(void *context, uint32_t index)
{
    return spn__io_end_if_unwanted(context, index);
}

static void end_unwanted(struct io *io)
{
    spn__queue_take_if(&io->unopened->queue, end_if_unwanted, io);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        spn__queue_take_if(&io->media[i].line.queue, end_if_unwanted, io);
        spn__io_cancel_unwanted(io, &io->media[i]);
    }
    spn__io_list_take_if(io, &io->parked, end_if_unwanted);
    spn__io_take_set_aside(io, end_if_unwanted);
}

static bool heed(struct io *io)
{
    uint32_t what;

    if (atomic_load_relaxed(&io->heed) == 0)
        return false;
    /* Pairs with the or in tell(): what was done before it is visible. */
    what = atomic_exchange_acq_rel(&io->heed, 0);
    if (what & IO_HEED_SHUTDOWN)
        io->is_stopping = true;
    if (what & IO_HEED_FILES)
        spn__files_retire(&io->files);
    if (what & (IO_HEED_ABORT | IO_HEED_SHUTDOWN))
        end_unwanted(io);
    if (what & IO_HEED_TASKS)
        spn__io_park(io);
    if (SPN_WITH_PAKS && what & IO_HEED_PAKS)
        spn__pak_heed_serving(io);
    if (SPN_WITH_OBSERVERS && what & IO_HEED_RECORD)
        spn__record_heed(&io->record);
    if (what & IO_HEED_BUDGET)
        spn__io_feed_hungry(io);
    if (what & IO_HEED_STORAGE)
        spn__io_ask_refused(io);
    return true;
}

/* -- opening -- */

/* Open the file of the first that needs it: so all places are known
 * before the first of equals is chosen. */
static bool open_first(struct io *io)
{
    spn_status status = SPN_ERR_ABORTED;
    uint32_t index;

    if (!spn__queue_first(&io->unopened->queue, &index))
        return false;
    if (!io_is_aborted(io, index))
        status = spn__files_ready(&io->files, io->requests[index].file);
    if (status == SPN_OK) {
        spn__io_let_in(io);
        return true;
    }
    spn__queue_pop(&io->unopened->queue, &index);
    spn__io_end(io, index, status);
    return true;
}

/* May a device that is free serve something more pressing than what is first
 * of the unopened? */
static bool is_opening_outranked(const struct io *io)
{
    uint32_t first;
    uint32_t other;

    if (!spn__queue_first(&io->unopened->queue, &first))
        return false;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const struct io_line *line = &io->media[i].line;

        if (line->active == IO_NONE && spn__queue_first(&line->queue, &other) &&
            io_priority(&io->requests[other]) <
                io_priority(&io->requests[first]))
            return true;
    }
    return false;
}

/* One file is opened a step, and at most one piece of each medium is begun. */
static bool serve(struct io *io)
{
    bool is_outranked = is_opening_outranked(io);
    bool worked = false;

    if (!is_outranked && open_first(io))
        return true;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        worked = spn__io_serve(io, &io->media[i]) || worked;
    if (is_outranked)
        worked = open_first(io) || worked;
    return worked;
}

/* Stopping, and no read needs a file any more. */
static bool shut_files(struct io *io)
{
    if (!io->is_stopping || io->unopened->queue.count > 0 ||
        !spn__io_devices_are_free(io) ||
        (io_has_paks(io) && !spn__unpack_is_idle(io)) ||
        atomic_load_relaxed(&io->files.open_count) == 0)
        return false;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].line.queue.count > 0)
            return false;
    spn__files_shut(&io->files);
    return true;
}

static bool step(struct io *io, uint64_t *due_us)
{
    bool worked = heed(io);

    *due_us = UINT64_MAX;
    worked = admit_new(io) || worked;
    worked = spn__io_submit_waiting(io) || worked;
    worked = (io_has_paks(io) && spn__unpack_collect(io)) || worked;
    if (spn__io_poll_devices(io, due_us))
        return true;
    worked = serve(io) || worked;
    worked = shut_files(io) || worked;
    if (!worked && (io->waiting.count > 0 ||
                    (io_has_paks(io) && spn__unpack_waits_for_jobs(io)))) {
        uint64_t retry_us = io_now_us(io) + JOBS_RETRY_US;

        if (retry_us < *due_us)
            *due_us = retry_us;
    }
    return worked;
}

bool spn__io_step(struct io *io, uint64_t *due_us)
{
    bool worked = step(io, due_us);

    worked = spn__io_watch(io, due_us) || worked;
    if (worked)
        spn__io_send_report(io);
    return worked;
}
