/* host_output_posix.c - output that appears whole or not at all, on POSIX
 * systems.
 *
 * Where the system has files without a name (Linux's O_TMPFILE), an output is
 * one until it is whole: killed at any moment, it leaves nothing. What takes
 * the name of no other file is then linked to its place, which is one step;
 * what replaces a file needs a name for the moment between a link and a
 * rename. Elsewhere an output has a name of its own all the time.
 *
 * Either way it lies in the target's own folder, so that the rename cannot
 * cross file systems. A temporary name does not depend on the target's, which
 * may already be as long as names can be. After a failed write the output
 * stays failed and its commit only cleans up.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "common/host.h"
#include "common/host_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Some kernels refuse more than 2 GiB in one call. */
#define CALL_BYTES_MAX ((size_t)1 << 30)
#define TEMPORARY_TRIES 1000u
#define COPY_BYTES ((size_t)1 << 20)

struct host_output {
    struct diag *diag;
    char *path;   /* as the caller named it, for messages */
    char *target; /* with links resolved */
    char *folder;
    char *temporary; /* room for a name */
    bool is_named;   /* the temporary's name is in the folder */
    bool has_mode;   /* of the file that will be replaced */
    mode_t mode;
    uint64_t bytes;
    int file; /* -1: closed */
    bool has_failed;
};

/* ---- open --------------------------------------------------------------- */

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static void release(struct host_output *output)
{
    if (output->is_named)
        host_signals_forget(output->temporary);
    if (output->file >= 0)
        close(output->file);
    free(output->path);
    free(output->target);
    free(output->folder);
    free(output->temporary);
    free(output);
}

/* "a/b" -> "a", "/b" -> "/", "b" -> ".". */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return copy_text(".", 1);
    return copy_text(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Fills target, folder and the mode of the file that will be replaced. */
static bool judge_target(struct host_output *output)
{
    const char *path = output->path;
    size_t length = strlen(path);
    struct stat info;

    if (length == 0)
        return diag_io(output->diag, "output", 0, "has no name");
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return diag_io(output->diag, path, 0, "is a folder, not a file");
        if (!S_ISREG(info.st_mode))
            return diag_io(output->diag, path, 0, "is not an ordinary file");
        output->has_mode = true;
        output->mode = info.st_mode & 0777;
        /* Writing through a link replaces what it points to. */
        output->target = realpath(path, NULL);
    } else if (path[length - 1] == '/') {
        return diag_io(output->diag, path, 0, "names a folder, not a file");
    } else if (errno == ENOENT || errno == ENOTDIR) {
        output->target = copy_text(path, length);
    } else {
        return diag_io(output->diag, path, errno, "cannot write");
    }
    if (!output->target)
        return diag_io(output->diag, path, errno, "cannot write");
    output->folder = folder_of(output->target);
    if (!output->folder)
        return diag_io(output->diag, path, ENOMEM, "cannot write");
    if (stat(output->folder, &info) != 0)
        return diag_io(output->diag, path, errno, "cannot use folder \"%s\"",
                       output->folder);
    if (!S_ISDIR(info.st_mode))
        return diag_io(output->diag, path, 0, "\"%s\" is not a folder",
                       output->folder);
    return true;
}

/* The next name that `take` gets: 0, or errno. */
static int take_name(struct host_output *output,
                     bool (*take)(struct host_output *output))
{
    /* -fanalyzer: judge_target has found the folder. */
    size_t capacity = strlen(output->folder) + 64;
    int error = EEXIST;

    for (unsigned i = 0; i < TEMPORARY_TRIES && error == EEXIST; i++) {
        snprintf(output->temporary, capacity, "%s/.spindle-%ld-%u.tmp",
                 output->folder, (long)getpid(), i);
        host_signals_watch(output->temporary);
        if (take(output)) {
            output->is_named = true;
            return 0;
        }
        error = errno;
        host_signals_forget(output->temporary);
    }
    return error;
}

static bool take_by_open(struct host_output *output)
{
    output->file =
        open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return output->file >= 0;
}

#ifdef O_TMPFILE
/* Where the system shows an open file that has no name. */
static const char *door_of(int file, char door[32])
{
    snprintf(door, 32, "/proc/self/fd/%d", file);
    return door;
}

static bool take_by_link(struct host_output *output)
{
    char door[32];

    return linkat(AT_FDCWD, door_of(output->file, door), AT_FDCWD,
                  output->temporary, AT_SYMLINK_FOLLOW) == 0;
}

/* False where the file system has no such files, or /proc is not there to
 * link them. */
