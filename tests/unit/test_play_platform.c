/* test_play_platform.c
 *
 * Goal: the platform of a virtual run delivers the files' bytes without delay.
 *   The constant drive around it takes the time of its rates. Only the clock
 *   decides when reads end.
 * Method: files in the temporary folder, and reads whose times are computed by
 *   hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "player/play_drive.h"
#include "player/play_platform.h"

#include <stdio.h>
#include <string.h>

#define A_BYTES 5000u
#define B_BYTES 100u
#define SECTOR 2048u

static struct play_platform world;
static struct play_drive drive;
static struct diag diag;
static struct arena arena; /* of the platform and the drive */
static spn_platform table;
static char a_path[512];
static char b_path[512];
static uint8_t buffer[2 * A_BYTES];

static uint8_t byte_at(char file, size_t offset)
{
    return (uint8_t)(offset * 7 + offset / 251 + (uint8_t)file);
}

static void write_file(const char *path, char file, size_t bytes)
{
    FILE *out = fopen(path, "wb");

    CHECK(out != NULL);
    for (size_t i = 0; i < bytes; i++)
        fputc(byte_at(file, i), out);
    fclose(out);
}

static void start(uint32_t file_capacity)
{
    diag_init(&diag);
    diag.is_silent = true;
    snprintf(a_path, sizeof a_path, "%s/a", test_temp());
    snprintf(b_path, sizeof b_path, "%s/b", test_temp());
    write_file(a_path, 'a', A_BYTES);
    write_file(b_path, 'b', B_BYTES);
    memset(buffer, 0xee, sizeof buffer);
    arena_init(&arena);
    play_platform_init(&world, file_capacity, &arena, &diag, &table);
}

static const struct play_paks no_paks;

static void start_drive(const struct play_options *options)
{
    start(2);
    memset(&drive, 0, sizeof drive);
    CHECK(
        play_drive_start(&drive, options, &no_paks, 0, &arena, &table, &diag));
}

/* 1 byte each microsecond, 100 us for each seek. */
static void start_constant(void)
{
    start_drive(&(struct play_options){
        .is_virtual = true, .disc_rate = 1, .seek_ms = 0.1, .file_count = 2});
}

static void end(void)
{
    play_platform_finish(&world);
    arena_free(&arena);
    diag_finish(&diag);
}

static spn_platform_file_info open_file(const char *path)
{
    spn_platform_file_info info = {0};

    CHECK_EQ(table.file_open(table.user, path, &info), SPN_OK);
    return info;
}

static void submit(spn_platform_file file, uint64_t offset, uint32_t bytes,
                   uint32_t tag)
{
    spn_extent extent = {buffer, bytes};

    CHECK_EQ(table.read_submit(table.user, file, offset, &extent, 1, tag),
             SPN_OK);
}

static void expect_now(uint32_t tag, uint64_t bytes)
{
    spn_platform_completion completion;
    uint64_t next_us;

    CHECK_EQ(table.read_poll(table.user, &completion, &next_us), SPN_OK);
    CHECK_EQ(completion.status, SPN_OK);
    CHECK_EQ_U(completion.tag, tag);
    CHECK_EQ_U(completion.bytes, bytes);
    CHECK_EQ(table.read_poll(table.user, &completion, &next_us), SPN_PENDING);
    CHECK_EQ_U(next_us, UINT64_MAX);
}

/* The completion is available at `due_us`, and not a microsecond before. */
static void expect_at(uint64_t due_us, uint32_t tag, uint64_t bytes)
{
    spn_platform_completion completion;
    uint64_t next_us;

    CHECK_EQ_U(play_drive_due_us(&drive), due_us);
    world.disc.clock_us = due_us - 1;
    CHECK_EQ(table.read_poll(table.user, &completion, &next_us), SPN_PENDING);
    CHECK_EQ_U(next_us, due_us);
    world.disc.clock_us = due_us;
    expect_now(tag, bytes);
    CHECK_EQ_U(play_drive_due_us(&drive), UINT64_MAX);
}

