/* read_stats.c - compute spindle/io_stats.h from the sums of completed reads
 * (io_tally.h) and from the report of the io thread. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/read_stats.h"

#include "base/mem.h"
#include "disc/drive_math.h"
#include "read/device_timeout.h"
#include "read/engine.h"
#include "read/io_report.h"
#include "read/io_tally.h"

#include <stddef.h>

SPN_STATIC_ASSERT(SPN_DRIVE_DISTANCES == FORECAST_BUCKETS + 1, distances);
/* The counters are fields of the public windows, in the same order. */
SPN_STATIC_ASSERT(offsetof(spn_medium_window, seek_bytes) ==
                      offsetof(spn_medium_window, busy_us) +
                          DEVICE_SEEK_BYTES * sizeof(uint64_t),
                  device_counters);
SPN_STATIC_ASSERT(offsetof(spn_task_window, good_bytes) ==
                      offsetof(spn_task_window, reads) +
                          TASK_GOOD_BYTES * sizeof(uint64_t),
                  task_counters);

#define US_PER_SECOND 1000000u

/* -- counting -- */

static uint64_t since(uint64_t start_us, uint64_t end_us)
{
    return end_us > start_us ? end_us - start_us : 0;
}

static void count_status(struct task_tally *tally, spn_status status)
{
    if (status == SPN_OK)
        tally->done++;
    else if (status == SPN_ERR_ABORTED || status == SPN_ERR_SHUTDOWN)
        tally->aborted++;
    else
        tally->failed++;
}

static void count_completion(struct io *io, const struct io_request *request)
{
    struct io_tally *tally = io->tally;
    struct task_tally *task = &tally->tasks[request->task];
    uint64_t now_us = io_now_us(io);
    uint64_t arrival_us = since(request->start_us, request->ended_us);
    uint64_t completion_us = since(request->start_us, now_us);
    uint64_t add[TASK_COUNTERS];

    add[TASK_READS] = 1;
    add[TASK_BYTES] = request->done_bytes;
    add[TASK_GOOD_BYTES] = io_good_bytes(request);
    spn__meter_add(task->meter, TASK_COUNTERS, now_us, add);
    count_status(task, request->status);
    spn__latency_add(&task->arrival, arrival_us);
    spn__latency_add(&task->completion, completion_us);
    spn__latency_add(&tally->completion, completion_us);
    if (request->medium != SPN_MEDIUM_COUNT)
        spn__latency_add(&tally->arrival[request->medium], arrival_us);
}

void spn__io_count_completion(struct io *io, const struct io_request *request)
{
    if (SPN_WITH_OBSERVERS)
        count_completion(io, request);
}

/* -- statistics -- */

#if SPN_WITH_OBSERVERS

/* Rounded down; UINT64_MAX if the result does not fit. */
static uint64_t rate(uint64_t amount, uint64_t us)
{
    return us > 0 ? spn__mul_div(amount, US_PER_SECOND, us) : 0;
}

/* Rate for 1000 seconds. */
static uint64_t mhz(uint64_t count, uint64_t us)
{
    return rate(count * 1000, us);
}

static void fill_window(spn_medium_window *window, const uint64_t *counts,
                        uint64_t elapsed_us)
{
    window->elapsed_us = elapsed_us;
    memcpy(&window->busy_us, counts, DEVICE_COUNTERS * sizeof *counts);
    window->busy_permille = rate(window->busy_us, elapsed_us) / 1000;
    window->seek_bytes_mean =
        window->seeks ? window->seek_bytes / window->seeks : 0;
    window->bytes_per_second = rate(window->bytes, elapsed_us);
    window->busy_bytes_per_second = rate(window->bytes, window->busy_us);
    window->reads_mhz = mhz(window->reads, elapsed_us);
}

/* The sums of the device until now. Busy time includes the current command. */
static void sum_device(const struct device_report *report, uint64_t now_us,
                       uint64_t *counts)
{
    memcpy(counts, report->meter, DEVICE_COUNTERS * sizeof *counts);
    if (report->is_busy)
        counts[DEVICE_BUSY_US] += since(report->busy_since_us, now_us);
}

/* The same since the last reset. The reset counts the busy time of the current
 * command up to the reset. If the command had come back before, and the report
 * had not arrived yet, that was too much: the difference may be too small, but
 * it is not negative. */
