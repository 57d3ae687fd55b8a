/* host_output.c - outputs that appear whole or not at all, on every system.
 *
 * The target is validated before any work. Bytes go to a temporary in the
 * target's own folder, so that the rename does not cross file systems. A commit
 * syncs, links, closes and renames it, in this order. After a failed write the
 * output remains failed, and its commit only cleans up. Standard output has no
 * temporary: written bytes cannot be taken back.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_target.h"

#include "host/host_system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of at least this size are not buffered. */
#define BUFFER_BYTES ((size_t)1 << 16)

/* -- open -- */

char *host_copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

bool host_output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static void release(struct host_output *output)
{
    if (output->target)
        host_target_free(output);
    if (output->file != HOST_CLOSED)
        host_system_close(output->file);
    free(output->path);
    free(output->folder);
    free(output->buffer);
    free(output);
}

/* The target must be an ordinary file, or must not exist. */
static bool validate_target(struct host_output *output)
{
    const char *path = output->path;
    size_t length = strlen(path);
    enum host_kind kind;
    uint64_t bytes;
    int error;

    if (length == 0)
        return diag_io(output->diag, "output", 0, "has no name");
    error = host_system_stat(path, &kind, &bytes);
    if (error == 0 && kind != HOST_FILE)
        return host_refuse_kind(output->diag, path, kind);
    if (error != 0 && host_system_is_separator(path[length - 1]))
        return diag_io(output->diag, path, 0, "names a folder, not a file");
    if (error == 0 || error == ENOENT || error == ENOTDIR)
        /* If the path is a link, the file that it points to is replaced. */
        error = host_target_find(output, error == 0);
    return error == 0 || diag_io(output->diag, path, error, "cannot write");
}

static bool validate_folder(struct host_output *output)
{
    enum host_kind kind;
    uint64_t bytes;
    int error = host_system_stat(output->folder, &kind, &bytes);

    if (error != 0)
        return diag_io(output->diag, output->path, error,
                       "cannot use folder \"%s\"", output->folder);
    return kind == HOST_FOLDER ||
           diag_io(output->diag, output->path, 0, "\"%s\" is not a folder",
                   output->folder);
}

static bool create_temporary(struct host_output *output)
{
    int error = host_target_create_temporary(output);

    return error == 0 ||
           diag_io(output->diag, output->path, error,
                   "cannot write in folder \"%s\"", output->folder);
}

struct host_output *host_output_new(const char *path, struct diag *diag)
{
    struct host_output *output = calloc(1, sizeof *output);

    if (output) {
        output->diag = diag;
        output->file = HOST_CLOSED;
        output->path = host_copy_text(path, strlen(path));
    }
    if (output && output->path)
        return output;
    free(output);
    diag_io(diag, path, ENOMEM, "cannot write");
    return NULL;
}

struct host_output *host_output_open(const char *path, struct diag *diag)
{
    bool is_stdout = host_output_is_stdout(path);
    struct host_output *output =
        host_output_new(is_stdout ? "standard output" : path, diag);

    if (!output)
        return NULL;
    output->is_stdout = is_stdout;
    if (is_stdout || (validate_target(output) && validate_folder(output) &&
                      create_temporary(output)))
        return output;
    release(output);
    return NULL;
}

bool host_output_is_same(const char *output, const char *path)
{
    return !host_output_is_stdout(output) && host_system_is_same(output, path);
}

bool host_output_differs(const char *output, const char *input,
                         struct diag *diag)
{
    return !host_output_is_same(output, input) ||
           diag_refuse(diag, output, DIAG_NO_OFFSET, NULL,
                       "the output is the input");
}

/* -- write -- */

static bool write_to_stdout(struct host_output *output, uint64_t offset,
                            const void *data, size_t bytes)
{
    output->has_failed = true;
    if (offset != output->bytes)
        return diag_io(output->diag, output->path, 0,
                       "cannot be written out of order");
    if (fwrite(data, 1, bytes, stdout) != bytes)
        return diag_io(output->diag, output->path, errno, "cannot write");
    output->has_failed = false;
    output->bytes += bytes;
    return true;
}

