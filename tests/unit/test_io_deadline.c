/* test_io_deadline.c
 *
 * Goal: a medium with a drive profile is read in the order of the deadline
 *   scheduler. Neighbouring reads are coalesced into one run, and each read of
 *   a run ends as it would alone, in every case. The errors of the drive's
 *   predictions are learnt.
 * Method: the engine on a disc that logs its commands.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_deadline.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/io_finish.h"
#include "read/stage/read_check.h"
#include "schedule/deadline_waiting.h"
#include "support/io_rig.h"

#include <string.h>

#define READS 24u
#define BYTES_MAX 90112u
#define KIB 1024u

static struct rig rig;
static struct rig_read reads[READS];
static _Alignas(4096) uint8_t buffers[READS][BYTES_MAX + 4096];
static spn_file file_a;

static void open_with(uint32_t piece_bytes, uint32_t align_bytes)
{
    struct rig_config config = {
        .read_count = READS, .job_capacity = READS, .piece_bytes = piece_bytes};

    config.media[SPN_MEDIUM_HARD_DISK].drive =
        spn_drive_profile_find("x360_dvd12x");
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_DEADLINE;
    rig_open(&rig, &config);
    rig.slow.align_bytes = align_bytes;
    rig.slow.command_us = 1000;
    file_a = rig_file(&rig, "a");
}

/* Memory has the alignment of the file. */
static spn_read_desc describe(uint32_t i, uint64_t offset, uint64_t bytes)
{
    return rig_desc(&rig, &reads[i], file_a, offset, bytes,
                    buffers[i] + offset % 4096);
}

static void begin(uint32_t i, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc = describe(i, offset, bytes);

    rig_start(&rig, &desc, &reads[i]);
}

static spn_medium_stats stats_of(void)
{
    spn_medium_stats stats;

    spn__io_get_medium_stats(rig.io, SPN_MEDIUM_HARD_DISK, &stats);
    return stats;
}

/* Occupy the device with read `i`, so that reads started now wait. */
static void occupy(uint32_t i)
{
    begin(i, 0, 1);
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.reads, 1);
}

/* -- the order -- */

static void io_deadline_serves_reads_out_of_key_order(void)
{
    spn_read_desc desc;

    open_with(64 * KIB, 1);
    CHECK_EQ(stats_of().order, SPN_ORDER_DEADLINE);
    occupy(0);
    /* Each read has its own file, so that they are not coalesced. By the key
     * the read of "a" would be first, because it has the lowest place, but it
     * may wait. */
    desc = describe(1, 500000, 100);
    desc.deadline_us = rig.slow.clock_us + 60000000;
    rig_start(&rig, &desc, &reads[1]);
    desc = rig_desc(&rig, &reads[2], rig_file(&rig, "b"), 0, 100, buffers[2]);
    desc.deadline_us = rig.slow.clock_us + 60000000;
    rig_start(&rig, &desc, &reads[2]);
    desc = rig_desc(&rig, &reads[3], rig_file(&rig, "c"), 0, 100, buffers[3]);
    desc.task = SPN_TASK_SOUND;
    desc.deadline_us = rig.slow.clock_us + 100000;
    rig_start(&rig, &desc, &reads[3]);
    rig_run(&rig);
    CHECK_EQ(reads[3].place, 2);
    CHECK_EQ(rig.slow.log[1].file, 2);
    rig_close(&rig);
}

static void io_deadline_is_chosen_for_each_medium(void)
{
    struct rig_config config = {.read_count = READS};
    spn_medium_stats stats;

    config.media[SPN_MEDIUM_OPTICAL].drive = spn_drive_profile_at(0);
    config.media[SPN_MEDIUM_OPTICAL].order = SPN_ORDER_DEADLINE;
    config.media[SPN_MEDIUM_HARD_DISK].drive = spn_drive_profile_at(0);
    config.media[SPN_MEDIUM_HARD_DISK].order = SPN_ORDER_SORT_KEY;
    rig_open(&rig, &config);
    spn__io_get_medium_stats(rig.io, SPN_MEDIUM_OPTICAL, &stats);
    CHECK_EQ(stats.order, SPN_ORDER_DEADLINE);
    spn__io_get_medium_stats(rig.io, SPN_MEDIUM_HARD_DISK, &stats);
    CHECK_EQ(stats.order, SPN_ORDER_SORT_KEY);
    spn__io_get_medium_stats(rig.io, SPN_MEDIUM_MEMORY, &stats);
    CHECK_EQ(stats.order, SPN_ORDER_SORT_KEY);
    rig_close(&rig);
}

