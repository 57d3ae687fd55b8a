/* io.c - the tables of the stream engine, its files, and its shutdown.
 *
 * Every read takes a request from the free queue, and its completion returns
 * it. The index of a request is in at most one of the word queues at a time,
 * and each of these has room for all indices, so that a push cannot fail.
 *
 * Starting is in io_start.c, waiting in io_wait.c, completing in
 * stage/io_finish.c, all accesses of files in stage/step.c and its stages.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io.h"

#include "base/assert.h"
#include "base/mem.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_report.h"
#include "read/io_tally.h"

#include <spindle/memory.h>

#define PIECE_BYTES_DEFAULT 262144u

SPN_STATIC_ASSERT(FILES_HOLDS_MAX <= READ_INDEX_MASK, read_count_fits);

static uint32_t piece_bytes_of(const struct io_config *config)
{
    uint32_t bytes =
        config->piece_bytes ? config->piece_bytes : PIECE_BYTES_DEFAULT;

    bytes &= ~(PIECE_ALIGN_MAX - 1);
    return bytes ? bytes : PIECE_ALIGN_MAX;
}

/* `requests` is NULL if the carve only counts. */
static void carve_queue(struct request_queue *requests, struct carve *carve,
                        uint32_t read_count, uint32_t *spots)
{
    struct queue queue;

    spn__queue_init(&queue, carve, read_count, spots);
    if (!requests)
        return;
    requests->queue = queue;
    requests->active = IO_NONE;
}

/* The result is NULL if the carve only counts. */
static struct io_medium *carve_media(struct carve *carve,
                                     const struct io_config *config,
                                     uint32_t piece_bytes, uint32_t *spots)
{
    struct io_medium *media =
        SPN_CARVE(carve, struct io_medium, SPN_MEDIUM_COUNT);

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        uint8_t *staging = NULL;

        carve_queue(media ? &media[i].requests : NULL, carve,
                    config->read_count, spots);
        if (i != SPN_MEDIUM_MEMORY)
            staging =
                spn__carve(carve, 1, PIECE_STAGING_BYTES, PIECE_ALIGN_MAX);
        if (!media)
            continue;
        media[i].unfinished = IO_NONE;
        media[i].piece_bytes = piece_bytes;
        media[i].staging = staging;
        media[i].silent_us = config->media[i].silent_us;
        media[i].timeout_us = config->media[i].timeout_us;
    }
    return media;
}

/* Carve no slots if no paks can be mounted. */
static void carve_unpack(struct io *io, struct carve *carve,
                         const struct io_config *config, uint32_t piece_bytes,
                         uint32_t *spots)
{
    struct unpack_config c = config->unpack;

    if (!SPN_WITH_PAKS || config->pak_count == 0)
        return;
    SPN_ASSERT(config->jobs && c.workspace_at >= UNPACK_SCRATCH_BYTES);
    c.piece_bytes = piece_bytes;
    spn__unpack_init(&io->unpack, carve, &c);
    spn__queue_init(&io->slot_waiters, carve, config->read_count, spots);
}

struct io *spn__io_init(struct carve *carve, const struct io_config *config)
{
    struct io *io;
    struct io local;
    uint32_t *spots; /* shared by all queues: a read is in one at a time */

