/* io_start.c - start reads: from a description to a request in the inbox.
 *
 * io_start.h explains why taking a request cannot fail after the reads were
 * counted. Any thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_start.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/mem.h"
#include "read/engine.h"
#include "read/pak_read.h"

#define FLAGS                                                                  \
    (SPN_READ_OVER_BUDGET | SPN_READ_UNGUARDED | SPN_READ_INTO_HEAP |          \
     SPN_READ_HELD)

/* -- validation of descriptions -- */

static bool is_good_priority(spn_priority priority)
{
    return (uint32_t)priority <= SPN_PRIORITY_IDLE &&
           priority != SPN_PRIORITY_PREEMPTED;
}

/* Whether the extents are valid and have room for buffer_bytes. */
static bool has_good_extents(const spn_read_desc *desc)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < desc->extent_count; i++) {
        if (!desc->extents[i].data || desc->extents[i].bytes == 0)
            return false;
        bytes += desc->extents[i].bytes;
    }
    return !desc->buffer && desc->bytes <= desc->buffer_bytes &&
           desc->buffer_bytes <= bytes;
}

/* Whether the memory is provided later, when the size is known. */
static bool is_without_buffer(const spn_read_desc *desc)
{
    return desc->on_storage || (desc->flags & SPN_READ_INTO_HEAP);
}

/* Whether there is exactly one destination: a buffer, extents, a storage
 * callback, or a block of the heap. The last requires on_done, which receives
 * the block. */
static bool has_good_buffer(const spn_read_desc *desc)
{
    if (is_without_buffer(desc))
        return !desc->buffer && !desc->extents && desc->buffer_bytes == 0 &&
               (desc->on_storage ? !(desc->flags & SPN_READ_INTO_HEAP)
                                 : desc->on_done != NULL);
    if (desc->extents)
        return has_good_extents(desc);
    if (desc->bytes > desc->buffer_bytes || desc->buffer_bytes > SIZE_MAX)
        return false;
    return desc->buffer || desc->buffer_bytes == 0;
}

static bool is_good_desc(const struct io *io, const spn_read_desc *desc)
{
    if (!desc->file && !desc->entry.pak && !spn__files_path_is_good(desc->path))
        return false;
    if (!has_good_buffer(desc) || (desc->flags & ~FLAGS) != 0 ||
        (desc->guard_roles & SPN_GUARD_AS_MEDIUM))
        return false;
    return is_good_priority(desc->priority) &&
           (uint32_t)desc->task < SPN_TASK_COUNT &&
           (!desc->on_async || io->jobs);
}

static bool is_good_block(const struct io *io, const struct io_read *read)
{
    uint32_t block_bytes = spn__heap_bytes(io->heap, read->block);

    return read->block_offset <= block_bytes &&
           read->bytes <= block_bytes - read->block_offset;
}

static bool is_good_read(const struct io *io, const struct io_read *read)
{
    return read->file && read->bytes > 0 && read->on_done &&
           is_good_priority(read->priority) && spn__tasks_is_good(read->task) &&
           (read->buffer || (read->block && is_good_block(io, read)));
}

/* -- requests -- */

/* Fill in the fields that a description has, also that of a read of the
 * runtime. */
static void fill(struct io_request *request, const struct io *io,
                 const spn_read_desc *desc)
{
    memset(request, 0, sizeof *request);
    request->offset = desc->offset;
    request->requested_offset = desc->offset;
    request->bytes = desc->bytes;
    request->buffer_bytes =
        is_without_buffer(desc) ? SIZE_MAX : desc->buffer_bytes;
    request->target.buffer = desc->buffer;
    request->target.extents = desc->extents;
    request->target.heap = io->heap;
    request->heap_unit_bytes = desc->heap_unit_bytes;
    request->task = desc->task ? desc->task : SPN_TASK_USER;
    request->ticket.priority =
        (uint32_t)spn__tasks_priority(request->task, desc->priority);
    request->task_class = spn__tasks_class(&io->tasks, request->task);
    request->deadline_us = desc->deadline_us;
    request->flags = desc->flags;
    request->is_public = true;
    request->on_storage = desc->on_storage;
    request->on_async = desc->on_async;
    request->on_done = desc->on_done;
    request->user = desc->user;
}

