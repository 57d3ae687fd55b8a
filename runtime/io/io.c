/* io.c - the stream engine's two outer sides: start and abort from any
 * thread, completions on the caller's.
 *
 * Every read takes a slot from the free ring and gives it back after its one
 * completion. A slot's index is in at most one ring at a time and each ring
 * has room for all of them; inbox and done ring have one consumer, so their
 * pushes cannot fail. The free ring has many consumers: one that was halted
 * in the middle of a pop holds up its cell, and then the caller's thread
 * keeps the slot until the next time.
 *
 * Not here: everything that touches files (io_step.c).
 */
/* SPDX-License-Identifier: MIT */
#include "io/io.h"

#include "base/assert.h"
#include "base/mem.h"
#include "io/io_state.h"

#define PIECE_BYTES_DEFAULT 262144u

SPN_STATIC_ASSERT(FILES_HOLDS_MAX <= READ_INDEX_MASK, read_count_fits);

static uint32_t piece_bytes_of(const struct io_config *config)
{
    uint32_t bytes =
        config->piece_bytes ? config->piece_bytes : PIECE_BYTES_DEFAULT;

    bytes &= ~(PIECE_ALIGN_MAX - 1);
    return bytes ? bytes : PIECE_ALIGN_MAX;
}

static void push_sure(struct ring *ring, uint32_t index)
{
    bool has_room = spn__ring_push(ring, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

static void line_init(struct io_line *line, struct carve *carve,
                      uint32_t read_count)
{
    spn__queue_init(&line->queue, carve, read_count);
    line->active = IO_NONE;
}

/* NULL when only counting. */
static struct io_medium *cut_media(struct carve *carve, uint32_t read_count)
{
    struct io_medium *media =
        SPN_CARVE(carve, struct io_medium, SPN_MEDIUM_COUNT);

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct io_medium medium = {.resting = IO_NONE};

        line_init(&medium.line, carve, read_count);
        if (i != SPN_MEDIUM_MEMORY)
            medium.staging =
                spn__carve(carve, 1, PIECE_STAGING_BYTES, PIECE_ALIGN_MAX);
        if (media)
            media[i] = medium;
    }
    return media;
}

struct io *spn__io_init(struct carve *carve, const struct io_config *config)
{
    struct io *io = SPN_CARVE(carve, struct io, 1);
    struct io local;

    SPN_ASSERT(config->read_count >= 1);
    SPN_ASSERT(config->read_count <= FILES_HOLDS_MAX);
    memset(&local, 0, sizeof local);
    local.platform = config->platform;
    local.jobs = config->jobs;
    local.heap = config->heap;
    local.read_count = config->read_count;
    local.piece_bytes = piece_bytes_of(config);
    local.event = config->io_event;
    local.waiting_first = IO_NONE;
    local.unreturned = IO_NONE;
    local.requests = SPN_CARVE(carve, struct io_request, config->read_count);
    local.states = SPN_CARVE(carve, struct atomic_u32, config->read_count);
    spn__ring_init(&local.free, carve, config->read_count);
    spn__ring_init(&local.inbox, carve, config->read_count);
    spn__ring_init(&local.done, carve, config->read_count);
    line_init(&local.door, carve, config->read_count);
    local.media = cut_media(carve, config->read_count);
    spn__files_init(&local.files, carve, config->platform, config->file_count,
                    config->read_count);
    if (!io || carve->is_over)
        return NULL;
    for (uint32_t i = 0; i < config->read_count; i++)
        push_sure(&local.free, i);
    *io = local;
    return io;
}

/* ---- files: caller's thread -------------------------------------------- */

static void tell(struct io *io, uint32_t what)
{
    /* Pairs with the exchange in the io thread's step. */
    atomic_or_acq_rel(&io->heed, what);
    io_wake(io);
}

spn_status spn__io_file_open(struct io *io, const char *path, spn_file *out)
{
    if (!out || !spn__files_path_is_good(path))
        return SPN_ERR_ARG;
    if (atomic_load_relaxed(&io->pending) & IO_IS_SHUT)
        return SPN_ERR_SHUTDOWN;
    return spn__files_open(&io->files, path, out);
}

spn_status spn__io_file_close(struct io *io, spn_file file)
{
    spn_status status = spn__files_close(&io->files, file);

    if (status == SPN_OK)
        tell(io, IO_HEED_FILES);
    return status;
}

spn_status spn__io_file_bytes(struct io *io, spn_file file, uint64_t *bytes)
{
    return bytes ? spn__files_size(&io->files, file, bytes) : SPN_ERR_ARG;
}

/* ---- start: any thread ------------------------------------------------- */

/* Count a read, unless the engine is shut: one word holds both, so that no
 * read slips in after the caller's thread saw none. */
static bool count_pending(struct io *io)
{
    uint32_t pending = atomic_load_relaxed(&io->pending);
    uint32_t peak;

    do {
        if (pending & IO_IS_SHUT)
            return false;
    } while (
        !atomic_compare_exchange_acq_rel(&io->pending, &pending, pending + 1));
    peak = atomic_load_relaxed(&io->pending_peak);
    while (peak < pending + 1 && !atomic_compare_exchange_acq_rel(
                                     &io->pending_peak, &peak, pending + 1)) {
    }
    return true;
}

/* Take back a hold whose read did not start. */
static void unhold(struct io *io, spn_file file, uint32_t file_index)
{
    if (file && spn__files_unhold(&io->files, file_index))
        tell(io, IO_HEED_FILES);
}

/* Put `model` into a slot and hand it to the io thread. */
static spn_status start(struct io *io, const struct io_request *model,
                        spn_file file, const char *path, spn_read *out)
{
    uint32_t file_index = 0;
    uint32_t generation;
    uint32_t index;

    if (atomic_load_relaxed(&io->pending) & IO_IS_SHUT)
        return SPN_ERR_SHUTDOWN;
    if (file) {
        spn_status status = spn__files_hold(&io->files, file, &file_index);

        if (status != SPN_OK)
            return status;
    }
    if (!spn__ring_pop(&io->free, &index)) {
        unhold(io, file, file_index);
        return SPN_FULL;
    }
    if (!count_pending(io)) {
        /* The slot is lost, but no read will ever ask for one again. */
        unhold(io, file, file_index);
        return SPN_ERR_SHUTDOWN;
    }
    io->requests[index] = *model;
    io->requests[index].file =
        file ? file_index : spn__files_hold_path(&io->files, index, path);
    generation =
        (atomic_load_relaxed(&io->states[index]) >> READ_GENERATION_SHIFT) + 1;
    SPN_ASSERT(generation & 1);
    /* Release: an abort that knows the handle finds the slot in use. */
    atomic_store_release(&io->states[index],
                         generation << READ_GENERATION_SHIFT);
    *out = generation << READ_GENERATION_SHIFT | index;
    push_sure(&io->inbox, index);
    io_wake(io);
    return SPN_OK;
}

static bool is_good_block(const struct io *io, const struct io_read *read)
{
    uint32_t block_bytes = spn__heap_bytes(io->heap, read->block);

    return read->block_offset <= block_bytes &&
           read->bytes <= block_bytes - read->block_offset;
}

spn_status spn__io_start(struct io *io, const struct io_read *read,
                         spn_read *out)
{
    struct io_request model;

    if (!read || !out || !read->file || read->bytes == 0 ||
        (!read->buffer && !read->block) || !read->on_done ||
        (uint32_t)read->priority > SPN_PRIORITY_IDLE ||
        read->priority == SPN_PRIORITY_PREEMPTED)
        return SPN_ERR_ARG;
    if (!read->buffer && !is_good_block(io, read))
        return SPN_ERR_ARG;
    memset(&model, 0, sizeof model);
    model.offset = read->offset;
    model.bytes = read->bytes;
    model.buffer_bytes = read->bytes;
    model.target.buffer = read->buffer;
    model.target.heap = io->heap;
    model.target.block = read->block;
    model.target_start = read->buffer ? 0 : read->block_offset;
    model.fragile_end = read->is_doubtful;
    model.piece_bytes = PIECE_ALIGN_MAX;
    model.failures = read->is_doubtful ? IO_RETRIES : 0;
    model.ticket.priority = (uint32_t)read->priority;
    model.task = read->task;
    model.deadline_us = read->deadline_us;
    model.on_internal = read->on_done;
    model.context = read->context;
    model.argument = read->argument;
    return start(io, &model, read->file, NULL, out);
}

static bool is_good_desc(const struct io *io, const spn_read_desc *desc)
{
    if (!desc->file && !spn__files_path_is_good(desc->path))
        return false;
    if (desc->bytes > desc->buffer_bytes || desc->buffer_bytes > SIZE_MAX)
        return false;
    if (!desc->buffer && desc->buffer_bytes > 0)
        return false;
    if ((uint32_t)desc->priority > SPN_PRIORITY_IDLE ||
        desc->priority == SPN_PRIORITY_PREEMPTED)
        return false;
    return (uint32_t)desc->task < SPN_TASK_COUNT &&
           (!desc->on_async || io->jobs);
}

spn_status spn__io_read_start(struct io *io, const spn_read_desc *desc,
                              spn_read *out)
{
    struct io_request model;

    if (!desc || !out || !is_good_desc(io, desc))
        return SPN_ERR_ARG;
    memset(&model, 0, sizeof model);
    model.offset = desc->offset;
    model.bytes = desc->bytes;
    model.buffer_bytes = desc->buffer_bytes;
    model.target.buffer = desc->buffer;
    model.ticket.priority = (uint32_t)desc->priority;
    model.task = desc->task ? desc->task : SPN_TASK_USER;
    model.deadline_us = desc->deadline_us;
    model.is_public = true;
    model.on_async = desc->on_async;
    model.on_done = desc->on_done;
    model.user = desc->user;
    return start(io, &model, desc->file, desc->path, out);
}

/* ---- abort and poll: any thread ---------------------------------------- */

/* State word of a handle; false when the handle is over. */
static bool state_of(const struct io *io, spn_read read, uint32_t *state)
{
    uint32_t index = read & READ_INDEX_MASK;

    if (index >= io->read_count || !(read & READ_IN_USE))
        return false;
    /* Pairs with the io thread's or when the read ends: its data is there. */
    *state = atomic_load_acquire(&io->states[index]);
    return *state >> READ_GENERATION_SHIFT == read >> READ_GENERATION_SHIFT;
}

spn_status spn__io_abort(struct io *io, spn_read read)
{
    uint32_t state;

    do {
        if (!state_of(io, read, &state))
            return SPN_ERR_HANDLE;
        if (state & (READ_IS_ENDED | READ_IS_ABORTED))
            return SPN_OK;
        /* Fails when the read just ended, was aborted or completed. */
    } while (!atomic_compare_exchange_acq_rel(
        &io->states[read & READ_INDEX_MASK], &state, state | READ_IS_ABORTED));
    tell(io, IO_HEED_ABORT);
    return SPN_OK;
}

spn_status spn__io_poll(struct io *io, spn_read read)
{
    uint32_t state;

    if (!state_of(io, read, &state))
        return SPN_ERR_HANDLE;
    return state & READ_IS_ENDED ? SPN_OK : SPN_PENDING;
}

/* ---- completions: caller's thread -------------------------------------- */

static void take_sums(struct io *io, const struct io_request *request)
{
    struct io_sums *seen;

    if (request->medium == SPN_MEDIUM_COUNT)
        return;
    seen = &io->seen[request->medium];
    /* Copies may arrive out of order, by way of the workers. */
    if (request->sums.reads_ended - seen->reads_ended - 1 < INT32_MAX)
        *seen = request->sums;
}

static void count_end(struct io *io, const struct io_request *request)
{
    take_sums(io, request);
    if (request->status == SPN_OK)
        io->requests_done++;
    else if (request->status == SPN_ERR_ABORTED ||
             request->status == SPN_ERR_SHUTDOWN)
        io->requests_aborted++;
    else
        io->requests_failed++;
}

static void give_back(struct io *io, uint32_t index)
{
    if (spn__ring_push(&io->free, index))
        return;
    io->requests[index].next = io->unreturned;
    io->unreturned = index;
}

static void give_back_kept(struct io *io)
{
    uint32_t index = io->unreturned;

    io->unreturned = IO_NONE;
    while (index != IO_NONE) {
        uint32_t next = io->requests[index].next;

        give_back(io, index);
        index = next;
    }
}

static void complete(struct io *io, uint32_t index)
{
    const struct io_request *request = &io->requests[index];
    uint32_t generation;

    count_end(io, request);
    if (request->is_public && request->on_done) {
        spn_read_result result = io_result_of(io, index);

        request->on_done(&result);
    } else if (!request->is_public) {
        struct io_result result = {io_handle(io, index), request->status,
                                   request->done_bytes};

        request->on_internal(request->context, request->argument, &result);
    }
    generation =
        (atomic_load_relaxed(&io->states[index]) >> READ_GENERATION_SHIFT) + 1;
    /* The handle is stale from here. */
    atomic_store_release(&io->states[index],
                         generation << READ_GENERATION_SHIFT);
    atomic_add_acq_rel(&io->pending, UINT32_MAX);
    give_back(io, index);
}

uint32_t spn__io_finish(struct io *io, uint32_t limit)
{
    uint32_t count = 0;
    uint32_t index;

    give_back_kept(io);
    while (count < limit && spn__ring_pop(&io->done, &index)) {
        complete(io, index);
        count++;
    }
    return count;
}

void spn__io_get_stats(const struct io *io, spn_io_stats *out)
{
    out->bytes_read = 0;
    out->head_travel_bytes = 0;
    out->busy_us = 0;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        out->bytes_read += io->seen[i].bytes_read;
        out->head_travel_bytes += io->seen[i].head_travel_bytes;
        out->busy_us += io->seen[i].busy_us;
    }
    out->requests_done = io->requests_done;
    out->requests_failed = io->requests_failed;
    out->requests_aborted = io->requests_aborted;
    out->pending = atomic_load_relaxed(&io->pending) & ~IO_IS_SHUT;
    out->pending_peak = atomic_load_relaxed(&io->pending_peak);
}

const struct pace *spn__io_pace(const struct io *io, spn_medium medium)
{
    return &io->seen[medium].pace;
}

spn_status spn__io_file_medium(struct io *io, spn_file file, spn_medium *medium)
{
    return medium ? spn__files_medium(&io->files, file, medium) : SPN_ERR_ARG;
}

void spn__io_shutdown(struct io *io)
{
    atomic_or_acq_rel(&io->pending, IO_IS_SHUT);
    tell(io, IO_HEED_SHUTDOWN);
}

bool spn__io_is_idle(const struct io *io)
{
    /* The second pairs with the release when the io thread closes a file. */
    return (atomic_load_acquire(&io->pending) & ~IO_IS_SHUT) == 0 &&
           atomic_load_acquire(&io->files.open_count) == 0;
}
