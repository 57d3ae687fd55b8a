/* pak_mount.c - the phases of mounting and loading.
 *
 *   header read -> room for the index -> index read -> validated -> ready
 */
/* SPDX-License-Identifier: MIT */
#include "read/pak_mount.h"

#include "base/assert.h"
#include "base/heap_view.h"
#include "base/wire.h"
#include "pak/pak_validate.h"
#include "read/engine.h"
#include "read/io_start.h"
#include "read/io_wait.h"

static struct pak_mount *mount_of(struct io *io, uint32_t index)
{
    return &io->paks.mounts[index];
}

static uint32_t index_of(const struct io *io, const struct pak_mount *mount)
{
    return (uint32_t)(mount - io->paks.mounts);
}

/* Fail a mount, and the load that waits for it. */
static void fail(struct pak_mount *mount, spn_status status)
{
    if (mount->load == PAK_LOAD_WANTS_ROOM) {
        mount->load = PAK_LOAD_FAILED;
        mount->load_status = status;
    }
    mount->phase = PAK_FAILED;
    mount->status = status;
    mount->fault.status = status;
    mount->fault.file = mount->path;
}

/* Fail a mount because `what` could not be read. */
static void fail_reading(struct pak_mount *mount, spn_status status,
                         const char *what, uint64_t offset)
{
    mount->fault = (spn_fault){.what = what, .offset = offset};
    fail(mount, status);
}

static spn_status start_read(struct io *io, struct pak_mount *mount,
                             struct io_read *read, io_done_fn on_done)
{
    read->file = mount->file;
    read->task = SPN_TASK_PAK;
    read->on_done = on_done;
    read->context = io;
    read->argument = index_of(io, mount);
    return spn__io_start(io, read, &mount->read);
}

/* -- mounting -- */

static void on_header(void *context, uint32_t index,
                      const struct io_result *result)
{
    struct io *io = context;
    struct pak_mount *mount = mount_of(io, index);
    struct file_facts file = {.bytes = 0};
    bool is_known = spn__files_facts(&io->files, mount->file, &file) == SPN_OK;
    spn_status status = result->status;

    /* If the file is too small, the fault of its header is more precise. */
    if (status != SPN_OK && !(status == SPN_ERR_RANGE && is_known)) {
        fail_reading(mount, status, "header", 0);
        return;
    }
    status = spn__pak_validate_header(mount->header_bytes, file.bytes,
                                      &mount->header, &mount->fault);
    if (status != SPN_OK)
        fail(mount, status);
    else
        mount->phase = PAK_WANTS_ROOM;
}

static void want_header(struct io *io, struct pak_mount *mount)
{
    struct io_read read = {.bytes = PAK_HEADER_BYTES,
                           .buffer = mount->header_bytes,
                           .priority = SPN_PRIORITY_ABOVE_NORMAL};

    if (start_read(io, mount, &read, on_header) == SPN_OK)
        mount->phase = PAK_READS_HEADER;
}

/* Bytes of the heap pages that a block uses. */
static uint64_t held_bytes(const struct io *io, heap_handle block)
{
    uint64_t mask = ((uint64_t)1 << io->heap->page_shift) - 1;

    return (spn__heap_bytes(io->heap, block) + mask) & ~mask;
}

/* Take a block in one extent. */
static spn_status take_memory(struct io *io, uint64_t bytes, heap_handle *out)
{
    spn_status status = io->memory.take(io->memory.user, bytes, UINT32_MAX,
                                        HEAP_TAG_STATIC, out);

    if (status == SPN_OK)
        io->paks.held_bytes += held_bytes(io, *out);
    return status;
}

static void want_room(struct io *io, struct pak_mount *mount)
{
    spn_status status;

    /* A pak without entries has an empty index. */
    if (mount->header.index_bytes == 0) {
        mount->phase = PAK_WANTS_VALIDATION;
        return;
    }
    status = take_memory(io, mount->header.index_bytes, &mount->index_block);
    if (status == SPN_OK)
        mount->phase = PAK_WANTS_INDEX;
    else if (status < SPN_OK)
        fail_reading(mount, status, "size of the index", PAK_HEADER_BYTES);
}

