/* host_output_posix.c - the temporaries of outputs on POSIX systems.
 *
 * Where the system has files without a name (Linux's O_TMPFILE), an output is
 * one until it is whole: killed at any moment, it leaves nothing. What takes
 * the name of no other file is then linked to its place, which is one step;
 * what replaces a file needs a name for the moment between a link and a
 * rename. Elsewhere an output has a name of its own all the time. A temporary
 * name does not depend on the target's, which may already be as long as names
 * can be.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "host/host_posix.h"

#include "host/host_signals.h"
#include "host/host_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_TRIES 1000u
#define TEMPORARY_BYTES_MAX 64u /* of a name, and what comes before it */
#define COPY_BYTES ((size_t)1 << 20)

struct host_place {
    int directory;   /* that the last names of the paths are in, or AT_FDCWD:
                      * then the paths themselves are used */
    char *target;    /* with links resolved */
    char *temporary; /* room for a name */
    bool is_named;   /* the temporary's name is in the folder */
    bool has_mode;   /* of the file that will be replaced */
    mode_t mode;
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

/* What the system's calls name a path by, beside place->directory. */
static const char *name_in(const struct host_place *place, const char *path)
{
    return place->directory == AT_FDCWD ? path : strrchr(path, '/') + 1;
}

static bool make_temporary(struct host_output *output)
{
    struct host_place *place = output->place;

    place->temporary = malloc(strlen(output->folder) + TEMPORARY_BYTES_MAX);
    return place->temporary != NULL;
}

int host_place_find(struct host_output *output, bool is_there)
{
    struct host_place *place = calloc(1, sizeof *place);
    const char *path = output->path;
    struct stat info;

    output->place = place;
    if (!place)
        return ENOMEM;
    place->directory = AT_FDCWD;
    if (is_there && stat(path, &info) == 0) {
        place->has_mode = true;
        place->mode = info.st_mode & 0777;
    }
    place->target =
        is_there ? realpath(path, NULL) : host_copy_text(path, strlen(path));
    if (!place->target)
        return errno;
    output->folder = folder_of(place->target);
    if (!output->folder)
        return ENOMEM;
    return make_temporary(output) ? 0 : ENOMEM;
}

int host_posix_place_in(struct host_output *output, int directory)
{
    struct host_place *place = calloc(1, sizeof *place);
    struct stat info;

    output->place = place;
    if (!place) {
        close(directory);
        return ENOMEM;
    }
    place->directory = directory;
    place->target = host_copy_text(output->path, strlen(output->path));
    output->folder = place->target ? folder_of(place->target) : NULL;
    if (!output->folder || !make_temporary(output))
        return ENOMEM;
    if (fstatat(directory, name_in(place, place->target), &info,
                AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : errno;
    if (!S_ISREG(info.st_mode))
        return ELOOP;
    place->has_mode = true;
    place->mode = info.st_mode & 0777;
    return 0;
}

void host_place_free(struct host_output *output)
{
    struct host_place *place = output->place;

    if (!place)
        return;
    if (place->is_named)
        host_signals_forget(place->temporary);
    if (place->directory != AT_FDCWD)
        close(place->directory);
    free(place->target);
    free(place->temporary);
    free(place);
    output->place = NULL;
}

/* -- create -- */

/* The next name that `take` gets: 0, or errno. */
static int take_name(struct host_output *output,
                     bool (*take)(struct host_output *output))
{
    struct host_place *place = output->place;
    size_t capacity = strlen(output->folder) + TEMPORARY_BYTES_MAX;
    int error = EEXIST;

    for (unsigned i = 0; i < TEMPORARY_TRIES && error == EEXIST; i++) {
        snprintf(place->temporary, capacity, "%s/.spindle-%ld-%u.tmp",
                 output->folder, (long)getpid(), i);
        host_signals_watch(place->temporary);
        if (take(output)) {
            place->is_named = true;
            return 0;
        }
        error = errno;
        host_signals_forget(place->temporary);
    }
    return error;
}

static bool take_by_open(struct host_output *output)
{
    const struct host_place *place = output->place;

    output->file = openat(place->directory, name_in(place, place->temporary),
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return output->file >= 0;
}

#ifdef O_TMPFILE
/* Where the system shows an open file that has no name. */
static const char *link_path_of(intptr_t file, char link_path[32])
{
    snprintf(link_path, 32, "/proc/self/fd/%d", (int)file);
    return link_path;
}

static bool take_by_link(struct host_output *output)
{
    const struct host_place *place = output->place;
    char link_path[32];

    return linkat(AT_FDCWD, link_path_of(output->file, link_path),
                  place->directory, name_in(place, place->temporary),
                  AT_SYMLINK_FOLLOW) == 0;
}

/* Is /proc there to link the file? It is looked at until it was there once:
 * where it goes away later, a link fails (give_name). */
static bool has_door(int file)
{
    static atomic_bool was_there;
    struct stat here;
    struct stat there;
    char link_path[32];

    if (atomic_load(&was_there))
        return true;
    if (fstat(file, &here) != 0 ||
        stat(link_path_of(file, link_path), &there) != 0 ||
        here.st_dev != there.st_dev || here.st_ino != there.st_ino)
        return false;
    atomic_store(&was_there, true);
    return true;
}

/* False where the file system has no such files, or they cannot be linked. */
static bool open_unnamed(struct host_output *output)
{
    int directory = output->place->directory;
    int file = openat(directory, directory == AT_FDCWD ? output->folder : ".",
                      O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    if (file < 0)
        return false;
    if (!has_door(file)) {
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

/* The mode is a courtesy: some file systems have none. */
static void set_mode(struct host_output *output)
{
    if (output->place->has_mode)
        (void)!fchmod((int)output->file, output->place->mode);
}

int host_place_create(struct host_output *output)
{
    int error = open_unnamed(output) ? 0 : take_name(output, take_by_open);

    if (error == 0)
        set_mode(output);
    return error;
}

/* -- put in place -- */

#ifdef O_TMPFILE
/* A file system that has files without a name, and gives them none. */
static bool copy_to_named(struct host_output *output)
{
    uint8_t *buffer = malloc(COPY_BYTES);
    intptr_t from = output->file;
    uint64_t left = output->bytes;
    int error = buffer ? take_name(output, take_by_open) : ENOMEM;
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

static bool give_name(struct host_output *output, bool *is_in_place)
{
    const struct host_place *place = output->place;
    char link_path[32];

    if (linkat(AT_FDCWD, link_path_of(output->file, link_path),
               place->directory, name_in(place, place->target),
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

bool host_place_keep(struct host_output *output, bool *is_in_place)
{
    return output->place->is_named || give_name(output, is_in_place);
}

int host_place_rename(struct host_output *output)
{
    struct host_place *place = output->place;

    if (renameat(place->directory, name_in(place, place->temporary),
                 place->directory, name_in(place, place->target)) != 0)
        return errno;
    host_signals_forget(place->temporary);
    place->is_named = false;
    return 0;
}

/* Without this the rename may be lost when the machine stops, but the file
 * is whole either way: so only a warning. */
void host_place_settle(struct host_output *output)
{
    int folder = open(output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder < 0)
        return;
    if (host_system_sync(folder) != 0)
        diag_warn(output->diag, output->path, NULL,
                  "the folder could not be synced");
    close(folder);
}

void host_place_remove(struct host_output *output)
{
    const struct host_place *place = output->place;

    if (place->is_named)
        unlinkat(place->directory, name_in(place, place->temporary), 0);
}
