/* host.c - mapped files and safe output on POSIX systems.
 *
 * An output is a temporary in the target's own folder, so that the rename at
 * the end cannot cross file systems. Its name does not depend on the target's,
 * which may already be as long as names can be. After a failed write the
 * output stays failed and its commit only cleans up.
 *
 * A file that someone shortens while it is mapped still ends the process:
 * that cannot be caught without a signal handler, and is not attempted.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "common/host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Some kernels refuse more than 2 GiB in one call. */
#define CALL_BYTES_MAX ((size_t)1 << 30)
#define TEMPORARY_TRIES 1000

/* ---- input ------------------------------------------------------------ */

static bool open_ordinary(const char *path, struct diag *diag, int *descriptor,
                          uint64_t *bytes)
{
    struct stat info;
    /* A pipe without a writer would block the open for ever. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (file < 0)
        return diag_io(diag, path, errno, "cannot open");
    if (fstat(file, &info) != 0) {
        int error = errno;

        close(file);
        return diag_io(diag, path, error, "cannot open");
    }
    if (!S_ISREG(info.st_mode)) {
        close(file);
        return diag_io(diag, path, 0,
                       S_ISDIR(info.st_mode) ? "is a folder, not a file"
                                             : "is not an ordinary file");
    }
    if ((uint64_t)info.st_size > SIZE_MAX / 2) {
        close(file);
        return diag_io(diag, path, 0, "too large for this machine");
    }
    *descriptor = file;
    *bytes = (uint64_t)info.st_size;
    return true;
}

bool host_map_open(struct host_map *map, const char *path, struct diag *diag)
{
    uint64_t bytes;
    void *data;
    int error;
    int file;

    map->data = NULL;
    map->bytes = 0;
    if (!open_ordinary(path, diag, &file, &bytes))
        return false;
    if (bytes == 0) {
        close(file);
        return true;
    }
    data = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0);
    error = errno;
    close(file);
    if (data == MAP_FAILED)
        return diag_io(diag, path, error, "cannot map");
    map->data = data;
    map->bytes = bytes;
    return true;
}

void host_map_close(struct host_map *map)
{
    if (map->data)
        munmap((void *)(uintptr_t)map->data, (size_t)map->bytes);
    map->data = NULL;
    map->bytes = 0;
}

/* Linux maps whole folios of its cache, of up to 2 MiB, for a look at one byte:
 * whole ones are let go. The map starts at a page, so at most a piece of it
 * stays at either end. */
void host_map_forget(const struct host_map *map, uint64_t offset,
                     uint64_t bytes)
{
    uint64_t mask = HOST_MAP_PIECE_BYTES - 1;
    uint64_t first = offset & ~mask;
    uint64_t limit = map->bytes;

    if (bytes == 0 || offset >= map->bytes)
        return;
    if (bytes < limit - offset && ((offset + bytes) | mask) < limit)
        limit = ((offset + bytes) | mask) + 1;
    /* Only a hint: nothing is lost if it fails. (posix_madvise ignores it.) */
    (void)madvise((void *)(uintptr_t)(map->data + first),
                  (size_t)(limit - first), MADV_DONTNEED);
}

bool host_read_file(const char *path, void **data, size_t *bytes,
                    struct diag *diag)
{
    uint8_t *buffer = NULL;
    uint64_t size;
    size_t done = 0;
    int file;

    if (!open_ordinary(path, diag, &file, &size))
        return false;
    buffer = malloc((size_t)size + 1);
    if (!buffer) {
        diag_io(diag, path, ENOMEM, "cannot read");
        goto fail;
    }
    while (done < size) {
        size_t wanted = (size_t)size - done;
        ssize_t got;

        if (wanted > CALL_BYTES_MAX)
            wanted = CALL_BYTES_MAX;
        got = read(file, buffer + done, wanted);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            diag_io(diag, path, errno, "cannot read");
            goto fail;
        }
        if (got == 0) {
            diag_io(diag, path, 0, "became shorter while it was read");
            goto fail;
        }
        done += (size_t)got;
    }
    close(file);
    buffer[done] = 0;
    *data = buffer;
    *bytes = done;
    return true;
fail:
    free(buffer);
    close(file);
    return false;
}

/* ---- output ----------------------------------------------------------- */

struct host_output {
    struct diag *diag;
    char *path;   /* as the caller named it, for messages */
    char *target; /* with links resolved */
    char *folder;
    char *temporary;
    uint64_t bytes;
    int file; /* -1: closed */
    bool has_failed;
};

