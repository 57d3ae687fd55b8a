/* test_device_timeout.c
 *
 * Goal: a device that does not answer, and a missing disc, are reported. At
 *   the time-out, and not before, waiting reads end with a status of their own.
 *   All continues when the device answers.
 * Method: a slow disc with a stall, whose clock the test moves; a platform
 *   table that reports the inserted disc.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/step.h"
#include "support/event_log.h"
#include "support/io_rig.h"

#include <string.h>

#define SILENT_US 1000u
#define TIMEOUT_US 5000u
#define STALL_US 100000u
#define BYTES 8192u

static struct event_log event_log;
static struct rig rig;
static struct rig_read reads[8];
static uint8_t buffers[8][BYTES];
static spn_file file_a;
static spn_file file_b;
static spn_disc disc;

static spn_disc report_disc(void *user, spn_medium medium)
{
    (void)user;
    return medium == SPN_MEDIUM_HARD_DISK ? disc : SPN_DISC_IN;
}

/* "a" lies on the observed disc, "b" on another. */
static void open_rig(uint32_t timeout_us, bool is_deadline_order)
{
    struct rig_config config = {.listener = &event_log.listener,
                                .piece_bytes = BYTES};
    spn_medium_config *medium = &config.media[SPN_MEDIUM_HARD_DISK];

    medium->silent_us = SILENT_US;
    medium->timeout_us = timeout_us;
    if (is_deadline_order) {
        medium->drive = spn_drive_profile_find("x360_dvd12x");
        medium->order = SPN_ORDER_DEADLINE;
    }
    event_log_init(&event_log);
    rig_open(&rig, &config);
    slow_platform_place(&rig.slow, "b", SPN_MEDIUM_OPTICAL);
    rig.slow.command_us = 100;
    file_a = rig_file(&rig, "a");
    file_b = rig_file(&rig, "b");
}

static void close_rig(void)
{
    rig_close(&rig);
    event_log_check(&event_log);
}

static void begin(uint32_t i, spn_file file, uint64_t offset)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, BYTES, buffers[i]);

    rig_start(&rig, &desc, &reads[i]);
}

static spn_medium_stats stats_of(spn_medium medium)
{
    spn_medium_stats stats;

    spn__io_get_medium_stats(rig.io, medium, &stats);
    return stats;
}

static spn_medium_state state_of(spn_medium medium)
{
    return stats_of(medium).state;
}

/* Move the clock and run all threads until none has work. */
static void work_at(uint64_t us)
{
    rig.slow.clock_us = us;
    while (rig_step(&rig)) {
    }
}

/* Let the first read of "a" stall from 0 on. */
static void stall(enum slow_kind then)
{
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_STALL,
                                                        .path = "a",
                                                        .times = 1,
                                                        .value = STALL_US});
    if (then == SLOW_ERROR)
        slow_platform_fault(
            &rig.slow,
            &(struct slow_fault){.kind = SLOW_ERROR, .path = "a", .times = 1});
    begin(0, file_a, 0);
    work_at(0);
    CHECK_EQ(rig.slow.reads, 1);
}

static void a_device_without_answer_is_reported_silent(void)
{
    open_rig(0, false);
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
    stall(SLOW_STALL);
    work_at(SILENT_US - 1);
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
    /* A query returns it even if the io thread is blocked in the read. */
    rig.slow.clock_us = SILENT_US;
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_SILENT);
    CHECK_EQ_U(stats_of(SPN_MEDIUM_HARD_DISK).unanswered_us, SILENT_US);
    CHECK_EQ(state_of(SPN_MEDIUM_OPTICAL), SPN_MEDIUM_READY);
    CHECK_EQ(event_log_count(&event_log, SPN_EVENT_MEDIUM), 0);
    work_at(STALL_US - 1);
    /* Without a time-out the device may take any time. */
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_SILENT);
    CHECK_EQ(rig.slow.cancels, 0);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, BYTES);
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
    CHECK_EQ_U(stats_of(SPN_MEDIUM_HARD_DISK).unanswered_us, 0);
    CHECK_STR(event_log_letters(&event_log), "q[m]maAdD.");
    close_rig();
}

static spn_status (*inner_submit)(void *user, spn_platform_file file,
                                  uint64_t offset, const spn_extent *extents,
                                  uint32_t extent_count, uint32_t tag);
static uint32_t queries;

/* Other threads query the state while the io thread is in the call. */
static spn_status slow_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    spn_status status =
        inner_submit(user, file, offset, extents, extent_count, tag);

    rig.slow.clock_us += SILENT_US;
    queries++;
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_SILENT);
    CHECK_EQ_U(stats_of(SPN_MEDIUM_HARD_DISK).unanswered_us, SILENT_US);
    return status;
}

