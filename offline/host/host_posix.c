/* host_posix.c - open and mapped files, clocks and the machine on POSIX
 * systems.
 *
 * The temporaries of outputs are in host_output_posix.c, folders in
 * host_folder_posix.c, accesses to a mapped file that became shorter in
 * host_signals_posix.c.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "host/host_posix.h"
#include "host/host_system.h"
#include "platform/posix/platform_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* -- open files -- */

int host_system_open(const char *path, intptr_t *file, enum host_kind *kind,
                     uint64_t *bytes)
{
    struct stat info;
    /* A pipe without a writer would block the open for ever. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int error;

    if (descriptor < 0)
        return errno;
    if (fstat(descriptor, &info) != 0) {
        error = errno;
        close(descriptor);
        return error;
    }
    *file = descriptor;
    *kind = host_posix_kind(&info, bytes);
    return 0;
}

int host_system_close(intptr_t file)
{
    return close((int)file) == 0 || errno == EINTR ? 0 : errno;
}

int host_system_read(intptr_t file, uint64_t offset, void *target, size_t bytes,
                     size_t *done)
{
    ssize_t got;

    do
        got = pread((int)file, target, bytes, (off_t)offset);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno;
    *done = (size_t)got;
    return 0;
}

int host_system_write(intptr_t file, uint64_t offset, const void *source,
                      size_t bytes, size_t *done)
{
    ssize_t put;

    do
        put = pwrite((int)file, source, bytes, (off_t)offset);
    while (put < 0 && errno == EINTR);
    if (put < 0)
        return errno;
    *done = (size_t)put;
    return 0;
}

int host_system_sync(intptr_t file)
{
    if (fsync((int)file) == 0 || errno == EINVAL || errno == ENOTSUP)
        return 0;
    return errno;
}

int host_system_map(intptr_t file, size_t bytes, const uint8_t **data)
{
    void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, (int)file, 0);

    if (map == MAP_FAILED)
        return errno;
    *data = map;
    return 0;
}

void host_system_unmap(const uint8_t *data, size_t bytes)
{
    munmap((void *)(uintptr_t)data, bytes);
}

/* madvise, since posix_madvise does nothing for this advice. */
void host_system_forget(const uint8_t *data, size_t bytes)
{
    (void)madvise((void *)(uintptr_t)data, bytes, MADV_DONTNEED);
}

/* -- program -- */

void host_arguments(int *argc, char ***argv)
{
    (void)argc; /* they are UTF-8 already */
    (void)argv;
}

size_t host_platform_bytes(void)
{
    return spn_platform_posix_bytes();
}

spn_status host_platform_init(void *memory, size_t bytes, spn_platform *out)
{
    return spn_platform_posix_init(memory, bytes, out);
}
