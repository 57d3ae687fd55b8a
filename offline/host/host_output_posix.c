/* host_output_posix.c - the temporaries of outputs on POSIX systems.
 *
 * On Linux a temporary is a file without a name (O_TMPFILE) until it is
 * complete: a process that is killed leaves nothing. If the target does not
 * exist, the file is then linked to it in one step. If it exists, the file is
 * linked to a temporary name and renamed; between these two calls a killed
 * process leaves a file. On other systems the temporary has a name from the
 * beginning. The name does not contain that of the target, which may have the
 * maximum length already.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "host/host_posix.h"

#include "host/host_signals.h"
#include "host/host_system.h"
#include "host/host_target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_TRIES 1000u
#define TEMPORARY_BYTES_MAX 64u /* of a name and the slash before it */
#define COPY_BYTES ((size_t)1 << 20)

struct host_target {
    int directory;   /* open folder of the target, in which the last parts of
                      * both paths are names; AT_FDCWD: the paths are used */
    char *path;      /* of the target, with links resolved */
    char *temporary; /* path of the temporary; memory for it until is_named */
    bool is_named;   /* the temporary exists under its path */
    bool has_mode;   /* the target exists */
    mode_t mode;     /* its permissions, which the new file gets */
};

/* -- find -- */

/* "a/b" -> "a", "/b" -> "/", "b" -> ".". */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return host_copy_text(".", 1);
    return host_copy_text(path, slash == path ? 1 : (size_t)(slash - path));
}

/* The name of a path for a system call with at->directory. */
static const char *name_in(const struct host_target *at, const char *path)
{
    return at->directory == AT_FDCWD ? path : strrchr(path, '/') + 1;
}

static bool make_temporary(struct host_output *output)
{
    struct host_target *at = output->target;

    at->temporary = malloc(strlen(output->folder) + TEMPORARY_BYTES_MAX);
    return at->temporary != NULL;
}

int host_target_find(struct host_output *output, bool exists)
{
    struct host_target *at = calloc(1, sizeof *at);
    const char *path = output->path;
    struct stat info;

    output->target = at;
    if (!at)
        return ENOMEM;
    at->directory = AT_FDCWD;
    if (exists && stat(path, &info) == 0) {
        at->has_mode = true;
        at->mode = info.st_mode & 0777;
    }
    at->path =
        exists ? realpath(path, NULL) : host_copy_text(path, strlen(path));
    if (!at->path)
        return errno;
    output->folder = folder_of(at->path);
    if (!output->folder)
        return ENOMEM;
    return make_temporary(output) ? 0 : ENOMEM;
}

int host_posix_target_in(struct host_output *output, int directory)
{
    struct host_target *at = calloc(1, sizeof *at);
    struct stat info;

    output->target = at;
    if (!at) {
        close(directory);
        return ENOMEM;
    }
    at->directory = directory;
    at->path = host_copy_text(output->path, strlen(output->path));
    output->folder = at->path ? folder_of(at->path) : NULL;
    if (!output->folder || !make_temporary(output))
        return ENOMEM;
    if (fstatat(directory, name_in(at, at->path), &info, AT_SYMLINK_NOFOLLOW) !=
        0)
        return errno == ENOENT ? 0 : errno;
    if (!S_ISREG(info.st_mode))
        return ELOOP;
    at->has_mode = true;
    at->mode = info.st_mode & 0777;
    return 0;
}

void host_target_free(struct host_output *output)
{
    struct host_target *at = output->target;

    if (!at)
        return;
    if (at->is_named)
        host_signals_forget(at->temporary);
    if (at->directory != AT_FDCWD)
        close(at->directory);
    free(at->path);
    free(at->temporary);
    free(at);
    output->target = NULL;
}

/* -- create -- */

/* Try temporary names until `create` succeeds with one. `create` returns false
 * with an errno value; EEXIST: try the next name. Returns 0 or an errno value.
 */
static int create_named(struct host_output *output,
                        bool (*create)(struct host_output *output))
{
    struct host_target *at = output->target;
    size_t capacity = strlen(output->folder) + TEMPORARY_BYTES_MAX;
    int error = EEXIST;

    for (unsigned i = 0; i < TEMPORARY_TRIES && error == EEXIST; i++) {
        snprintf(at->temporary, capacity, "%s/.spindle-%ld-%u.tmp",
                 output->folder, (long)getpid(), i);
        host_signals_watch(at->temporary);
        if (create(output)) {
            at->is_named = true;
            return 0;
        }
        error = errno;
        host_signals_forget(at->temporary);
    }
    return error;
}

