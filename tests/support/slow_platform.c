/* slow_platform.c - decide at submit what happens to a read, and do it when the
 * read is due.
 *
 * Extents are copied at submit, and filled only at the completion. A broken
 * contract fails the claim instead of returning a status: it is a bug of the
 * caller, and must not look like a bad disc.
 */
/* SPDX-License-Identifier: MIT */
#include "support/slow_platform.h"

#include "harness.h"

#include <string.h>

#define US_PER_SECOND 1000000u
#define SCRIBBLE 0xeb

static bool is_hit_by_count(struct slow_fault *fault, uint32_t nth)
{
    if (fault->nth != 0 && fault->nth != nth)
        return false;
    if (fault->times != 0 && fault->hits >= fault->times)
        return false;
    return true;
}

static bool is_of_file(const struct slow_fault *fault, const char *path)
{
    return !fault->path || strcmp(fault->path, path) == 0;
}

static bool is_open_kind(enum slow_kind kind)
{
    return kind == SLOW_OPEN_ERROR || kind == SLOW_OPEN_MISSING;
}

static bool touches(const struct slow_fault *fault, uint64_t offset,
                    uint64_t bytes)
{
    if (fault->kind == SLOW_FLIP) {
        uint64_t at = fault->value / 8;

        return at >= offset && at - offset < bytes;
    }
    if (fault->bytes == 0)
        return true;
    if (fault->offset >= offset)
        return fault->offset - offset < bytes;
    return offset - fault->offset < fault->bytes;
}

/* -- files -- */

static struct slow_file *find_file(struct slow_platform *slow, const char *path)
{
    for (uint32_t i = 0; i < slow->file_count; i++)
        if (strcmp(slow->files[i].path, path) == 0)
            return &slow->files[i];
    return NULL;
}

static struct slow_file *new_file(struct slow_platform *slow, const char *path,
                                  uint64_t bytes)
{
    struct slow_file *file;

    CHECK(slow->file_count < SLOW_FILES_MAX);
    CHECK(strlen(path) < SLOW_PATH_BYTES);
    file = &slow->files[slow->file_count++];
    memset(file, 0, sizeof *file);
    strcpy(file->path, path);
    file->bytes = bytes;
    file->disc_offset = slow->disc_bytes;
    slow->disc_bytes += bytes;
    return file;
}

static spn_status fault_of_open(struct slow_platform *slow, const char *path)
{
    slow->open_attempts++;
    for (uint32_t i = 0; i < slow->fault_count; i++) {
        struct slow_fault *fault = &slow->faults[i];

        if (!is_open_kind(fault->kind) || !is_of_file(fault, path) ||
            !is_hit_by_count(fault, slow->open_attempts))
            continue;
        fault->hits++;
        return fault->kind == SLOW_OPEN_ERROR ? SPN_ERR_IO : SPN_ERR_NOT_FOUND;
    }
    return SPN_OK;
}

/* The wrapped file is opened once, however often the slow one is opened. */
static spn_status open_inner(struct slow_platform *slow, const char *path,
                             struct slow_file **file)
{
    spn_platform_file_info info = {0};
    spn_status status;

    if (*file && (*file)->open_count > 0)
        return SPN_OK;
    if (!slow->is_wrapped)
        return SPN_ERR_NOT_FOUND;
    status = slow->inner.file_open(slow->inner.user, path, &info);
    if (status != SPN_OK)
        return status;
    if (!*file)
        *file = new_file(slow, path, info.bytes);
    (*file)->is_inner = true;
    (*file)->inner = info.file;
    return SPN_OK;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct slow_platform *slow = user;
    struct slow_file *file = find_file(slow, path);
    spn_status status = fault_of_open(slow, path);

