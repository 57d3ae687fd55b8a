/* test_io_media.c
 *
 * Goal: each medium has a queue, an order and a read of its own, and waits
 *   for no other. Data in memory never reaches the platform's reads.
 * Method: the three files of the fixture on three media, with drives of
 *   different speeds; the disc's log.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "observe/pace.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/step.h"
#include "support/io_fixture.h"

#include <string.h>

static spn_file optical; /* "a" */
static spn_file disk;    /* "b" */
static spn_file memory;  /* "c" */

static void open_rig(uint32_t piece_bytes)
{
    rig_open(&rig, &(struct rig_config){.piece_bytes = piece_bytes,
                                        .read_count = 32});
    slow_platform_place(&rig.slow, "a", SPN_MEDIUM_OPTICAL);
    slow_platform_place(&rig.slow, "c", SPN_MEDIUM_MEMORY);
    optical = rig_file(&rig, "a");
    disk = rig_file(&rig, "b");
    memory = rig_file(&rig, "c");
}

/* Open the rig and the files, clear the log, and slow the drives down. */
static void open_slow_rig(void)
{
    open_rig(4096);
    begin_normal(29, optical, 0, 1);
    begin_normal(30, disk, 0, 1);
    begin_normal(31, memory, 0, 1);
    rig_run(&rig);
    rig.slow.reads = 0;
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 100000;
    rig.slow.medium_us[SPN_MEDIUM_HARD_DISK] = 1000;
}

/* Run until no read in progress ends before `until_us`. */
static void run_until(uint64_t until_us)
{
    for (;;) {
        while (rig_step(&rig)) {
        }
        if (slow_platform_due_us(&rig.slow) > until_us)
            return;
        CHECK(slow_platform_advance(&rig.slow));
    }
}

static void a_slow_drive_delays_no_other_medium(void)
{
    uint64_t start_us;

    open_slow_rig();
    start_us = rig.slow.clock_us;
    begin_of(0, optical, 50000, 100, SPN_PRIORITY_URGENT);
    rig_step_io(&rig); /* takes 100 ms at the drive */
    for (uint32_t i = 1; i < 20; i++)
        begin_of(i, i % 2 ? disk : memory, i * 1000, 5000, SPN_PRIORITY_IDLE);
    run_until(start_us + 99999);
    CHECK_EQ(reads[0].done_count, 0);
    for (uint32_t i = 1; i < 20; i++)
        rig_check_bytes(&reads[i], i % 2 ? 1 : 2, i * 1000, 5000);
    /* Each of the ten reads of the disk takes two pieces. */
    CHECK_EQ_U(rig.slow.clock_us - start_us, 20000);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 50000, 100);
    CHECK_EQ_U(rig.slow.clock_us - start_us, 100000);
    rig_close(&rig);
}

static void media_are_read_side_by_side(void)
{
    uint64_t start_us;

    open_slow_rig();
    start_us = rig.slow.clock_us;
    for (uint32_t i = 0; i < 8; i++)
        begin_normal(i, i < 4 ? optical : disk, i * 5000, 100);
    rig.slow.medium_us[SPN_MEDIUM_HARD_DISK] = 100000;
    rig_run(&rig);
    CHECK_EQ_U(rig.slow.clock_us - start_us, 400000);
    rig_close(&rig);
}

/* The medium of a file that was never opened is unknown, so a busy drive does
 * not delay its opening. */
static void media_files_are_opened_while_a_drive_is_busy(void)
{
    uint64_t start_us;

    open_rig(4096);
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 100000;
    start_us = rig.slow.clock_us;
    begin_of(0, optical, 0, 100, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.opens, 1);
    begin_of(1, disk, 0, 100, SPN_PRIORITY_IDLE);
    begin_of(2, memory, 0, 100, SPN_PRIORITY_IDLE);
    run_until(start_us + 50000);
    rig_check_bytes(&reads[1], 1, 0, 100);
    rig_check_bytes(&reads[2], 2, 0, 100);
    CHECK_EQ(reads[0].done_count, 0);
    rig_close(&rig);
}

