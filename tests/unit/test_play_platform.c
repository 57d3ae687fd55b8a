/* Goal: the disc of a virtual run takes as long as its rates say, and gives
 * the files' bytes; the clock alone decides when.
 * Method: files in the temporary folder, and reads whose times are counted by
 * hand. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "play/play_platform.h"

#include <stdio.h>
#include <string.h>

#define A_BYTES 5000u
#define B_BYTES 100u
#define SECTOR 2048u

static struct play_platform disc;
static spn_platform table;
static char a_path[512];
static char b_path[512];
static uint8_t buffer[2 * A_BYTES];

static uint8_t byte_at(char file, size_t offset)
{
    return (uint8_t)(offset * 7 + offset / 251 + (size_t)file);
}

static void write_file(const char *path, char file, size_t bytes)
{
    FILE *out = fopen(path, "wb");

    CHECK(out != NULL);
    for (size_t i = 0; i < bytes; i++)
        fputc(byte_at(file, i), out);
    fclose(out);
}

/* 1 byte in a microsecond, 100 us a seek. */
static void start(uint32_t file_capacity)
{
    snprintf(a_path, sizeof a_path, "%s/a", test_temp());
    snprintf(b_path, sizeof b_path, "%s/b", test_temp());
    write_file(a_path, 'a', A_BYTES);
    write_file(b_path, 'b', B_BYTES);
    memset(buffer, 0xee, sizeof buffer);
    disc.bytes_per_second = 1000000;
    disc.seek_us = 100;
    play_platform_init(&disc, file_capacity, &table);
}

static spn_platform_file open_file(const char *path)
{
    spn_platform_file_info info;

    CHECK_EQ(table.file_open(table.user, path, &info), SPN_OK);
    return info.file;
}

static void submit(spn_platform_file file, uint64_t offset, uint32_t bytes,
                   uint32_t tag)
{
    spn_extent extent = {buffer, bytes};

    CHECK_EQ(table.read_submit(table.user, file, offset, &extent, 1, tag),
             SPN_OK);
}

/* The completion is there at `due_us` and not a microsecond before. */
static void expect_at(uint64_t due_us, uint32_t tag, uint64_t bytes)
{
    spn_platform_completion completion;
    uint64_t told;

    CHECK_EQ_U(play_platform_due_us(&disc), due_us);
    disc.clock_us = due_us - 1;
    CHECK_EQ(table.read_poll(table.user, &completion, &told), SPN_PENDING);
    CHECK_EQ_U(told, due_us);
    disc.clock_us = due_us;
    CHECK_EQ(table.read_poll(table.user, &completion, &told), SPN_OK);
    CHECK_EQ(completion.status, SPN_OK);
    CHECK_EQ_U(completion.tag, tag);
    CHECK_EQ_U(completion.bytes, bytes);
    CHECK_EQ(table.read_poll(table.user, &completion, &told), SPN_PENDING);
    CHECK_EQ_U(told, UINT64_MAX);
    CHECK_EQ_U(play_platform_due_us(&disc), UINT64_MAX);
}

static void disc_takes_seek_and_transfer(void)
{
    spn_platform_file a;

    start(2);
    a = open_file(a_path);
    submit(a, 1000, 500, 7);
    expect_at(100 + 500, 7, 500);
    for (size_t i = 0; i < 500; i++)
        CHECK_EQ(buffer[i], byte_at('a', 1000 + i));
    CHECK_EQ(buffer[500], 0xee);
    CHECK_EQ_U(disc.busy_us, 600);
    CHECK_EQ_U(disc.seek_count, 1);
    play_platform_finish(&disc);
}

static void disc_does_not_seek_to_where_it_is(void)
{
    spn_platform_file a;

    start(2);
    a = open_file(a_path);
    submit(a, 0, 500, 1);
    expect_at(600, 1, 500);
    submit(a, 500, 100, 2);
    expect_at(700, 2, 100);
    submit(a, 500, 100, 3); /* back */
    expect_at(900, 3, 100);
    CHECK_EQ_U(disc.seek_count, 2);
    CHECK_EQ_U(disc.busy_us, 900);
    play_platform_finish(&disc);
}

static void disc_rounds_time_up(void)
{
    spn_platform_file a;

    start(2);
    disc.bytes_per_second = 3000000;
    a = open_file(a_path);
    submit(a, 0, 100, 1);
    expect_at(100 + 34, 1, 100);
    play_platform_finish(&disc);
}