/* An idle read of any type is bulk and has no deadline unless it states one.
 * Other reads have a deadline, which is not before their start. */
static void io_deadline_gives_reads_a_deadline(void)
{
    static const struct {
        spn_task task;
        uint32_t after_ms;
    } cases[] = {{SPN_TASK_SOUND, 400},
                 {SPN_TASK_ANIMATION, 2500},
                 {SPN_TASK_VIDEO, 6000},
                 {SPN_TASK_TEXTURE, 6000}};

    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t own = 0; own < 5; own++) {
            static const uint64_t deadlines_us[] = {0, 777777, 0, 499, 888888};
            spn_read_desc desc;
            const struct deadline_item *item;
            uint32_t index;

            test_context("case %u, %u", c, own);
            open_with(64 * KIB, 1);
            occupy(0);
            rig.slow.clock_us = 500;
            desc = describe(1, 500000, 100);
            desc.task = cases[c].task;
            desc.deadline_us = deadlines_us[own];
            desc.priority = own % 2 == 0 && own > 0 ? SPN_PRIORITY_IDLE
                                                    : SPN_PRIORITY_NORMAL;
            rig_start(&rig, &desc, &reads[1]);
            rig_step_io(&rig);
            index = reads[1].handle & READ_INDEX_MASK;
            item = &rig.io->pool->items[index];
            CHECK_EQ_U(item->arrival_us, 500);
            if (own == 0)
                CHECK_EQ_U(item->deadline_us, 500 + 1000 * cases[c].after_ms);
            if (own == 1)
                CHECK_EQ_U(item->deadline_us, 777777);
            if (own == 2)
                CHECK_EQ_U(item->deadline_us, UINT64_MAX);
            if (own == 3)
                CHECK_EQ_U(item->deadline_us, 500);
            if (own == 4)
                CHECK_EQ_U(item->deadline_us, 888888);
            if (own == 2 || own == 4)
                CHECK_EQ(item->class, DEADLINE_BULK);
            rig_close(&rig);
        }
}

/* -- runs -- */

/* Start reads 1 to 3, which are near each other and not in order. Two
 * overlap. */
static void begin_three(void)
{
    begin(2, 160000, 5000);
    begin(1, 100000, 20000);
    begin(3, 162000, 10000);
}

static void check_three(void)
{
    rig_check_bytes(&reads[1], 0, 100000, 20000);
    rig_check_bytes(&reads[2], 0, 160000, 5000);
    rig_check_bytes(&reads[3], 0, 162000, 10000);
}

static void io_deadline_reads_neighbours_in_one_run(void)
{
    static const uint32_t aligns[] = {1, 512, 2048, 4096};

    for (uint32_t a = 0; a < 4; a++) {
        spn_medium_stats stats;

        test_context("aligned to %u", aligns[a]);
        open_with(64 * KIB, aligns[a]);
        occupy(0);
        begin_three();
        rig_run(&rig);
        check_three();
        CHECK_EQ(rig.slow.reads, 2);
        stats = stats_of();
        CHECK_EQ_U(stats.total.coalesced, 2);
        CHECK_EQ_U(stats.total.pieces, 2);
        CHECK_EQ_U(stats.total.reads, 4);
        if (aligns[a] == 1) {
            CHECK_EQ_U(stats.total.gap_bytes, 40000);
            CHECK_EQ_U(stats.total.bytes, 1 + 32000);
        }
        /* The runs are in order of place. */
        CHECK(reads[1].place < reads[2].place);
        CHECK(reads[2].place < reads[3].place);
        rig_close(&rig);
    }
}

static void io_deadline_coalesces_long_reads_piece_by_piece(void)
{
    open_with(16 * KIB, 1);
    occupy(0);
    begin(1, 100000, 40000);
    begin(2, 150000, 50000);
    begin(3, 145000, 1000);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 100000, 40000);
    rig_check_bytes(&reads[2], 0, 150000, 50000);
    rig_check_bytes(&reads[3], 0, 145000, 1000);
    /* No byte is read twice, and the head never moves back. */
    for (uint32_t i = 2; i < rig.slow.reads; i++)
        CHECK(rig.slow.log[i].offset >=
              rig.slow.log[i - 1].offset + rig.slow.log[i - 1].bytes);
    CHECK(stats_of().total.coalesced >= 2);
    rig_close(&rig);
}

/* Reads of the same bytes, of any length, and one read that lies in both. The
 * device reads each byte once. */