static bool write_all(struct host_output *output, uint64_t offset,
                      const uint8_t *from, size_t bytes)
{
    while (bytes > 0) {
        size_t wanted =
            bytes < HOST_CALL_BYTES_MAX ? bytes : HOST_CALL_BYTES_MAX;
        size_t done = 0;
        int error =
            host_system_write(output->file, offset, from, wanted, &done);

        if (error != 0 || done == 0) {
            output->has_failed = true;
            return diag_io(output->diag, output->path, error != 0 ? error : EIO,
                           "cannot write");
        }
        from += done;
        bytes -= done;
        offset += done;
    }
    return true;
}

static bool flush(struct host_output *output)
{
    size_t bytes = output->buffered_bytes;

    output->buffered_bytes = 0;
    return write_all(output, output->bytes - bytes, output->buffer, bytes);
}

/* If there is no memory for a buffer, every piece is written at once. */
static bool append(struct host_output *output, const void *data, size_t bytes)
{
    if (bytes > BUFFER_BYTES - output->buffered_bytes && !flush(output))
        return false;
    if (!output->buffer && bytes < BUFFER_BYTES)
        output->buffer = malloc(BUFFER_BYTES);
    if (!output->buffer || bytes >= BUFFER_BYTES)
        return write_all(output, output->bytes, data, bytes);
    if (bytes > 0)
        memcpy(output->buffer + output->buffered_bytes, data, bytes);
    output->buffered_bytes += bytes;
    return true;
}

bool host_output_write_at(struct host_output *output, uint64_t offset,
                          const void *data, size_t bytes)
{
    if (output->has_failed)
        return false;
    if (output->is_stdout)
        return write_to_stdout(output, offset, data, bytes);
    if (offset > output->bytes || bytes > (uint64_t)INT64_MAX - offset) {
        output->has_failed = true;
        return diag_io(output->diag, output->path, 0,
                       "write beyond the end of the file");
    }
    if (offset == output->bytes
            ? !append(output, data, bytes)
            : !flush(output) || !write_all(output, offset, data, bytes))
        return false;
    if (offset + bytes > output->bytes)
        output->bytes = offset + bytes;
    return true;
}

bool host_output_append(struct host_output *output, const void *data,
                        size_t bytes)
{
    return host_output_write_at(output, output->bytes, data, bytes);
}

bool host_output_read_at(struct host_output *output, uint64_t offset,
                         void *target, size_t bytes)
{
    int error;

    if (output->has_failed)
        return false;
    if (output->is_stdout) {
        output->has_failed = true;
        return diag_io(output->diag, output->path, 0, "cannot read back");
    }
    if (!flush(output))
        return false;
    error = host_read_all(output->file, offset, target, bytes);
    if (error == 0)
        return true;
    output->has_failed = true;
    return diag_io(output->diag, output->path, error > 0 ? error : EIO,
                   "cannot read back");
}

uint64_t host_output_bytes(const struct host_output *output)
{
    return output->bytes;
}

/* -- commit -- */

bool host_output_sync(struct host_output *output)
{
    int error;

    if (!flush(output))
        return false;
    error = host_system_sync(output->file);
    return error == 0 ||
           diag_io(output->diag, output->path, error, "cannot sync");
}

static bool rename_to_target(struct host_output *output)
{
    int error = host_system_close(output->file);

    output->file = HOST_CLOSED;
    if (error != 0)
        return diag_io(output->diag, output->path, error, "cannot close");
    error = host_target_rename(output);
    return error == 0 ||
           diag_io(output->diag, output->path, error, "cannot rename");
}

static bool flush_stdout(struct host_output *output)
{
    bool is_good = !output->has_failed;

    if (is_good && fflush(stdout) != 0)
        is_good = diag_io(output->diag, output->path, errno, "cannot write");
    release(output);
    return is_good;
}

bool host_output_commit(struct host_output *output)
{
    bool is_at_target = false;

    if (output->is_stdout)
        return flush_stdout(output);
    if (output->has_failed || !flush(output) ||
        (!output->is_synced_later && !host_output_sync(output)) ||
        !host_target_link(output, &is_at_target) ||
        (!is_at_target && !rename_to_target(output))) {
        host_output_abandon(output);
        return false;
    }
    if (!output->is_synced_later)
        host_target_sync_folder(output);
    release(output);
    return true;
}

void host_output_abandon(struct host_output *output)
{
    if (!output)
        return;
    if (output->target)
        host_target_remove_temporary(output);
    release(output);
}

bool host_output_finish(struct host_output *output, bool is_good)
{
    if (output && is_good)
        return host_output_commit(output);
    host_output_abandon(output);
    return is_good;
}