static void disc_fills_extents_up_to_the_end(void)
{
    spn_extent extents[3] = {
        {buffer, 10}, {buffer + 100, 20}, {buffer + 200, 30}};
    spn_platform_file a;

    start(2);
    a = open_file(a_path);
    CHECK_EQ(table.read_submit(table.user, a, A_BYTES - 25, extents, 3, 9),
             SPN_OK);
    expect_at(100 + 25, 9, 25);
    CHECK_EQ(buffer[9], byte_at('a', A_BYTES - 16));
    CHECK_EQ(buffer[10], 0xee);
    CHECK_EQ(buffer[100], byte_at('a', A_BYTES - 15));
    CHECK_EQ(buffer[114], byte_at('a', A_BYTES - 1));
    CHECK_EQ(buffer[115], 0xee);
    CHECK_EQ(buffer[200], 0xee);
    submit(a, A_BYTES + 1, 10, 10);
    expect_at(125 + 100, 10, 0);
    play_platform_finish(&disc);
}

static void files_keep_their_place(void)
{
    spn_platform_file_info a;
    spn_platform_file_info b;
    spn_platform_file_info again;

    start(2);
    CHECK_EQ(table.file_open(table.user, a_path, &a), SPN_OK);
    CHECK_EQ(table.file_open(table.user, b_path, &b), SPN_OK);
    CHECK_EQ_U(a.bytes, A_BYTES);
    CHECK_EQ_U(b.bytes, B_BYTES);
    CHECK_EQ_U(a.disc_offset, 0);
    CHECK_EQ_U(b.disc_offset, 3 * SECTOR);
    table.file_close(table.user, a.file);
    CHECK_EQ(table.file_open(table.user, a_path, &again), SPN_OK);
    CHECK_EQ_U(again.file, a.file);
    CHECK_EQ_U(again.disc_offset, 0);
    /* The head knows one disc, not files. */
    submit(b.file, 0, 60, 1);
    expect_at(160, 1, 60);
    submit(b.file, 60, 40, 1);
    expect_at(200, 1, 40);
    submit(a.file, 0, 100, 2);
    expect_at(400, 2, 100);
    play_platform_finish(&disc);
}

static void files_that_cannot_be_are_refused(void)
{
    spn_platform_file_info info;
    char none[520];

    start(1);
    snprintf(none, sizeof none, "%s/none", test_temp());
    CHECK_EQ(table.file_open(table.user, none, &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(table.file_open(table.user, a_path, &info), SPN_OK);
    CHECK_EQ(table.file_open(table.user, b_path, &info), SPN_ERR_IO);
    /* What is there stays. */
    CHECK_EQ(table.file_open(table.user, a_path, &info), SPN_OK);
    play_platform_finish(&disc);
}

static void the_clock_is_the_callers(void)
{
    start(1);
    CHECK_EQ_U(table.now_us(table.user), 0);
    disc.clock_us = 12345;
    CHECK_EQ_U(table.now_us(table.user), 12345);
    CHECK(table.thread_start == NULL);
    play_platform_finish(&disc);
}

static void reads_end_at_once_when_the_run_ends(void)
{
    spn_platform_completion completion;
    uint64_t due_us;
    spn_platform_file a;

    start(1);
    a = open_file(a_path);
    submit(a, 0, 1000, 5);
    CHECK_EQ(table.read_poll(table.user, &completion, &due_us), SPN_PENDING);
    play_platform_end(&disc);
    CHECK_EQ(table.read_poll(table.user, &completion, &due_us), SPN_OK);
    CHECK_EQ_U(completion.tag, 5);
    CHECK_EQ_U(completion.bytes, 1000);
    CHECK_EQ_U(table.now_us(table.user), 1100);
    play_platform_finish(&disc);
}

TEST_MAIN(TEST(disc_takes_seek_and_transfer),
          TEST(disc_does_not_seek_to_where_it_is), TEST(disc_rounds_time_up),
          TEST(disc_fills_extents_up_to_the_end), TEST(files_keep_their_place),
          TEST(files_that_cannot_be_are_refused),
          TEST(the_clock_is_the_callers),
          TEST(reads_end_at_once_when_the_run_ends))