/* Platform tables without asynchronous reads read inside the call. */
static void a_device_that_blocks_the_call_is_reported_silent(void)
{
    for (uint32_t is_deadline_order = 0; is_deadline_order < 2;
         is_deadline_order++) {
        open_rig(0, is_deadline_order);
        inner_submit = rig.slow.table.read_submit;
        rig.slow.table.read_submit = slow_submit;
        queries = 0;
        slow_platform_fault(
            &rig.slow,
            &(struct slow_fault){.kind = SLOW_REFUSE, .path = "a", .times = 1});
        begin(0, file_a, 0);
        begin(1, file_a, 100000);
        begin(2, file_a, 110000);
        rig_run(&rig);
        CHECK(queries > 2);
        for (uint32_t i = 0; i < 3; i++)
            CHECK_EQ(reads[i].status, SPN_OK);
        CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
        CHECK_EQ_U(stats_of(SPN_MEDIUM_HARD_DISK).unanswered_us, 0);
        close_rig();
    }
}

/* The io thread sets its wake-up to the time-out. */
static void time_outs_need_no_other_event(void)
{
    uint64_t due_us;

    open_rig(TIMEOUT_US, false);
    stall(SLOW_STALL);
    CHECK(!spn__io_step(rig.io, &due_us));
    CHECK_EQ_U(due_us, SILENT_US);
    work_at(SILENT_US);
    CHECK(!spn__io_step(rig.io, &due_us));
    CHECK_EQ_U(due_us, TIMEOUT_US);
    work_at(TIMEOUT_US);
    CHECK(!spn__io_step(rig.io, &due_us));
    CHECK_EQ_U(due_us, STALL_US + 100);
    rig_run(&rig);
    close_rig();
}

static void a_time_out_ends_waiting_reads(void)
{
    for (uint32_t is_deadline_order = 0; is_deadline_order < 2;
         is_deadline_order++) {
        open_rig(TIMEOUT_US, is_deadline_order);
        stall(SLOW_ERROR);
        begin(1, file_a, 100000);
        begin(2, file_a, 900000);
        begin(3, file_b, 0);
        work_at(SILENT_US);
        work_at(TIMEOUT_US - 1);
        CHECK_EQ(reads[1].done_count + reads[2].done_count, 0);
        CHECK_EQ(rig.slow.cancels, 0);
        /* The other medium still answers. */
        rig_check_bytes(&reads[3], 1, 0, BYTES);
        work_at(TIMEOUT_US);
        CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_TIMED_OUT);
        rig_check(&reads[1], SPN_ERR_TIMEOUT);
        rig_check(&reads[2], SPN_ERR_TIMEOUT);
        CHECK_EQ(rig.slow.cancels, 1);
        /* The device still owns the read's memory. */
        CHECK_EQ(reads[0].done_count, 0);
        begin(4, file_a, 5000);
        work_at(TIMEOUT_US + 1000);
        rig_check(&reads[4], SPN_ERR_TIMEOUT);
        CHECK_EQ(rig.slow.cancels, 1);
        work_at(STALL_US + 100);
        rig_check(&reads[0], SPN_ERR_TIMEOUT);
        CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
        begin(5, file_a, 300000);
        rig_run(&rig);
        rig_check_bytes(&reads[5], 0, 300000, BYTES);
        CHECK_EQ(event_log_count(&event_log, SPN_EVENT_MEDIUM), 3);
        close_rig();
    }
}

/* The device had announced a much later time. */
static void results_of_timed_out_reads_are_taken_at_once(void)
{
    open_rig(TIMEOUT_US, false);
    rig.slow.ends_cancelled = true;
    stall(SLOW_ERROR);
    work_at(TIMEOUT_US);
    CHECK_EQ(rig.slow.cancels, 1);
    rig_check(&reads[0], SPN_ERR_TIMEOUT);
    close_rig();
}

/* In its last try the device delivered fewer bytes than precede the requested
 * range. This does not mean the end of the file. */
