/* io_deadline.c - drives, forecasts and deadline schedulers of media.
 *
 * When a read is put into the queue of its medium, the item of the deadline
 * scheduler is computed here: its place on the disc, its class and its
 * deadline. The item stays unchanged until the read is put there again. Thread:
 * the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_deadline.h"

#include "base/assert.h"
#include "base/minmax.h"
#include "disc/drive_disc.h"
#include "read/engine.h"
#include "schedule/deadline_waiting.h"

/* A gap is at most fifteen scratch buffers wide. Reading it takes a quarter of
 * a second, longer than a near seek. */
#define SCRATCHES_A_SECOND 64u
#define SCRATCH_BYTES_MAX 131072u

#define PIECES_A_SECOND 10u
#define PIECE_BYTES_MAX (1u << 20)

/* -- init -- */

static uint32_t scratch_bytes_of(const spn_drive_profile *profile)
{
    uint32_t bytes = profile->rate_out / SCRATCHES_A_SECOND;

    bytes -= bytes % PIECE_ALIGN_MAX;
    bytes += PIECE_ALIGN_MAX;
    return bytes < SCRATCH_BYTES_MAX ? bytes : SCRATCH_BYTES_MAX;
}

static struct io_drive *carve_drive(struct carve *carve,
                                    const spn_drive_profile *profile)
{
    struct io_drive *drive = SPN_CARVE(carve, struct io_drive, 1);

    if (!drive)
        return NULL;
    drive->profile = *profile;
    spn__forecast_init(&drive->forecast, &drive->profile);
    drive->typical_us = spn__drive_typical_us(profile);
    return drive;
}

/* Default size of a piece: the bytes that the drive reads in 0.1 s at its
 * highest rate. Large pieces are better because each command takes the time of
 * some KiB. A piece should take less time than a seek because a new read waits
 * for the piece at the device. */
static uint32_t piece_bytes_of(const spn_drive_profile *profile)
{
    uint32_t bytes = profile->rate_out / PIECES_A_SECOND;

    bytes -= bytes % PIECE_ALIGN_MAX;
    return bytes < PIECE_BYTES_MAX ? bytes : PIECE_BYTES_MAX;
}

static struct io_deadline *carve_scheduler(struct carve *carve,
                                           uint32_t read_count,
                                           const spn_drive_profile *profile,
                                           const struct io_drive *drive,
                                           struct deadline_pool *pool)
{
    struct io_deadline *scheduler = SPN_CARVE(carve, struct io_deadline, 1);
    uint32_t scratch_bytes = scratch_bytes_of(profile);
    uint8_t *scratch = spn__carve(carve, 1, scratch_bytes, PIECE_ALIGN_MAX);
    bool is_real = scheduler && drive;

    spn__deadline_init(is_real ? &scheduler->scheduler : NULL, carve,
                       read_count, is_real ? &drive->forecast : NULL,
                       &spn__deadline_rules);
    if (!is_real)
        return NULL;
    scheduler->scratch = scratch;
    scheduler->scratch_bytes = scratch_bytes;
    spn__deadline_waiting_init(&scheduler->waiting, pool, &spn__deadline_rules);
    return scheduler;
}

static struct deadline_pool *carve_pool(struct carve *carve,
                                        uint32_t read_count)
{
    struct deadline_pool *pool = SPN_CARVE(carve, struct deadline_pool, 1);

    spn__deadline_pool_init(pool, carve, read_count);
    return pool;
}

/* Keep the scheduler's set of waiting reads equal to the queue of the medium.
 */
static void watch(void *context, uint32_t subject, bool is_in)
{
    struct deadline_waiting *waiting = context;

    if (is_in)
        spn__deadline_waiting_add(waiting, subject);
    else
        spn__deadline_waiting_remove(waiting, subject);
}

