/* platform_posix.c - reads, the clock and the log on POSIX systems.
 *
 * A read is one preadv inside read_submit. This blocks the io thread, but its
 * pieces are small, so urgent reads do not wait long. If the medium has a
 * reader (posix_reader.c), the read is passed to it and can be cancelled. A
 * short read is reported as it is; the io thread reads the rest, and so finds
 * the end of the file.
 *
 * Files are in posix_file.c, threads and events in posix_threads.c.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* preadv on Linux */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#define _FILE_OFFSET_BITS 64
#include "platform_posix.h"

#include "posix_state.h"

#include <errno.h>
#include <string.h>
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
    /* Cannot fail: the clock exists and the address is valid. */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
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
    struct posix_reader *reader = &posix->readers[spn__posix_medium(file)];
    struct posix_read read = {.descriptor = spn__posix_descriptor(file),
                              .offset = offset,
                              .extent_count = extent_count,
                              .tag = tag};

    if (extent_count == 0 || extent_count > SPN_PLATFORM_EXTENTS_MAX ||
        offset > INT64_MAX)
        return SPN_ERR_ARG;
    memcpy(read.extents, extents, extent_count * sizeof *extents);
    if (reader->is_started)
        return spn__posix_reader_submit(posix, reader, &read);
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
    for (uint32_t i = 0; i < POSIX_READERS; i++)
        if (posix->readers[i].is_started &&
            spn__posix_reader_poll(&posix->readers[i], out))
            return SPN_OK;
    *due_us = UINT64_MAX;
    return SPN_PENDING;
}

/* A read inside read_submit has ended already: it cannot be cancelled. */
static void read_cancel(void *user, uint32_t tag)
{
    struct spn_platform_posix *posix = user;

    for (uint32_t i = 0; i < POSIX_READERS; i++)
        if (posix->readers[i].is_started)
            spn__posix_reader_cancel(&posix->readers[i], tag);
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
    (void)written; /* an error of the log cannot be reported */
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
    out->read_submit = read_submit;
    out->read_poll = read_poll;
    out->read_cancel = read_cancel;
    out->now_us = spn__posix_now_us;
    out->log = log_line;
    spn__posix_files_fill(out);
    spn__posix_threads_fill(out);
    return SPN_OK;
}

spn_status spn_platform_posix_set_options(spn_platform *table, uint32_t options)
{
    const uint32_t known =
        SPN_POSIX_DIRECT | SPN_POSIX_NO_READ_AHEAD | SPN_POSIX_READ_THREAD;
    struct spn_platform_posix *posix;
    spn_status status = SPN_OK;

    if (!table || (options & ~known) != 0)
        return SPN_ERR_ARG;
    posix = table->user;
    if (posix->options != 0)
        return SPN_ERR_STATE;
    if (options & SPN_POSIX_READ_THREAD)
        status = spn__posix_reader_start(
            posix, &posix->readers[SPN_MEDIUM_HARD_DISK], table);
    if (status == SPN_OK)
        posix->options = options;
    return status;
}

spn_status spn_platform_posix_add_optical(spn_platform *table,
                                          const char *folder)
{
    struct spn_platform_posix *posix;
    struct posix_reader *reader;
    spn_status status;

    if (!table || !folder || folder[0] == '\0')
        return SPN_ERR_ARG;
    posix = table->user;
    reader = &posix->readers[SPN_MEDIUM_OPTICAL];
    if (reader->is_started)
        return SPN_ERR_STATE;
    status = spn__posix_reader_start(posix, reader, table);
    if (status == SPN_OK)
        posix->optical_folder = folder;
    return status;
}

void spn_platform_posix_end(spn_platform *table)
{
    struct spn_platform_posix *posix = table ? table->user : NULL;

    if (!posix)
        return;
    posix->optical_folder = NULL;
    posix->options = 0;
    for (uint32_t i = 0; i < POSIX_READERS; i++)
        if (posix->readers[i].is_started)
            spn__posix_reader_end(posix, &posix->readers[i], table);
}
