/* test_io_stats.c
 *
 * Goal: the statistics agree with the events, to the microsecond and the
 *   byte: for each medium and type, since the reset and over the last second,
 *   also during a read. When all reads have ended, no current count is left.
 * Method: reads of known cost on a virtual clock, with queries between the
 *   steps.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/io_finish.h"
#include "support/io_rig.h"

#include <string.h>

static struct rig rig;
static struct rig_read reads[16];
static uint8_t buffers[16][100000];
static spn_file optical;
static spn_file disk;
static spn_file memory;
static uint64_t start_us;

static void begin(uint32_t i, spn_file file, spn_task task, uint64_t offset,
                  uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, bytes, buffers[i]);

    desc.task = task;
    rig_start(&rig, &desc, &reads[i]);
}

/* Open the rig at 10 s. Each piece of the optical drive takes 100 ms, of the
 * disk 10 ms. */
static void open_rig(uint32_t piece_bytes)
{
    rig_open(&rig, &(struct rig_config){.piece_bytes = piece_bytes});
    slow_platform_place(&rig.slow, "a", SPN_MEDIUM_OPTICAL);
    slow_platform_place(&rig.slow, "c", SPN_MEDIUM_MEMORY);
    optical = rig_file(&rig, "a");
    disk = rig_file(&rig, "b");
    memory = rig_file(&rig, "c");
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 100000;
    rig.slow.medium_us[SPN_MEDIUM_HARD_DISK] = 10000;
    rig.slow.clock_us = 10000000;
    start_us = rig.slow.clock_us;
    spn__io_reset_stats(rig.io);
}

static spn_medium_stats medium_stats(spn_medium medium)
{
    spn_medium_stats stats;

    memset(&stats, 0x5a, sizeof stats);
    spn__io_get_medium_stats(rig.io, medium, &stats);
    return stats;
}

static spn_task_stats task_stats(spn_task task)
{
    spn_task_stats stats;

    memset(&stats, 0x5a, sizeof stats);
    spn__io_get_task_stats(rig.io, task, &stats);
    return stats;
}

static spn_io_stats all_stats(void)
{
    spn_io_stats stats;

    memset(&stats, 0x5a, sizeof stats);
    spn__io_get_stats(rig.io, &stats);
    return stats;
}

static void stats_begin_with_zero(void)
{
    spn_medium_stats m;
    spn_task_stats t;

    open_rig(8192);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        spn_medium_window nothing = {0};

        m = medium_stats((spn_medium)i);
        CHECK_MEM(&m.total, &nothing, sizeof nothing);
        nothing.elapsed_us = 1000000;
        CHECK_MEM(&m.second, &nothing, sizeof nothing);
        CHECK_EQ(m.waiting, 0);
        CHECK_EQ_U(m.arrival.count, 0);
    }
    for (uint32_t task = 1; task < SPN_TASK_COUNT; task++) {
        t = task_stats((spn_task)task);
        CHECK_EQ(t.open, 0);
        CHECK_EQ_U(t.pending_bytes, 0);
        CHECK_EQ_U(t.total.reads + t.second.reads + t.done + t.failed, 0);
        CHECK_EQ_U(t.completion.count, 0);
    }
    rig_close(&rig);
}

/* Four pieces of 8 KiB from the optical disc take 400 ms. Two of the disk take
 * 20 ms at the same time. */
