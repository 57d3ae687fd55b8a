/* io_step.c - the io thread: from the inbox to the device to the done ring.
 *
 * One read is at the device at a time, one piece of it. After each piece the
 * read goes back into the queue, before all others of its priority: pieces of
 * two reads in turn would cost a seek each. Only a read of a higher priority
 * comes between. Aborts and shutdown are honoured wherever a read is: when it
 * comes out of the inbox, in the queue, before and after each piece. At the
 * device a read only has its result dropped: its memory belongs to the device
 * until the completion.
 *
 * Each read passes end_read once, and from there reaches the done ring once.
 */
/* SPDX-License-Identifier: MIT */
#include "io/io_state.h"

#include "base/assert.h"

/* When to look again whether the table of jobs has room. */
#define JOBS_RETRY_US 1000u

static uint64_t now_us(const struct io *io)
{
    return io->platform->now_us(io->platform->user);
}

/* ---- the end of a read ------------------------------------------------- */

static void push_done(struct io *io, uint32_t index)
{
    bool has_room = spn__ring_push(&io->done, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

static void run_async(void *context, uint32_t index, struct job_worker *worker)
{
    struct io *io = context;
    spn_read_result result = io_result_of(io, index);

    (void)worker;
    io->requests[index].on_async(&result);
    push_done(io, index);
}

/* Hand over those that wait for a job, in order, as far as there is room. */
static bool submit_waiting(struct io *io)
{
    bool worked = false;

    while (io->waiting_first != IO_NONE) {
        uint32_t index = io->waiting_first;
        /* Before the submit: the slot may come round before it returns. */
        uint32_t next = io->requests[index].next;

        if (!spn__jobs_submit(io->jobs, run_async, io, index))
            break;
        io->waiting_first = next;
        worked = true;
    }
    return worked;
}

static void wait_for_job(struct io *io, uint32_t index)
{
    io->requests[index].next = IO_NONE;
    if (io->waiting_first == IO_NONE)
        io->waiting_first = index;
    else
        io->requests[io->waiting_last].next = index;
    io->waiting_last = index;
}

static void end_read(struct io *io, uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];
    uint32_t before;

    if (io->resting == index)
        io->resting = IO_NONE;
    spn__files_release(&io->files, request->file);
    /* One instant decides between an abort and the end: who sets his bit
     * first. Publishes the data to whoever polls. */
    before = atomic_or_acq_rel(&io->states[index], READ_IS_ENDED);
    SPN_ASSERT(!(before & READ_IS_ENDED));
    request->status = before & READ_IS_ABORTED ? SPN_ERR_ABORTED : status;
    io->sums.reads_ended++;
    request->sums = io->sums;
    if (!request->on_async) {
        push_done(io, index);
        return;
    }
    wait_for_job(io, index);
    submit_waiting(io);
}

static bool is_aborted(const struct io *io, uint32_t index)
{
    return (atomic_load_relaxed(&io->states[index]) & READ_IS_ABORTED) != 0;
}

/* End a read that was aborted, or that shutdown overtook. */
static bool end_if_unwanted(void *context, uint32_t index)
{
    struct io *io = context;

    if (!io->is_stopping && !is_aborted(io, index))
        return false;
    end_read(io, index, SPN_ERR_SHUTDOWN);
    return true;
}

/* ---- inbox and signals ------------------------------------------------- */

static void admit(struct io *io, uint32_t index)
{
    if (!end_if_unwanted(io, index))
        spn__io_line_up(io, index, now_us(io));
}

static bool admit_new(struct io *io)
{
    bool worked = false;
    uint32_t index;

    while (spn__ring_pop(&io->inbox, &index)) {
        admit(io, index);
        worked = true;
    }
    return worked;
}

/* The read at the device is not wanted any more: say so to the device. */
static void cancel_active(struct io *io)
{
    if (io->active == IO_NONE || io->is_cancelled)
        return;
    if (!io->is_stopping && !is_aborted(io, io->active))
        return;
    io->is_cancelled = true;
    if (io->platform->read_cancel)
        io->platform->read_cancel(io->platform->user, io->tag);
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
    if (what & (IO_HEED_ABORT | IO_HEED_SHUTDOWN)) {
        spn__queue_take_if(&io->queue, end_if_unwanted, io);
        cancel_active(io);
    }
    return true;
}

/* ---- the device -------------------------------------------------------- */

/* Check a read against its file, once. */
static spn_status resolve(struct io *io, struct io_request *request)
{
    uint64_t size = io->files.entries[request->file].info.bytes;

    if (request->is_resolved)
        return SPN_OK;
    if (request->offset > size || request->bytes > size - request->offset)
        return SPN_ERR_RANGE;
    if (request->bytes == 0)
        request->bytes = size - request->offset;
    if (request->bytes > request->buffer_bytes)
        return SPN_ERR_RANGE;
    request->is_resolved = true;
    return SPN_OK;
}

/* Is the next byte on the way to a place that failed in a larger piece? */
static bool is_fragile(const struct io_request *request)
{
    return request->done_bytes < request->fragile_end;
}

/* Small pieces are tried once, but for the smallest: a bad disc takes long to
 * say that it is bad. */
static void count_tries(struct io_request *request)
{
    bool is_tried_once =
        is_fragile(request) && request->piece_bytes > PIECE_ALIGN_MAX;

    request->failures = is_tried_once ? IO_RETRIES : 0;
}

/* A piece failed: the same again, then in smaller pieces, so that all that is
 * good before the bad place arrives. */
static void fail(struct io *io, uint32_t index, spn_status status)
{
    struct io_request *request = &io->requests[index];

    if (request->failures < IO_RETRIES) {
        request->failures++;
    } else if (io->piece.bytes > PIECE_ALIGN_MAX) {
        uint64_t end = io->piece.at + io->piece.useful - request->target_start;

        if (request->fragile_end < end)
            request->fragile_end = end;
        request->piece_bytes = spn__piece_smaller(io->piece.bytes);
        count_tries(request);
    } else {
        end_read(io, index, status);
        return;
    }
    spn__io_put_back(io, index);
}

static void start_piece(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    const spn_platform_file_info *info = &io->files.entries[request->file].info;
    struct piece_range range;
    uint64_t start;
    uint64_t end;

    range.offset = request->offset + request->done_bytes;
    range.at = request->target_start + request->done_bytes;
    range.bytes = request->bytes - request->done_bytes;
    range.bytes_max =
        is_fragile(request) ? request->piece_bytes : io->piece_bytes;
    range.align_bytes = info->align_bytes;
    range.staging = io->staging;
    spn__piece_plan(&io->piece, &request->target, &range);
    io->tag++;
    io->piece_start_us = now_us(io);
    if (io->platform->read_submit(io->platform->user, info->file,
                                  io->piece.offset, io->piece.extents,
                                  io->piece.extent_count, io->tag) != SPN_OK) {
        fail(io, index, SPN_ERR_IO);
        return;
    }
    start = spn__files_position(&io->files, request->file, io->piece.offset);
    end = spn__files_position(&io->files, request->file,
                              range.offset + io->piece.useful);
    io->is_continued = io->has_head && start == io->head;
    if (io->has_head)
        io->sums.head_travel_bytes +=
            start > io->head ? start - io->head : io->head - start;
    io->piece_position = start;
    spn__order_serve(&io->order, &request->ticket, end);
    io->active = index;
    io->is_cancelled = false;
}

/* `first` goes before the read that rested between two pieces. If it is an
 * urgent one, the other shall go on right after it. */
static void preempt(struct io *io, uint32_t first)
{
    struct order_ticket *rests;

    if (io->resting == IO_NONE || io->resting == first)
        return;
    rests = &io->requests[io->resting].ticket;
    if (io->requests[first].ticket.priority == SPN_PRIORITY_URGENT &&
        rests->priority > SPN_PRIORITY_PREEMPTED) {
        rests->priority = SPN_PRIORITY_PREEMPTED;
        spn__io_find_places(io, io->resting, IO_NONE);
    }
    io->resting = IO_NONE;
}

/* Open the file of the read that is first in the queue. */
static spn_status open_first(struct io *io, const struct io_request *request)
{
    spn_status status = spn__files_ready(&io->files, request->file);

    /* Its place is known now: it may not be the first any more. */
    if (status == SPN_OK)
        spn__io_find_places(io, IO_NONE, request->file);
    return status;
}

/* The device is free: give it the first of the queue. */
static bool serve_next(struct io *io)
{
    struct io_request *request;
    spn_status status = SPN_OK;
    uint32_t index;

    if (!spn__queue_first(&io->queue, &index))
        return false;
    request = &io->requests[index];
    if (is_aborted(io, index)) {
        spn__queue_pop(&io->queue, &index);
        end_read(io, index, SPN_ERR_ABORTED);
        return true;
    }
    if (!spn__files_is_open(&io->files, request->file)) {
        status = open_first(io, request);
        if (status == SPN_OK)
            return true;
    } else {
        status = resolve(io, request);
    }
    if (status != SPN_OK || request->bytes == 0) {
        spn__queue_pop(&io->queue, &index);
        end_read(io, index, status);
        return true;
    }
    preempt(io, index);
    spn__queue_pop(&io->queue, &index);
    start_piece(io, index);
    return true;
}

static void invalidate(const struct io *io)
{
    if (!io->platform->cache_invalidate)
        return;
    for (uint32_t i = 0; i < io->piece.extent_count; i++)
        io->platform->cache_invalidate(io->platform->user,
                                       io->piece.extents[i].data,
                                       io->piece.extents[i].bytes);
}

/* What a good completion means to its read. */
static void take_piece(struct io *io, uint32_t index, uint64_t arrived)
{
    struct io_request *request = &io->requests[index];
    uint64_t useful =
        spn__piece_finish(&io->piece, &request->target, io->staging, arrived);

    if (arrived == 0) {
        end_read(io, index, SPN_ERR_SHORT_READ);
        return;
    }
    /* An unaligned head of which not even the skipped bytes came in full. */
    if (useful == 0) {
        fail(io, index, SPN_ERR_SHORT_READ);
        return;
    }
    request->done_bytes += useful;
    count_tries(request);
    SPN_ASSERT(request->done_bytes <= request->bytes);
    if (request->done_bytes == request->bytes) {
        end_read(io, index, SPN_OK);
        return;
    }
    spn__io_put_back(io, index);
    io->resting = index;
}

static bool poll_device(struct io *io, uint64_t *due_us)
{
    spn_platform_completion end;
    uint32_t index = io->active;
    uint64_t took_us;

    if (io->platform->read_poll(io->platform->user, &end, due_us) != SPN_OK)
        return false;
    if (end.tag != io->tag)
        return true;
    io->active = IO_NONE;
    took_us = now_us(io) - io->piece_start_us;
    io->sums.busy_us += took_us;
    if (end.status == SPN_OK)
        spn__pace_add(&io->sums.pace, end.bytes, took_us, io->is_continued);
    else
        end.bytes = 0;
    if (end.bytes > io->piece.bytes)
        end.bytes = io->piece.bytes;
    io->sums.bytes_read += end.bytes;
    io->head = io->piece_position + end.bytes;
    io->has_head = true;
    invalidate(io);
    if (end_if_unwanted(io, index))
        return true;
    if (end.status != SPN_OK)
        fail(io, index, SPN_ERR_IO);
    else
        take_piece(io, index, end.bytes);
    return true;
}

/* Stopping, and no read needs a file any more. */
static bool shut_files(struct io *io)
{
    if (!io->is_stopping || io->active != IO_NONE || io->queue.count > 0 ||
        atomic_load_relaxed(&io->files.open_count) == 0)
        return false;
    spn__files_shut(&io->files);
    return true;
}

bool spn__io_step(struct io *io, uint64_t *due_us)
{
    bool worked = heed(io);

    *due_us = UINT64_MAX;
    worked = admit_new(io) || worked;
    worked = submit_waiting(io) || worked;
    if (io->active != IO_NONE)
        worked = poll_device(io, due_us) || worked;
    else
        worked = serve_next(io) || worked;
    worked = shut_files(io) || worked;
    if (!worked && io->waiting_first != IO_NONE) {
        uint64_t retry_us = now_us(io) + JOBS_RETRY_US;

        if (retry_us < *due_us)
            *due_us = retry_us;
    }
    return worked;
}
