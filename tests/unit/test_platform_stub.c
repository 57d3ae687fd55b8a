/* test_platform_stub.c
 *
 * Goal: the stub platform follows the contract of platform.h, with a clock that
 * only the caller moves, and charges reads their disc time.
 * Method: a RAM disc of three files; due times compared with values computed by
 * hand.
 */
/* SPDX-License-Identifier: MIT */
#include "../../platform/consoles_stub/platform_stub.h"
#include "harness.h"

#include <string.h>

static uint8_t first[1000];
static uint8_t second[3000];
static spn_platform_stub stub;
static spn_platform table;

static void insert_disc(uint32_t bytes_per_second, uint32_t seek_us)
{
    for (size_t i = 0; i < sizeof first; i++)
        first[i] = (uint8_t)(i * 3);
    for (size_t i = 0; i < sizeof second; i++)
        second[i] = (uint8_t)(i * 5 + 1);
    memset(&stub, 0, sizeof stub);
    stub.files[0] = (spn_stub_file){"a", first, sizeof first};
    stub.files[1] = (spn_stub_file){"empty", NULL, 0};
    stub.files[2] = (spn_stub_file){"ab", second, sizeof second};
    stub.file_count = 3;
    stub.bytes_per_second = bytes_per_second;
    stub.seek_us = seek_us;
    spn_platform_stub_init(&stub, &table);
}

static uint64_t due_of(spn_platform_file file, uint64_t offset, uint32_t bytes)
{
    static uint8_t memory[4096];
    spn_extent extent = {memory, bytes};
    spn_platform_completion end;
    uint64_t due_us = stub.clock_us;

    CHECK_EQ(table.read_submit(table.user, file, offset, &extent, 1, 1),
             SPN_OK);
    if (table.read_poll(table.user, &end, &due_us) == SPN_PENDING) {
        stub.clock_us = due_us - 1;
        CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
        stub.clock_us = due_us;
        CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    }
    return due_us;
}

static void stub_has_no_threads(void)
{
    insert_disc(0, 0);
    CHECK(!table.thread_start && !table.thread_join && !table.event_create &&
          !table.event_destroy && !table.event_signal && !table.event_wait);
}

static void stub_opens_by_exact_path(void)
{
    spn_platform_file_info info;

    insert_disc(0, 0);
    CHECK_EQ(table.file_open(table.user, "ab", &info), SPN_OK);
    CHECK_EQ_U(info.file, 2);
    CHECK_EQ_U(info.bytes, sizeof second);
    CHECK_EQ_U(info.disc_offset, sizeof first);
    CHECK_EQ(info.align_bytes, 1);
    stub.align_bytes = 2048;
    CHECK_EQ(table.file_open(table.user, "a", &info), SPN_OK);
    CHECK_EQ_U(info.disc_offset, 0);
    CHECK_EQ(info.align_bytes, 2048);
    CHECK_EQ(table.file_open(table.user, "abc", &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, "", &info), SPN_ERR_NOT_FOUND);
}

static void stub_scatters_and_ends_short_at_the_end(void)
{
    uint8_t memory[300];
    spn_extent extents[2] = {{memory + 200, 100}, {memory, 200}};
    spn_platform_completion end;
    uint64_t due_us;

    insert_disc(0, 0);
    memset(memory, 0xee, sizeof memory);
    CHECK_EQ(table.read_submit(table.user, 0, 850, extents, 2, 9), SPN_OK);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    CHECK_EQ(end.tag, 9);
    CHECK_EQ(end.status, SPN_OK);
    CHECK_EQ_U(end.bytes, 150);
    CHECK_MEM(memory + 200, first + 850, 100);
    CHECK_MEM(memory, first + 950, 50);
    CHECK_EQ(memory[50], 0xee);
    CHECK_EQ(table.read_submit(table.user, 0, 5000, extents, 2, 9), SPN_OK);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    CHECK_EQ_U(end.bytes, 0);
}

static void stub_refuses_invalid_reads(void)
{
    uint8_t memory[8] = {0};
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX + 1];
    spn_platform_completion end;
    uint64_t due_us = 0;

    insert_disc(1000, 0);
    for (size_t i = 0; i <= SPN_PLATFORM_EXTENTS_MAX; i++)
        extents[i] = (spn_extent){memory, 1};
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
    CHECK_EQ(table.read_submit(table.user, 3, 0, extents, 1, 1), SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents, 0, 1), SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents,
                               SPN_PLATFORM_EXTENTS_MAX + 1, 1),
             SPN_ERR_ARG);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents, 1, 1), SPN_OK);
    CHECK_EQ(table.read_submit(table.user, 0, 0, extents, 1, 2), SPN_ERR_ARG);
}

static void stub_charges_transfer_and_seek(void)
{
    insert_disc(1000000, 500);
    CHECK_EQ_U(due_of(0, 0, 100), 100);        /* the head is there */
    CHECK_EQ_U(due_of(0, 100, 50), 150);       /* continues */
    CHECK_EQ_U(due_of(0, 100, 50), 150 + 550); /* backwards: a seek */
    CHECK_EQ_U(due_of(2, 0, 10), 700 + 510);   /* another file */
    CHECK_EQ_U(due_of(0, 150, 850), 1210 + 1350);
    CHECK_EQ_U(due_of(2, 0, 10), 2560 + 10); /* the next file begins here */
    insert_disc(3, 0);
    CHECK_EQ_U(due_of(0, 0, 1), 333334); /* rounded up */
}

static void stub_cancel_only_shortens_the_wait(void)
{
    uint8_t memory[100];
    spn_extent extent = {memory, sizeof memory};
    spn_platform_completion end;
    uint64_t due_us;

    insert_disc(1, 0);
    CHECK_EQ(table.read_submit(table.user, 0, 0, &extent, 1, 5), SPN_OK);
    table.read_cancel(table.user, 6); /* not this one */
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
    table.read_cancel(table.user, 5);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_OK);
    CHECK_EQ(end.tag, 5);
    CHECK_EQ(table.read_poll(table.user, &end, &due_us), SPN_PENDING);
}

static void stub_clock_is_the_callers(void)
{
    insert_disc(0, 0);
    CHECK_EQ_U(table.now_us(table.user), 0);
    stub.clock_us = 1ull << 40;
    CHECK_EQ_U(table.now_us(table.user), 1ull << 40);
}

TEST_MAIN(TEST(stub_has_no_threads), TEST(stub_opens_by_exact_path),
          TEST(stub_scatters_and_ends_short_at_the_end),
          TEST(stub_refuses_invalid_reads),
          TEST(stub_charges_transfer_and_seek),
          TEST(stub_cancel_only_shortens_the_wait),
          TEST(stub_clock_is_the_callers))