static void on_index(void *context, uint32_t index,
                     const struct io_result *result)
{
    struct pak_mount *mount = mount_of(context, index);

    if (result->status == SPN_OK)
        mount->phase = PAK_WANTS_VALIDATION;
    else
        fail_reading(mount, result->status, "index",
                     PAK_HEADER_BYTES + result->bytes);
}

static void want_index(struct io *io, struct pak_mount *mount)
{
    struct io_read read = {.offset = PAK_HEADER_BYTES,
                           .bytes = mount->header.index_bytes,
                           .block = mount->index_block,
                           .priority = SPN_PRIORITY_ABOVE_NORMAL};

    if (start_read(io, mount, &read, on_index) == SPN_OK)
        mount->phase = PAK_READS_INDEX;
}

/* The job that validates an index, because a large one takes long. */
static void validate(void *context, uint32_t index, struct job_worker *worker)
{
    struct io *io = context;
    struct pak_mount *mount = mount_of(io, index);
    const uint8_t *bytes = mount->header_bytes;

    (void)worker;
    if (mount->index_block)
        bytes = spn__heap_data(io->heap, mount->index_block);
    mount->validation = spn__pak_validate_index(&mount->header, bytes,
                                                &mount->index, &mount->fault);
    /* Pairs with the load in take_validation. */
    atomic_store_release(&mount->is_validated, 1);
}

static void want_validation(struct io *io, struct pak_mount *mount)
{
    if (spn__jobs_submit(io->jobs, validate, io, index_of(io, mount)))
        mount->phase = PAK_IN_VALIDATION;
}

static void take_validation(struct io *io, struct pak_mount *mount)
{
    if (!atomic_load_acquire(&mount->is_validated))
        return;
    if (mount->validation != SPN_OK) {
        fail(mount, mount->validation);
        return;
    }
    mount->phase = PAK_READY;
    mount->status = SPN_OK;
    if (!mount->is_leaving)
        spn__paks_set_ready(&io->paks, mount);
}

typedef void (*phase_fn)(struct io *io, struct pak_mount *mount);

/* What advances a mount in each phase. NULL: it waits for a read, or forever.
 */
static const phase_fn phases[] = {
    [PAK_WANTS_HEADER] = want_header,
    [PAK_WANTS_ROOM] = want_room,
    [PAK_WANTS_INDEX] = want_index,
    [PAK_WANTS_VALIDATION] = want_validation,
    [PAK_IN_VALIDATION] = take_validation,
    [PAK_FAILED] = NULL,
};

static void advance(struct io *io, struct pak_mount *mount)
{
    enum pak_phase before;

    do {
        phase_fn phase = phases[mount->phase];

        before = mount->phase;
        if (phase)
            phase(io, mount);
    } while (mount->phase != before);
}

spn_status spn__pak_mount(struct io *io, const char *path, spn_pak *out)
{
    struct pak_mount *mount;
    spn_status status;
    spn_file file;

    if (!out || !spn__files_path_is_good(path))
        return SPN_ERR_ARG;
    if (atomic_load_relaxed(&io->pending) & IO_IS_SHUT)
        return SPN_ERR_SHUTDOWN;
    mount = spn__paks_take(&io->paks);
    if (!mount)
        return SPN_ERR_TABLE_FULL;
    status = spn__files_open(&io->files, path, NULL, 0, &file);
    if (status != SPN_OK)
        return status;
    mount->file = file;
    mount->file_index = file & FILES_COUNT_MAX;
    mount->path = io->files.entries[mount->file_index].path;
    mount->phase = PAK_WANTS_HEADER;
    mount->status = SPN_PENDING;
    *out = spn__paks_publish(&io->paks, mount);
    advance(io, mount);
    return SPN_OK;
}

spn_status spn__pak_status(const struct io *io, spn_pak pak, spn_fault *fault)
{
    const struct pak_mount *mount = spn__paks_get(&io->paks, pak);

    if (!mount)
        return SPN_ERR_HANDLE;
    if (fault && mount->status < SPN_OK)
        *fault = mount->fault;
    return mount->status;
}