static void stats_of_media_agree_with_the_drives(void)
{
    spn_medium_stats m;

    open_rig(8192);
    begin(0, optical, SPN_TASK_TEXTURE, 0, 8192 * 4);
    begin(1, disk, SPN_TASK_SOUND, 50000, 10000);
    begin(2, memory, SPN_TASK_OWN, 0, 100);
    rig_run(&rig);
    CHECK_EQ_U(rig.slow.clock_us, start_us + 400000);
    /* continues without a seek */
    begin(0, optical, SPN_TASK_TEXTURE, 8192 * 4, 8192);
    rig_run(&rig);
    begin(0, optical, SPN_TASK_TEXTURE, 0, 8192); /* seeks back */
    rig_run(&rig);
    begin(0, optical, SPN_TASK_TEXTURE, 108192, 8192); /* seeks ahead */
    rig_run(&rig);
    rig.slow.clock_us = start_us + 1000000;
    m = medium_stats(SPN_MEDIUM_OPTICAL);
    CHECK_EQ_U(m.total.elapsed_us, 1000000);
    CHECK_EQ_U(m.total.busy_us, 700000);
    CHECK_EQ_U(m.total.bytes, 7 * 8192);
    CHECK_EQ_U(m.total.reads, 4);
    CHECK_EQ_U(m.total.pieces, 7);
    CHECK_EQ_U(m.total.seeks, 2);
    CHECK_EQ_U(m.total.seek_bytes, 5 * 8192 + 100000);
    CHECK_EQ_U(m.total.busy_permille, 700);
    CHECK_EQ_U(m.total.seek_bytes_mean, (5 * 8192 + 100000) / 2);
    CHECK_EQ_U(m.total.bytes_per_second, 7 * 8192);
    CHECK_EQ_U(m.total.busy_bytes_per_second, 81920);
    CHECK_EQ_U(m.total.reads_mhz, 4000);
    /* The sums over one second agree with the totals. */
    CHECK_MEM(&m.second, &m.total, sizeof m.total);
    CHECK_EQ_U(m.arrival.count, 4);
    CHECK_EQ_U(m.arrival.sum_us, 700000);
    CHECK_EQ_U(m.arrival.mean_us, 175000);
    CHECK_EQ_U(m.arrival.max_us, 400000);
    CHECK_EQ(m.arrival.buckets[17], 3); /* 65536.. */
    CHECK_EQ(m.arrival.buckets[19], 1); /* 262144.. */
    m = medium_stats(SPN_MEDIUM_HARD_DISK);
    CHECK_EQ_U(m.total.busy_us, 20000);
    CHECK_EQ_U(m.total.bytes, 10000);
    CHECK_EQ_U(m.total.seeks, 0);
    CHECK_EQ_U(m.total.busy_bytes_per_second, 500000);
    m = medium_stats(SPN_MEDIUM_MEMORY);
    CHECK_EQ_U(m.total.bytes, 100);
    CHECK_EQ_U(m.total.reads, 1);
    CHECK_EQ_U(m.total.busy_us, 0);
    CHECK_EQ_U(m.total.busy_bytes_per_second, 0);
    CHECK_EQ_U(all_stats().busy_us, 720000);
    CHECK_EQ_U(all_stats().bytes_read, 7 * 8192 + 10000 + 100);
    CHECK_EQ_U(all_stats().head_travel_bytes, 5 * 8192 + 100000);
    CHECK_EQ_U(all_stats().requests_mhz, 6000);
    CHECK_EQ_U(all_stats().bytes_per_second, 7 * 8192 + 10000 + 100);
    CHECK_EQ_U(all_stats().second_bytes_per_second, 7 * 8192 + 10000 + 100);
    CHECK_EQ_U(all_stats().busy_bytes_per_second,
               (7 * 8192 + 10000 + 100) * 1000000ull / 720000);
    /* A second later the totals remain. */
    rig.slow.clock_us += 1000000;
    m = medium_stats(SPN_MEDIUM_OPTICAL);
    CHECK_EQ_U(m.second.busy_us + m.second.bytes + m.second.reads, 0);
    CHECK_EQ_U(m.second.bytes_per_second, 0);
    CHECK_EQ_U(all_stats().requests_mhz, 3000);
    CHECK_EQ_U(all_stats().bytes_per_second, (7 * 8192 + 10000 + 100) / 2);
    CHECK_EQ_U(all_stats().second_bytes_per_second, 0);
    CHECK_EQ_U(m.total.busy_permille, 350);
    rig_close(&rig);
}

/* A piece in progress already counts as busy time. */
static void stats_count_reads_in_flight(void)
{
    spn_medium_stats m;

    open_rig(8192);
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 5000000;
    begin(0, optical, SPN_TASK_TEXTURE, 0, 10000);
    begin(1, optical, SPN_TASK_TEXTURE, 50000, 10000);
    rig_step_io(&rig);
    for (uint64_t ms = 0; ms < 5000; ms += 250) {
        test_context("at %u ms", (unsigned)ms);
        rig.slow.clock_us = start_us + ms * 1000;
        m = medium_stats(SPN_MEDIUM_OPTICAL);
        CHECK_EQ_U(m.total.busy_us, ms * 1000);
        CHECK_EQ_U(m.total.busy_permille, ms ? 1000 : 0);
        CHECK_EQ_U(m.second.busy_us, ms < 1000 ? ms * 1000 : 1000000);
        CHECK_EQ_U(m.total.bytes, 0);
        CHECK_EQ(m.waiting, 1);
    }
    /* After a reset in the middle only later events count. */
    spn__io_reset_stats(rig.io);
    rig.slow.clock_us = start_us + 5000000;
    rig_step_io(&rig);
    m = medium_stats(SPN_MEDIUM_OPTICAL);
    CHECK_EQ_U(m.total.elapsed_us, 250000);
    CHECK_EQ_U(m.total.busy_us, 250000);
    CHECK_EQ_U(m.total.bytes, 8192);
    CHECK_EQ_U(m.second.busy_us, 1000000);
    rig_run(&rig);
    rig_close(&rig);
}