/* Fill in what only reads of the runtime have. */
static void fill_internal(struct io_request *request,
                          const struct io_read *read)
{
    request->is_public = false;
    request->target.block = read->block;
    request->target_start = read->buffer ? 0 : read->block_offset;
    request->small_pieces_end = read->is_doubtful;
    request->piece_bytes = PIECE_ALIGN_MAX;
    request->failures = read->is_doubtful ? IO_RETRIES : 0;
    request->on_internal = read->on_done;
    request->on_arrival = read->on_arrival;
    request->context = read->context;
    request->argument = read->argument;
}

/* -- taking and publishing requests -- */

/* Add to the number of pending reads, unless the engine is shut. One word has
 * the number and the flag IO_IS_SHUT, so no read can start after the caller's
 * thread has found none during a shutdown. */
static spn_status count_pending(struct io *io, uint32_t count)
{
    uint32_t pending = atomic_load_relaxed(&io->pending);
    uint32_t peak;

    do {
        if (pending & IO_IS_SHUT)
            return SPN_ERR_SHUTDOWN;
        if (count > io->read_count - pending)
            return SPN_FULL;
        /* Pairs with the subtraction in io_finish.c: the free requests are in
         * the queue. */
    } while (!atomic_compare_exchange_acq_rel(&io->pending, &pending,
                                              pending + count));
    peak = atomic_load_relaxed(&io->pending_peak);
    while (peak < pending + count &&
           !atomic_compare_exchange_acq_rel(&io->pending_peak, &peak,
                                            pending + count)) {
    }
    return SPN_OK;
}

static uint32_t take_request(struct io *io)
{
    uint32_t index = 0;
    bool is_taken = spn__word_queue_pop(&io->free, &index);

    SPN_ASSERT(is_taken);
    (void)is_taken;
    return index;
}

/* A read without callbacks is held, because its result can be read only by its
 * handle. */
static uint32_t held_bit(const struct io_request *request)
{
    bool is_held =
        (request->flags & SPN_READ_HELD) || io_has_no_callback(request);

    return is_held ? STATE_HELD : 0;
}

/* Publish a complete request: make its handle and push it into the inbox. */
static spn_read publish(struct io *io, uint32_t index)
{
    struct io_request *request = &io->requests[index];
    uint32_t generation =
        (atomic_load_relaxed(&io->states[index]) >> STATE_GENERATION_SHIFT) + 1;

    request->start_us = io_now_us(io);
    if (record_is_on(&io->record) && io->platform->thread_current)
        request->thread = io->platform->thread_current(io->platform->user);
    atomic_add_relaxed(&io->open[request->task], 1);

    SPN_ASSERT(generation & 1);
    spn__read_set_stage(request, READ_QUEUED);
    /* Release: a thread that aborts the read by its handle sees the complete
     * request. */
    atomic_store_release(&io->states[index],
                         generation << STATE_GENERATION_SHIFT |
                             held_bit(request));
    word_queue_push_sure(&io->inbox, index);
    return generation << STATE_GENERATION_SHIFT | index;
}

/* -- files and paks of a read -- */

static spn_status hold_entry(struct io *io, spn_pak_entry entry)
{
    struct pak_mount *mount;
    spn_status status = spn__paks_hold(&io->paks, entry.pak, &mount);

    if (status != SPN_OK)
        return status;
    if (entry.index < mount->index.header.entry_count)
        return SPN_OK;
    spn__paks_unhold(mount);
    return SPN_ERR_ARG;
}

/* Hold the file or the pak of a read. A path is looked up later, when the start
 * cannot fail any more. */
static spn_status hold(struct io *io, spn_file file, spn_pak_entry entry)
{
    uint32_t index;

    if (atomic_load_relaxed(&io->pending) & IO_IS_SHUT)
        return SPN_ERR_SHUTDOWN;
    if (file)
        return spn__files_hold(&io->files, file, &index);
    if (!SPN_WITH_PAKS && entry.pak)
        return SPN_ERR_NOT_BUILT;
    return entry.pak ? hold_entry(io, entry) : SPN_OK;
}

static void unhold_file(struct io *io, uint32_t index)
{
    if (spn__files_unhold(&io->files, index))
        io_signal(io, IO_SIGNAL_FILES);
}

/* Remove the hold of a read that was not started. */
static void unhold(struct io *io, spn_file file, spn_pak_entry entry)
{
    if (file)
        unhold_file(io, file & FILES_COUNT_MAX);
    else if (SPN_WITH_PAKS && entry.pak)
        spn__paks_unhold(spn__paks_of(&io->paks, entry.pak));
}

/* Make a held file the source of a read. If it is an entry of a pak, the hold
 * of the file is replaced by a hold of the pak. */
