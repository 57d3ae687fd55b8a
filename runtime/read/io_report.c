/* io_report.c - counters of the io thread. */
/* SPDX-License-Identifier: MIT */
#include "read/io_report.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "read/engine.h"
#include "read/io_deadline.h"

/* Largest number of bytes that is counted for one read, 256 TiB, so that the
 * sum over all requests fits 64 bits. */
#define PENDING_MAX ((uint64_t)1 << 48)

static struct device_report *report_of(struct io *io,
                                       const struct io_medium *medium)
{
    return &io->report->media[medium - io->media];
}

void spn__io_note_busy(struct io *io, const struct io_medium *medium,
                       bool is_busy)
{
    struct device_report *report = report_of(io, medium);

    if (!SPN_WITH_OBSERVERS)
        return;
    report->is_busy = is_busy;
    report->busy_since_us = medium->piece_start_us;
}

void spn__io_note_head(struct io *io, const struct io_medium *medium)
{
    struct device_report *report = report_of(io, medium);

    if (!SPN_WITH_OBSERVERS)
        return;
    report->has_head = medium->has_head;
    report->head = medium->head;
    report->target = medium->piece_position;
}

void spn__io_note_seek(struct io *io, const struct io_medium *medium,
                       uint64_t seek_bytes)
{
    const uint64_t add[DEVICE_COUNTERS] = {
        [DEVICE_SEEKS] = 1, [DEVICE_SEEK_BYTES] = seek_bytes};

    if (SPN_WITH_OBSERVERS && seek_bytes > 0)
        spn__meter_add(report_of(io, medium)->meter, DEVICE_COUNTERS,
                       medium->piece_start_us, add);
}

void spn__io_note_piece(struct io *io, const struct io_medium *medium,
                        uint64_t bytes, uint64_t gap_bytes, uint32_t read_count)
{
    struct device_report *report = report_of(io, medium);
    uint64_t now_us = medium->ended_us;
    uint64_t add[DEVICE_COUNTERS] = {0};

    SPN_ASSERT(read_count > 0);
    if (!SPN_WITH_OBSERVERS)
        return;
    add[DEVICE_PIECES] = 1;
    add[DEVICE_BYTES] = bytes;
    add[DEVICE_GAP_BYTES] = gap_bytes;
    add[DEVICE_COALESCED] = read_count - 1;
    spn__meter_add_span(report->meter, DEVICE_COUNTERS, DEVICE_BUSY_US,
                        report->busy_since_us, now_us);
    spn__meter_add(report->meter, DEVICE_COUNTERS, now_us, add);
    report->is_busy = false;
}

void spn__io_note_end(struct io *io, const struct io_request *request)
{
    uint64_t add[DEVICE_COUNTERS] = {0};

    if (!SPN_WITH_OBSERVERS || request->medium == SPN_MEDIUM_COUNT)
        return;
    add[DEVICE_READS] = 1;
    spn__meter_add(report_of(io, &io->media[request->medium])->meter,
                   DEVICE_COUNTERS, request->ended_us, add);
}

void spn__io_note_pending(struct io *io, struct io_request *request,
                          uint64_t bytes)
{
    if (!SPN_WITH_OBSERVERS)
        return;
    bytes = min_u64(bytes, PENDING_MAX);
    io->report->pending_bytes[request->task] += bytes - request->pending_bytes;
    request->pending_bytes = bytes;
}

void spn__io_note_unpack(struct io *io, const struct io_request *request,
                         const uint64_t add[UNPACK_COUNTERS])
{
    if (!SPN_WITH_OBSERVERS)
        return;
    spn__meter_add(io->report->unpack, UNPACK_COUNTERS, io_now_us(io), add);
    for (uint32_t i = 0; i < UNPACK_COUNTERS; i++)
        io->report->task_unpack[request->task][i] += add[i];
}

void spn__io_note_copy(struct io *io)
{
    io->report->copies_tried++;
}

struct pace *spn__io_pace_of(struct io *io, const struct io_medium *medium)
{
    return &report_of(io, medium)->pace;
}

static void report_learnt(struct io *io, uint32_t medium)
{
    const struct forecast *forecast = &io->media[medium].drive->forecast;
    struct device_report *report = &io->report->media[medium];

    memcpy(report->error_us, forecast->error_us, sizeof report->error_us);
    report->rate_scale = forecast->rate_scale;
}

/* The pace of media is always reported, because streams plan with it. */
void spn__io_send_report(struct io *io)
{
    for (uint32_t i = 0; SPN_WITH_OBSERVERS && i < SPN_MEDIUM_COUNT; i++) {
        io->report->media[i].waiting = io->media[i].requests.queue.count;
        if (io_drive_of(&io->media[i]))
            report_learnt(io, i);
    }
    spn__triple_buffer_send(&io->snapshot, io->report);
}