static void sum_since_reset(const struct io *io, uint32_t medium,
                            uint64_t now_us, uint64_t *counts)
{
    sum_device(&io->seen->media[medium], now_us, counts);
    for (uint32_t i = 0; i < DEVICE_COUNTERS; i++)
        counts[i] = since(io->tally->base[medium][i], counts[i]);
}

static void refresh(struct io *io)
{
    io->seen = spn__triple_buffer_latest(&io->snapshot);
}

static void fill_errors(spn_drive_errors *errors,
                        const struct device_report *report)
{
    memset(errors, 0, sizeof *errors);
    memcpy(errors->seek_us, report->error_us, sizeof errors->seek_us);
    /* 0: no drive, or nothing reported yet. */
    if (report->rate_scale > 0)
        errors->transfer_permille =
            ((int32_t)report->rate_scale - FORECAST_SCALE_ONE) * 1000 /
            FORECAST_SCALE_ONE;
}

void spn__io_get_medium_stats(struct io *io, spn_medium medium,
                              spn_medium_stats *out)
{
    uint64_t counts[DEVICE_COUNTERS];
    const struct device_report *report;
    uint64_t now_us;

    refresh(io);
    now_us = io_now_us(io);
    report = &io->seen->media[medium];
    sum_since_reset(io, medium, now_us, counts);
    fill_window(&out->total, counts, since(io->tally->start_us, now_us));
    spn__meter_second(report->meter, DEVICE_COUNTERS, now_us, counts);
    if (report->is_busy)
        counts[DEVICE_BUSY_US] +=
            spn__meter_span_in_second(report->busy_since_us, now_us, now_us);
    fill_window(&out->second, counts, US_PER_SECOND);
    out->waiting = report->waiting;
    out->unanswered_us =
        report->is_busy ? since(report->busy_since_us, now_us) : 0;
    out->state = spn__io_medium_state(io, medium, out->unanswered_us);
    out->order =
        io->media[medium].scheduler ? SPN_ORDER_DEADLINE : SPN_ORDER_SORT_KEY;
    fill_errors(&out->errors, report);
    out->arrival = spn__latency_of(&io->tally->arrival[medium]);
}

static void fill_task_window(spn_task_window *window, const uint64_t *counts,
                             uint64_t elapsed_us)
{
    window->elapsed_us = elapsed_us;
    memcpy(&window->reads, counts, TASK_COUNTERS * sizeof *counts);
    window->reads_mhz = mhz(window->reads, elapsed_us);
    window->bytes_per_second = rate(window->bytes, elapsed_us);
}

void spn__io_get_task_stats(struct io *io, spn_task task, spn_task_stats *out)
{
    const struct task_tally *tally = &io->tally->tasks[task];
    uint64_t counts[TASK_COUNTERS];
    uint64_t now_us;

    refresh(io);
    now_us = io_now_us(io);
    out->task_class = spn__tasks_class(&io->tasks, task);
    out->open = atomic_load_relaxed(&io->open[task]);
    out->pending_bytes = io->seen->pending_bytes[task];
    out->done = tally->done;
    out->failed = tally->failed;
    out->aborted = tally->aborted;
    fill_task_window(&out->total, tally->meter,
                     since(io->tally->start_us, now_us));
    spn__meter_second(tally->meter, TASK_COUNTERS, now_us, counts);
    fill_task_window(&out->second, counts, US_PER_SECOND);
    out->packed_bytes = io->seen->task_unpack[task][UNPACK_FROM] -
                        tally->unpack_base[UNPACK_FROM];
    out->unpacked_bytes =
        io->seen->task_unpack[task][UNPACK_TO] - tally->unpack_base[UNPACK_TO];
    out->arrival = spn__latency_of(&tally->arrival);
    out->completion = spn__latency_of(&tally->completion);
}

static void add_device(struct io *io, uint32_t medium, uint64_t now_us,
                       spn_io_stats *out)
{
    uint64_t counts[DEVICE_COUNTERS];

    sum_since_reset(io, medium, now_us, counts);
    out->bytes_read += counts[DEVICE_BYTES];
    out->head_travel_bytes += counts[DEVICE_SEEK_BYTES];
    out->busy_us += counts[DEVICE_BUSY_US];
    spn__meter_second(io->seen->media[medium].meter, DEVICE_COUNTERS, now_us,
                      counts);
    out->second_bytes_per_second += counts[DEVICE_BYTES];
}

