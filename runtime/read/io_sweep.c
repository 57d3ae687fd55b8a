/* io_sweep.c - a medium whose drive is known: who is next, and who comes along.
 *
 * Reads stand in the medium's line as everywhere. When the device is free all
 * of them are offered to the sweep, which picks one and names neighbours; those
 * that are ready go to the device in one run, as far as a piece has room, and
 * what is left of them is weighed again: so whatever arrives meanwhile waits
 * for a piece and its gaps, not for a run. A read in a line of its own is a
 * piece as on any other medium.
 *
 * What a read is weighed by changes only when it joins the line, and is worked
 * out then. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_sweep.h"

#include "base/assert.h"
#include "disc/drive.h"
#include "read/engine.h"
#include "read/io_device.h"
#include "read/io_line.h"
#include "read/io_listen.h"
#include "read/io_places.h"
#include "read/io_run.h"
#include "read/io_unpack.h"
#include "read/run.h"
#include "schedule/sweep_waiting.h"

/* A gap is at most fifteen scratches wide: a quarter of a second, more than
 * any near seek takes. */
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

static struct io_drive *cut_drive(struct carve *carve,
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

/* A command costs as much as some KiB, wherever it comes between: where nobody
 * says otherwise a piece is what comes in a tenth of a second, less than a way
 * takes. */
static uint32_t piece_bytes_of(const spn_drive_profile *profile)
{
    uint32_t bytes = profile->rate_out / PIECES_A_SECOND;

    bytes -= bytes % PIECE_ALIGN_MAX;
    return bytes < PIECE_BYTES_MAX ? bytes : PIECE_BYTES_MAX;
}

static struct io_sweep *cut_sweep(struct carve *carve, uint32_t read_count,
                                  const spn_drive_profile *profile,
                                  const struct io_drive *drive,
                                  struct sweep_pool *pool)
{
    struct io_sweep *sweep = SPN_CARVE(carve, struct io_sweep, 1);
    uint32_t scratch_bytes = scratch_bytes_of(profile);
    uint8_t *scratch = spn__carve(carve, 1, scratch_bytes, PIECE_ALIGN_MAX);
    bool is_real = sweep && drive;

    spn__sweep_init(is_real ? &sweep->sweep : NULL, carve, read_count,
                    is_real ? &drive->forecast : NULL, &spn__sweep_rules);
    if (!is_real)
        return NULL;
    sweep->scratch = scratch;
    sweep->scratch_bytes = scratch_bytes;
    spn__sweep_waiting_init(&sweep->waiting, pool, &spn__sweep_rules);
    return sweep;
}

static struct sweep_pool *cut_pool(struct carve *carve, uint32_t read_count)
{
    struct sweep_pool *pool = SPN_CARVE(carve, struct sweep_pool, 1);

    spn__sweep_pool_init(pool, carve, read_count);
    return pool;
}

/* What stands in the medium's queue waits in the sweep. */
static void watch(void *context, uint32_t subject, bool is_in)
{
    struct sweep_waiting *waiting = context;

    if (is_in)
        spn__sweep_waiting_add(waiting, subject);
    else
        spn__sweep_waiting_remove(waiting, subject);
}

void spn__io_cut_sweeps(struct io *io, struct carve *carve,
                        const struct io_config *config)
{
    bool has_pool = false;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const spn_drive_profile *profile = config->media[i].drive;
        bool is_sweep = config->media[i].order == SPN_ORDER_DEADLINE;
        struct io_drive *drive;
        struct io_sweep *sweep = NULL;

        if (!profile)
            continue;
        drive = cut_drive(carve, profile);
        if (is_sweep && !has_pool)
            io->pool = cut_pool(carve, config->read_count);
        has_pool = has_pool || is_sweep;
        if (is_sweep)
            sweep =
                cut_sweep(carve, config->read_count, profile, drive, io->pool);
        if (!io->media)
            continue;
        io->media[i].drive = drive;
        io->media[i].sweep = sweep;
        if (sweep) {
            io->media[i].line.queue.watch = watch;
            io->media[i].line.queue.watch_context = &sweep->waiting;
        }
        if (is_sweep && config->piece_bytes == 0 &&
            piece_bytes_of(profile) > io->piece_bytes)
            io->media[i].piece_bytes = piece_bytes_of(profile);
    }
}