    if (status == SPN_OK && (!file || file->is_inner))
        status = open_inner(slow, path, &file);
    if (status != SPN_OK)
        return status;
    file->open_count++;
    slow->opens++;
    info->file = (spn_platform_file)(file - slow->files);
    info->bytes = file->bytes;
    info->disc_offset = slow->is_place_unknown ? UINT64_MAX : file->disc_offset;
    info->align_bytes = slow->align_bytes ? slow->align_bytes : 1;
    info->medium = file->medium;
    if (file->medium == SPN_MEDIUM_MEMORY)
        info->memory = file->data;
    return SPN_OK;
}

static void file_close(void *user, spn_platform_file handle)
{
    struct slow_platform *slow = user;
    struct slow_file *file;

    CHECK(handle < slow->file_count);
    file = &slow->files[handle];
    CHECK(file->open_count > 0);
    /* All opens of a path share a handle, so one open is enough for the
     * read. */
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        CHECK(!slow->drives[i].is_reading || slow->drives[i].file != handle ||
              file->open_count > 1);
    file->open_count--;
    slow->closes++;
    if (file->is_inner && file->open_count == 0)
        slow->inner.file_close(slow->inner.user, file->inner);
}

/* -- reads -- */

static void check_read(const struct slow_platform *slow,
                       spn_platform_file handle, uint64_t offset,
                       const spn_extent *extents, uint32_t extent_count,
                       uint32_t tag)
{
    uint64_t mask = slow->align_bytes ? slow->align_bytes - 1 : 0;
    const struct slow_file *file;

    CHECK(handle < slow->file_count);
    file = &slow->files[handle];
    CHECK(file->open_count > 0);
    CHECK(file->medium != SPN_MEDIUM_MEMORY);
    CHECK(!slow->drives[file->medium].is_reading);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        CHECK(!slow->drives[i].is_reading || slow->drives[i].tag != tag);
    CHECK(extent_count > 0 && extent_count <= SPN_PLATFORM_EXTENTS_MAX);
    CHECK_EQ_U(offset & mask, 0);
    for (uint32_t i = 0; i < extent_count; i++) {
        CHECK(extents[i].bytes > 0);
        CHECK_EQ_U(extents[i].bytes & mask, 0);
        CHECK_EQ_U((uintptr_t)extents[i].data & mask, 0);
    }
}

/* Apply the script's faults to the read in `drive`. */
static bool apply_faults(struct slow_platform *slow, struct slow_drive *drive)
{
    const char *path = slow->files[drive->file].path;
    bool is_refused = false;

    for (uint32_t i = 0; i < slow->fault_count; i++) {
        struct slow_fault *fault = &slow->faults[i];

        if (is_open_kind(fault->kind) || !is_of_file(fault, path) ||
            !touches(fault, drive->offset, drive->bytes) ||
            !is_hit_by_count(fault, slow->reads))
            continue;
        fault->hits++;
        if (fault->kind == SLOW_ERROR)
            drive->is_error = true;
        else if (fault->kind == SLOW_REFUSE)
            is_refused = true;
        else if (fault->kind == SLOW_SHORT && fault->value < drive->bytes_most)
            drive->bytes_most = fault->value;
        else if (fault->kind == SLOW_FLIP)
            drive->flip_bit = (int64_t)fault->value;
        else if (fault->kind == SLOW_STALL)
            drive->due_us += fault->value;
    }
    return is_refused;
}

static uint64_t cost_us(const struct slow_platform *slow,
                        const struct slow_drive *drive, uint64_t place)
{
    uint64_t cost =
        slow->command_us + slow->medium_us[slow->files[drive->file].medium];

    if (place != drive->head)
        cost += slow->seek_us;
    if (slow->bytes_per_second)
        cost +=
            (drive->bytes_most * US_PER_SECOND + slow->bytes_per_second - 1) /
            slow->bytes_per_second;
    return cost;
}