static void io_deadline_reads_shared_bytes_once(void)
{
    static const uint32_t aligns[] = {1, 2048};

    for (uint32_t a = 0; a < 2; a++) {
        uint64_t bytes = 0;

        open_with(16 * KIB, aligns[a]);
        occupy(0);
        begin(1, 98304, 80 * KIB);
        begin(2, 98304, 80 * KIB);
        begin(3, 98304 + 4096, 70 * KIB);
        rig_run(&rig);
        rig_check_bytes(&reads[1], 0, 98304, 80 * KIB);
        rig_check_bytes(&reads[2], 0, 98304, 80 * KIB);
        rig_check_bytes(&reads[3], 0, 98304 + 4096, 70 * KIB);
        for (uint32_t i = 1; i < rig.slow.reads; i++)
            bytes += rig.slow.log[i].bytes;
        CHECK_EQ_U(bytes, 80 * KIB);
        rig_close(&rig);
    }
}

/* The drive's blocks have 32 KiB. The file lies at the start of the disc. */
static void io_deadline_cuts_pieces_where_blocks_end(void)
{
    static const uint32_t aligns[] = {1, 2048};

    for (uint32_t a = 0; a < 2; a++) {
        open_with(64 * KIB, aligns[a]);
        occupy(0);
        begin(1, 104448, 80 * KIB);
        begin(2, 104448 + 80 * KIB, 80 * KIB);
        rig_run(&rig);
        rig_check_bytes(&reads[1], 0, 104448, 80 * KIB);
        rig_check_bytes(&reads[2], 0, 104448 + 80 * KIB, 80 * KIB);
        CHECK_EQ(rig.slow.reads, 4);
        CHECK_EQ_U(
            (rig.slow.log[1].offset + rig.slow.log[1].bytes) % (32 * KIB), 0);
        CHECK_EQ_U(
            (rig.slow.log[2].offset + rig.slow.log[2].bytes) % (32 * KIB), 0);
        rig_close(&rig);
    }
}

static void io_deadline_coalesces_only_reads_of_one_file(void)
{
    spn_read_desc desc;

    open_with(64 * KIB, 1);
    occupy(0);
    begin(1, RIG_FILE_BYTES - 1000, 1000);
    desc = rig_desc(&rig, &reads[2], rig_file(&rig, "b"), 0, 1000, buffers[2]);
    rig_start(&rig, &desc, &reads[2]);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, RIG_FILE_BYTES - 1000, 1000);
    rig_check_bytes(&reads[2], 1, 0, 1000);
    CHECK_EQ(rig.slow.reads, 3);
    CHECK_EQ_U(stats_of().total.coalesced, 0);
    rig_close(&rig);
}

/* -- outcomes of runs -- */

/* The bad byte lies in read 2 or in the gap. */
static void io_deadline_takes_a_failed_run_apart(void)
{
    static const enum slow_kind kinds[] = {SLOW_ERROR, SLOW_REFUSE};

    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t is_gap = 0; is_gap < 2; is_gap++) {
            struct slow_fault fault = {.kind = kinds[k],
                                       .path = "a",
                                       .offset = is_gap ? 130000 : 160001,
                                       .bytes = 1};

            test_context("kind %u, gap %u", k, is_gap);
            open_with(64 * KIB, 1);
            occupy(0);
            begin_three();
            slow_platform_fault(&rig.slow, &fault);
            rig_run(&rig);
            rig_check_bytes(&reads[1], 0, 100000, 20000);
            rig_check_bytes(&reads[3], 0, 162000, 10000);
            if (is_gap) {
                rig_check_bytes(&reads[2], 0, 160000, 5000);
                CHECK_EQ(rig.slow.reads, 5);
            } else {
                rig_check(&reads[2], SPN_ERR_IO);
                CHECK_EQ_U(reads[2].bytes, 0);
            }
            CHECK_EQ_U(stats_of().total.gap_bytes, 0);
            rig_close(&rig);
        }
}

static void io_deadline_keeps_the_bytes_of_a_short_run(void)
{
    for (uint64_t arrived = 0; arrived <= 72000; arrived += 1000) {
        struct slow_fault fault = {
            .kind = SLOW_SHORT, .nth = 2, .value = arrived};

        test_context("%u bytes", (unsigned)arrived);
        open_with(64 * KIB, 1);
        slow_platform_fault(&rig.slow, &fault);
        occupy(0);
        begin_three();
        rig_run(&rig);
        check_three();
        CHECK_EQ(rig.slow.reads, arrived < 20000   ? 5
                                 : arrived < 65000 ? 4
                                 : arrived < 72000 ? 3
                                                   : 2);
        rig_close(&rig);
    }
}

