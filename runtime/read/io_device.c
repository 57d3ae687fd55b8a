/* io_device.c - a medium and the read at its device.
 *
 * One read of a medium is at the device at a time, one piece of it. After each
 * piece the read goes back into its line, before all others of its priority:
 * pieces of two reads in turn would cost a seek each. Only a read of a higher
 * priority comes between. At the device a read only has its result dropped:
 * its memory belongs to the device until the completion.
 *
 * A file in memory has no device: its pieces are copied at once. Not here: a
 * medium whose order is the sweep (io_sweep.c), which may send several reads at
 * once (io_run.c). Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_device.h"

#include "base/assert.h"
#include "base/mem.h"
#include "observe/pace.h"
#include "read/engine.h"
#include "read/io_end.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_pak.h"
#include "read/io_report.h"
#include "read/io_run.h"
#include "read/io_storage.h"
#include "read/io_sweep.h"
#include "read/io_unpack.h"

/* What a drive reads ahead while it rests for longer says nothing of its
 * constants. */
#define REST_US 2000u

/* Check a read against its file, once. */
static spn_status resolve(struct io *io, struct io_request *request)
{
    uint64_t size = spn__files_info(&io->files, request->file)->bytes;

    if (request->pak.refusal != SPN_OK)
        return request->pak.refusal;
    if (request->is_resolved)
        return SPN_OK;
    if (request->offset > size || request->bytes > size - request->offset)
        return SPN_ERR_RANGE;
    if (request->bytes == 0)
        request->bytes = size - request->offset;
    if (request->bytes > request->buffer_bytes)
        return SPN_ERR_RANGE;
    request->is_resolved = true;
    spn__io_note_pending(io, request, request->bytes);
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

/* Into the line, to go on. One that has begun rests there: who comes between
 * interrupts it. One that was interrupted has had its piece. */
static void go_back(struct io *io, struct io_medium *medium, uint32_t index)
{
    bool stands;

    if (io_is_of_pak(io, index))
        spn__unpack_drop(io, index);
    io->requests[index].is_preempted = false;
    stands = spn__io_put_back(io, index);

    /* It may go on in memory. */
    if (stands && io->requests[index].done_bytes > 0 &&
        medium == &io->media[io->requests[index].medium])
        medium->resting = index;
}

/* A piece failed: the same again, then in smaller pieces, so that all that is
 * good before the bad place arrives. */
static void fail(struct io *io, struct io_medium *medium, uint32_t index,
                 spn_status status)
{
    struct io_request *request = &io->requests[index];
    const struct piece *piece = &medium->piece;

    if (request->failures < IO_RETRIES) {
        request->failures++;
    } else if (piece->bytes > PIECE_ALIGN_MAX &&
               !(io_is_of_pak(io, index) && spn__unpack_is_least(io, index))) {
        uint64_t end = piece->at + piece->useful - request->target_start;

        if (request->fragile_end < end)
            request->fragile_end = end;
        /* Compressed entries go on block by block. */
        request->piece_bytes = io_has_blocks(request)
                                   ? PIECE_ALIGN_MAX
                                   : spn__piece_smaller(piece->bytes);
        count_tries(request);
    } else {
        spn__io_end(io, index, status);
        return;
    }
    go_back(io, medium, index);
}

/* -- a piece comes back -- */

static void invalidate(const struct io *io, const struct piece *piece)
{
    if (!io->platform->cache_invalidate)
        return;
    for (uint32_t i = 0; i < piece->extent_count; i++)
        io->platform->cache_invalidate(io->platform->user,
                                       piece->extents[i].data,
                                       piece->extents[i].bytes);
}

void spn__io_advance(struct io *io, struct io_medium *medium, uint32_t index,
                     uint64_t bytes)
{
    struct io_request *request = &io->requests[index];

    request->done_bytes += bytes;
    spn__io_note_pending(io, request, request->bytes - request->done_bytes);
    count_tries(request);
    if (io_is_of_pak(io, index))
        spn__unpack_verify(io, index);
    SPN_ASSERT(request->done_bytes <= request->bytes);
    if (request->done_bytes == request->bytes) {
        spn__io_end(io, index, SPN_OK);
        return;
    }
    go_back(io, medium, index);
}

/* What a good completion means to its read. */
static void take_piece(struct io *io, struct io_medium *medium, uint32_t index,
                       uint32_t arrived)
{
    struct io_request *request = &io->requests[index];
    uint32_t skip = medium->piece.skip;
    uint32_t useful = arrived > skip ? arrived - skip : 0;

    if (!io_is_of_pak(io, index) || !spn__unpack_take(io, index, &useful))
        useful = spn__piece_finish(&medium->piece, &request->target,
                                   medium->staging, arrived);

    if (arrived == 0) {
        spn__io_end(io, index, SPN_ERR_SHORT_READ);
        return;
    }
    /* An unaligned head of which not even the skipped bytes came in full. */
    if (useful == 0) {
        fail(io, medium, index,
             medium->is_timed_out ? SPN_ERR_TIMEOUT : SPN_ERR_SHORT_READ);
        return;
    }
    spn__io_advance(io, medium, index, useful);
}

static void learn(struct io_medium *medium, uint64_t bytes, uint64_t us)
{
    struct forecast *forecast = &medium->drive->forecast;
    struct forecast_place head;
    struct forecast_place begin;
    struct forecast_place end;

    if (!medium->has_head || medium->is_cancelled ||
        medium->piece_start_us - medium->ended_us > REST_US)
        return;
    spn__forecast_place(forecast, medium->head, &head);
    spn__forecast_range(forecast, medium->piece_position, bytes, &begin, &end);
    spn__forecast_learn(forecast, &head, &begin, &end, us);
}

void spn__io_leave_device(struct io *io, struct io_medium *medium,
                          spn_status status, uint64_t bytes, bool is_clean)
{
    uint64_t now_us = io_now_us(io);
    uint64_t us = now_us - medium->piece_start_us;

    medium->line.active = IO_NONE;
    if (status == SPN_OK)
        spn__pace_add(spn__io_pace_of(io, medium), bytes, us,
                      medium->is_continued);
    if (io_drive_of(medium) && status == SPN_OK && bytes > 0 && is_clean)
        learn(medium, bytes, us);
    medium->head = medium->piece_position + bytes;
    medium->has_head = true;
    medium->ended_us = now_us;
}

static void end_piece(struct io *io, struct io_medium *medium,
                      spn_status status, uint64_t bytes)
{
    uint32_t index = medium->line.active;
    const struct io_request *request = &io->requests[index];
    uint32_t piece_bytes = medium->piece.bytes;
    uint32_t there = 0;

    if (status == SPN_OK)
        there = bytes < piece_bytes ? (uint32_t)bytes : piece_bytes;
    if (listen_is_there(&io->listen))
        spn__io_hear_end(io, medium, index, status, there);
    spn__io_leave_device(io, medium, status, there,
                         there == piece_bytes && request->failures == 0 &&
                             !is_fragile(request));
    spn__io_note_piece(io, medium, there, 0, 1);
    if (spn__io_end_if_unwanted(io, index))
        return;
    if (there == 0 && medium->is_timed_out)
        spn__io_end(io, index, SPN_ERR_TIMEOUT);
    else if (status != SPN_OK)
        fail(io, medium, index, SPN_ERR_IO);
    else
        take_piece(io, medium, index, there);
}

/* Whose piece a completion is of; NULL: nobody's any more. */
static struct io_medium *medium_of_tag(struct io *io, uint32_t tag)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].line.active != IO_NONE && io->media[i].tag == tag)
            return &io->media[i];
    return NULL;
}

