/* test_platform_posix.c
 *
 * Goal: the POSIX table keeps the contract of platform.h: sizes, statuses,
 *   scattered and short reads, auto-reset events, threads.
 * Method: temporary files of known bytes; a thread that hands a counter to
 *   and fro with the test.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "../../platform/posix/platform_posix.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES 100000u

static spn_platform table;
static void *state;

static void open_table(void)
{
    free(state);
    state = malloc(spn_platform_posix_bytes());
    CHECK_EQ(spn_platform_posix_init(state, spn_platform_posix_bytes(), &table),
             SPN_OK);
}

static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(offset * 7 + (offset >> 8));
}

static const char *write_file(const char *name, size_t bytes)
{
    static char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    file = fopen(path, "wb");
    CHECK(file);
    for (size_t i = 0; i < bytes; i++)
        putc(byte_at(i), file);
    CHECK(fclose(file) == 0);
    return path;
}

static spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                        const spn_extent *extents,
                                        uint32_t extent_count)
{
    spn_platform_completion completion = {0};
    uint64_t due_us = 0;

    CHECK_EQ(table.read_submit(table.user, file, offset, extents, extent_count,
                               4711),
             SPN_OK);
    CHECK_EQ(table.read_poll(table.user, &completion, &due_us), SPN_OK);
    CHECK_EQ(completion.tag, 4711);
    return completion;
}

static void posix_refuses_bad_memory(void)
{
    _Alignas(16) static uint8_t memory[64];
    spn_platform out;

    CHECK_EQ(spn_platform_posix_init(NULL, 1 << 20, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_init(memory, sizeof memory, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_init(memory + 1, 1 << 20, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_init(memory, sizeof memory, &out),
             SPN_ERR_MEMORY);
}

static void posix_open_reports_what_is_there(void)
{
    spn_platform_file_info info;

    open_table();
    CHECK_EQ(table.file_open(table.user, write_file("plain", BYTES), &info),
             SPN_OK);
    CHECK_EQ_U(info.bytes, BYTES);
    CHECK_EQ_U(info.disc_offset, UINT64_MAX);
    CHECK_EQ(info.align_bytes, 1);
    table.file_close(table.user, info.file);
}

static void posix_open_refuses_what_cannot_be_read(void)
{
    spn_platform_file_info info;
    char path[512];

    open_table();
    snprintf(path, sizeof path, "%s/missing", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/below", write_file("plain", 1));
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, test_temp(), &info), SPN_ERR_IO);
    snprintf(path, sizeof path, "%s/pipe", test_temp());
    CHECK(mkfifo(path, 0600) == 0);
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_IO);
}

static void posix_reads_scatter_over_all_extents(void)
{
    static uint8_t memory[SPN_PLATFORM_EXTENTS_MAX][1000];
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    spn_platform_file_info info;
    spn_platform_completion end;
    uint64_t at = 12345;
    uint64_t bytes = 0;

    open_table();
    CHECK_EQ(table.file_open(table.user, write_file("plain", BYTES), &info),
             SPN_OK);
    for (uint32_t i = 0; i < SPN_PLATFORM_EXTENTS_MAX; i++) {
        extents[i].data = memory[i];
        extents[i].bytes = 1 + i * 61;
        bytes += extents[i].bytes;
    }
    end = read_now(info.file, at, extents, SPN_PLATFORM_EXTENTS_MAX);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, bytes);
    for (uint32_t i = 0; i < SPN_PLATFORM_EXTENTS_MAX; i++)
        for (uint32_t k = 0; k < extents[i].bytes; k++)
            CHECK_EQ(memory[i][k], byte_at(at++));
    table.file_close(table.user, info.file);
}

static void posix_reads_end_at_the_end_of_the_file(void)
{
    static uint8_t memory[64];
    spn_extent extent = {memory, sizeof memory};
    spn_platform_file_info info;
    spn_platform_completion end;

    open_table();
    CHECK_EQ(table.file_open(table.user, write_file("plain", BYTES), &info),
             SPN_OK);
    end = read_now(info.file, BYTES - 10, &extent, 1);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, 10);
    end = read_now(info.file, BYTES, &extent, 1);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, 0);
    end = read_now(info.file, 1ull << 40, &extent, 1);
    CHECK_EQ_U(end.bytes, 0);
    table.file_close(table.user, info.file);
}

static void posix_read_failures_are_io_errors(void)
{
    static uint8_t memory[64];
    spn_extent extent = {memory, sizeof memory};
    spn_platform_completion end;

    open_table();
    end = read_now(1000000, 0, &extent, 1); /* no such descriptor */
    CHECK_EQ(end.status, SPN_ERR_IO);
    CHECK_EQ_U(end.bytes, 0);
}