/* Opening may take long, so more pressing reads go to their drive first. */
static void media_files_are_opened_in_order_of_priority(void)
{
    uint64_t due_us;

    for (uint32_t is_equal = 0; is_equal < 2; is_equal++) {
        open_rig(4096);
        begin_normal(0, optical, 0, 1);
        rig_run(&rig);
        rig.slow.command_us = 100;
        rig.slow.reads = 0;
        begin_of(1, optical, 5000, 100,
                 is_equal ? SPN_PRIORITY_IDLE : SPN_PRIORITY_BELOW_NORMAL);
        begin_of(2, disk, 0, 100, SPN_PRIORITY_IDLE);
        CHECK(spn__io_step(rig.io, &due_us));
        CHECK_EQ(rig.slow.reads, is_equal ? 0 : 1);
        CHECK_EQ(rig.slow.opens, 2);
        rig_run(&rig);
        rig_check_bytes(&reads[1], 0, 5000, 100);
        rig_check_bytes(&reads[2], 1, 0, 100);
        rig_close(&rig);
    }
}

/* Many pressing reads on a drive that answers at once. Files are still opened,
 * one at a time. */
static void media_files_are_opened_despite_pressing_reads(void)
{
    uint64_t due_us;

    open_rig(4096);
    begin_normal(0, optical, 0, 1);
    rig_run(&rig);
    for (uint32_t i = 0; i < 20; i++)
        begin_of(i, optical, i * 5000, 4 * 4096, SPN_PRIORITY_URGENT);
    begin_of(20, disk, 0, 100, SPN_PRIORITY_IDLE);
    for (uint32_t i = 0; i < 10; i++)
        spn__io_step(rig.io, &due_us);
    CHECK(rig.slow.opens == 2);
    CHECK_EQ(spn__io_poll(rig.io, reads[20].handle), SPN_OK);
    CHECK_EQ(spn__io_poll(rig.io, reads[19].handle), SPN_PENDING);
    rig_close(&rig);
}

static void media_memory_is_not_read_through_the_platform(void)
{
    static const uint64_t lengths[] = {1, 100, 4095, 4096, 4097, 100000};

    open_rig(8192);
    rig.slow.align_bytes = 4096; /* has no effect on memory */
    for (uint32_t i = 0; i < 6; i++) {
        begin_normal(i, memory, 333 + i, lengths[i]);
        rig_run(&rig);
        rig_check_bytes(&reads[i], 2, 333 + i, lengths[i]);
    }
    begin_normal(6, memory, RIG_FILE_BYTES - 10, 11);
    begin_normal(7, memory, RIG_FILE_BYTES, 1);
    begin_normal(8, memory, RIG_FILE_BYTES - 10, 10);
    rig_run(&rig);
    rig_check(&reads[6], SPN_ERR_RANGE);
    rig_check(&reads[7], SPN_ERR_RANGE);
    rig_check_bytes(&reads[8], 2, RIG_FILE_BYTES - 10, 10);
    CHECK_EQ(rig.slow.reads, 0);
    CHECK_EQ(rig.slow.invalidates, 0);
    CHECK_EQ(rig.slow.flushes, 0);
    CHECK_EQ(rig.slow.opens, 1);
    rig_close(&rig);
}

struct ending {
    uint32_t count;
    spn_status status;
    uint64_t bytes;
};

static void on_block(void *context, uint32_t argument,
                     const struct io_result *result)
{
    struct ending *ending = context;

    CHECK_EQ(argument, 5);
    ending->count++;
    ending->status = result->status;
    ending->bytes = result->bytes;
}

/* Bytes are copied directly into the extents of a heap block, across their
 * borders. */
static void media_memory_is_scattered_like_any_other(void)
{
    struct ending ending = {0};
    struct io_read read;
    heap_handle block;
    spn_read handle;
    uint32_t at = 0;

    open_rig(8192);
    CHECK_EQ(spn__heap_alloc(&rig.heap, 50000, 4096, HEAP_TAG_READ, &block),
             SPN_OK);
    memset(&read, 0, sizeof read);
    read.file = memory;
    read.offset = 1234;
    read.bytes = 49990;
    read.block = block;
    read.block_offset = 10;
    read.priority = SPN_PRIORITY_NORMAL;
    read.task = SPN_TASK_GEOM_CACHE;
    read.on_done = on_block;
    read.context = &ending;
    read.argument = 5;
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(ending.count, 1);
    CHECK_EQ(ending.status, SPN_OK);
    CHECK_EQ_U(ending.bytes, 49990);
    for (uint32_t extent = 0; at < 50000; extent++) {
        uint32_t bytes;
        const uint8_t *data =
            spn__heap_extent(&rig.heap, block, extent, &bytes);

        for (uint32_t i = 0; i < bytes && at < 50000; i++, at++)
            if (at >= 10)
                CHECK_EQ(data[i], rig_byte(2, 1234 + at - 10));
    }
    CHECK_EQ(rig.slow.reads, 0);
    CHECK(spn__heap_free(&rig.heap, block));
    rig_close(&rig);
}