bool spn__io_devices_are_free(const struct io *io)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].line.active != IO_NONE)
            return false;
    return true;
}

bool spn__io_poll_devices(struct io *io, uint64_t *due_us)
{
    spn_platform_completion end;
    struct io_medium *medium;

    if (spn__io_devices_are_free(io) ||
        io->platform->read_poll(io->platform->user, &end, due_us) != SPN_OK)
        return false;
    medium = medium_of_tag(io, end.tag);
    if (!medium)
        return true;
    if (io_sweep_of(medium) && medium->sweep->is_running) {
        spn__io_end_run(io, medium, end.status, end.bytes);
        return true;
    }
    invalidate(io, &medium->piece);
    end_piece(io, medium, end.status, end.bytes);
    return true;
}

void spn__io_cancel_unwanted(struct io *io, struct io_medium *medium)
{
    uint32_t index = medium->line.active;

    if (index == IO_NONE)
        return;
    if (io_sweep_of(medium) && medium->sweep->is_running) {
        if (!spn__io_run_is_unwanted(io, medium))
            return;
    } else if (!io->is_stopping && !io_is_aborted(io, index)) {
        return;
    }
    spn__io_cancel(io, medium);
}

void spn__io_cancel(struct io *io, struct io_medium *medium)
{
    if (medium->is_cancelled)
        return;
    medium->is_cancelled = true;
    if (io->platform->read_cancel)
        io->platform->read_cancel(io->platform->user, medium->tag);
}

