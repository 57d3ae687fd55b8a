/* test_io_batch.c
 *
 * Goal: a batch starts completely or not at all, with one wake-up. A refused
 *   batch leaves nothing behind. The reads of a batch are independent after the
 *   start.
 * Method: batches of every size against tables with every number of free
 *   slots; each field wrong at each place; the files that the disc has open at
 *   the end.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "support/io_rig.h"

#include <string.h>

#define COUNT 8u

static struct rig rig;
static struct rig_read reads[2 * COUNT];
static uint8_t buffers[2 * COUNT][5000];
static spn_read_desc descs[2 * COUNT];
static spn_read handles[2 * COUNT];
static spn_file file_a;
static uint32_t wakes;

static void wake(void *user, uint64_t event)
{
    (void)user;
    CHECK_EQ_U(event, 7);
    wakes++;
}

static void open_rig(uint32_t read_count)
{
    rig_open(&rig,
             &(struct rig_config){.read_count = read_count, .file_count = 2});
    rig.slow.table.event_signal = wake;
    spn__io_set_event(rig.io, 7);
    file_a = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        descs[i] = rig_desc(&rig, &reads[i], i % 2 ? file_a : 0, i * 6000, 5000,
                            buffers[i]);
        if (i % 2 == 0)
            descs[i].path = "b";
        handles[i] = 77;
    }
    wakes = 0;
}

static spn_status start_batch(uint32_t first, uint32_t count)
{
    spn_status status =
        spn__io_read_start_batch(rig.io, &descs[first], count, &handles[first]);

    for (uint32_t i = first; i < first + count; i++) {
        CHECK_EQ(handles[i] != 77, status == SPN_OK);
        reads[i].handle = handles[i];
    }
    return status;
}

static void check_all(uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        test_context("read %u", i);
        rig_check_bytes(&reads[i], i % 2 ? 0 : 1, i * 6000, 5000);
    }
}

/* A read that never started holds no file, so the file can close. */
static void close_rig(void)
{
    CHECK_EQ(spn__io_file_close(rig.io, file_a), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(rig.slow.opens, rig.slow.closes);
    rig_close(&rig);
}

static void batch_starts_all_with_one_wake(void)
{
    for (uint32_t count = 1; count <= COUNT; count++) {
        open_rig(COUNT);
        CHECK_EQ(start_batch(0, count), SPN_OK);
        CHECK_EQ(wakes, 1);
        rig_run(&rig);
        check_all(0, count);
        close_rig();
    }
}

static void batch_needs_room_for_all(void)
{
    for (uint32_t taken = 0; taken <= COUNT; taken++) {
        for (uint32_t count = 1; count <= COUNT; count++) {
            bool fits = taken + count <= COUNT;
            spn_io_stats stats;

            open_rig(COUNT);
            if (taken)
                CHECK_EQ(start_batch(COUNT, taken), SPN_OK);
            wakes = 0;
            CHECK_EQ(start_batch(0, count), fits ? SPN_OK : SPN_FULL);
            CHECK_EQ(wakes, fits);
            spn__io_get_stats(rig.io, &stats);
            CHECK_EQ(stats.pending, taken + (fits ? count : 0));
            CHECK_EQ(stats.pending_peak, stats.pending);
            rig_run(&rig);
            check_all(COUNT, taken);
            check_all(0, fits ? count : 0);
            close_rig();
        }
    }
}

/* Repeated, so that a lost slot or hold is detected. */
static void batch_that_is_refused_leaves_nothing_behind(void)
{
    spn_file closed;

    open_rig(COUNT);
    closed = rig_file(&rig, "c");
    CHECK_EQ(spn__io_file_close(rig.io, closed), SPN_OK);
    rig_run(&rig);
    for (uint32_t round = 0; round < 10 * COUNT; round++) {
        spn_read_desc *bad = &descs[round % COUNT];
        spn_read_desc good = *bad;

        test_context("round %u", round);
        bad->file = closed;
        CHECK_EQ(start_batch(0, COUNT), SPN_ERR_HANDLE);
        *bad = good;
        bad->buffer_bytes--;
        CHECK_EQ(start_batch(0, COUNT), SPN_ERR_ARG);
        *bad = good;
        bad->file = 0;
        bad->path = "";
        CHECK_EQ(start_batch(0, COUNT), SPN_ERR_ARG);
        *bad = good;
        bad->task = SPN_TASK_COUNT;
        CHECK_EQ(start_batch(0, COUNT), SPN_ERR_ARG);
        *bad = good;
    }
    wakes = 0;
    CHECK_EQ(start_batch(0, COUNT), SPN_OK);
    CHECK_EQ(wakes, 1);
    rig_run(&rig);
    check_all(0, COUNT);
    close_rig();
}

static void batch_validates_its_arguments(void)
{
    open_rig(COUNT);
    CHECK_EQ(spn__io_read_start_batch(rig.io, NULL, 1, handles), SPN_ERR_ARG);
    CHECK_EQ(spn__io_read_start_batch(rig.io, descs, 1, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn__io_read_start_batch(rig.io, descs, 0, handles), SPN_ERR_ARG);
    CHECK_EQ(spn__io_read_start_batch(rig.io, descs, COUNT + 1, handles),
             SPN_ERR_ARG);
    CHECK_EQ(spn__io_read_start_batch(rig.io, descs, UINT32_MAX, handles),
             SPN_ERR_ARG);
    CHECK_EQ(handles[0], 77);
    spn__io_shutdown(rig.io);
    CHECK_EQ(start_batch(0, 3), SPN_ERR_SHUTDOWN);
    rig_close(&rig);
}

/* One read is aborted, one fails to open, one lies behind the end of its file,
 * one has a bad sector. The other reads are not affected. */
static void batch_reads_end_alone(void)
{
    open_rig(COUNT);
    rig.slow.command_us = 100;
    descs[0].path = "none";
    descs[3].offset = RIG_FILE_BYTES - 4999;
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                        .path = "b",
                                                        .offset = 4 * 6000,
                                                        .bytes = 1});
    CHECK_EQ(start_batch(0, COUNT), SPN_OK);
    rig_step_io(&rig);
    CHECK_EQ(spn__io_abort(rig.io, handles[5]), SPN_OK);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_NOT_FOUND);
    check_all(1, 2);
    rig_check(&reads[3], SPN_ERR_RANGE);
    rig_check(&reads[4], SPN_ERR_IO);
    rig_check(&reads[5], SPN_ERR_ABORTED);
    check_all(6, 2);
    close_rig();
}

TEST_MAIN(TEST(batch_starts_all_with_one_wake), TEST(batch_needs_room_for_all),
          TEST(batch_that_is_refused_leaves_nothing_behind),
          TEST(batch_validates_its_arguments), TEST(batch_reads_end_alone))