/* Temporaries that a signal would leave behind. Only lock-free atomics: the
 * handler may interrupt anything. With more outputs open than this, the rest
 * is not removed by a signal. */
static _Atomic(const char *) live_temporaries[8];

#define LIVE_COUNT (sizeof live_temporaries / sizeof live_temporaries[0])

static void temporary_enter(const char *path)
{
    for (size_t i = 0; i < LIVE_COUNT; i++) {
        const char *none = NULL;

        if (atomic_compare_exchange_strong(&live_temporaries[i], &none, path))
            return;
    }
}

static void temporary_leave(const char *path)
{
    for (size_t i = 0; path && i < LIVE_COUNT; i++) {
        const char *mine = path;

        atomic_compare_exchange_strong(&live_temporaries[i], &mine, NULL);
    }
}

static void clean_and_leave(int number)
{
    for (size_t i = 0; i < LIVE_COUNT; i++) {
        const char *path = atomic_load(&live_temporaries[i]);

        if (path)
            unlink(path);
    }
    _exit(128 + number);
}

void host_clean_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = clean_and_leave};

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction before;

        /* What the parent ignores (nohup) stays ignored. */
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

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
    temporary_leave(output->temporary);
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
static bool judge_target(struct host_output *output, bool *exists, mode_t *mode)
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
        *exists = true;
        *mode = info.st_mode & 0777;
        /* Writing through a link replaces what it points to. */
        output->target = realpath(path, NULL);
    } else if (path[length - 1] == '/') {
        return diag_io(output->diag, path, 0, "names a folder, not a file");
    } else if (errno == ENOENT || errno == ENOTDIR) {
        *exists = false;
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

static bool create_temporary(struct host_output *output)
{
    size_t capacity = strlen(output->folder) + 64;

    output->temporary = malloc(capacity);
    if (!output->temporary)
        return diag_io(output->diag, output->path, ENOMEM, "cannot write");
    for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
        snprintf(output->temporary, capacity, "%s/.spindle-%ld-%u.tmp",
                 output->folder, (long)getpid(), i);
        temporary_enter(output->temporary);
        output->file = open(output->temporary,
                            O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0)
            return true;
        temporary_leave(output->temporary);
        if (errno != EEXIST)
            break;
    }
    return diag_io(output->diag, output->path, errno,
                   "cannot write in folder \"%s\"", output->folder);
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
    bool exists = false;
    mode_t mode = 0;

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
    if (!judge_target(output, &exists, &mode) || !create_temporary(output))
        goto fail;
    /* The mode is a courtesy: some file systems have none. */
    if (exists && fchmod(output->file, mode) != 0)
        errno = 0;
    return output;
fail:
    release(output);
    return NULL;
}

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

uint64_t host_output_bytes(const struct host_output *output)
{
    return output->bytes;
}

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

bool host_output_commit(struct host_output *output)
{
    int file = output->file;

    if (output->has_failed)
        goto fail;
    if (fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) {
        diag_io(output->diag, output->path, errno, "cannot sync");
        goto fail;
    }
    output->file = -1;
    if (close(file) != 0 && errno != EINTR) {
        diag_io(output->diag, output->path, errno, "cannot close");
        goto fail;
    }
    if (rename(output->temporary, output->target) != 0) {
        diag_io(output->diag, output->path, errno, "cannot rename");
        goto fail;
    }
    sync_folder(output);
    release(output);
    return true;
fail:
    host_output_abandon(output);
    return false;
}

void host_output_abandon(struct host_output *output)
{
    if (!output)
        return;
    if (output->file >= 0)
        close(output->file);
    unlink(output->temporary);
    release(output);
}

/* ---- the machine ------------------------------------------------------ */

uint32_t host_cpu_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count > 0 && count < 4096 ? (uint32_t)count : 1;
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0.0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double host_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double host_cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double host_thread_cpu_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* A relative wait, asked again until the clock is there: macOS has no wait
 * for an absolute time. What one wait oversleeps does not add up. */
void host_wait_until(double seconds)
{
    double left;

    while ((left = seconds - host_seconds()) > 0) {
        struct timespec wait;

        wait.tv_sec = (time_t)left;
        wait.tv_nsec = (long)((left - (double)wait.tv_sec) * 1e9);
        nanosleep(&wait, NULL);
    }
}

bool host_is_terminal(int descriptor)
{
    return isatty(descriptor) == 1;
}