/* -- a piece goes out -- */

/* Up to the end of a block of the drive. */
static uint32_t cut_bytes(const struct io *io, const struct io_medium *medium,
                          const struct io_request *request,
                          const struct piece_range *range)
{
    uint64_t place =
        spn__files_position(&io->files, request->file, range->offset);
    uint32_t bytes = spn__piece_cut(place, range->bytes_max,
                                    medium->drive->profile.ecc_bytes);

    bytes &= ~(range->align_bytes - 1);
    return bytes > 0 ? bytes : range->bytes_max;
}

static void plan_piece(struct io *io, struct io_medium *medium, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    const spn_platform_file_info *info =
        spn__files_info(&io->files, request->file);
    struct piece_range range;

    range.offset = request->offset + request->done_bytes;
    range.at = request->target_start + request->done_bytes;
    range.bytes = request->bytes - request->done_bytes;
    range.bytes_max =
        is_fragile(request) ? request->piece_bytes : io->piece_bytes;
    if (io_is_of_pak(io, index) &&
        spn__unpack_plan(io, &medium->piece, index, range.bytes_max))
        return;
    if (!is_fragile(request))
        range.bytes_max = medium->piece_bytes;
    range.align_bytes =
        request->medium == SPN_MEDIUM_MEMORY ? 1 : info->align_bytes;
    range.staging = medium->staging;
    if (io_drive_of(medium) && !is_fragile(request) &&
        range.bytes > range.bytes_max)
        range.bytes_max = cut_bytes(io, medium, request, &range);
    spn__piece_plan(&medium->piece, &request->target, &range);
}

void spn__io_move_head(struct io *io, struct io_medium *medium, uint32_t index,
                       uint64_t begin, uint64_t end)
{
    struct io_request *request = &io->requests[index];
    uint64_t start = spn__files_position(&io->files, request->file, begin);
    uint64_t seek_bytes = 0;

    medium->is_continued = medium->has_head && start == medium->head;
    if (medium->has_head)
        seek_bytes =
            start > medium->head ? start - medium->head : medium->head - start;
    spn__io_note_seek(io, medium, seek_bytes);
    medium->piece_position = start;
    spn__order_serve(&medium->line.order, &request->ticket,
                     spn__files_position(&io->files, request->file, end));
    medium->line.active = index;
    medium->is_cancelled = false;
    medium->is_timed_out = false;
}

/* The piece is on its way: where the head is, and where it will be. */
static void move_head(struct io *io, struct io_medium *medium, uint32_t index)
{
    const struct io_request *request = &io->requests[index];

    spn__io_move_head(io, medium, index, medium->piece.offset,
                      request->offset + request->done_bytes +
                          medium->piece.useful);
}

static void copy_piece(struct io *io, struct io_medium *medium, uint32_t index)
{
    const struct piece *piece = &medium->piece;
    const uint8_t *from = io_memory_at(io, &io->requests[index], piece->offset);

    for (uint32_t i = 0; i < piece->extent_count; i++) {
        memcpy(piece->extents[i].data, from, piece->extents[i].bytes);
        from += piece->extents[i].bytes;
    }
    spn__io_note_busy(io, medium, true);
    move_head(io, medium, index);
    end_piece(io, medium, SPN_OK, piece->bytes);
}