/* -- how a read is weighed -- */

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

/* What is missing, as far as it lies in the file. */
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

/* Reads are joined with others of their file; one that stands alone has a
 * number that no file has. */
static uint32_t group_of(const struct io_request *request, uint32_t index)
{
    bool is_joinable =
        !request->is_alone && request->done_bytes >= request->fragile_end;

    return is_joinable ? request->file : UINT32_MAX - index;
}

static void fill_item(const struct io *io, uint32_t index, uint64_t key,
                      struct sweep_item *item)
{
    const struct io_request *request = &io->requests[index];
    const struct io_medium *medium = &io->media[request->medium];

    spn__forecast_range(
        &medium->drive->forecast,
        spn__files_position(&io->files, request->file,
                            request->offset > UINT64_MAX - request->done_bytes
                                ? UINT64_MAX
                                : request->offset + request->done_bytes),
        missing_bytes(io, request), &item->begin, &item->end);
    item->arrival_us = request->start_us;
    item->class = sweep_class_of(class_of(request));
    item->deadline_us = due_us(request);
    item->key = key;
    item->subject = index;
    item->file = group_of(request, index);
    item->is_urgent = request->ticket.priority == SPN_PRIORITY_URGENT;
    item->is_idle = request->ticket.priority == SPN_PRIORITY_IDLE;
    item->is_begun = request->done_bytes > 0;
    item->has_choice = io_has_choice(request);
}

void spn__io_weigh(struct io *io, uint32_t index, uint64_t key)
{
    const struct io_request *request = &io->requests[index];
    struct sweep_waiting *home;
    struct sweep_waiting *waiting = NULL;
    struct sweep_item item = {.arrival_us = 0};

    if (!SPN_WITH_DEADLINE_SCHEDULER || !io->pool)
        return;
    if (request->medium != SPN_MEDIUM_COUNT && io->media[request->medium].sweep)
        waiting = &io->media[request->medium].sweep->waiting;
    home = io->pool->homes[index];
    if (home && home != waiting)
        spn__sweep_waiting_remove(home, index);
    if (!waiting)
        return;
    fill_item(io, index, key, &item);
    if (home == waiting)
        spn__sweep_waiting_change(waiting, index, &item);
    else
        io->pool->items[index] = item;
}

/* -- the choice -- */

static uint64_t begin_of(const struct io *io, uint32_t index)
{
    return io->requests[index].offset + io->requests[index].done_bytes;
}

/* By their first bytes in the file; of equals who came first. */
static bool is_before(const struct io *io, uint32_t a, uint32_t b)
{
    if (begin_of(io, a) != begin_of(io, b))
        return begin_of(io, a) < begin_of(io, b);
    return io->requests[a].arrival < io->requests[b].arrival;
}

/* Indices of the reads to go together, in order of place. */
static uint32_t choose(struct io *io, struct io_medium *medium, uint64_t now_us,
                       uint32_t reads[SWEEP_JOIN_MAX], uint32_t *chosen)
{
    struct sweep *sweep = &medium->sweep->sweep;
    struct forecast_place head;
    uint32_t joined[SWEEP_JOIN_MAX];
    uint32_t count;

    if (SPN_WITH_PAKS && medium->sweep->waiting.choices.count > 0)
        spn__pak_choose_places(io, medium);
    spn__forecast_place(&medium->drive->forecast,
                        medium->has_head ? medium->head : 0, &head);
    spn__sweep_waiting_offer(&medium->sweep->waiting, sweep, &head, now_us);
    *chosen = spn__sweep_choose(sweep, &head, now_us);
    count = spn__sweep_join(sweep, *chosen, joined);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = sweep->items[joined[i]].subject;
        uint32_t at = i;

        for (; at > 0 && is_before(io, index, reads[at - 1]); at--)
            reads[at] = reads[at - 1];
        reads[at] = index;
    }
    return count;
}

/* -- what goes to the device -- */