static bool create_by_open(struct host_output *output)
{
    const struct host_target *at = output->target;

    output->file = openat(at->directory, name_in(at, at->temporary),
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return output->file >= 0;
}

#ifdef O_TMPFILE
/* The path under which Linux offers an open file. */
static const char *link_path_of(intptr_t file, char link_path[32])
{
    snprintf(link_path, 32, "/proc/self/fd/%d", (int)file);
    return link_path;
}

static bool create_by_link(struct host_output *output)
{
    const struct host_target *at = output->target;
    char link_path[32];

    return linkat(AT_FDCWD, link_path_of(output->file, link_path),
                  at->directory, name_in(at, at->temporary),
                  AT_SYMLINK_FOLLOW) == 0;
}

/* Is /proc mounted, so that the file can be linked? A positive answer is kept.
 * If /proc is unmounted later, link_named copies the file. */
static bool can_link(int file)
{
    static atomic_bool was_mounted;
    struct stat opened;
    struct stat offered;
    char link_path[32];

    if (atomic_load(&was_mounted))
        return true;
    if (fstat(file, &opened) != 0 ||
        stat(link_path_of(file, link_path), &offered) != 0 ||
        opened.st_dev != offered.st_dev || opened.st_ino != offered.st_ino)
        return false;
    atomic_store(&was_mounted, true);
    return true;
}

/* Returns false when the file system has no files without a name, or they
 * cannot be linked. */
static bool open_unnamed(struct host_output *output)
{
    int directory = output->target->directory;
    int file = openat(directory, directory == AT_FDCWD ? output->folder : ".",
                      O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    if (file < 0)
        return false;
    if (!can_link(file)) {
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

/* Failure is ignored: some file systems have no permissions. */
static void set_mode(struct host_output *output)
{
    if (output->target->has_mode)
        (void)!fchmod((int)output->file, output->target->mode);
}

int host_target_create_temporary(struct host_output *output)
{
    int error = open_unnamed(output) ? 0 : create_named(output, create_by_open);

    if (error == 0)
        set_mode(output);
    return error;
}

/* -- commit -- */

#ifdef O_TMPFILE
/* For a file system that cannot link files without a name: copy the file to a
 * temporary with a name. */
static bool copy_to_named(struct host_output *output)
{
    uint8_t *buffer = malloc(COPY_BYTES);
    intptr_t from = output->file;
    uint64_t left = output->bytes;
    int error = buffer ? create_named(output, create_by_open) : ENOMEM;
    bool is_good = error == 0;

    if (is_good)
        set_mode(output);
    else
        diag_io(output->diag, output->path, error, "cannot write");
    output->bytes = 0;
    while (is_good && left > 0) {
        const size_t wanted = left < COPY_BYTES ? (size_t)left : COPY_BYTES;

        error = host_read_all(from, output->bytes, buffer, wanted);
        is_good = error == 0
                      ? host_output_append(output, buffer, wanted)
                      : diag_io(output->diag, output->path,
                                error > 0 ? error : EIO, "cannot read back");
        left -= wanted;
    }
    if (output->file != from)
        host_system_close(from);
    free(buffer);
    return is_good && host_output_sync(output);
}

static bool link_named(struct host_output *output, bool *is_at_target)
{
    const struct host_target *at = output->target;
    char link_path[32];

    if (linkat(AT_FDCWD, link_path_of(output->file, link_path), at->directory,
               name_in(at, at->path), AT_SYMLINK_FOLLOW) == 0) {
        *is_at_target = true;
        return true;
    }
    return create_named(output, create_by_link) == 0 || copy_to_named(output);
}
#else
static bool link_named(struct host_output *output, bool *is_at_target)
{
    (void)output;
    *is_at_target = false;
    return false; /* not called: every temporary has a name */
}
#endif

bool host_target_link(struct host_output *output, bool *is_at_target)
{
    return output->target->is_named || link_named(output, is_at_target);
}

int host_target_rename(struct host_output *output)
{
    struct host_target *at = output->target;

    if (renameat(at->directory, name_in(at, at->temporary), at->directory,
                 name_in(at, at->path)) != 0)
        return errno;
    host_signals_forget(at->temporary);
    at->is_named = false;
    return 0;
}

/* Without the sync a crash of the machine may undo the rename; but the file is
 * complete either way. So a failure is a warning. */
void host_target_sync_folder(struct host_output *output)
{
    int folder = open(output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder < 0)
        return;
    if (host_system_sync(folder) != 0)
        diag_warn(output->diag, output->path, NULL,
                  "the folder could not be synced");
    close(folder);
}

void host_target_remove_temporary(struct host_output *output)
{
    const struct host_target *at = output->target;

    if (at->is_named)
        unlinkat(at->directory, name_in(at, at->temporary), 0);
}