static void io_deadline_ends_aborted_reads_of_a_run(void)
{
    for (uint32_t mask = 1; mask < 8; mask++) {
        test_context("mask %u", mask);
        open_with(64 * KIB, 1);
        occupy(0);
        begin_three();
        CHECK(slow_platform_advance(&rig.slow));
        rig_step_io(&rig);
        CHECK_EQ(rig.slow.reads, 2);
        for (uint32_t i = 0; i < 3; i++)
            if (mask >> i & 1)
                CHECK_EQ(spn__io_abort(rig.io, reads[1 + i].handle), SPN_OK);
        rig_step_io(&rig);
        /* The device's read is cancelled only if all its reads are aborted. */
        CHECK_EQ(rig.slow.cancels, mask == 7);
        for (uint32_t i = 0; i < 3; i++)
            CHECK_EQ(spn__io_poll(rig.io, reads[1 + i].handle), SPN_PENDING);
        rig_run(&rig);
        CHECK_EQ(rig.slow.reads, 2);
        for (uint32_t i = 0; i < 3; i++)
            if (mask >> i & 1)
                rig_check(&reads[1 + i], SPN_ERR_ABORTED);
            else
                CHECK_EQ(reads[1 + i].status, SPN_OK);
        rig_close(&rig);
    }
}

static void io_deadline_ends_a_run_at_shutdown(void)
{
    open_with(64 * KIB, 1);
    occupy(0);
    begin_three();
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    for (uint32_t i = 1; i <= 3; i++)
        rig_check(&reads[i], SPN_ERR_SHUTDOWN);
    CHECK_EQ(rig.slow.cancels, 1);
    rig_close(&rig);
}

/* The run in progress still delivers its bytes. The rest of its longer read
 * waits. */
static void io_deadline_pauses_the_rest_of_a_run(void)
{
    spn_read_desc desc;

    open_with(16 * KIB, 1);
    occupy(0);
    begin(1, 100000, 5000);
    desc = describe(2, 110000, 30000);
    desc.task = SPN_TASK_TEXTURE;
    rig_start(&rig, &desc, &reads[2]);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 100000, 5000);
    CHECK_EQ(reads[2].done_count, 0);
    CHECK_EQ(rig.slow.reads, 2);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
    rig_run(&rig);
    rig_check_bytes(&reads[2], 0, 110000, 30000);
    CHECK_EQ(rig.slow.reads, 4);
    CHECK_EQ_U(rig.slow.log[2].offset, 110000 + 16 * KIB - 5000);
    rig_close(&rig);
}

static void io_deadline_lets_urgent_reads_interrupt(void)
{
    spn_read_desc desc;

    open_with(16 * KIB, 1);
    occupy(0);
    begin(1, 100000, 60000);
    begin(2, 165000, 60000);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.reads, 2);
    desc = describe(3, 800000, 100);
    desc.priority = SPN_PRIORITY_URGENT;
    rig_start(&rig, &desc, &reads[3]);
    rig_run(&rig);
    CHECK_EQ_U(rig.slow.log[2].offset, 800000);
    CHECK_EQ_U(rig.slow.log[3].offset, 100000 + 16 * KIB);
    CHECK_EQ(reads[3].place, 2);
    rig_check_bytes(&reads[1], 0, 100000, 60000);
    rig_check_bytes(&reads[2], 0, 165000, 60000);
    rig_close(&rig);
}

static spn_status answers[READS];

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct rig_read *read = want->user;
    uint32_t i = (uint32_t)(read - reads);

    *buffer = buffers[i];
    read->buffer = answers[i] == SPN_OK ? buffers[i] : NULL;
    return answers[i];
}

static void begin_with_storage(uint32_t i, uint64_t offset, uint64_t bytes,
                               spn_status answer)
{
    spn_read_desc desc = describe(i, offset, bytes);

    desc.buffer = NULL;
    desc.buffer_bytes = 0;
    desc.on_storage = give;
    reads[i].buffer = NULL;
    answers[i] = answer;
    rig_start(&rig, &desc, &reads[i]);
}

static void io_deadline_requests_storage_before_a_run(void)
{
    open_with(64 * KIB, 1);
    occupy(0);
    begin_with_storage(1, 100000, 1000, SPN_OK);
    begin_with_storage(2, 102000, 1000, SPN_NO_MEMORY_NOW);
    begin_with_storage(3, 104000, 1000, SPN_ERR_MEMORY);
    begin_with_storage(4, 106000, 1000, SPN_OK);
    begin(5, 107000, 0); /* to the end of the file, which exceeds the buffer */
    begin(6, RIG_FILE_BYTES - 10, 11);
    begin(7, RIG_FILE_BYTES + 1, 1);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 100000, 1000);
    rig_check_bytes(&reads[4], 0, 106000, 1000);
    rig_check(&reads[3], SPN_ERR_MEMORY);
    for (uint32_t i = 5; i <= 7; i++)
        rig_check(&reads[i], SPN_ERR_RANGE);
    CHECK_EQ(reads[2].done_count, 0);
    CHECK_EQ(rig.slow.reads, 2);
    answers[2] = SPN_OK;
    spn__io_retry_storage(rig.io, true);
    rig_run(&rig);
    rig_check_bytes(&reads[2], 0, 102000, 1000);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    rig_close(&rig);
}