static uint32_t slots_in_use(const struct io *io)
{
    return atomic_load_relaxed(&io->pending) & ~IO_IS_SHUT;
}

void spn__io_get_stats(struct io *io, spn_io_stats *out)
{
    uint64_t unpack[UNPACK_COUNTERS];
    uint64_t now_us;

    refresh(io);
    now_us = io_now_us(io);
    memset(out, 0, sizeof *out);
    out->elapsed_us = since(io->tally->start_us, now_us);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        add_device(io, i, now_us, out);
    for (uint32_t i = 0; i < SPN_TASK_COUNT; i++) {
        out->requests_done += io->tally->tasks[i].done;
        out->requests_failed += io->tally->tasks[i].failed;
        out->requests_aborted += io->tally->tasks[i].aborted;
        out->pending_bytes += io->seen->pending_bytes[i];
    }
    out->requests_mhz =
        mhz(out->requests_done + out->requests_failed + out->requests_aborted,
            out->elapsed_us);
    out->bytes_per_second = rate(out->bytes_read, out->elapsed_us);
    out->busy_bytes_per_second = rate(out->bytes_read, out->busy_us);
    out->held = io->retained_count;
    out->pending = slots_in_use(io) - io->retained_count;
    out->pending_peak = atomic_load_relaxed(&io->pending_peak);
    out->packed_bytes =
        io->seen->unpack[UNPACK_FROM] - io->tally->unpack_base[UNPACK_FROM];
    out->unpacked_bytes =
        io->seen->unpack[UNPACK_TO] - io->tally->unpack_base[UNPACK_TO];
    spn__meter_second(io->seen->unpack, UNPACK_COUNTERS, now_us, unpack);
    out->unpacked_bytes_per_second = unpack[UNPACK_TO];
    out->copies_tried = io->seen->copies_tried - io->tally->copies_base;
    out->unpack_bytes = spn__unpack_bytes(&io->unpack);
    out->unpack_bytes_peak = spn__unpack_bytes_peak(&io->unpack);
    out->budget_bytes = spn__budget_bytes(&io->budget);
    out->budget_bytes_peak = spn__budget_bytes_peak(&io->budget);
    out->completion = spn__latency_of(&io->tally->completion);
    out->invalid_waits = atomic_load_relaxed(&io->guard.count);
}

const struct device_report *spn__io_device_report(struct io *io,
                                                  spn_medium medium)
{
    refresh(io);
    return &io->seen->media[medium];
}

void spn__io_reset_stats(struct io *io)
{
    struct io_tally *tally = io->tally;
    uint64_t now_us;

    refresh(io);
    now_us = io_now_us(io);
    tally->start_us = now_us;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        sum_device(&io->seen->media[i], now_us, tally->base[i]);
    for (uint32_t i = 0; i < SPN_TASK_COUNT; i++) {
        struct task_tally *task = &tally->tasks[i];

        /* The slots of the last second are kept. */
        memset(task->meter, 0, TASK_COUNTERS * sizeof task->meter[0]);
        task->done = 0;
        task->failed = 0;
        task->aborted = 0;
        memcpy(task->unpack_base, io->seen->task_unpack[i],
               sizeof task->unpack_base);
        memset(&task->arrival, 0, sizeof task->arrival);
        memset(&task->completion, 0, sizeof task->completion);
    }
    memset(tally->arrival, 0, sizeof tally->arrival);
    memset(&tally->completion, 0, sizeof tally->completion);
    /* Relaxed: a read that starts at the same time may be missing. */
    atomic_store_relaxed(&io->pending_peak, slots_in_use(io));
    memcpy(tally->unpack_base, io->seen->unpack, sizeof tally->unpack_base);
    tally->copies_base = io->seen->copies_tried;
    spn__unpack_reset_peak(&io->unpack);
    spn__budget_reset_peak(&io->budget);
    atomic_store_relaxed(&io->guard.count, 0);
}

#endif

const struct pace *spn__io_pace(const struct io *io, spn_medium medium)
{
    return &io->seen->media[medium].pace;
}
