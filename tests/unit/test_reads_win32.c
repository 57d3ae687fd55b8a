/* test_reads_win32.c
 *
 * Goal: overlapped reads end, fail or are cancelled once, and only then release
 * their memory. The reading thread is woken.
 * Method: temporary files of known bytes; a pipe in place of a file, whose
 * reads end when the test writes.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/platform_claims.h"
#include "support/start_thread.h"
#include "support/table_win32.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

/* -- reads of files -- */

static void win32_reads_past_the_cache_are_aligned_and_end_short(void)
{
    _Alignas(4096) static uint8_t memory[4][8192];
    spn_extent extents[4];
    spn_platform_file_info info;
    spn_platform_completion end;
    uint64_t first = 73728; /* 18 sectors, then 26,272 bytes to the end */

    open_table(SPN_WIN32_DIRECT);
    info = open_file(write_file("plain", TABLE_BYTES));
    for (uint32_t i = 0; i < 4; i++)
        extents[i] = (spn_extent){memory[i], sizeof memory[i]};
    end = read_now(info.file, first, extents, 4);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, TABLE_BYTES - first);
    for (uint64_t i = first; i < TABLE_BYTES; i++)
        CHECK_EQ(memory[(i - first) / 8192][(i - first) % 8192], byte_at(i));
    table.file_close(table.user, info.file);
}

/* Sparse, so that only its size is large. */
static void win32_offsets_have_64_bits(void)
{
    static uint8_t memory[16];
    spn_extent extent = {memory, sizeof memory};
    uint64_t place = 5000000123u;
    const char *path = write_file("large", 0);
    OVERLAPPED there = {.Offset = (DWORD)place,
                        .OffsetHigh = (DWORD)(place >> 32)};
    spn_platform_file_info info;
    spn_platform_completion end;
    DWORD done = 0;
    HANDLE file =
        CreateFileA(path, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);

    CHECK(file != INVALID_HANDLE_VALUE);
    DeviceIoControl(file, FSCTL_SET_SPARSE, NULL, 0, NULL, 0, &done, NULL);
    if (!WriteFile(file, "far", 3, &done, &there)) {
        CloseHandle(file);
        test_skip("no room for a file of 5 GB");
    }
    CloseHandle(file);
    open_table(0);
    info = open_file(path);
    CHECK_EQ_U(info.bytes, place + 3);
    end = read_now(info.file, place, &extent, 1);
    CHECK_EQ_U(end.bytes, 3);
    CHECK_MEM(memory, "far", 3);
    table.file_close(table.user, info.file);
    CHECK(DeleteFileA(path));
}

/* -- reads that wait -- */

static HANDLE far_end; /* writing here ends a read */
static spn_platform_file near_end;
static uint64_t event; /* event of the reading thread */

/* A table with a pipe as an open file. */
static void open_pipe(void)
{
    static unsigned number;
    char name[64];
    HANDLE end;

    open_table(0);
    snprintf(name, sizeof name, "\\\\.\\pipe\\spindle-%lu-%u",
             GetCurrentProcessId(), number++);
    far_end = CreateNamedPipeA(name, PIPE_ACCESS_OUTBOUND, PIPE_TYPE_BYTE, 1,
                               4096, 4096, 0, NULL);
    CHECK(far_end != INVALID_HANDLE_VALUE);
    end = CreateFileA(name, GENERIC_READ, 0, NULL, OPEN_EXISTING,
                      FILE_FLAG_OVERLAPPED, NULL);
    CHECK(end != INVALID_HANDLE_VALUE);
    near_end = (spn_platform_file)(uintptr_t)end;
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &event),
             SPN_OK);
}

static void close_pipe(void)
{
    table.event_destroy(table.user, event);
    table.file_close(table.user, near_end);
    if (far_end)
        CloseHandle(far_end);
}

/* A read in progress has not ended, and has no known time of its end. */
static void check_pending(void)
{
    spn_platform_completion end;
    uint64_t due_us = 0;

    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
}

static void feed(const char *text)
{
    DWORD done = 0;

    CHECK(WriteFile(far_end, text, (DWORD)strlen(text), &done, NULL));
}

static void feed_later(void *argument)
{
    Sleep(20);
    feed(argument);
}

static void win32_a_read_that_ends_wakes_its_thread(void)
{
    static char text[] = "12345678";
    static uint8_t memory[2][4];
    spn_extent extents[2] = {{memory[0], 4}, {memory[1], 4}};
    spn_platform_completion end;
    uint64_t thread = 0;

    open_pipe();
    for (uint32_t round = 0; round < 5; round++) {
        CHECK_EQ(table.read_submit(table.user, near_end, 0, extents, 2, round),
                 SPN_OK);
        check_pending();
        /* A signal still ends the wait. */
        table.event_signal(table.user, event);
        table.event_wait(table.user, event, UINT64_MAX);
        CHECK_EQ(start_thread(&table, "feeder", feed_later, text, &thread),
                 SPN_OK);
        end = end_of_read(event);
        CHECK_EQ(end.tag, round);
        CHECK_EQ(end.status, SPN_OK);
        CHECK_EQ_U(end.bytes, 8);
        CHECK_MEM(memory, text, 8);
        table.thread_join(table.user, thread);
    }
    close_pipe();
}

