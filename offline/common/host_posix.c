/* host_posix.c - mapped files, clocks and the machine on POSIX systems.
 *
 * Output is in host_output_posix.c; what happens to a file that someone
 * shortens while it is mapped, in host_signals_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "common/host.h"
#include "common/host_system.h"
#include "platform/posix/platform_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Some kernels refuse more than 2 GiB in one call. */
#define CALL_BYTES_MAX ((size_t)1 << 30)

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
    /* NOLINTNEXTLINE(clang-analyzer-*): diag_io is false, so both are set. */
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
    host_guards_add(map, path);
    return true;
}

void host_map_close(struct host_map *map)
{
    host_guards_remove(map);
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

bool host_read_at(const char *path, uint64_t file_bytes, uint64_t offset,
                  void *target, size_t bytes, struct diag *diag)
{
    uint8_t *to = target;
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int error;

    if (file < 0)
        return diag_io(diag, path, errno, "cannot open");
    if (fstat(file, &info) != 0) {
        error = errno;
        close(file);
        return diag_io(diag, path, error, "cannot open");
    }
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size != file_bytes) {
        close(file);
        return diag_io(diag, path, 0, "has changed while it was read");
    }
    while (bytes > 0) {
        ssize_t got = pread(file, to, bytes, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            error = got < 0 ? errno : 0;
            close(file);
            return diag_io(diag, path, error,
                           error ? "cannot read"
                                 : "became shorter while it was read");
        }
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    close(file);
    return true;
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
    /* NOLINTNEXTLINE(clang-analyzer-*): diag_io is false, so both are set. */
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

/* ---- what C leaves to the system ----------------------------------------- */

void host_arguments(int *argc, char ***argv)
{
    (void)argc; /* they are what they should be */
    (void)argv;
}

void host_error_text(int error_number, char *text, size_t capacity)
{
    if (strerror_r(error_number, text, capacity) != 0)
        snprintf(text, capacity, "error %d", error_number);
}

void *host_aligned_alloc(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, bytes);
}

void host_aligned_free(void *memory)
{
    free(memory);
}

size_t host_platform_bytes(void)
{
    return spn_platform_posix_bytes();
}

spn_status host_platform_init(void *memory, size_t bytes, spn_platform *out)
{
    return spn_platform_posix_init(memory, bytes, out);
}