static bool open_unnamed(struct host_output *output)
{
    struct stat here;
    struct stat there;
    char door[32];
    /* -fanalyzer: judge_target has found the folder. */
    int file = open(output->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    if (file < 0)
        return false;
    if (fstat(file, &here) != 0 || stat(door_of(file, door), &there) != 0 ||
        here.st_dev != there.st_dev || here.st_ino != there.st_ino) {
        close(file);
        return false;
    }
    output->file = file;
    return true;
}
#else
static bool open_unnamed(struct host_output *output)
{
    (void)output;
    return false;
}
#endif

static bool create_temporary(struct host_output *output)
{
    int error;

    /* -fanalyzer: judge_target has found the folder. */
    output->temporary = malloc(strlen(output->folder) + 64);
    if (!output->temporary)
        return diag_io(output->diag, output->path, ENOMEM, "cannot write");
    error = open_unnamed(output) ? 0 : take_name(output, take_by_open);
    if (error != 0)
        return diag_io(output->diag, output->path, error,
                       "cannot write in folder \"%s\"", output->folder);
    /* The mode is a courtesy: some file systems have none. */
    if (output->has_mode)
        (void)!fchmod(output->file, output->mode);
    return true;
}

bool host_output_differs(const char *output, const char *input,
                         struct diag *diag)
{
    struct stat target;
    struct stat source;

    if (stat(output, &target) != 0 || stat(input, &source) != 0)
        return true;
    if (target.st_dev != source.st_dev || target.st_ino != source.st_ino)
        return true;
    return diag_refuse(diag, output, DIAG_NO_OFFSET, NULL,
                       "the output is the input");
}

struct host_output *host_output_open(const char *path, struct diag *diag)
{
    struct host_output *output = calloc(1, sizeof *output);

    if (!output) {
        diag_io(diag, path, ENOMEM, "cannot write");
        return NULL;
    }
    output->diag = diag;
    output->file = -1;
    output->path = copy_text(path, strlen(path));
    if (!output->path) {
        diag_io(diag, path, ENOMEM, "cannot write");
        goto fail;
    }
    if (!judge_target(output) || !create_temporary(output))
        goto fail;
    return output;
fail:
    release(output);
    return NULL;
}

/* ---- write -------------------------------------------------------------- */

bool host_output_write_at(struct host_output *output, uint64_t offset,
                          const void *data, size_t bytes)
{
    const uint8_t *from = data;

    if (output->has_failed)
        return false;
    if (offset > output->bytes || bytes > (uint64_t)INT64_MAX - offset) {
        output->has_failed = true;
        return diag_io(output->diag, output->path, 0,
                       "write beyond the end of the file");
    }
    while (bytes > 0) {
        size_t wanted = bytes < CALL_BYTES_MAX ? bytes : CALL_BYTES_MAX;
        ssize_t done = pwrite(output->file, from, wanted, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            output->has_failed = true;
            return diag_io(output->diag, output->path, done < 0 ? errno : EIO,
                           "cannot write");
        }
        from += done;
        bytes -= (size_t)done;
        offset += (uint64_t)done;
        if (offset > output->bytes)
            output->bytes = offset;
    }
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
    uint8_t *to = target;

    if (output->has_failed)
        return false;
    while (bytes > 0) {
        size_t wanted = bytes < CALL_BYTES_MAX ? bytes : CALL_BYTES_MAX;
        ssize_t got = pread(output->file, to, wanted, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            output->has_failed = true;
            return diag_io(output->diag, output->path, got < 0 ? errno : EIO,
                           "cannot read back");
        }
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

uint64_t host_output_bytes(const struct host_output *output)
{
    return output->bytes;
}

/* ---- commit ------------------------------------------------------------- */

/* Without this the rename may be lost when the machine stops, but the file
 * is whole either way: so only a warning. */
static void sync_folder(struct host_output *output)
{
    int folder = open(output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder < 0)
        return;
    if (fsync(folder) != 0 && errno != EINVAL && errno != ENOTSUP)
        diag_warn(output->diag, output->path, NULL,
                  "the folder could not be synced");
    close(folder);
}

static bool sync_file(struct host_output *output)
{
    if (fsync(output->file) == 0 || errno == EINVAL || errno == ENOTSUP)
        return true;
    return diag_io(output->diag, output->path, errno, "cannot sync");
}

#ifdef O_TMPFILE
/* A file system that has files without a name, and gives them none. */
static bool copy_to_named(struct host_output *output)
{
    uint8_t *buffer = malloc(COPY_BYTES);
    int from = output->file;
    uint64_t left = output->bytes;
    int error = buffer ? take_name(output, take_by_open) : ENOMEM;
    bool is_good = error == 0;

    if (!is_good)
        diag_io(output->diag, output->path, error, "cannot write");
    if (is_good && output->has_mode)
        (void)!fchmod(output->file, output->mode);
    output->bytes = 0;
    while (is_good && left > 0) {
        const size_t wanted = left < COPY_BYTES ? (size_t)left : COPY_BYTES;
        ssize_t got = pread(from, buffer, wanted, (off_t)output->bytes);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            is_good = diag_io(output->diag, output->path, got < 0 ? errno : EIO,
                              "cannot read back");
        else
            is_good = host_output_append(output, buffer, (size_t)got);
        left -= got > 0 ? (size_t)got : 0;
    }
    if (output->file != from)
        close(from);
    free(buffer);
    return is_good && sync_file(output);
}

static bool give_name(struct host_output *output, bool *is_in_place)
{
    char door[32];

    if (linkat(AT_FDCWD, door_of(output->file, door), AT_FDCWD, output->target,
               AT_SYMLINK_FOLLOW) == 0) {
        *is_in_place = true;
        return true;
    }
    return take_name(output, take_by_link) == 0 || copy_to_named(output);
}
#else
static bool give_name(struct host_output *output, bool *is_in_place)
{
    (void)output;
    *is_in_place = false;
    return false; /* never asked */
}
#endif

static bool put_in_place(struct host_output *output)
{
    int file = output->file;

    output->file = -1;
    if (close(file) != 0 && errno != EINTR)
        return diag_io(output->diag, output->path, errno, "cannot close");
    if (rename(output->temporary, output->target) != 0)
        return diag_io(output->diag, output->path, errno, "cannot rename");
    host_signals_forget(output->temporary);
    output->is_named = false;
    return true;
}

bool host_output_commit(struct host_output *output)
{
    bool is_in_place = false;

    if (output->has_failed || !sync_file(output) ||
        (!output->is_named && !give_name(output, &is_in_place)) ||
        (!is_in_place && !put_in_place(output))) {
        host_output_abandon(output);
        return false;
    }
    sync_folder(output);
    release(output);
    return true;
}

void host_output_abandon(struct host_output *output)
{
    if (!output)
        return;
    if (output->is_named)
        unlink(output->temporary);
    release(output);
}