bool spn__io_submit(struct io *io, struct io_medium *medium,
                    spn_platform_file file, uint64_t offset,
                    const spn_extent *extents, uint32_t extent_count)
{
    const spn_platform *p = io->platform;

    for (uint32_t i = 0; p->cache_flush && i < extent_count; i++)
        p->cache_flush(p->user, extents[i].data, extents[i].bytes);
    medium->tag = ++io->last_tag;
    spn__io_note_busy(io, medium, true);
    spn__io_send_report(io);
    if (p->read_submit(p->user, file, offset, extents, extent_count,
                       medium->tag) == SPN_OK)
        return true;
    spn__io_note_busy(io, medium, false);
    return false;
}

void spn__io_start_piece(struct io *io, struct io_medium *medium,
                         uint32_t index)
{
    const spn_platform_file_info *info =
        spn__files_info(&io->files, io->requests[index].file);
    const struct piece *piece = &medium->piece;

    plan_piece(io, medium, index);
    medium->piece_start_us = io_now_us(io);
    if (listen_is_there(&io->listen))
        spn__io_hear_begin(io, medium, index);
    if (io->requests[index].medium == SPN_MEDIUM_MEMORY) {
        copy_piece(io, medium, index);
        return;
    }
    if (!spn__io_submit(io, medium, info->file, piece->offset, piece->extents,
                        piece->extent_count)) {
        if (listen_is_there(&io->listen))
            spn__io_hear_end(io, medium, index, SPN_ERR_IO, 0);
        fail(io, medium, index, SPN_ERR_IO);
        return;
    }
    move_head(io, medium, index);
}

/* `first` goes before the read that rested between two pieces. If it is an
 * urgent one, the other shall go on right after it: with a piece, and then as
 * its own priority says. */
static void preempt(struct io *io, struct io_medium *medium, uint32_t first)
{
    uint32_t resting = medium->resting;
    struct io_request *rests;

    if (resting == IO_NONE || resting == first)
        return;
    rests = &io->requests[resting];
    if (io->requests[first].ticket.priority == SPN_PRIORITY_URGENT &&
        rests->ticket.priority > SPN_PRIORITY_PREEMPTED) {
        rests->is_preempted = true;
        spn__io_stand_anew(io, resting);
    }
    medium->resting = IO_NONE;
    if (listen_is_there(&io->listen))
        spn__io_hear_preempted(io, resting, first, spn__io_key_of(io, resting));
}

spn_status spn__io_make_ready(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    spn_status status =
        io_is_aborted(io, index) ? SPN_ERR_ABORTED : resolve(io, request);

    if (status == SPN_OK && request->bytes > 0)
        status = spn__io_find_storage(io, index);
    if (status == SPN_OK && request->bytes > 0 && io_is_of_pak(io, index))
        status = spn__unpack_find_slot(io, index);
    return status;
}

void spn__io_turn_away(struct io *io, uint32_t index, spn_status status)
{
    if (status > SPN_OK)
        spn__io_set_aside(io, index, status);
    else
        spn__io_end(io, index, status);
}

bool spn__io_serve(struct io *io, struct io_medium *medium)
{
    struct queue *queue = &medium->line.queue;
    spn_status status;
    uint32_t index;

    if (medium->line.active != IO_NONE || !spn__queue_first(queue, &index))
        return false;
    if (io_sweep_of(medium))
        return spn__io_serve_sweep(io, medium);
    if (io_has_choice(&io->requests[index]))
        (void)spn__pak_choose_copy(io, index, medium->head);
    status = spn__io_make_ready(io, index);
    /* Out of the queue while it is the first: preempting orders anew, and only
     * this one was made ready. */
    spn__queue_remove(queue, index);
    if (status != SPN_OK || io->requests[index].bytes == 0) {
        spn__io_turn_away(io, index, status);
        return true;
    }
    preempt(io, medium, index);
    spn__io_start_piece(io, medium, index);
    return true;
}