static spn_status read_submit(void *user, spn_platform_file handle,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    struct slow_platform *slow = user;
    const struct slow_file *file;
    struct slow_drive *drive;
    uint64_t left;

    check_read(slow, handle, offset, extents, extent_count, tag);
    file = &slow->files[handle];
    drive = &slow->drives[file->medium];
    memcpy(drive->extents, extents, extent_count * sizeof *extents);
    drive->extent_count = extent_count;
    drive->tag = tag;
    drive->file = (uint32_t)handle;
    drive->offset = offset;
    drive->bytes = 0;
    for (uint32_t i = 0; i < extent_count; i++)
        drive->bytes += extents[i].bytes;
    left = offset < file->bytes ? file->bytes - offset : 0;
    drive->bytes_most = drive->bytes < left ? drive->bytes : left;
    drive->is_error = false;
    drive->is_submitted = false;
    drive->flip_bit = -1;
    if (slow->reads < SLOW_LOG_MAX)
        slow->log[slow->reads] =
            (struct slow_read){drive->file, offset, drive->bytes};
    slow->reads++;
    slow->flushes_before = slow->flushes;
    drive->due_us = slow->clock_us;
    if (apply_faults(slow, drive))
        return SPN_ERR_IO;
    drive->due_us += cost_us(slow, drive, file->disc_offset + offset);
    drive->head = file->disc_offset + offset + drive->bytes_most;
    drive->is_reading = true;
    return SPN_OK;
}

/* Fill the extents from the start: from `data`, or with a pattern. */
static void fill(const struct slow_drive *drive, const uint8_t *data,
                 uint64_t bytes)
{
    for (uint32_t i = 0; i < drive->extent_count && bytes > 0; i++) {
        size_t part = drive->extents[i].bytes < bytes ? drive->extents[i].bytes
                                                      : (size_t)bytes;

        if (data) {
            memcpy(drive->extents[i].data, data, part);
            data += part;
        } else {
            memset(drive->extents[i].data, SCRIBBLE, part);
        }
        bytes -= part;
    }
}

static void flip(const struct slow_drive *drive, uint64_t bytes)
{
    uint64_t at = (uint64_t)drive->flip_bit / 8 - drive->offset;

    if (drive->flip_bit < 0 || at >= bytes)
        return;
    for (uint32_t i = 0; i < drive->extent_count; i++) {
        if (at < drive->extents[i].bytes) {
            ((uint8_t *)drive->extents[i].data)[at] ^=
                (uint8_t)(1u << drive->flip_bit % 8);
            return;
        }
        at -= drive->extents[i].bytes;
    }
}

/* Poll the wrapped table, which fills the extents itself. */
static spn_status poll_inner(struct slow_platform *slow,
                             struct slow_drive *drive,
                             spn_platform_completion *out, uint64_t *due_us)
{
    spn_status status;

    if (!drive->is_submitted) {
        status = slow->inner.read_submit(
            slow->inner.user, slow->files[drive->file].inner, drive->offset,
            drive->extents, drive->extent_count, drive->tag);
        if (status != SPN_OK) {
            out->status = SPN_ERR_IO;
            out->bytes = 0;
            return SPN_OK;
        }
        drive->is_submitted = true;
    }
    return slow->inner.read_poll(slow->inner.user, out, due_us);
}

static struct slow_drive *first_due(struct slow_platform *slow)
{
    struct slow_drive *first = NULL;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        struct slow_drive *drive = &slow->drives[i];

        if (drive->is_reading && (!first || drive->due_us < first->due_us))
            first = drive;
    }
    return first;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct slow_platform *slow = user;
    struct slow_drive *drive = first_due(slow);
    spn_platform_completion end;
    const struct slow_file *file;

    *due_us = slow_platform_due_us(slow);
    if (!drive || slow->clock_us < drive->due_us)
        return SPN_PENDING;
    file = &slow->files[drive->file];
    end = (spn_platform_completion){drive->tag, SPN_OK, drive->bytes_most};
    if (drive->is_error) {
        fill(drive, NULL, drive->bytes);
        end.status = SPN_ERR_IO;
        end.bytes = 0;
    } else if (file->is_inner) {
        if (poll_inner(slow, drive, &end, due_us) == SPN_PENDING)
            return SPN_PENDING;
        if (end.bytes > drive->bytes_most)
            end.bytes = drive->bytes_most;
    } else if (drive->bytes_most > 0) {
        fill(drive, file->data + drive->offset, drive->bytes_most);
    }
    flip(drive, end.bytes);
    slow->bytes_read += end.bytes;
    drive->is_reading = false;
    *out = end;
    return SPN_OK;
}