/* The reading thread wakes before its time-out. */
static void check_wakes(void)
{
    uint64_t limit_us = table.now_us(table.user) + 20000000;

    table.event_wait(table.user, event, limit_us);
    CHECK(table.now_us(table.user) < limit_us);
}

/* ReadFile returns TRUE when the bytes are available at once, as with a
 * pipe. */
static void win32_a_read_may_end_inside_its_call(void)
{
    static uint8_t memory[2][4];
    spn_extent extents[2] = {{memory[0], 4}, {memory[1], 4}};

    open_pipe();
    for (uint32_t count = 1; count <= 2; count++) {
        spn_platform_completion end;

        test_context("%u extents", count);
        memset(memory, 0, sizeof memory);
        feed(count == 1 ? "1234" : "abcdefgh");
        CHECK_EQ(
            table.read_submit(table.user, near_end, 0, extents, count, count),
            SPN_OK);
        check_wakes();
        end = end_of_read(event);
        CHECK_EQ(end.tag, count);
        CHECK_EQ(end.status, SPN_OK);
        CHECK_EQ_U(end.bytes, count * 4);
        CHECK_MEM(memory, count == 1 ? "1234\0\0\0" : "abcdefgh", 8);
        check_pending();
    }
    /* The second extent gets nothing, because no more is written. */
    test_context("nothing for the second");
    feed("wxyz");
    CloseHandle(far_end);
    far_end = NULL;
    CHECK_EQ(table.read_submit(table.user, near_end, 0, extents, 2, 3), SPN_OK);
    check_wakes();
    CHECK_EQ(end_of_read(event).status, SPN_ERR_IO);
    CHECK_MEM(memory, "wxyz", 4);
    check_pending();
    close_pipe();
}

static void win32_cancelled_does_not_mean_stopped(void)
{
    static uint8_t memory[4];
    spn_extent extent = {memory, sizeof memory};
    spn_platform_completion end;

    open_pipe();
    table.read_cancel(table.user, 1); /* unknown tag */
    CHECK_EQ(table.read_submit(table.user, near_end, 0, &extent, 1, 1), SPN_OK);
    CHECK_EQ(table.read_submit(table.user, near_end, 0, &extent, 1, 2), SPN_OK);
    /* Both places are in use; a cancelled read keeps its place until it is
     * polled. */
    table.read_cancel(table.user, 2);
    CHECK_EQ(table.read_submit(table.user, near_end, 0, &extent, 1, 3),
             SPN_ERR_ARG);
    end = end_of_read(event);
    CHECK_EQ(end.tag, 2);
    CHECK_EQ(end.status, SPN_ERR_IO);
    CHECK_EQ_U(end.bytes, 0);
    /* A second cancel has no effect, and the other read continues. */
    table.read_cancel(table.user, 2);
    check_pending();
    feed("done");
    end = end_of_read(event);
    CHECK_EQ(end.tag, 1);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_MEM(memory, "done", 4);
    /* Ended before the cancel: the result does not change. */
    CHECK_EQ(table.read_submit(table.user, near_end, 0, &extent, 1, 4), SPN_OK);
    feed("late");
    table.read_cancel(table.user, 4);
    end = end_of_read(event);
    CHECK_EQ(end.tag, 4);
    CHECK(end.status == SPN_OK ? memcmp(memory, "late", 4) == 0
                               : end.bytes == 0);
    check_pending();
    close_pipe();
}

/* The second piece cannot start. The memory of the first is not released before
 * it has ended. */
static void win32_a_read_ends_with_its_last_piece(void)
{
    static uint8_t memory[4];
    spn_extent extents[2] = {{memory, 4}, {NULL, 0}};
    spn_platform_completion end;

    open_pipe();
    /* An invalid address. */
    extents[1] = (spn_extent){(void *)(uintptr_t)64, 4};
    CHECK_EQ(table.read_submit(table.user, near_end, 0, extents, 2, 1), SPN_OK);
    check_pending();
    feed("abcdefgh");
    end = end_of_read(event);
    CHECK_EQ(end.status, SPN_ERR_IO);
    CHECK_EQ_U(end.bytes, 0);
    CHECK_MEM(memory, "abcd", 4);
    close_pipe();
}

TEST_MAIN(PLATFORM_READ_CLAIMS,
          TEST(win32_reads_past_the_cache_are_aligned_and_end_short),
          TEST(win32_offsets_have_64_bits),
          TEST(win32_a_read_that_ends_wakes_its_thread),
          TEST(win32_a_read_may_end_inside_its_call),
          TEST(win32_cancelled_does_not_mean_stopped),
          TEST(win32_a_read_ends_with_its_last_piece))