/* A long read of memory is served in pieces too. An urgent read of the same
 * medium comes between. */
static void media_memory_is_served_in_pieces(void)
{
    uint64_t due_us;

    open_rig(4096);
    begin_normal(0, memory, 0, 1);
    rig_run(&rig);
    begin_normal(0, memory, 0, 100000);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(spn__io_step(rig.io, &due_us));
    CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_PENDING);
    begin_of(1, memory, 500, 100, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 2, 0, 100000);
    rig_check_bytes(&reads[1], 2, 500, 100);
    CHECK(reads[1].place < reads[0].place);
    rig_close(&rig);
}

/* An urgent read of one medium does not interrupt a read on another one, and
 * does not raise its class. */
static void media_interrupt_only_their_own_reads(void)
{
    open_slow_rig();
    begin_of(0, disk, 0, 4 * 4096, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    begin_of(1, optical, 0, 100, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.reads, 3);
    begin_of(2, disk, 90000, 100, SPN_PRIORITY_ABOVE_NORMAL);
    run_until(rig.slow.clock_us + 3000);
    CHECK_EQ(reads[2].done_count, 1);
    CHECK_EQ(reads[0].done_count, 0);
    rig_run(&rig);
    CHECK_EQ(reads[2].place, 4);
    CHECK_EQ(reads[0].place, 5);
    CHECK_EQ(reads[1].place, 6);
    rig_close(&rig);
}

/* Each head moves forward on its own medium, independently of the others. */
static void media_have_an_order_each(void)
{
    static const uint64_t expected[2][4] = {{10000, 50000, 90000, 20000},
                                            {30000, 60000, 80000, 5000}};
    uint32_t seen[2] = {0, 0};

    open_slow_rig();
    rig.slow.medium_us[SPN_MEDIUM_HARD_DISK] = 100000;
    begin_normal(0, optical, 10000, 10);
    begin_normal(1, disk, 30000, 10);
    rig_step_io(&rig);
    begin_normal(2, disk, 80000, 10);
    begin_normal(3, optical, 90000, 10);
    begin_normal(4, disk, 60000, 10);
    begin_normal(5, optical, 50000, 10);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* 50000 and 60000 are at the drives */
    CHECK_EQ(rig.slow.reads, 4);
    begin_normal(6, optical, 20000, 10);
    begin_normal(7, disk, 5000, 10);
    rig_run(&rig);
    CHECK_EQ(rig.slow.reads, 8);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t file = rig.slow.log[i].file;

        test_context("read %u of the discs", i);
        CHECK_EQ_U(rig.slow.log[i].offset, expected[file][seen[file]]);
        seen[file]++;
    }
    rig_close(&rig);
}

/* Reads whose file was not open keep their order among equals, although the
 * pressing read that came last has moved the others in the heap. */
static void media_reads_keep_their_order_while_files_open(void)
{
    open_rig(4096);
    for (uint32_t i = 0; i < 7; i++)
        begin_normal(i, disk, 60000, 10);
    begin_of(7, optical, 0, 10, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    CHECK_EQ(reads[7].place, 1);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(reads[i].place, i + 2);
    rig_close(&rig);
}

static spn_platform_file_info false_info;
static spn_status (*honest_open)(void *user, const char *path,
                                 spn_platform_file_info *info);

static spn_status open_with_false_info(void *user, const char *path,
                                       spn_platform_file_info *info)
{
    spn_status status;

    /* Omitted fields have their default. */
    CHECK_EQ(info->medium, 0);
    CHECK(!info->memory);
    status = honest_open(user, path, info);
    info->medium = false_info.medium;
    info->memory = false_info.memory;
    return status;
}

static void media_with_invalid_numbers_are_refused(void)
{
    static const spn_medium wrong[] = {SPN_MEDIUM_COUNT, (spn_medium)-1,
                                       SPN_MEDIUM_MEMORY};
    spn_read_desc desc;

    for (uint32_t i = 0; i < 3; i++) {
        rig_open(&rig, NULL);
        honest_open = rig.slow.table.file_open;
        rig.slow.table.file_open = open_with_false_info;
        false_info.medium = wrong[i];
        disk = rig_file(&rig, "b");
        begin_normal(0, disk, 0, 100);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_PLATFORM);
        /* A read by path does not keep the info of the last file. */
        false_info.medium = SPN_MEDIUM_HARD_DISK;
        desc = rig_desc(&rig, &reads[1], 0, 0, 100, buffers[1]);
        desc.path = "a";
        rig_start(&rig, &desc, &reads[1]);
        rig_run(&rig);
        rig_check_bytes(&reads[1], 0, 0, 100);
        rig_close(&rig);
    }
}

