/* test_platform_win32.c
 *
 * Goal: the Windows table keeps the contract of platform.h: set-up, files by
 *   UTF-8 and long paths, clock, events and threads.
 * Method: temporary files; a thread that hands a counter to and fro.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/table_win32.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

/* ---- set-up and files ---------------------------------------------------- */

static void win32_refuses_bad_memory(void)
{
    _Alignas(16) static uint8_t memory[64];
    spn_platform out;

    CHECK_EQ(spn_platform_win32_init(NULL, 1 << 20, 0, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_win32_init(memory, sizeof memory, 0, NULL),
             SPN_ERR_ARG);
    CHECK_EQ(spn_platform_win32_init(memory + 1, 1 << 20, 0, &out),
             SPN_ERR_ARG);
    CHECK_EQ(spn_platform_win32_init(memory, 1 << 20, 2, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_win32_init(memory, sizeof memory, 0, &out),
             SPN_ERR_MEMORY);
}

static void win32_open_reports_what_is_there(void)
{
    for (uint32_t flags = 0; flags <= SPN_WIN32_DIRECT; flags++) {
        spn_platform_file_info info;

        open_table(flags);
        info = open_file(write_file("plain", TABLE_BYTES));
        CHECK_EQ_U(info.bytes, TABLE_BYTES);
        CHECK_EQ_U(info.disc_offset, UINT64_MAX);
        CHECK_EQ(info.align_bytes, flags == SPN_WIN32_DIRECT ? 4096 : 1);
        CHECK_EQ(info.medium, SPN_MEDIUM_HARD_DISK);
        table.file_close(table.user, info.file);
    }
}

static void win32_open_refuses_what_cannot_be_read(void)
{
    spn_platform_file_info info;
    char path[1024];

    open_table(0);
    snprintf(path, sizeof path, "%s/missing", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/below", write_file("plain", 1));
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, "", &info), SPN_ERR_NOT_FOUND);
    /* Half a letter. */
    snprintf(path, sizeof path, "%s/\xc3", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, test_temp(), &info), SPN_ERR_IO);
    /* A device, whatever the folder. */
    CHECK_EQ(table.file_open(table.user, "NUL", &info), SPN_ERR_IO);
}

static void win32_opens_any_letters(void)
{
    spn_platform_file_info info;

    open_table(0);
    info = open_file(write_file("Gr\xc3\xb6\xc3\x9f"
                                "e \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x8e\xac",
                                10));
    CHECK_EQ_U(info.bytes, 10);
    table.file_close(table.user, info.file);
}

static void win32_opens_paths_beyond_the_old_limit(void)
{
    static struct win32_path wide;
    char path[1024];
    spn_platform_file_info info;
    size_t length;

    open_table(0);
    snprintf(path, sizeof path, "%s", test_temp());
    for (int i = 0; i < 4; i++) {
        length = strlen(path);
        path[length++] = '/';
        memset(path + length, 'a' + i, 100);
        path[length + 100] = 0;
        CHECK(win32_path_set(&wide, path));
        CHECK(CreateDirectoryW(wide.text, NULL));
    }
    info =
        open_file(write_file(strcat(path, "/file") + strlen(test_temp()), 7));
    CHECK_EQ_U(info.bytes, 7);
    table.file_close(table.user, info.file);
}

static void win32_paths_are_judged(void)
{
    static struct win32_path wide;
    static char longest[2 * WIN32_PATH_UNITS];

    CHECK(win32_path_set(&wide, "c:/one/two"));
    CHECK(wcscmp(wide.text, L"c:\\one\\two") == 0);
    CHECK(win32_path_set(&wide, "c:\\one\\./two\\..//three"));
    CHECK(wcscmp(wide.text, L"c:\\one\\three") == 0);
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "c:/", 3);
    longest[1000] = 0;
    CHECK(win32_path_set(&wide, longest));
    CHECK(wcsncmp(wide.text, L"\\\\?\\c:\\xxx", 10) == 0);
    CHECK_EQ_U(wcslen(wide.text), 1004);
    memcpy(longest, "//server/share/", 15);
    CHECK(win32_path_set(&wide, longest));
    CHECK(wcsncmp(wide.text, L"\\\\?\\UNC\\server\\share\\xxx", 24) == 0);
    longest[1000] = 'x';
    longest[sizeof longest - 1] = 0;
    CHECK(!win32_path_set(&wide, longest));
    CHECK(!win32_path_set(&wide, ""));
    CHECK(!win32_path_set(&wide, "\xff"));
}

/* ---- clock, events, threads --------------------------------------------- */

static void win32_clock_never_runs_back(void)
{
    uint64_t last;

    open_table(0);
    last = table.now_us(table.user);
    for (int i = 0; i < 10000; i++) {
        uint64_t now = table.now_us(table.user);

        CHECK(now >= last);
        last = now;
    }
}

static void win32_event_keeps_one_signal(void)
{
    uint64_t event = 0;

    open_table(0);
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

static void win32_event_wait_lasts_until_it_is_due(void)
{
    uint64_t event = 0;
    uint64_t due_us;

    open_table(0);
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
static void win32_threads_hand_work_over_by_events(void)
{
    struct ping_pong game = {0};
    uint64_t thread = 0;

    open_table(0);
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

static void win32_threads_are_reused_after_a_join(void)
{
    uint32_t count = 0;

    open_table(0);
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

static void win32_threads_that_run_are_told_apart(void)
{
    struct identity two[2] = {{0}};
    uint64_t threads[2];
    uint64_t mine;

    open_table(0);
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

TEST_MAIN(TEST(win32_refuses_bad_memory),
          TEST(win32_open_reports_what_is_there),
          TEST(win32_open_refuses_what_cannot_be_read),
          TEST(win32_opens_any_letters),
          TEST(win32_opens_paths_beyond_the_old_limit),
          TEST(win32_paths_are_judged), TEST(win32_clock_never_runs_back),
          TEST(win32_event_keeps_one_signal),
          TEST(win32_event_wait_lasts_until_it_is_due),
          TEST(win32_threads_hand_work_over_by_events),
          TEST(win32_threads_are_reused_after_a_join),
          TEST(win32_threads_that_run_are_told_apart))
