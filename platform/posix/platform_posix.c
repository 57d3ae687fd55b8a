/* platform_posix.c - files, reads, the clock and the log on POSIX systems.
 *
 * A read is one preadv inside read_submit: the io thread is the one that may
 * block, and its pieces are small enough that nothing urgent waits long. One of
 * the optical folder is the reader's (posix_reader.c). It cannot be recalled,
 * so there is no read_cancel; the io thread drops what comes back. A short read
 * is reported as such: whether it is the end of the file or a signal is for the
 * io thread to find out by asking again.
 *
 * Not here: threads and events (posix_threads.c), direct io, read-ahead
 * advice.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* preadv on Linux */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform_posix.h"

#include "posix_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "files are larger than 2 GiB");
_Static_assert(_Alignof(struct spn_platform_posix) <= 16,
               "caller aligns to 16");

uint64_t spn__posix_now_us(void *user)
{
    struct timespec now;

    (void)user;
    /* Cannot fail: the clock exists and the address is good. */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* Set in the number of a file that is the reader's. */
#define IS_OPTICAL ((spn_platform_file)1 << 32)

static bool is_optical(const struct spn_platform_posix *posix, const char *path)
{
    const char *folder = posix->optical_folder;
    size_t len = folder ? strlen(folder) : 0;

    if (len == 0 || strncmp(path, folder, len) != 0)
        return false;
    return folder[len - 1] == '/' || path[len] == '/';
}

static spn_status status_of_open(int error)
{
    return error == ENOENT || error == ENOTDIR ? SPN_ERR_NOT_FOUND : SPN_ERR_IO;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct stat about;
    int descriptor;

    /* O_NONBLOCK: opening a pipe would wait for its writer for ever. It means
     * nothing to a regular file. */
    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return status_of_open(errno);
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size < 0) {
        close(descriptor);
        return SPN_ERR_IO;
    }
    info->file = (spn_platform_file)descriptor;
    info->bytes = (uint64_t)about.st_size;
    info->disc_offset = UINT64_MAX;
    info->align_bytes = 1;
    if (is_optical(user, path)) {
        info->file |= IS_OPTICAL;
        info->medium = SPN_MEDIUM_OPTICAL;
    }
    return SPN_OK;
}

static void file_close(void *user, spn_platform_file file)
{
    (void)user;
    /* Not again after EINTR: Linux has closed the descriptor by then, and
     * another thread may own the number already. */
    close((int)(file & ~IS_OPTICAL));
}

void spn__posix_read(const struct posix_read *read,
                     spn_platform_completion *out)
{
    struct iovec vector[SPN_PLATFORM_EXTENTS_MAX];
    ssize_t got;

    for (uint32_t i = 0; i < read->extent_count; i++) {
        vector[i].iov_base = read->extents[i].data;
        vector[i].iov_len = read->extents[i].bytes;
    }
    do {
        got = preadv(read->descriptor, vector, (int)read->extent_count,
                     (off_t)read->offset);
    } while (got < 0 && errno == EINTR);
    out->tag = read->tag;
    out->status = got < 0 ? SPN_ERR_IO : SPN_OK;
    out->bytes = got < 0 ? 0 : (uint64_t)got;
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    struct spn_platform_posix *posix = user;
    struct posix_read read = {.descriptor = (int)(file & ~IS_OPTICAL),
                              .offset = offset,
                              .extent_count = extent_count,
                              .tag = tag};

    if (extent_count == 0 || extent_count > SPN_PLATFORM_EXTENTS_MAX ||
        offset > INT64_MAX)
        return SPN_ERR_ARG;
    memcpy(read.extents, extents, extent_count * sizeof *extents);
    if (file & IS_OPTICAL)
        return spn__posix_reader_ask(posix, &read);
    if (posix->has_completion)
        return SPN_ERR_ARG;
    spn__posix_read(&read, &posix->completion);
    posix->has_completion = true;
    return SPN_OK;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct spn_platform_posix *posix = user;

    if (posix->has_completion) {
        *out = posix->completion;
        posix->has_completion = false;
        return SPN_OK;
    }
    if (posix->reader.is_there && spn__posix_reader_poll(posix, out))
        return SPN_OK;
    *due_us = UINT64_MAX;
    return SPN_PENDING;
}

/* One line in one call, so that lines of several threads do not mix. */
static void log_line(void *user, spn_log_level level, const char *text)
{
    static const char *const heads[] = {
        "spindle: error: ", "spindle: warning: ", "spindle: "};
    const char *parts[3];
    struct iovec vector[3];
    ssize_t written;

    (void)user;
    parts[0] = heads[level == SPN_LOG_ERROR     ? 0
                     : level == SPN_LOG_WARNING ? 1
                                                : 2];
    parts[1] = text;
    parts[2] = "\n";
    for (int i = 0; i < 3; i++) {
        /* writev does not write to what iov_base points to. */
        union {
            const void *from;
            void *to;
        } base = {parts[i]};

        vector[i].iov_base = base.to;
        vector[i].iov_len = strlen(parts[i]);
    }
    written = writev(STDERR_FILENO, vector, 3);
    (void)written; /* there is nowhere to report it to */
}

size_t spn_platform_posix_bytes(void)
{
    return sizeof(struct spn_platform_posix);
}

spn_status spn_platform_posix_init(void *memory, size_t bytes,
                                   spn_platform *out)
{
    struct spn_platform_posix *posix = memory;

    if (!memory || !out || (uintptr_t)memory % 16 != 0)
        return SPN_ERR_ARG;
    if (bytes < sizeof *posix)
        return SPN_ERR_MEMORY;
    memset(posix, 0, sizeof *posix);
    memset(out, 0, sizeof *out);
    out->user = posix;
    out->file_open = file_open;
    out->file_close = file_close;
    out->read_submit = read_submit;
    out->read_poll = read_poll;
    out->now_us = spn__posix_now_us;
    out->log = log_line;
    spn__posix_threads_fill(out);
    return SPN_OK;
}

spn_status spn_platform_posix_add_optical(spn_platform *table,
                                          const char *folder)
{
    struct spn_platform_posix *posix;
    spn_status status;

    if (!table || !folder || folder[0] == '\0')
        return SPN_ERR_ARG;
    posix = table->user;
    if (posix->reader.is_there)
        return SPN_ERR_STATE;
    status = spn__posix_reader_start(posix, table);
    if (status == SPN_OK)
        posix->optical_folder = folder;
    return status;
}

void spn_platform_posix_end(spn_platform *table)
{
    struct spn_platform_posix *posix = table ? table->user : NULL;

    if (!posix || !posix->reader.is_there)
        return;
    posix->optical_folder = NULL;
    spn__posix_reader_end(posix, table);
}