static void posix_submit_refuses_what_it_cannot_do(void)
{
    static uint8_t memory[64];
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX + 1];
    spn_platform_completion end;
    uint64_t due_us = 0;

    open_table();
    for (size_t i = 0; i <= SPN_PLATFORM_EXTENTS_MAX; i++) {
        extents[i].data = memory;
        extents[i].bytes = 1;
    }
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents, 0, 1), SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents,
                               SPN_PLATFORM_EXTENTS_MAX + 1, 1),
             SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 1ull << 63, extents, 1, 1),
             SPN_ERR_ARG);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
    read_now(1000000, 0, extents, 1);
    CHECK_EQ(table.read_submit(table.user, 1000000, 0, extents, 1, 1), SPN_OK);
    CHECK_EQ(table.read_submit(table.user, 1000000, 0, extents, 1, 2),
             SPN_ERR_ARG); /* one at a time */
}

static void posix_close_gives_the_descriptor_back(void)
{
    spn_platform_file_info info;
    spn_platform_file first = 0;
    const char *path = write_file("plain", 10);

    open_table();
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(table.file_open(table.user, path, &info), SPN_OK);
        if (i == 0)
            first = info.file;
        CHECK_EQ_U(info.file, first);
        table.file_close(table.user, info.file);
    }
}

static void posix_clock_never_runs_back(void)
{
    uint64_t last;

    open_table();
    last = table.now_us(table.user);
    for (int i = 0; i < 10000; i++) {
        uint64_t now = table.now_us(table.user);

        CHECK(now >= last);
        last = now;
    }
}

static void posix_event_keeps_one_signal(void)
{
    uint64_t event = 0;

    open_table();
    CHECK_EQ(table.event_create(table.user, &event), SPN_OK);
    CHECK(event != 0);
    table.event_signal(table.user, event);
    table.event_signal(table.user, event);
    table.event_wait(table.user, event, UINT64_MAX); /* or hangs */
    /* Both signals were one: this wait ends by the clock. */
    table.event_wait(table.user, event, table.now_us(table.user) + 2000);
    table.event_wait(table.user, event, 0);
    table.event_destroy(table.user, event);
}

static void posix_event_wait_lasts_until_it_is_due(void)
{
    uint64_t event = 0;
    uint64_t due_us;

    open_table();
    CHECK_EQ(table.event_create(table.user, &event), SPN_OK);
    due_us = table.now_us(table.user) + 3000;
    /* Spurious returns are legal, so only the loop is a claim. */
    while (table.now_us(table.user) < due_us)
        table.event_wait(table.user, event, due_us);
    /* Farther than time_t goes on some systems, but signalled. */
    table.event_signal(table.user, event);
    table.event_wait(table.user, event, UINT64_MAX - 1);
    table.event_destroy(table.user, event);
}

static void posix_event_table_is_bounded(void)
{
    uint64_t events[1000];
    uint32_t count = 0;

    open_table();
    while (count < 1000 &&
           table.event_create(table.user, &events[count]) == SPN_OK)
        count++;
    CHECK(count >= 64 && count < 1000);
    table.event_destroy(table.user, events[count / 2]);
    CHECK_EQ(table.event_create(table.user, &events[count / 2]), SPN_OK);
    while (count > 0)
        table.event_destroy(table.user, events[--count]);
}

#define ROUNDS 1000u