/* -- the platform -- */

static void reads_give_the_files_bytes_at_once(void)
{
    spn_extent extents[3] = {
        {buffer, 10}, {buffer + 100, 20}, {buffer + 200, 30}};
    spn_platform_file a;

    start(2);
    a = open_file(a_path).file;
    submit(a, 1000, 500, 7);
    expect_now(7, 500);
    for (size_t i = 0; i < 500; i++)
        CHECK_EQ(buffer[i], byte_at('a', 1000 + i));
    CHECK_EQ(buffer[500], 0xee);
    memset(buffer, 0xee, sizeof buffer);
    CHECK_EQ(table.read_submit(table.user, a, A_BYTES - 25, extents, 3, 9),
             SPN_OK);
    expect_now(9, 25);
    CHECK_EQ(buffer[9], byte_at('a', A_BYTES - 16));
    CHECK_EQ(buffer[10], 0xee);
    CHECK_EQ(buffer[100], byte_at('a', A_BYTES - 15));
    CHECK_EQ(buffer[114], byte_at('a', A_BYTES - 1));
    CHECK_EQ(buffer[115], 0xee);
    CHECK_EQ(buffer[200], 0xee);
    submit(a, A_BYTES + 1, 10, 10);
    expect_now(10, 0);
    play_platform_finish(&world);
    arena_free(&arena);
}

static void invalid_files_are_refused(void)
{
    spn_platform_file_info info = {0};
    spn_platform_file a;
    char none[520];

    start(1);
    snprintf(none, sizeof none, "%s/none", test_temp());
    CHECK_EQ(table.file_open(table.user, none, &info), SPN_ERR_NOT_FOUND);
    a = open_file(a_path).file;
    CHECK_EQ(table.file_open(table.user, b_path, &info), SPN_ERR_IO);
    /* The other file stays open. */
    table.file_close(table.user, a);
    CHECK_EQ_U(open_file(a_path).file, a);
    play_platform_finish(&world);
    arena_free(&arena);
}

static void the_clock_is_the_callers(void)
{
    start(1);
    CHECK_EQ_U(table.now_us(table.user), 0);
    world.disc.clock_us = 12345;
    CHECK_EQ_U(table.now_us(table.user), 12345);
    CHECK(table.thread_start == NULL);
    play_platform_finish(&world);
    arena_free(&arena);
}

static void log_lines_become_warnings(void)
{
    start(1);
    table.log(table.user, SPN_LOG_ERROR, "no room");
    CHECK_EQ(diag.warning_count, 1);
    CHECK_EQ(diag.code, EXIT_DONE);
    play_platform_finish(&world);
    arena_free(&arena);
}

/* -- the constant drive -- */

static void drive_takes_seek_and_transfer(void)
{
    spn_platform_file a;

    start_constant();
    a = open_file(a_path).file;
    submit(a, 1000, 500, 7);
    expect_at(100 + 500, 7, 500);
    CHECK_EQ(buffer[0], byte_at('a', 1000));
    end();
}

static void drive_does_not_seek_to_its_own_position(void)
{
    spn_platform_file a;
    spn_platform_file b;

    start_constant();
    a = open_file(a_path).file;
    b = open_file(b_path).file;
    CHECK_EQ_U(open_file(b_path).disc_offset, 3 * SECTOR);
    submit(a, 0, 500, 1);
    expect_at(600, 1, 500);
    submit(a, 500, 100, 2);
    expect_at(700, 2, 100);
    submit(a, 500, 100, 3); /* backwards */
    expect_at(900, 3, 100);
    /* The head has positions on the disc, not in files. */
    submit(b, 0, 60, 4);
    expect_at(1060, 4, 60);
    submit(b, 60, 40, 5);
    expect_at(1100, 5, 40);
    end();
}