/* -- loading -- */

static void give_memory(struct io *io, heap_handle *block)
{
    if (!*block)
        return;
    io->paks.held_bytes -= held_bytes(io, *block);
    io->memory.give(io->memory.user, *block);
    *block = 0;
}

/* Bytes of all copies. Header and index are not loaded, because the index is in
 * memory already. */
static uint64_t load_bytes(const struct pak_mount *mount)
{
    return mount->header.file_bytes - mount->header.data_offset;
}

static void end_load(struct io *io, struct pak_mount *mount, spn_status status)
{
    give_memory(io, &mount->memory_block);
    mount->is_unloading = false;
    mount->load = status < SPN_OK ? PAK_LOAD_FAILED : PAK_LOAD_NONE;
    mount->load_status = status;
}

void spn__io_follow_paks(struct io *io, void (*on_moved)(void *context),
                         void *context)
{
    io->paks.on_moved = on_moved;
    io->paks.moved_context = context;
}

static void notify_moved(struct io *io, const struct pak_mount *mount)
{
    spn__files_follow(&io->files, mount);
    if (io->paks.on_moved)
        io->paks.on_moved(io->paks.moved_context);
}

static void serve_from_memory(struct io *io, struct pak_mount *mount)
{
    mount->load = PAK_LOAD_DONE;
    mount->load_status = SPN_OK;
    mount->memory = spn__heap_data(io->heap, mount->memory_block);
    mount->memory_start = mount->header.data_offset;
    /* Pairs with the load in spn__pak_begin_serving. */
    atomic_store_release(&mount->serving, PAK_SERVED_FROM_MEMORY);
    io_signal(io, IO_SIGNAL_PAKS);
    notify_moved(io, mount);
}

static void on_load(void *context, uint32_t index,
                    const struct io_result *result)
{
    struct io *io = context;
    struct pak_mount *mount = mount_of(io, index);

    if (mount->is_unloading)
        end_load(io, mount, SPN_EMPTY);
    else if (result->status != SPN_OK)
        end_load(io, mount, result->status);
    else
        serve_from_memory(io, mount);
}

/* True if the file is in memory already, so that a copy would be useless. */
static bool lies_in_memory(const struct io *io, const struct pak_mount *mount)
{
    struct file_facts file;

    return spn__files_facts(&io->files, mount->file, &file) == SPN_OK &&
           file.medium == SPN_MEDIUM_MEMORY;
}

static void want_load_room(struct io *io, struct pak_mount *mount)
{
    spn_status status;

    if (load_bytes(mount) == 0 || lies_in_memory(io, mount)) {
        mount->load = PAK_LOAD_DONE;
        mount->load_status = SPN_OK;
        return;
    }
    status = take_memory(io, load_bytes(mount), &mount->memory_block);
    if (status == SPN_OK)
        mount->load = PAK_LOAD_WANTS_READ;
    else if (status < SPN_OK)
        end_load(io, mount, status);
}

static void want_load_read(struct io *io, struct pak_mount *mount)
{
    struct io_read read = {.offset = mount->header.data_offset,
                           .bytes = load_bytes(mount),
                           .block = mount->memory_block,
                           .priority = mount->load_priority};

    if (start_read(io, mount, &read, on_load) == SPN_OK)
        mount->load = PAK_LOAD_READS;
}

static void advance_load(struct io *io, struct pak_mount *mount)
{
    if (mount->phase != PAK_READY)
        return;
    if (mount->load == PAK_LOAD_WANTS_ROOM)
        want_load_room(io, mount);
    if (mount->load == PAK_LOAD_WANTS_READ)
        want_load_read(io, mount);
    /* Pairs with the store in end_serving (pak_read.c). */
    if (mount->load == PAK_LOAD_LEAVES &&
        atomic_load_acquire(&mount->serving) == PAK_SERVED_FROM_DISC)
        end_load(io, mount, SPN_EMPTY);
}