static void aim_at_file(struct io *io, struct io_request *request,
                        uint32_t index)
{
    const struct file_entry *entry = &io->files.entries[index];

    request->file = index;
    request->guard_roles = spn__files_guard_roles(&io->files, index);
    if (!SPN_WITH_PAKS || !entry->mount)
        return;
    spn__paks_hold_again(entry->mount);
    spn__pak_aim(io, request, entry->mount, entry->pak_entry);
    unhold_file(io, index);
}

static void aim_at_path(struct io *io, uint32_t slot, const char *path)
{
    struct io_request *request = &io->requests[slot];
    struct pak_mount *mount = NULL;
    uint32_t entry = 0;

    if (io_has_paks(io) && !io->has_loose_files_only)
        mount = spn__paks_lookup(&io->paks, path, &entry);
    if (mount)
        spn__pak_aim(io, request, mount, entry);
    else
        request->file = spn__files_hold_path(&io->files, slot, path);
}

static void aim(struct io *io, uint32_t slot, const spn_read_desc *desc)
{
    struct io_request *request = &io->requests[slot];

    request->guard_roles = SPN_GUARD_AS_MEDIUM;
    if (desc->file)
        aim_at_file(io, request, desc->file & FILES_COUNT_MAX);
    else if (SPN_WITH_PAKS && desc->entry.pak)
        spn__pak_aim(io, request, spn__paks_of(&io->paks, desc->entry.pak),
                     desc->entry.index);
    else
        aim_at_path(io, slot, desc->path);
    if (desc->flags & SPN_READ_UNGUARDED)
        request->guard_roles = 0;
    else if (desc->guard_roles)
        request->guard_roles = desc->guard_roles;
}

/* -- starting -- */

static void unhold_all(struct io *io, const spn_read_desc *descs,
                       uint32_t count)
{
    while (count-- > 0)
        unhold(io, descs[count].file, descs[count].entry);
}

/* Hold the sources of all reads and count the reads, or do nothing. */
static spn_status reserve(struct io *io, const spn_read_desc *descs,
                          uint32_t count)
{
    spn_status status = SPN_OK;
    uint32_t held = 0;

    while (held < count && status == SPN_OK) {
        status = hold(io, descs[held].file, descs[held].entry);
        held += status == SPN_OK;
    }
    if (status == SPN_OK)
        status = count_pending(io, count);
    if (status != SPN_OK)
        unhold_all(io, descs, held);
    return status;
}

/* Start one of the reserved reads. `read` is NULL for one that has only a
 * description. */
static spn_read start(struct io *io, const spn_read_desc *desc,
                      const struct io_read *read, bool is_own)
{
    uint32_t index = take_request(io);

    fill(&io->requests[index], io, desc);
    if (read)
        fill_internal(&io->requests[index], read);
    io->requests[index].is_own = is_own;
    aim(io, index, desc);
    return publish(io, index);
}

spn_status spn__io_start(struct io *io, const struct io_read *read,
                         spn_read *out)
{
    spn_read_desc desc = {.buffer = NULL};
    spn_status status;

    if (!read || !out || !is_good_read(io, read))
        return SPN_ERR_ARG;
    desc.file = read->file;
    desc.offset = read->offset;
    desc.bytes = read->bytes;
    desc.buffer = read->buffer;
    desc.buffer_bytes = read->bytes;
    desc.priority = read->priority;
    desc.task = read->task;
    desc.deadline_us = read->deadline_us;
    status = reserve(io, &desc, 1);
    if (status != SPN_OK)
        return status;
    *out = start(io, &desc, read, true);
    io_wake(io);
    return SPN_OK;
}

static spn_status start_all(struct io *io, const spn_read_desc *descs,
                            uint32_t count, bool is_own, spn_read *out)
{
    spn_status status;

    if (!descs || !out || count == 0 || count > io->read_count)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < count; i++)
        if (!is_good_desc(io, &descs[i]))
            return SPN_ERR_ARG;
    status = reserve(io, descs, count);
    if (status != SPN_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        out[i] = start(io, &descs[i], NULL, is_own);
    io_wake(io);
    return SPN_OK;
}

spn_status spn__io_read_start(struct io *io, const spn_read_desc *desc,
                              spn_read *out)
{
    return start_all(io, desc, 1, true, out);
}

spn_status spn__io_read_start_batch(struct io *io, const spn_read_desc *descs,
                                    uint32_t count, spn_read *out)
{
    return start_all(io, descs, count, false, out);
}