    spn__carve_for(carve, SPN_MEMORY_READS);
    io = SPN_CARVE(carve, struct io, 1);
    SPN_ASSERT(config->read_count >= 1);
    SPN_ASSERT(config->read_count <= FILES_HOLDS_MAX);
    memset(&local, 0, sizeof local);
    local.platform = config->platform;
    local.jobs = config->jobs;
    memcpy(local.lanes, config->lanes, sizeof local.lanes);
    local.heap = config->heap;
    spn__listen_init(&local.listen, config->listener, config->platform);
    local.read_count = config->read_count;
    local.piece_bytes = piece_bytes_of(config);
    local.retained_first = IO_NONE;
    spn__guard_init(&local.guard, config->platform, config->invalid_wait_us);
    local.requests = SPN_CARVE(carve, struct io_request, config->read_count);
    local.waiter_count = config->wait_count;
    local.waiters = SPN_CARVE(carve, struct io_waiter, config->wait_count);
    local.states = SPN_CARVE(carve, struct atomic_u32, config->read_count);
    spots = SPN_CARVE(carve, uint32_t, config->read_count);
    spn__word_queue_init(&local.free, carve, config->read_count);
    spn__word_queue_init(&local.inbox, carve, config->read_count);
    spn__word_queue_init(&local.done, carve, config->read_count);
    local.open = SPN_CARVE(carve, struct atomic_u32, SPN_TASK_COUNT);
    local.report = SPN_CARVE(carve, struct io_report, 1);
    local.tally = SPN_CARVE(carve, struct io_tally, SPN_WITH_OBSERVERS);
    spn__triple_buffer_init(&local.snapshot, carve, sizeof(struct io_report));
    spn__tasks_init(&local.tasks);
    spn__carve_for(carve, SPN_MEMORY_PAKS);
    spn__paks_init(&local.paks, carve, config->pak_count);
    carve_unpack(&local, carve, config, local.piece_bytes, spots);
    spn__carve_for(carve, SPN_MEMORY_READS);
    local.memory = config->memory;
    local.has_loose_files_only = config->has_loose_files_only;
    spn__budget_init(&local.budget, config->budget_bytes);
    atomic_store_relaxed(&local.time_group_us, SORT_KEY_GROUP_US);
    spn__queue_init(&local.budget_waiters, carve, config->read_count, spots);
    local.opening = SPN_CARVE(carve, struct request_queue, 1);
    carve_queue(local.opening, carve, config->read_count, spots);
    spn__carve_for(carve, SPN_MEMORY_MEDIA);
    local.media = carve_media(carve, config, local.piece_bytes, spots);
    if (SPN_WITH_DEADLINE_SCHEDULER)
        spn__io_carve_deadline_queues(&local, carve, config);
    spn__carve_for(carve, SPN_MEMORY_FILES);
    spn__files_init(&local.files, carve, config->platform, config->file_count,
                    config->read_count);
    if (!io || carve->is_over)
        return NULL;
    for (uint32_t i = 0; i < config->read_count; i++)
        word_queue_push_sure(&local.free, i);
    *io = local;
    if (io_has_paks(io))
        spn__unpack_set_io(&io->unpack, io);
    io->seen = spn__triple_buffer_latest(&io->snapshot);
    if (SPN_WITH_OBSERVERS)
        io->tally->start_us = io_now_us(io);
    return io;
}

void spn__io_set_event(struct io *io, uint64_t event)
{
    io->event = event;
}

void spn__io_set_done_event(struct io *io, uint64_t event)
{
    io->done_event = event;
}

void spn__io_set_waiter_event(struct io *io, uint32_t waiter, uint64_t event)
{
    SPN_ASSERT(waiter < io->waiter_count);
    io->waiters[waiter].event = event;
}

/* -- files: caller's thread -- */

spn_status spn__io_file_open(struct io *io, const char *path, spn_file *out)
{
    struct pak_mount *mount = NULL;
    uint32_t entry = 0;
    spn_status status;

    if (!out || !spn__files_path_is_good(path))
        return SPN_ERR_ARG;
    if (atomic_load_relaxed(&io->pending) & IO_IS_SHUT)
        return SPN_ERR_SHUTDOWN;
    if (io_has_paks(io) && !io->has_loose_files_only)
        mount = spn__paks_lookup(&io->paks, path, &entry);
    status = spn__files_open(&io->files, path, mount, entry, out);
    if (status != SPN_OK && mount)
        spn__paks_unhold(mount);
    return status;
}

spn_status spn__io_file_close(struct io *io, spn_file file)
{
    spn_status status = spn__files_close(&io->files, file);

    if (status == SPN_OK)
        io_signal(io, IO_SIGNAL_FILES);
    return status;
}

spn_status spn__io_file_facts(const struct io *io, spn_file file,
                              struct file_facts *out)
{
    return spn__files_facts(&io->files, file, out);
}

/* -- task types: any thread -- */

void spn__io_pause(struct io *io, spn_task task, bool is_paused)
{
    spn__tasks_pause(&io->tasks, task, is_paused);
    io_signal(io, IO_SIGNAL_TASKS);
}

/* -- tuning: any thread -- */

void spn__io_set_budget(struct io *io, uint64_t bytes)
{
    spn__budget_set_limit(&io->budget, bytes);
    io_signal(io, IO_SIGNAL_BUDGET);
}

void spn__io_set_time_group(struct io *io, uint32_t length_us)
{
    SPN_ASSERT(length_us > 0);
    atomic_store_relaxed(&io->time_group_us, length_us);
}

const struct listen *spn__io_listen(const struct io *io)
{
    return &io->listen;
}

/* -- shutdown -- */

void spn__io_shutdown(struct io *io)
{
    atomic_or_acq_rel(&io->pending, IO_IS_SHUT);
    io_signal(io, IO_SIGNAL_SHUTDOWN);
}

bool spn__io_is_idle(const struct io *io)
{
    /* The second load pairs with the release of the io thread when it closes a
     * file. */
    return (atomic_load_acquire(&io->pending) & ~IO_IS_SHUT) == 0 &&
           atomic_load_acquire(&io->files.open_count) == 0;
}