/* -- learning -- */

/* Seeks take 300 ms instead of some 40 ms of the profile, one after the
 * other. */
static void read_scattered(uint32_t count)
{
    rig.slow.command_us = 0;
    rig.slow.seek_us = 300000;
    for (uint32_t i = 0; i < count; i++) {
        spn_read_desc desc;

        rig_run(&rig);
        /* Two reads at a time, in different files, so that the device is never
         * idle between them. */
        desc = rig_desc(&rig, &reads[0], rig_file(&rig, "a"), 1000, 1000,
                        buffers[0]);
        rig_start(&rig, &desc, &reads[0]);
        desc = rig_desc(&rig, &reads[1], rig_file(&rig, "c"), 900000, 1000,
                        buffers[1]);
        rig_start(&rig, &desc, &reads[1]);
        rig_run(&rig);
        CHECK_EQ(spn__io_file_close(rig.io, desc.file), SPN_OK);
        rig_step_io(&rig);
    }
}

static void io_deadline_learns_seek_times(void)
{
    spn_medium_stats stats;

    open_with(64 * KIB, 1);
    stats = stats_of();
    for (uint32_t i = 0; i < SPN_DRIVE_DISTANCES; i++)
        CHECK_EQ(stats.errors.seek_us[i], 0);
    CHECK_EQ(stats.errors.transfer_permille, 0);
    read_scattered(3);
    stats = stats_of();
    CHECK(stats.errors.seek_us[0] > 10000);
    for (uint32_t i = 1; i < SPN_DRIVE_DISTANCES; i++)
        CHECK_EQ(stats.errors.seek_us[i], 0);
    rig_close(&rig);
}

static void io_deadline_learns_nothing_from_failed_reads(void)
{
    struct slow_fault fault = {.kind = SLOW_ERROR};

    open_with(64 * KIB, 1);
    slow_platform_fault(&rig.slow, &fault);
    read_scattered(3);
    CHECK_EQ(stats_of().errors.seek_us[0], 0);
    CHECK_EQ(stats_of().errors.transfer_permille, 0);
    rig_close(&rig);
}

/* spn__read_check covers the scheduler of each medium. */
static void io_deadline_check_finds_damage(void)
{
    struct io_deadline *s;

    open_with(64 * KIB, 1);
    occupy(0);
    begin(1, 200 * KIB, 4096);
    rig_step_io(&rig);
    s = rig.io->media[SPN_MEDIUM_HARD_DISK].scheduler;
    CHECK_EQ(s->waiting.count, 1);
    CHECK(!spn__read_check(rig.io));
    s->waiting.count++;
    CHECK(spn__read_check(rig.io) != NULL);
    s->waiting.count--;
    s->scheduler.since_idle += 100;
    CHECK(spn__read_check(rig.io) != NULL);
    s->scheduler.since_idle -= 100;
    CHECK(!spn__read_check(rig.io));
    rig_run(&rig);
    rig_close(&rig);
}

TEST_MAIN(TEST(io_deadline_serves_reads_out_of_key_order),
          TEST(io_deadline_is_chosen_for_each_medium),
          TEST(io_deadline_gives_reads_a_deadline),
          TEST(io_deadline_reads_neighbours_in_one_run),
          TEST(io_deadline_coalesces_long_reads_piece_by_piece),
          TEST(io_deadline_reads_shared_bytes_once),
          TEST(io_deadline_cuts_pieces_where_blocks_end),
          TEST(io_deadline_coalesces_only_reads_of_one_file),
          TEST(io_deadline_takes_a_failed_run_apart),
          TEST(io_deadline_keeps_the_bytes_of_a_short_run),
          TEST(io_deadline_ends_aborted_reads_of_a_run),
          TEST(io_deadline_ends_a_run_at_shutdown),
          TEST(io_deadline_pauses_the_rest_of_a_run),
          TEST(io_deadline_lets_urgent_reads_interrupt),
          TEST(io_deadline_requests_storage_before_a_run),
          TEST(io_deadline_learns_seek_times),
          TEST(io_deadline_learns_nothing_from_failed_reads),
          TEST(io_deadline_check_finds_damage))