static uint32_t count_waiting(void)
{
    rig_step_io(&rig);
    return medium_stats(SPN_MEDIUM_OPTICAL).waiting;
}

/* No read completes at the drive meanwhile. */
static void stats_count_waiting_reads(void)
{
    open_rig(8192);
    slow_platform_place(&rig.slow, "b", SPN_MEDIUM_OPTICAL);
    rig.slow.medium_us[SPN_MEDIUM_OPTICAL] = 5000000;
    begin(0, optical, SPN_TASK_TEXTURE, 0, 10000);
    CHECK_EQ(count_waiting(), 0);
    /* Their files are opened first, one in each step. */
    begin(1, disk, SPN_TASK_TEXTURE, 0, 100);
    begin(2, rig_file(&rig, "b"), SPN_TASK_TEXTURE, 0, 100);
    CHECK_EQ(count_waiting(), 2);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    CHECK_EQ(count_waiting(), 0);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
    CHECK_EQ(count_waiting(), 2);
    rig_run(&rig);
    CHECK_EQ(count_waiting(), 0);
    rig_close(&rig);
}

static void stats_of_types_agree_with_their_reads(void)
{
    spn_task_stats t;

    open_rig(8192);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                        .path = "b",
                                                        .offset = 90000,
                                                        .bytes = 1});
    begin(0, disk, SPN_TASK_SOUND, 0, 20000); /* 30 ms */
    /* this read fails three times */
    begin(1, disk, SPN_TASK_SOUND, 90000, 4096);
    begin(2, disk, SPN_TASK_SOUND, RIG_FILE_BYTES - 99, 100);
    begin(3, disk, SPN_TASK_OWN, 30000, 100);
    begin(4, optical, SPN_TASK_OWN, 0, 100);
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ(t.open, 3);
    CHECK_EQ(t.task_class, SPN_CLASS_SOUND);
    CHECK_EQ_U(t.total.reads, 0);
    rig_step_io(&rig);
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ_U(t.pending_bytes, 24196);
    CHECK_EQ_U(all_stats().pending_bytes, 24396);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).pending_bytes, 24196 - 8192);
    CHECK_EQ_U(task_stats(SPN_TASK_OWN).pending_bytes, 200);
    CHECK_EQ(spn__io_abort(rig.io, reads[4].handle), SPN_OK);
    rig_run(&rig);
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ(t.open, 0);
    CHECK_EQ_U(t.pending_bytes, 0);
    CHECK_EQ_U(t.done, 1);
    CHECK_EQ_U(t.failed, 2);
    CHECK_EQ_U(t.aborted, 0);
    CHECK_EQ_U(t.total.reads, 3);
    CHECK_EQ_U(t.total.bytes, 20000);
    CHECK_EQ_U(t.total.elapsed_us, rig.slow.clock_us - start_us);
    CHECK_EQ_U(t.total.bytes_per_second,
               20000 * 1000000ull / (rig.slow.clock_us - start_us));
    CHECK_EQ_U(t.completion.count, 3);
    CHECK_EQ_U(t.completion.buckets[15], 1); /* 30 ms: 16384..32767 */
    t = task_stats(SPN_TASK_OWN);
    CHECK_EQ_U(t.done, 1);
    CHECK_EQ_U(t.aborted, 1);
    CHECK_EQ_U(t.total.bytes, 100);
    CHECK_EQ_U(all_stats().requests_done, 2);
    CHECK_EQ_U(all_stats().requests_failed, 2);
    CHECK_EQ_U(all_stats().requests_aborted, 1);
    CHECK_EQ_U(all_stats().completion.count, 5);
    rig.slow.clock_us = start_us + 1000000;
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ_U(t.second.reads, 3);
    CHECK_EQ_U(t.second.bytes, 20000);
    CHECK_EQ_U(t.second.bytes_per_second, 20000);
    CHECK_EQ_U(t.second.good_bytes, 20000);
    CHECK_EQ_U(t.second.reads_mhz, 3000);
    CHECK_EQ_U(t.total.reads_mhz, 3000);
    rig_close(&rig);
}