static void drive_takes_the_rate_and_seek_of_the_options(void)
{
    spn_platform_file a;

    start_drive(&(struct play_options){.is_virtual = true,
                                       .disc_rate = 4000,
                                       .seek_ms = 60000,
                                       .file_count = 2});
    a = open_file(a_path).file;
    submit(a, 0, 4000, 1);
    expect_at(60000001, 1, 4000);
    end();
    start_drive(&(struct play_options){
        .is_virtual = true, .disc_rate = 0.001, .seek_ms = 0, .file_count = 2});
    a = open_file(a_path).file;
    submit(a, 0, 4000, 1);
    expect_at(4000000, 1, 4000);
    submit(a, 4000, 10, 2);
    expect_at(4010000, 2, 10);
    end();
}

static void drives_count_their_work_during_the_run(void)
{
    struct play_report report = {0};
    spn_platform_file a;

    start_constant();
    a = open_file(a_path).file;
    submit(a, 0, 500, 1);
    expect_at(600, 1, 500);
    play_drive_begin(&drive);
    submit(a, 1000, 30, 2);
    expect_at(730, 2, 30);
    submit(a, 2000, 40, 3);
    expect_at(870, 3, 40);
    play_drive_collect(&drive, &report);
    CHECK(report.has_drive);
    CHECK_STR(report.drive_name, "constant");
    CHECK_EQ_U(report.drive.reads, 2);
    CHECK_EQ_U(report.drive.bytes, 70);
    CHECK_EQ_U(report.drive.seeks, 2);
    CHECK_EQ_U(report.drive.seek_us, 200);
    CHECK_EQ_U(report.drive.transfer_us, 70);
    CHECK_EQ_U(report.drive.busy_us, 270);
    CHECK_EQ_U(report.drive.rotate_us + report.drive.command_us +
                   report.drive.gap_us + report.drive.retry_us +
                   report.drive.spin_us + report.drive.wait_us +
                   report.drive.retries + report.drive.buffer_hits +
                   report.drive.failed,
               0);
    end();
}

/* -- other drives -- */

static void drives_exist_only_when_named(void)
{
    struct play_options options = {.file_count = 2};
    struct play_report report = {0};

    start_drive(&options);
    CHECK(drive.emulator == NULL);
    CHECK_EQ_U(play_drive_due_us(&drive), UINT64_MAX);
    play_drive_begin(&drive);
    play_drive_collect(&drive, &report);
    CHECK(!report.has_drive);
    end();
    options.drive = "wii_dvd6x";
    start_drive(&options);
    CHECK(drive.emulator != NULL);
    CHECK_STR(drive.profile.name, "wii_dvd6x");
    end();
    options.drive = "wii_dvd8x";
    start(2);
    memset(&drive, 0, sizeof drive);
    CHECK(!play_drive_start(&drive, &options, &no_paks, 0, &arena, &table,
                            &diag));
    CHECK(strstr(diag.text, "wii_dvd6x") != NULL);
    end();
}

static void drives_have_the_layout_of_the_options(void)
{
    struct play_options options = {.drive = "wii_dvd6x", .file_count = 2};
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/layout", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs("123456 b\n777 *\n", file);
    fclose(file);
    options.disc_layout = path;
    start_drive(&options);
    CHECK_EQ_U(open_file(b_path).disc_offset, 123456);
    CHECK_EQ_U(open_file(a_path).disc_offset, 777);
    end();
    options.disc_layout = "none";
    start(2);
    memset(&drive, 0, sizeof drive);
    CHECK(!play_drive_start(&drive, &options, &no_paks, 0, &arena, &table,
                            &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    end();
}

TEST_MAIN(TEST(reads_give_the_files_bytes_at_once),
          TEST(invalid_files_are_refused), TEST(the_clock_is_the_callers),
          TEST(log_lines_become_warnings), TEST(drive_takes_seek_and_transfer),
          TEST(drive_does_not_seek_to_its_own_position),
          TEST(drive_takes_the_rate_and_seek_of_the_options),
          TEST(drives_count_their_work_during_the_run),
          TEST(drives_exist_only_when_named),
          TEST(drives_have_the_layout_of_the_options))