static void the_medium_of_a_file_is_reported(void)
{
    struct file_facts facts = {.medium = SPN_MEDIUM_COUNT};

    open_rig(4096);
    CHECK_EQ(spn__io_file_facts(rig.io, optical, &facts), SPN_PENDING);
    begin_normal(0, optical, 0, 100);
    begin_normal(1, memory, 0, 100);
    rig_run(&rig);
    CHECK_EQ(facts.medium, SPN_MEDIUM_COUNT);
    CHECK_EQ(spn__io_file_facts(rig.io, optical, &facts), SPN_OK);
    CHECK_EQ(facts.medium, SPN_MEDIUM_OPTICAL);
    CHECK_EQ(spn__io_file_facts(rig.io, memory, &facts), SPN_OK);
    CHECK_EQ(facts.medium, SPN_MEDIUM_MEMORY);
    CHECK_EQ(spn__io_file_close(rig.io, memory), SPN_OK);
    CHECK_EQ(spn__io_file_facts(rig.io, memory, &facts), SPN_ERR_HANDLE);
    rig_close(&rig);
}

/* The times of reads are learnt for each medium separately. */
static void media_have_a_pace_each(void)
{
    open_slow_rig();
    begin_normal(0, optical, 100000, 100);
    begin_normal(1, disk, 100000, 100);
    rig_run(&rig);
    CHECK_EQ(spn__io_pace(rig.io, SPN_MEDIUM_OPTICAL)->seek_us, 100000 / 8);
    CHECK_EQ(spn__io_pace(rig.io, SPN_MEDIUM_HARD_DISK)->seek_us, 1000 / 8);
    CHECK_EQ(spn__io_pace(rig.io, SPN_MEDIUM_MEMORY)->seek_us, 0);
    rig_close(&rig);
}

static void media_abort_and_shutdown_reach_all_drives(void)
{
    for (uint32_t is_shutdown = 0; is_shutdown < 2; is_shutdown++) {
        spn_status expected = is_shutdown ? SPN_ERR_SHUTDOWN : SPN_ERR_ABORTED;

        open_slow_rig();
        begin_normal(0, optical, 0, 100);
        begin_normal(1, disk, 0, 100);
        rig_step_io(&rig);
        begin_normal(2, optical, 5000, 100);
        begin_normal(3, disk, 5000, 100);
        begin_normal(4, memory, 5000, 100);
        if (is_shutdown)
            spn__io_shutdown(rig.io);
        else
            for (uint32_t i = 0; i < 5; i++)
                CHECK_EQ(spn__io_abort(rig.io, reads[i].handle), SPN_OK);
        while (rig_step(&rig)) {
        }
        CHECK_EQ(rig.slow.cancels, 2);
        CHECK_EQ(reads[0].done_count + reads[1].done_count, 0);
        for (uint32_t i = 2; i < 5; i++)
            rig_check(&reads[i], expected);
        rig_run(&rig);
        rig_check(&reads[0], expected);
        rig_check(&reads[1], expected);
        rig_close(&rig);
    }
}

TEST_MAIN(TEST(a_slow_drive_delays_no_other_medium),
          TEST(media_are_read_side_by_side),
          TEST(media_files_are_opened_while_a_drive_is_busy),
          TEST(media_files_are_opened_in_order_of_priority),
          TEST(media_files_are_opened_despite_pressing_reads),
          TEST(media_memory_is_not_read_through_the_platform),
          TEST(media_memory_is_scattered_like_any_other),
          TEST(media_memory_is_served_in_pieces),
          TEST(media_interrupt_only_their_own_reads),
          TEST(media_have_an_order_each),
          TEST(media_reads_keep_their_order_while_files_open),
          TEST(media_with_invalid_numbers_are_refused),
          TEST(the_medium_of_a_file_is_reported), TEST(media_have_a_pace_each),
          TEST(media_abort_and_shutdown_reach_all_drives))