/* Where the first is compressed a block of it fits. */
static void begin_run(const struct io *io, struct io_medium *medium,
                      uint32_t first)
{
    struct io_sweep *sweep = medium->sweep;
    const struct run_limits limits = {
        .bytes_max = io_has_blocks(&io->requests[first]) ? io->unpack.slot_bytes
                                                         : medium->piece_bytes,
        .gap_bytes_max = SWEEP_GAP_BYTES_MAX,
        .place = spn__files_position(&io->files, io->requests[first].file, 0),
        .block_bytes = medium->drive->profile.ecc_bytes,
        .align_bytes =
            spn__files_info(&io->files, io->requests[first].file)->align_bytes,
        .staging = medium->staging,
        .scratch = sweep->scratch,
        .scratch_bytes = sweep->scratch_bytes};

    spn__run_begin(&sweep->run, &limits);
}

static bool add_to_run(struct io *io, struct io_medium *medium, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    struct run *run = &medium->sweep->run;
    struct run_read read = {.subject = index,
                            .offset = begin_of(io, index),
                            .at = request->target_start + request->done_bytes,
                            .bytes = request->bytes - request->done_bytes,
                            .target = request->target};

    uint64_t missing = read.bytes;

    if ((!io_is_of_pak(io, index) ||
         spn__unpack_join(io, index, spn__run_room(run),
                          run->limits.align_bytes, &read)) &&
        spn__run_add(run, &read)) {
        /* Nothing comes before the rest of it. */
        run->is_full = run->is_full || read.bytes < missing;
        return true;
    }
    if (io_is_of_pak(io, index))
        spn__unpack_drop(io, index);
    return false;
}

/* Those that are ready, as many as there is room for; the others are turned
 * away. */
static void gather(struct io *io, struct io_medium *medium,
                   const uint32_t reads[SWEEP_JOIN_MAX], uint32_t count)
{
    struct queue *queue = &medium->line.queue;
    struct run *run = &medium->sweep->run;

    run->member_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        spn_status status;

        if (run->member_count == 0)
            begin_run(io, medium, reads[i]);
        if (!spn__run_takes(run, begin_of(io, reads[i])))
            break;
        status = spn__io_make_ready(io, reads[i]);
        /* It waits no longer than for the run. */
        if (status == SPN_EMPTY && run->member_count > 0)
            break;
        if (status != SPN_OK || io->requests[reads[i]].bytes == 0) {
            spn__queue_remove(queue, reads[i]);
            spn__io_turn_away(io, reads[i], status);
        } else if (!add_to_run(io, medium, reads[i])) {
            SPN_ASSERT(run->member_count > 0);
            break;
        }
    }
    io->unpack.lender = IO_NONE;
}

/* Who rested between two pieces, and is not among those that go. */
static void tell_preempted(struct io *io, struct io_medium *medium,
                           const uint32_t *reads, uint32_t count)
{
    uint32_t resting = medium->resting;

    medium->resting = IO_NONE;
    if (resting == IO_NONE || !listen_is_there(&io->listen))
        return;
    for (uint32_t i = 0; i < count; i++)
        if (reads[i] == resting)
            return;
    /* NOLINTNEXTLINE(clang-analyzer-*): one goes at least. */
    spn__io_hear_preempted(io, resting, reads[0], spn__io_key_of(io, resting));
}

/* The run is planned. */
static void start_run(struct io *io, struct io_medium *medium)
{
    const struct run *run = &medium->sweep->run;
    uint32_t reads[RUN_MEMBERS_MAX];

    for (uint32_t i = 0; i < run->member_count; i++) {
        reads[i] = run->members[i].subject;
        spn__queue_remove(&medium->line.queue, reads[i]);
    }
    tell_preempted(io, medium, reads, run->member_count);
    if (run->member_count == 1)
        spn__io_start_piece(io, medium, reads[0]);
    else
        spn__io_start_run(io, medium);
}

bool spn__io_serve_sweep(struct io *io, struct io_medium *medium)
{
    struct io_sweep *sweep = medium->sweep;
    uint64_t now_us = io_now_us(io);
    uint32_t reads[SWEEP_JOIN_MAX];
    uint32_t chosen;
    uint32_t count = choose(io, medium, now_us, reads, &chosen);

    SPN_ASSERT(count > 0);
    gather(io, medium, reads, count);
    if (sweep->run.member_count == 0)
        return true;
    spn__sweep_serve(&sweep->sweep, chosen, sweep->run.bytes, now_us);
    start_run(io, medium);
    return true;
}
