/* test_platform_win32.c
 *
 * Goal: the Windows table follows the contract of platform.h: set-up, files by
 * UTF-8 and long paths, clock, events and threads.
 * Method: temporary files; the claims of platform_claims.h.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/platform_claims.h"
#include "support/table_win32.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

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

static void win32_open_reports_size_and_place(void)
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

static void win32_open_refuses_unreadable_files(void)
{
    spn_platform_file_info info;
    char path[1024];

    open_table(0);
    snprintf(path, sizeof path, "%s/missing", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/below", write_file("plain", 1));
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, "", &info), SPN_ERR_NOT_FOUND);
    /* Half of a UTF-8 character. */
    snprintf(path, sizeof path, "%s/\xc3", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, test_temp(), &info), SPN_ERR_IO);
    /* A device name, in any folder. */
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
        CHECK(spn__win32_path_set(&wide, path));
        CHECK(CreateDirectoryW(wide.text, NULL));
    }
    info =
        open_file(write_file(strcat(path, "/file") + strlen(test_temp()), 7));
    CHECK_EQ_U(info.bytes, 7);
    table.file_close(table.user, info.file);
}

static void win32_invalid_paths_are_refused(void)
{
    static struct win32_path wide;
    static char longest[2 * WIN32_PATH_UNITS];

    CHECK(spn__win32_path_set(&wide, "c:/one/two"));
    CHECK(wcscmp(wide.text, L"c:\\one\\two") == 0);
    CHECK(spn__win32_path_set(&wide, "c:\\one\\./two\\..//three"));
    CHECK(wcscmp(wide.text, L"c:\\one\\three") == 0);
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "c:/", 3);
    longest[1000] = 0;
    CHECK(spn__win32_path_set(&wide, longest));
    CHECK(wcsncmp(wide.text, L"\\\\?\\c:\\xxx", 10) == 0);
    CHECK_EQ_U(wcslen(wide.text), 1004);
    memcpy(longest, "//server/share/", 15);
    CHECK(spn__win32_path_set(&wide, longest));
    CHECK(wcsncmp(wide.text, L"\\\\?\\UNC\\server\\share\\xxx", 24) == 0);
    longest[1000] = 'x';
    longest[sizeof longest - 1] = 0;
    CHECK(!spn__win32_path_set(&wide, longest));
    CHECK(!spn__win32_path_set(&wide, ""));
    CHECK(!spn__win32_path_set(&wide, "\xff"));
}

TEST_MAIN(TEST(win32_refuses_bad_memory),
          TEST(win32_open_reports_size_and_place),
          TEST(win32_open_refuses_unreadable_files),
          TEST(win32_opens_any_letters),
          TEST(win32_opens_paths_beyond_the_old_limit),
          TEST(win32_invalid_paths_are_refused), PLATFORM_CLAIMS)