spn_status spn__pak_load(struct io *io, spn_pak pak, spn_priority priority)
{
    struct pak_mount *mount = spn__paks_get(&io->paks, pak);

    if ((uint32_t)priority > SPN_PRIORITY_IDLE ||
        priority == SPN_PRIORITY_PREEMPTED)
        return SPN_ERR_ARG;
    if (!mount)
        return SPN_ERR_HANDLE;
    if (mount->phase == PAK_FAILED || mount->is_unloading)
        return SPN_ERR_STATE;
    if (mount->load != PAK_LOAD_NONE && mount->load != PAK_LOAD_FAILED)
        return SPN_OK;
    mount->load = PAK_LOAD_WANTS_ROOM;
    mount->load_status = SPN_PENDING;
    mount->load_priority = spn__tasks_priority(SPN_TASK_PAK, priority);
    advance_load(io, mount);
    return SPN_OK;
}

static void leave_memory(struct io *io, struct pak_mount *mount)
{
    if (mount->load == PAK_LOAD_READS) {
        mount->is_unloading = true;
        (void)spn__io_abort(io, mount->read);
    } else if (mount->load == PAK_LOAD_DONE && mount->memory_block) {
        mount->is_unloading = true;
        mount->load = PAK_LOAD_LEAVES;
        mount->load_status = SPN_EMPTY;
        atomic_store_release(&mount->serving, PAK_SERVING_ENDS);
        io_signal(io, IO_SIGNAL_PAKS);
        notify_moved(io, mount);
    } else if (mount->load == PAK_LOAD_WANTS_ROOM ||
               mount->load == PAK_LOAD_WANTS_READ ||
               mount->load == PAK_LOAD_DONE) {
        end_load(io, mount, SPN_EMPTY);
    }
}

spn_status spn__pak_unload(struct io *io, spn_pak pak)
{
    struct pak_mount *mount = spn__paks_get(&io->paks, pak);

    if (!mount)
        return SPN_ERR_HANDLE;
    leave_memory(io, mount);
    return SPN_OK;
}

spn_status spn__pak_load_status(const struct io *io, spn_pak pak)
{
    const struct pak_mount *mount = spn__paks_get(&io->paks, pak);

    if (!mount)
        return SPN_ERR_HANDLE;
    return mount->load == PAK_LOAD_NONE ? SPN_EMPTY : mount->load_status;
}

/* -- unmounting -- */

spn_status spn__pak_unmount(struct io *io, spn_pak pak)
{
    struct pak_mount *mount = spn__paks_get(&io->paks, pak);

    if (!mount)
        return SPN_ERR_HANDLE;
    mount->is_leaving = true;
    spn__paks_close(&io->paks, mount);
    if (mount->phase == PAK_READS_HEADER || mount->phase == PAK_READS_INDEX)
        (void)spn__io_abort(io, mount->read);
    return SPN_OK;
}

/* Whether the mount has no read and no job under way. */
static bool is_at_rest(const struct pak_mount *mount)
{
    return mount->phase != PAK_READS_HEADER &&
           mount->phase != PAK_READS_INDEX &&
           mount->phase != PAK_IN_VALIDATION &&
           (mount->load == PAK_LOAD_NONE || mount->load == PAK_LOAD_FAILED);
}

/* Unload and free a mount without holds: first the load, then the rest. */
static void leave(struct io *io, struct pak_mount *mount)
{
    if (!spn__paks_is_abandoned(mount))
        return;
    leave_memory(io, mount);
    if (mount->phase == PAK_IN_VALIDATION)
        take_validation(io, mount);
    if (!is_at_rest(mount))
        return;
    give_memory(io, &mount->index_block);
    (void)spn__io_file_close(io, mount->file);
    mount->phase = PAK_FREE;
    spn__paks_give_back(mount);
}

void spn__paks_update(struct io *io)
{
    for (uint32_t i = 0; i < io->paks.count; i++) {
        struct pak_mount *mount = &io->paks.mounts[i];

        if (mount->phase == PAK_FREE)
            continue;
        if (!mount->is_leaving)
            advance(io, mount);
        advance_load(io, mount);
        if (mount->is_leaving)
            leave(io, mount);
    }
}