struct ping_pong {
    uint64_t ping;
    uint64_t pong;
    uint32_t count; /* no atomic: the events hand it to and fro */
};

static void answer(void *argument)
{
    struct ping_pong *game = argument;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        table.event_wait(table.user, game->ping, UINT64_MAX);
        game->count++;
        table.event_signal(table.user, game->pong);
    }
}

/* The events are all that orders the two threads' accesses: under the thread
 * sanitizer a missing barrier shows. This table's untimed wait has no
 * spurious returns. */
static void posix_threads_hand_work_over_by_events(void)
{
    struct ping_pong game = {0};
    uint64_t thread = 0;

    open_table();
    CHECK_EQ(table.event_create(table.user, &game.ping), SPN_OK);
    CHECK_EQ(table.event_create(table.user, &game.pong), SPN_OK);
    CHECK_EQ(table.thread_start(table.user, "a name longer than 15 bytes",
                                answer, &game, 8192, &thread),
             SPN_OK);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK_EQ(game.count, i);
        table.event_signal(table.user, game.ping);
        table.event_wait(table.user, game.pong, UINT64_MAX);
    }
    table.thread_join(table.user, thread);
    CHECK_EQ(game.count, ROUNDS);
    table.event_destroy(table.user, game.ping);
    table.event_destroy(table.user, game.pong);
}

static void count_up(void *argument)
{
    ++*(uint32_t *)argument;
}

static void posix_threads_are_reused_after_a_join(void)
{
    uint32_t count = 0;

    open_table();
    for (uint32_t i = 0; i < 200; i++) {
        uint64_t thread = 0;

        CHECK_EQ(table.thread_start(table.user, "short", count_up, &count, 0,
                                    &thread),
                 SPN_OK);
        table.thread_join(table.user, thread);
        CHECK_EQ(count, i + 1);
    }
}

struct identity {
    uint64_t inside;
    uint64_t hold; /* events: the thread lives until it may go */
    uint64_t there;
};

static void identify(void *argument)
{
    struct identity *self = argument;

    self->inside = table.thread_current(table.user);
    table.event_signal(table.user, self->there);
    table.event_wait(table.user, self->hold, UINT64_MAX);
}

static void posix_threads_that_run_are_told_apart(void)
{
    struct identity two[2] = {{0}};
    uint64_t threads[2];
    uint64_t mine;

    open_table();
    mine = table.thread_current(table.user);
    CHECK(mine != 0);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(table.event_create(table.user, &two[i].hold), SPN_OK);
        CHECK_EQ(table.event_create(table.user, &two[i].there), SPN_OK);
        CHECK_EQ(table.thread_start(table.user, "who", identify, &two[i], 0,
                                    &threads[i]),
                 SPN_OK);
        table.event_wait(table.user, two[i].there, UINT64_MAX);
        CHECK(two[i].inside != 0 && two[i].inside != mine);
    }
    CHECK(two[0].inside != two[1].inside);
    CHECK_EQ_U(table.thread_current(table.user), mine);
    for (uint32_t i = 0; i < 2; i++) {
        table.event_signal(table.user, two[i].hold);
        table.thread_join(table.user, threads[i]);
        table.event_destroy(table.user, two[i].hold);
        table.event_destroy(table.user, two[i].there);
    }
}

TEST_MAIN(TEST(posix_refuses_bad_memory),
          TEST(posix_open_reports_what_is_there),
          TEST(posix_open_refuses_what_cannot_be_read),
          TEST(posix_reads_scatter_over_all_extents),
          TEST(posix_reads_end_at_the_end_of_the_file),
          TEST(posix_read_failures_are_io_errors),
          TEST(posix_submit_refuses_what_it_cannot_do),
          TEST(posix_close_gives_the_descriptor_back),
          TEST(posix_clock_never_runs_back), TEST(posix_event_keeps_one_signal),
          TEST(posix_event_wait_lasts_until_it_is_due),
          TEST(posix_event_table_is_bounded),
          TEST(posix_threads_hand_work_over_by_events),
          TEST(posix_threads_are_reused_after_a_join),
          TEST(posix_threads_that_run_are_told_apart))
