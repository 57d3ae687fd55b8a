/* device.c - the device of a medium. */
/* SPDX-License-Identifier: MIT */
#include "read/device.h"

#include "base/minmax.h"
#include "observe/pace.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_report.h"

/* After a longer pause a drive may have read ahead. The time of the next piece
 * is then not used to correct the forecast. */
#define REST_US 2000u

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

struct device_command spn__device_command(const struct io *io,
                                          const struct io_medium *medium)
{
    const struct io_request *request = &io->requests[medium->chosen];
    const struct piece *piece = &medium->piece;
    const struct run *run;

    if (!io_is_run(medium))
        return (struct device_command){
            piece->offset,
            request->offset + request->done_bytes + piece->useful, piece->bytes,
            piece->extents, piece->extent_count};
    run = &medium->scheduler->run;
    return (struct device_command){run->offset, run->offset + run->bytes,
                                   run->bytes, run->extents, run->extent_count};
}

/* -- to the device -- */

bool spn__device_submit(struct io *io, struct io_medium *medium,
                        const struct device_command *c)
{
    const spn_platform *p = io->platform;
    spn_platform_file file =
        spn__files_info(&io->files, io->requests[medium->chosen].file)->file;

    for (uint32_t i = 0; p->cache_flush && i < c->extent_count; i++)
        p->cache_flush(p->user, c->extents[i].data, c->extents[i].bytes);
    medium->tag = ++io->last_tag;
    spn__io_note_busy(io, medium, true);
    spn__io_send_report(io);
    if (p->read_submit(p->user, file, c->offset, c->extents, c->extent_count,
                       medium->tag) == SPN_OK)
        return true;
    spn__io_note_busy(io, medium, false);
    return false;
}

void spn__device_move_head(struct io *io, struct io_medium *medium,
                           const struct device_command *command)
{
    struct io_request *request = &io->requests[medium->chosen];
    uint64_t start =
        spn__files_position(&io->files, request->file, command->offset);
    uint64_t seek_bytes =
        medium->has_head ? distance_u64(start, medium->head) : 0;

    medium->is_continued = medium->has_head && seek_bytes == 0;
    spn__io_note_seek(io, medium, seek_bytes);
    medium->piece_position = start;
    spn__io_note_head(io, medium);
    spn__order_serve(
        &medium->requests.order, &request->ticket,
        spn__files_position(&io->files, request->file, command->end));
    medium->requests.active = medium->chosen;
    medium->is_cancelled = false;
    medium->is_timed_out = false;
}

/* -- back from the device -- */

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

void spn__device_free(struct io *io, struct io_medium *medium,
                      spn_status status, uint64_t bytes, bool is_clean)
{
    uint64_t now_us = io_now_us(io);
    uint64_t us = now_us - medium->piece_start_us;

    medium->requests.active = IO_NONE;
    if (status == SPN_OK)
        spn__pace_add(spn__io_pace_of(io, medium), bytes, us,
                      medium->is_continued);
    if (io_drive_of(medium) && status == SPN_OK && bytes > 0 && is_clean)
        learn(medium, bytes, us);
    medium->head = medium->piece_position + bytes;
    medium->has_head = true;
    medium->ended_us = now_us;
    spn__io_note_head(io, medium);
}

void spn__device_invalidate(const struct io *io, const struct device_command *c)
{
    const spn_platform *p = io->platform;

    for (uint32_t i = 0; p->cache_invalidate && i < c->extent_count; i++)
        p->cache_invalidate(p->user, c->extents[i].data, c->extents[i].bytes);
}

bool spn__devices_are_free(const struct io *io)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (io->media[i].requests.active != IO_NONE)
            return false;
    return true;
}

void spn__device_cancel(struct io *io, struct io_medium *medium)
{
    if (medium->is_cancelled)
        return;
    medium->is_cancelled = true;
    if (io->platform->read_cancel)
        io->platform->read_cancel(io->platform->user, medium->tag);
}