static void pieces_without_useful_bytes_are_timed_out(void)
{
    static const struct slow_fault faults[] = {
        {.kind = SLOW_ERROR, .path = "a", .times = 2},
        {.kind = SLOW_STALL, .path = "a", .nth = 3, .value = STALL_US},
        {.kind = SLOW_SHORT, .path = "a", .nth = 3, .value = 50}};
    spn_read_desc desc;

    open_rig(TIMEOUT_US, false);
    rig.slow.align_bytes = 512;
    rig.slow.ends_cancelled = true;
    for (uint32_t i = 0; i < 3; i++)
        slow_platform_fault(&rig.slow, &faults[i]);
    desc = rig_desc(&rig, &reads[0], file_a, 100, 1000, buffers[0]);
    rig_start(&rig, &desc, &reads[0]);
    for (uint32_t i = 0; i < 4; i++)
        work_at(i * 100);
    CHECK_EQ(rig.slow.reads, 3);
    work_at(2 * TIMEOUT_US);
    rig_check(&reads[0], SPN_ERR_TIMEOUT);
    close_rig();
}

/* No delivered byte is discarded. */
static void late_bytes_are_good(void)
{
    open_rig(TIMEOUT_US, false);
    stall(SLOW_STALL);
    work_at(TIMEOUT_US);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, BYTES);
    close_rig();
}

static void a_run_times_out_as_its_reads(void)
{
    open_rig(TIMEOUT_US, true);
    begin(0, file_b, 0);
    begin(1, file_a, 0);
    rig_step_io(&rig);
    begin(2, file_a, 100000);
    begin(3, file_a, 110000);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_STALL,
                                                        .path = "a",
                                                        .times = 1,
                                                        .value = STALL_US});
    slow_platform_fault(
        &rig.slow,
        &(struct slow_fault){.kind = SLOW_ERROR, .path = "a", .times = 1});
    work_at(100);
    rig_check_bytes(&reads[1], 0, 0, BYTES);
    CHECK_EQ(rig.slow.reads, 3);
    work_at(100 + TIMEOUT_US);
    CHECK_EQ(rig.slow.cancels, 1);
    rig_run(&rig);
    rig_check(&reads[2], SPN_ERR_TIMEOUT);
    CHECK(reads[3].status == SPN_ERR_TIMEOUT || reads[3].status == SPN_OK);
    close_rig();
}

/* Aborted reads are completed as aborted, and paused reads do not wait for the
 * device. */
static void time_outs_leave_others_alone(void)
{
    spn_read_desc desc;

    open_rig(TIMEOUT_US, false);
    stall(SLOW_ERROR);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    desc = rig_desc(&rig, &reads[1], file_a, 50000, BYTES, buffers[1]);
    desc.task = SPN_TASK_TEXTURE;
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
    rig_start(&rig, &desc, &reads[1]);
    work_at(TIMEOUT_US);
    CHECK_EQ(reads[1].done_count, 0);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_ABORTED);
    spn__io_pause(rig.io, SPN_TASK_TEXTURE, false);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 50000, BYTES);
    CHECK_EQ(rig.slow.cancels, 1);
    close_rig();
}

static void a_missing_disc_is_reported(void)
{
    const spn_event *e;

    open_rig(0, false);
    rig.slow.table.medium_disc = report_disc;
    disc = SPN_DISC_OUT;
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_NO_DISC);
    CHECK_EQ(state_of(SPN_MEDIUM_OPTICAL), SPN_MEDIUM_READY);
    stall(SLOW_STALL);
    work_at(SILENT_US);
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_NO_DISC);
    disc = SPN_DISC_OTHER;
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_OTHER_DISC);
    work_at(SILENT_US);
    disc = SPN_DISC_IN;
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, BYTES);
    CHECK_EQ(state_of(SPN_MEDIUM_HARD_DISK), SPN_MEDIUM_READY);
    e = event_log_at(&event_log, SPN_EVENT_MEDIUM, 0);
    CHECK_EQ(e->medium, SPN_MEDIUM_HARD_DISK);
    CHECK_EQ(e->medium_state, SPN_MEDIUM_NO_DISC);
    CHECK_EQ(e->read, 0);
    e = event_log_at(&event_log, SPN_EVENT_MEDIUM, 1);
    CHECK_EQ(e->medium_state, SPN_MEDIUM_OTHER_DISC);
    close_rig();
}

TEST_MAIN(TEST(a_device_without_answer_is_reported_silent),
          TEST(a_device_that_blocks_the_call_is_reported_silent),
          TEST(time_outs_need_no_other_event),
          TEST(a_time_out_ends_waiting_reads),
          TEST(results_of_timed_out_reads_are_taken_at_once),
          TEST(pieces_without_useful_bytes_are_timed_out),
          TEST(late_bytes_are_good), TEST(a_run_times_out_as_its_reads),
          TEST(time_outs_leave_others_alone), TEST(a_missing_disc_is_reported))
