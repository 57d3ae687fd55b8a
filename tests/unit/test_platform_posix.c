/* test_platform_posix.c
 *
 * Goal: the POSIX table follows the contract of platform.h: sizes, statuses,
 * scattered and short reads, auto-reset events, threads.
 * Method: temporary files of known bytes; the claims of platform_claims.h.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "../../platform/posix/platform_posix.h"
#include "harness.h"
#include "support/platform_claims.h"
#include "support/platform_table.h"

#include <stdio.h>
#include <sys/stat.h>

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

static void posix_open_reports_size_and_place(void)
{
    spn_platform_file_info info;

    open_table(0);
    info = open_file(write_file("plain", TABLE_BYTES));
    CHECK_EQ_U(info.bytes, TABLE_BYTES);
    CHECK_EQ(info.align_bytes, 1);
    table.file_close(table.user, info.file);
}

static void posix_open_refuses_unreadable_files(void)
{
    spn_platform_file_info info;
    char path[512];

    open_table(0);
    snprintf(path, sizeof path, "%s/missing", test_temp());
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    snprintf(path, sizeof path, "%s/below", write_file("plain", 1));
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, test_temp(), &info), SPN_ERR_IO);
    snprintf(path, sizeof path, "%s/pipe", test_temp());
    CHECK(mkfifo(path, 0600) == 0);
    CHECK_EQ(table.file_open(table.user, path, &info), SPN_ERR_IO);
}

static void posix_reads_one_at_a_time(void)
{
    static uint8_t memory[64];
    spn_extent extent = {memory, 1};

    open_table(0);
    read_now(1000000, 0, &extent, 1);
    CHECK_EQ(table.read_submit(table.user, 1000000, 0, &extent, 1, 1), SPN_OK);
    CHECK_EQ(table.read_submit(table.user, 1000000, 0, &extent, 1, 2),
             SPN_ERR_ARG);
}

static void posix_close_closes_the_descriptor(void)
{
    spn_platform_file_info info;
    spn_platform_file first = 0;
    const char *path = write_file("plain", 10);

    open_table(0);
    for (int i = 0; i < 100; i++) {
        info = open_file(path);
        if (i == 0)
            first = info.file;
        CHECK_EQ_U(info.file, first);
        table.file_close(table.user, info.file);
    }
}

static void posix_event_table_is_bounded(void)
{
    uint64_t events[1000];
    uint32_t count = 0;

    open_table(0);
    while (count < 1000 && table.event_create(table.user, SPN_EVENT_FOR_WAITER,
                                              &events[count]) == SPN_OK)
        count++;
    CHECK(count >= 64 && count < 1000);
    table.event_destroy(table.user, events[count / 2]);
    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER,
                                &events[count / 2]),
             SPN_OK);
    while (count > 0)
        table.event_destroy(table.user, events[--count]);
}

TEST_MAIN(TEST(posix_refuses_bad_memory),
          TEST(posix_open_reports_size_and_place),
          TEST(posix_open_refuses_unreadable_files), PLATFORM_READ_CLAIMS,
          TEST(posix_reads_one_at_a_time),
          TEST(posix_close_closes_the_descriptor), PLATFORM_CLAIMS,
          TEST(posix_event_table_is_bounded))