void spn__io_carve_deadline_queues(struct io *io, struct carve *carve,
                                   const struct io_config *config)
{
    bool has_pool = false;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const spn_drive_profile *profile = config->media[i].drive;
        bool is_deadline_order = config->media[i].order == SPN_ORDER_DEADLINE;
        struct io_drive *drive;
        struct io_deadline *scheduler = NULL;

        if (!profile)
            continue;
        drive = carve_drive(carve, profile);
        if (is_deadline_order && !has_pool)
            io->pool = carve_pool(carve, config->read_count);
        has_pool = has_pool || is_deadline_order;
        if (is_deadline_order)
            scheduler = carve_scheduler(carve, config->read_count, profile,
                                        drive, io->pool);
        if (!io->media)
            continue;
        io->media[i].drive = drive;
        io->media[i].scheduler = scheduler;
        if (scheduler) {
            io->media[i].requests.queue.watch = watch;
            io->media[i].requests.queue.watch_context = &scheduler->waiting;
        }
        if (is_deadline_order && config->piece_bytes == 0 &&
            piece_bytes_of(profile) > io->piece_bytes)
            io->media[i].piece_bytes = piece_bytes_of(profile);
    }
}

/* -- items of the scheduler -- */

static spn_task_class class_of(const struct io_request *request)
{
    SPN_ASSERT((uint32_t)request->task_class < SPN_CLASS_COUNT);
    return request->ticket.priority == SPN_PRIORITY_IDLE
               ? SPN_CLASS_BULK
               : (spn_task_class)request->task_class;
}

static uint64_t due_us(const struct io_request *request)
{
    if (request->ticket.priority == SPN_PRIORITY_IDLE &&
        request->deadline_us == 0)
        return UINT64_MAX;
    return io_due_us(request, spn__task_class_due_us(class_of(request)));
}

/* The bytes that the read still needs, cut at the end of the file. */
static uint64_t missing_bytes(const struct io *io,
                              const struct io_request *request)
{
    uint64_t size = spn__files_info(&io->files, request->file)->bytes;
    uint64_t begin = request->offset + request->done_bytes;
    uint64_t left;

    if (request->offset > size || request->done_bytes > size - request->offset)
        return 0;
    left = size - begin;
    if (request->bytes > 0 && request->bytes - request->done_bytes < left)
        left = request->bytes - request->done_bytes;
    return left;
}

/* Group of a read: only reads of the same group are coalesced. It is the index
 * of the file, or a number that no file has if the read must not be coalesced.
 */
static uint32_t group_of(const struct io_request *request, uint32_t index)
{
    bool is_joinable =
        !request->is_alone && request->done_bytes >= request->small_pieces_end;

    return is_joinable ? request->file : UINT32_MAX - index;
}

static void fill_item(const struct io *io, uint32_t index, uint64_t key,
                      struct deadline_item *item)
{
    const struct io_request *request = &io->requests[index];
    const struct io_medium *medium = &io->media[request->medium];

    spn__forecast_range(
        &medium->drive->forecast,
        spn__files_position(
            &io->files, request->file,
            add_saturated_u64(request->offset, request->done_bytes)),
        missing_bytes(io, request), &item->begin, &item->end);
    item->arrival_us = request->start_us;
    item->class = deadline_class_of(class_of(request));
    item->deadline_us = due_us(request);
    item->key = key;
    item->subject = index;
    item->file = group_of(request, index);
    item->is_urgent = request->ticket.priority == SPN_PRIORITY_URGENT;
    item->is_idle = request->ticket.priority == SPN_PRIORITY_IDLE;
    item->is_begun = request->done_bytes > 0;
    item->has_copies = io_has_choice(request);
}

void spn__io_weigh(struct io *io, uint32_t index, uint64_t key)
{
    const struct io_request *request = &io->requests[index];
    struct deadline_waiting *home;
    struct deadline_waiting *waiting = NULL;
    struct deadline_item item = {.arrival_us = 0};

    if (!SPN_WITH_DEADLINE_SCHEDULER || !io->pool)
        return;
    if (request->medium != SPN_MEDIUM_COUNT &&
        io->media[request->medium].scheduler)
        waiting = &io->media[request->medium].scheduler->waiting;
    home = io->pool->homes[index];
    if (home && home != waiting)
        spn__deadline_waiting_remove(home, index);
    if (!waiting)
        return;
    fill_item(io, index, key, &item);
    if (home == waiting)
        spn__deadline_waiting_change(waiting, index, &item);
    else
        io->pool->items[index] = item;
}
