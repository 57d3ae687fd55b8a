/* win32_reads.c - overlapped reads: submit, poll and cancel.
 *
 * Each extent of a read is one overlapped ReadFile, called a piece; all pieces
 * of a read are started at once. ReadFileScatter is not used because it needs
 * pages of 4 KiB and unbuffered files. A read has ended when all its pieces
 * have ended: the system may write to the memory until then, also after a
 * failure or a cancel. A ReadFile that ends inside the call is treated alike.
 *
 * All pieces of a read set one event, which exists as long as the read. The
 * thread that submits reads waits for it together with its own event
 * (win32_threads.c), so read_poll need not state a time of the next poll. When
 * a thread ends, Windows cancels its reads; the completions still come.
 */
/* SPDX-License-Identifier: MIT */
#include "win32_state.h"

#include <string.h>

static HANDLE handle_of(spn_platform_file file)
{
    return (HANDLE)(uintptr_t)file;
}

/* Record the result of a piece, from ReadFile or GetOverlappedResult. */
static void end_piece(struct win32_piece *piece, bool is_good, DWORD error,
                      DWORD bytes)
{
    piece->has_ended = true;
    piece->arrived_bytes = is_good ? bytes : 0;
    /* A read beyond the end of the file gets 0 bytes. This is not a failure. */
    piece->has_failed = !is_good && error != ERROR_HANDLE_EOF;
}

/* Start a piece. If that fails, the piece has ended. */
static void start_piece(struct win32_read *read, struct win32_piece *piece,
                        uint64_t offset, const spn_extent *extent)
{
    DWORD error;

    memset(piece, 0, sizeof *piece);
    piece->requested_bytes = extent->bytes;
    piece->overlapped.Offset = (DWORD)offset;
    piece->overlapped.OffsetHigh = (DWORD)(offset >> 32);
    piece->overlapped.hEvent = read->has_ended;
    /* TRUE: it has ended already; GetOverlappedResult returns the result. */
    if (ReadFile(read->file, extent->data, extent->bytes, NULL,
                 &piece->overlapped))
        return;
    error = GetLastError();
    if (error != ERROR_IO_PENDING)
        end_piece(piece, false, error, 0);
}

static bool has_piece_ended(struct win32_read *read, struct win32_piece *piece)
{
    DWORD bytes = 0;
    bool is_good;
    DWORD error;

    if (piece->has_ended)
        return true;
    is_good =
        GetOverlappedResult(read->file, &piece->overlapped, &bytes, FALSE) != 0;
    error = is_good ? ERROR_SUCCESS : GetLastError();
    if (error == ERROR_IO_INCOMPLETE)
        return false;
    end_piece(piece, is_good, error, bytes);
    return true;
}

static bool has_read_ended(struct win32_read *read)
{
    bool has_ended = true;

    for (uint32_t i = 0; i < read->piece_count; i++)
        has_ended &= has_piece_ended(read, &read->pieces[i]);
    return has_ended;
}

/* Number of bytes that arrived from the front, up to the first short piece. */
static void complete(struct win32_read *read, spn_platform_completion *out)
{
    out->tag = read->tag;
    out->status = SPN_OK;
    out->bytes = 0;
    for (uint32_t i = 0; i < read->piece_count; i++) {
        const struct win32_piece *piece = &read->pieces[i];

        if (piece->has_failed) {
            out->status = SPN_ERR_IO;
            out->bytes = 0;
            break;
        }
        out->bytes += piece->arrived_bytes;
        if (piece->arrived_bytes < piece->requested_bytes)
            break;
    }
    CloseHandle(read->has_ended);
    read->has_ended = NULL;
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    struct spn_platform_win32 *win32 = user;
    struct win32_read *read = win32->reads;

    while (read->has_ended && read < win32->reads + WIN32_READS_MAX - 1)
        read++;
    if (read->has_ended || extent_count == 0 ||
        extent_count > SPN_PLATFORM_EXTENTS_MAX || offset > INT64_MAX)
        return SPN_ERR_ARG;
    read->has_ended = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (!read->has_ended)
        return SPN_ERR_PLATFORM;
    InterlockedExchange(&win32->reader, (LONG)GetCurrentThreadId());
    read->file = handle_of(file);
    read->tag = tag;
    read->piece_count = extent_count;
    for (uint32_t i = 0; i < extent_count; i++) {
        start_piece(read, &read->pieces[i], offset, &extents[i]);
        offset += extents[i].bytes;
    }
    /* Starting a piece resets the event, also if a piece had set it. */
    if (has_read_ended(read))
        SetEvent(read->has_ended);
    return SPN_OK;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct spn_platform_win32 *win32 = user;

    for (uint32_t i = 0; i < WIN32_READS_MAX; i++) {
        struct win32_read *read = &win32->reads[i];

        if (read->has_ended && has_read_ended(read)) {
            complete(read, out);
            return SPN_OK;
        }
    }
    *due_us = UINT64_MAX;
    return SPN_PENDING;
}

static void read_cancel(void *user, uint32_t tag)
{
    struct spn_platform_win32 *win32 = user;

    for (uint32_t i = 0; i < WIN32_READS_MAX; i++) {
        struct win32_read *read = &win32->reads[i];

        if (!read->has_ended || read->tag != tag)
            continue;
        /* If there is nothing to cancel, the piece has ended or is ending. */
        for (uint32_t k = 0; k < read->piece_count; k++)
            if (!read->pieces[k].has_ended)
                CancelIoEx(read->file, &read->pieces[k].overlapped);
    }
}

uint32_t spn__win32_reads_events(struct spn_platform_win32 *win32,
                                 HANDLE events[WIN32_READS_MAX])
{
    uint32_t count = 0;

    if (InterlockedOr(&win32->reader, 0) != (LONG)GetCurrentThreadId())
        return 0;
    for (uint32_t i = 0; i < WIN32_READS_MAX; i++)
        if (win32->reads[i].has_ended)
            events[count++] = win32->reads[i].has_ended;
    return count;
}

void spn__win32_reads_fill(spn_platform *table)
{
    table->read_submit = read_submit;
    table->read_poll = read_poll;
    table->read_cancel = read_cancel;
}