static void end_cancelled(const struct slow_platform *slow,
                          struct slow_drive *drive)
{
    drive->due_us = slow->clock_us;
    drive->is_error |= slow->cancelled == SLOW_CANCELLED_ERROR;
    if (slow->cancelled == SLOW_CANCELLED_SOME)
        drive->bytes_most /= 2;
    if (slow->cancelled == SLOW_CANCELLED_NONE)
        drive->bytes_most = 0;
}

/* A disc that cannot cancel a command only counts the call. */
static void read_cancel(void *user, uint32_t tag)
{
    struct slow_platform *slow = user;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (slow->drives[i].is_reading && slow->drives[i].tag == tag) {
            slow->cancels++;
            if (slow->ends_cancelled)
                end_cancelled(slow, &slow->drives[i]);
            return;
        }
    test_fail(__FILE__, __LINE__, "no read has tag %u", (unsigned)tag);
}

static void cache_flush(void *user, const void *data, size_t bytes)
{
    struct slow_platform *slow = user;

    CHECK(data && bytes > 0);
    slow->flushes++;
}

static void cache_invalidate(void *user, void *data, size_t bytes)
{
    struct slow_platform *slow = user;

    CHECK(data && bytes > 0);
    slow->invalidates++;
}

static uint64_t now_us(void *user)
{
    const struct slow_platform *slow = user;

    return slow->clock_us;
}

/* -- functions for the test -- */

void slow_platform_init(struct slow_platform *slow)
{
    memset(slow, 0, sizeof *slow);
    slow->table.user = slow;
    slow->table.file_open = file_open;
    slow->table.file_close = file_close;
    slow->table.read_submit = read_submit;
    slow->table.read_poll = read_poll;
    slow->table.read_cancel = read_cancel;
    slow->table.now_us = now_us;
    slow->table.cache_flush = cache_flush;
    slow->table.cache_invalidate = cache_invalidate;
}

void slow_platform_add(struct slow_platform *slow, const char *path,
                       const void *data, uint64_t bytes)
{
    CHECK(!find_file(slow, path));
    new_file(slow, path, bytes)->data = data;
}

void slow_platform_place(struct slow_platform *slow, const char *path,
                         spn_medium medium)
{
    struct slow_file *file = find_file(slow, path);

    CHECK(file && file->open_count == 0);
    file->medium = medium;
}

void slow_platform_wrap(struct slow_platform *slow, const spn_platform *inner)
{
    slow->inner = *inner;
    slow->is_wrapped = true;
}

struct slow_fault *slow_platform_fault(struct slow_platform *slow,
                                       const struct slow_fault *fault)
{
    struct slow_fault *copy;

    CHECK(slow->fault_count < SLOW_FAULTS_MAX);
    copy = &slow->faults[slow->fault_count++];
    *copy = *fault;
    copy->hits = 0;
    return copy;
}

void slow_platform_clear_faults(struct slow_platform *slow)
{
    slow->fault_count = 0;
}

uint64_t slow_platform_due_us(const struct slow_platform *slow)
{
    uint64_t due_us = UINT64_MAX;

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        if (slow->drives[i].is_reading && slow->drives[i].due_us < due_us)
            due_us = slow->drives[i].due_us;
    return due_us;
}

bool slow_platform_advance(struct slow_platform *slow)
{
    uint64_t due_us = slow_platform_due_us(slow);

    if (due_us == UINT64_MAX)
        return false;
    if (slow->clock_us < due_us)
        slow->clock_us = due_us;
    return true;
}