/* The data arrives long before the read is completed. */
static void stats_distinguish_arrival_and_completion(void)
{
    spn_task_stats t;

    open_rig(8192);
    begin(0, disk, SPN_TASK_SOUND, 0, 100);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    rig.slow.clock_us += 500000;
    rig_run(&rig);
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ_U(t.arrival.sum_us, 10000);
    CHECK_EQ_U(t.completion.sum_us, 510000);
    CHECK_EQ_U(medium_stats(SPN_MEDIUM_HARD_DISK).arrival.sum_us, 10000);
    rig_close(&rig);
}

/* Each read subtracts exactly the pending bytes that it added, also a read of a
 * whole file. */
static void stats_of_pending_bytes_never_drift(void)
{
    static const struct slow_fault bad = {
        .kind = SLOW_ERROR, .offset = 20000, .bytes = 1, .path = "a"};

    open_rig(8192);
    slow_platform_fault(&rig.slow, &bad);
    for (uint32_t round = 0; round < 200; round++) {
        static const uint64_t sizes[] = {0, 1, 30000, SIZE_MAX, SIZE_MAX / 2};
        uint32_t file = round % 3;
        spn_read_desc desc =
            rig_desc(&rig, &reads[round % 8],
                     file == 0   ? optical
                     : file == 1 ? disk
                                 : memory,
                     RIG_FILE_BYTES - 40000 * (round % 7), 0, buffers[0]);

        test_context("round %u", round);
        if (round % 11 == 0)
            desc.offset = 10000;
        desc.bytes = sizes[round % 5];
        desc.buffer_bytes =
            desc.bytes > sizeof buffers[0] ? desc.bytes : sizeof buffers[0];
        desc.task = (spn_task)(1 + round % 31);
        rig_start(&rig, &desc, &reads[round % 8]);
        if (round % 4 == 0)
            rig_step_io(&rig);
        if (round % 13 == 0)
            CHECK_EQ(spn__io_abort(rig.io, reads[round % 8].handle), SPN_OK);
        if (round % 8 == 7) {
            rig_run(&rig);
            CHECK_EQ_U(all_stats().pending_bytes, 0);
            for (uint32_t task = 1; task < SPN_TASK_COUNT; task++) {
                CHECK_EQ_U(task_stats((spn_task)task).pending_bytes, 0);
                CHECK_EQ(task_stats((spn_task)task).open, 0);
            }
        }
    }
    rig_close(&rig);
}

static void stats_restart_after_a_reset(void)
{
    spn_io_stats s;

    open_rig(8192);
    for (uint32_t i = 0; i < 5; i++)
        begin(i, disk, SPN_TASK_SOUND, i * 10000, 100);
    rig_run(&rig);
    begin(5, disk, SPN_TASK_SOUND, 0, 100);
    CHECK_EQ(all_stats().pending_peak, 5);
    spn__io_reset_stats(rig.io);
    s = all_stats();
    CHECK_EQ(s.pending, 1);
    CHECK_EQ(s.pending_peak, 1);
    CHECK_EQ_U(s.requests_done + s.bytes_read + s.busy_us, 0);
    CHECK_EQ_U(s.head_travel_bytes + s.elapsed_us, 0);
    CHECK_EQ_U(s.completion.count + s.completion.max_us, 0);
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).done, 0);
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).arrival.count, 0);
    CHECK_EQ(task_stats(SPN_TASK_SOUND).open, 1);
    CHECK_EQ_U(medium_stats(SPN_MEDIUM_HARD_DISK).total.reads, 0);
    CHECK_EQ_U(medium_stats(SPN_MEDIUM_HARD_DISK).arrival.count, 0);
    rig_run(&rig);
    s = all_stats();
    CHECK_EQ_U(s.requests_done, 1);
    CHECK_EQ_U(s.bytes_read, 100);
    CHECK_EQ_U(s.busy_us, 10000);
    CHECK_EQ_U(s.elapsed_us, 10000);
    rig_close(&rig);
}

/* Start a read with or without callbacks. */
static void begin_held(uint32_t i, uint32_t flags, bool has_callbacks)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], disk, i * 10000, 100, buffers[i]);

    desc.flags = flags;
    if (!has_callbacks) {
        desc.on_async = NULL;
        desc.on_done = NULL;
    }
    rig_start(&rig, &desc, &reads[i]);
}

static void check_held(uint32_t pending, uint32_t held, uint32_t peak)
{
    spn_io_stats s = all_stats();

    CHECK_EQ(s.pending, pending);
    CHECK_EQ(s.held, held);
    CHECK_EQ(s.pending_peak, peak);
}

/* Held reads count from their completion to the update after their release. */
static void stats_count_reads_that_are_held(void)
{
    open_rig(8192);
    begin_held(0, SPN_READ_HELD, true);
    begin_held(1, SPN_READ_HELD, false);
    begin_held(2, 0, false);
    begin_held(3, 0, true);
    check_held(4, 0, 4);
    rig_run(&rig);
    check_held(0, 3, 4);
    CHECK_EQ_U(all_stats().requests_done, 4);
    begin_held(4, 0, true);
    begin_held(5, 0, true);
    check_held(2, 3, 5);
    rig_run(&rig);
    spn__io_reset_stats(rig.io);
    check_held(0, 3, 3);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, 0, NULL), SPN_OK);
    CHECK_EQ(spn__io_wait(rig.io, reads[2].handle, 0, NULL), SPN_OK);
    CHECK_EQ(spn__io_release(rig.io, reads[1].handle), SPN_OK);
    check_held(0, 3, 3);
    spn__io_finish(rig.io, 1);
    check_held(0, 1, 3);
    CHECK_EQ(spn__io_release(rig.io, reads[0].handle), SPN_OK);
    spn__io_finish(rig.io, 1);
    check_held(0, 0, 3);
    rig_close(&rig);
}

static void reset_late(void *user, const spn_event *event)
{
    (void)user;
    (void)event;
    rig.slow.clock_us += 3000;
    spn__io_reset_stats(rig.io);
}

/* The listener's event of an abort comes between the end of the piece and its
 * report. The test resets the statistics there, as another thread could. */
static void stats_reset_before_the_report_of_an_end_do_not_wrap(void)
{
    static const spn_listener listener = {.aborted = reset_late};

    rig_open(&rig, &(struct rig_config){.listener = &listener});
    rig.slow.command_us = 10000;
    disk = rig_file(&rig, "b");
    begin(0, disk, SPN_TASK_SOUND, 0, 100);
    rig_step_io(&rig);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_ABORTED);
    CHECK_EQ_U(all_stats().busy_us, 0);
    CHECK_EQ_U(medium_stats(SPN_MEDIUM_HARD_DISK).total.busy_us, 0);
    begin(1, disk, SPN_TASK_SOUND, 0, 100);
    rig_run(&rig);
    CHECK_EQ_U(all_stats().busy_us, 10000 - 3000);
    rig_close(&rig);
}

/* After ten days of reads the mean is still exact. */
static void stats_do_not_drift(void)
{
    spn_task_stats t;

    open_rig(8192);
    for (uint32_t i = 0; i < 20000; i++) {
        begin(0, disk, SPN_TASK_SOUND, (i % 7) * 1000, 1 + i % 1000);
        rig_run(&rig);
        rig.slow.clock_us += 43200000 - 10000;
    }
    t = task_stats(SPN_TASK_SOUND);
    CHECK_EQ_U(t.total.elapsed_us, 20000ull * 43200000);
    CHECK_EQ_U(t.completion.mean_us, 10000);
    CHECK_EQ_U(t.completion.sum_us, 200000000);
    CHECK_EQ_U(t.total.bytes, 20000ull * 1001 / 2);
    CHECK_EQ_U(medium_stats(SPN_MEDIUM_HARD_DISK).total.busy_us, 200000000);
    rig_close(&rig);
}

/* A read that ends before its file was opened belongs to no medium. */
static void stats_count_early_aborts_for_no_medium(void)
{
    open_rig(8192);
    begin(0, optical, SPN_TASK_SOUND, 0, 1000);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_ABORTED);
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        CHECK_EQ_U(medium_stats((spn_medium)i).total.reads, 0);
        CHECK_EQ_U(medium_stats((spn_medium)i).arrival.count, 0);
    }
    CHECK_EQ_U(task_stats(SPN_TASK_SOUND).aborted, 1);
    rig_close(&rig);
}

TEST_MAIN(TEST(stats_begin_with_zero),
          TEST(stats_count_early_aborts_for_no_medium),
          TEST(stats_of_media_agree_with_the_drives),
          TEST(stats_count_reads_in_flight), TEST(stats_count_waiting_reads),
          TEST(stats_of_types_agree_with_their_reads),
          TEST(stats_distinguish_arrival_and_completion),
          TEST(stats_of_pending_bytes_never_drift),
          TEST(stats_restart_after_a_reset),
          TEST(stats_count_reads_that_are_held),
          TEST(stats_reset_before_the_report_of_an_end_do_not_wrap),
          TEST(stats_do_not_drift))
