/* test_io_wait.c
 *
 * Goal: a wait for a read returns when the read has ended or when its time is
 *   over, in every order of the two. It returns the read's own result, even if
 *   the read was completed meanwhile. No result is lost, and no slot remains
 *   in use.
 * Method: one thread. When the platform's sleep is called, the test runs the
 *   other side's calls, so that the test chooses every interleaving.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/read_stats.h"
#include "read/stage/io_finish.h"
#include "read/stage/step.h"
#include "support/io_rig.h"

#include <string.h>

#define EVENTS 4u

static struct rig rig;
static struct rig_read reads[8];
static uint8_t buffers[8][20000];
static spn_file file_a;

static void (*while_asleep)(void);  /* called in the platform's sleep */
static void (*at_clock_read)(void); /* called once, by the next clock query */
static uint32_t sleeps;
static uint32_t signals[EVENTS + 1];
static uint64_t (*real_now_us)(void *user);

static void signal_event(void *user, uint64_t event)
{
    (void)user;
    CHECK(event > 0 && event <= EVENTS);
    signals[event]++;
}

/* Sleep. If no signal is pending, time passes until `due_us`. */
static void wait_event(void *user, uint64_t event, uint64_t due_us)
{
    (void)user;
    CHECK(event > 0 && event <= EVENTS);
    sleeps++;
    if (signals[event] == 0 && while_asleep)
        while_asleep();
    if (signals[event] > 0)
        signals[event] = 0;
    else if (due_us != UINT64_MAX && rig.slow.clock_us < due_us)
        rig.slow.clock_us = due_us;
    else if (due_us == UINT64_MAX && !while_asleep)
        test_fail(__FILE__, __LINE__, "%s", "sleeps for ever");
}

static uint64_t now_us(void *user)
{
    if (at_clock_read) {
        void (*act)(void) = at_clock_read;

        at_clock_read = NULL;
        act();
    }
    return real_now_us(user);
}

static void open_rig(uint32_t read_count, uint32_t waiters)
{
    rig_open(&rig, &(struct rig_config){.read_count = read_count,
                                        .wait_count = waiters});
    rig.slow.command_us = 100;
    file_a = rig_file(&rig, "a");
    real_now_us = rig.slow.table.now_us;
    rig.slow.table.now_us = now_us;
    rig.slow.table.event_signal = signal_event;
    rig.slow.table.event_wait = wait_event;
    for (uint32_t i = 0; i < waiters; i++)
        spn__io_set_waiter_event(rig.io, i, i + 1);
    memset(signals, 0, sizeof signals);
    while_asleep = NULL;
    at_clock_read = NULL;
    sleeps = 0;
}

static void close_rig(void)
{
    while_asleep = NULL;
    for (uint32_t i = 0; i < rig.io->waiter_count; i++)
        CHECK_EQ(atomic_load_relaxed(&rig.io->waiters[i].read), 0);
    rig_close(&rig);
}

static void begin(uint32_t i, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file_a, offset, bytes, buffers[i]);

    rig_start(&rig, &desc, &reads[i]);
}

static void step_io(void)
{
    uint64_t due_us;

    if (!spn__io_step(rig.io, &due_us))
        slow_platform_advance(&rig.slow);
}

static void run_all(void)
{
    rig_run(&rig);
}

static void wait_returns_when_the_read_has_ended(void)
{
    static const struct {
        uint64_t offset;
        uint64_t bytes;
        uint64_t arrived;
        spn_status status;
    } rows[] = {{0, 10000, 10000, SPN_OK},
                {RIG_FILE_BYTES, 1, 0, SPN_ERR_RANGE},
                {50000, 8192, 4096, SPN_ERR_IO}};
    static const struct slow_fault bad = {
        .kind = SLOW_ERROR, .offset = 54096, .bytes = 1};

    for (uint32_t i = 0; i < 3; i++) {
        spn_read_result result;

        test_context("row %u", i);
        open_rig(4, 1);
        slow_platform_fault(&rig.slow, &bad);
        while_asleep = step_io;
        begin(0, rows[i].offset, rows[i].bytes);
        CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
                 SPN_OK);
        CHECK(sleeps > 0);
        CHECK_EQ(result.status, rows[i].status);
        CHECK_EQ_U(result.bytes, rows[i].arrived);
        CHECK_EQ(result.read, reads[0].handle);
        CHECK(result.buffer == buffers[0]);
        CHECK(result.user == &reads[0]);
        CHECK_EQ(reads[0].done_count, 0);
        /* Wait again, without a result. */
        sleeps = 0;
        CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, NULL),
                 SPN_OK);
        CHECK_EQ(sleeps, 0);
        rig_run(&rig);
        rig_check(&reads[0], rows[i].status);
        CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
                 SPN_ERR_HANDLE);
        close_rig();
    }
}

static void wait_ends_with_its_time(void)
{
    spn_read_result result;
    uint64_t start_us;

    open_rig(4, 1);
    rig.slow.command_us = 1000000;
    start_us = rig.slow.clock_us;
    begin(0, 0, 100);
    rig_step_io(&rig);
    memset(&result, 0x5a, sizeof result);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK_EQ(
            spn__io_wait(rig.io, reads[0].handle, start_us + i * 1000, &result),
            SPN_ERR_TIMEOUT);
        CHECK_EQ_U(rig.slow.clock_us, start_us + i * 1000);
        CHECK_EQ(result.status, 0x5a5a5a5a);
    }
    CHECK_EQ(sleeps, 4);
    /* A time-out of zero only polls. */
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, 0, &result),
             SPN_ERR_TIMEOUT);
    CHECK_EQ(sleeps, 4);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 100);
    close_rig();
}

/* The read ends during the sleep in which the time runs out. */
static void end_and_run_out(void)
{
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    rig.slow.clock_us = 1u << 30;
}

static void wait_sees_a_completion_at_the_time_out(void)
{
    spn_read_result result;

    open_rig(4, 1);
    begin(0, 0, 100);
    rig_step_io(&rig);
    while_asleep = end_and_run_out;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, 1u << 30, &result), SPN_OK);
    CHECK_EQ(result.status, SPN_OK);
    rig_run(&rig);
    close_rig();
}

/* The read ends between the poll and the sleep, where no signal would
 * follow. */
static void wait_does_not_sleep_when_the_read_has_just_ended(void)
{
    spn_read_result result;

    open_rig(4, 1);
    begin(0, 0, 100);
    at_clock_read = run_all;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
             SPN_OK);
    CHECK_EQ(sleeps, 0);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ_U(result.bytes, 100);
    rig_check_bytes(&reads[0], 0, 0, 100);
    close_rig();
}

static void wake_spuriously(void)
{
    static uint32_t count;

    if (++count % 5)
        signals[1] = 1;
    else
        run_all();
}

static void wait_survives_spurious_wakes(void)
{
    open_rig(4, 1);
    begin(0, 0, 100);
    while_asleep = wake_spuriously;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, NULL), SPN_OK);
    CHECK_EQ(sleeps, 5);
    close_rig();
}

/* -- completed during a wait -- */

static spn_status start_status;

/* The read is completed, and another read gets its slot at once. */
static void complete_and_start_another(void)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[1], file_a, 5000, 50, buffers[1]);

    rig_run(&rig);
    CHECK_EQ(reads[0].done_count, 1);
    CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_ERR_HANDLE);
    start_status = spn__io_read_start(rig.io, &desc, &reads[1].handle);
}

static void wait_keeps_the_result_of_a_read_that_is_over(void)
{
    spn_read_result result;
    spn_io_stats stats;
    spn_read_desc desc;

    open_rig(1, 1);
    begin(0, 1000, 100);
    while_asleep = complete_and_start_another;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
             SPN_OK);
    CHECK_EQ(start_status, SPN_FULL);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ(result.read, reads[0].handle);
    CHECK_EQ_U(result.bytes, 100);
    CHECK(result.user == &reads[0]);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ(stats.pending, 0);
    /* The waiter has left. The slot is free after the next completions. */
    desc = rig_desc(&rig, &reads[1], file_a, 5000, 50, buffers[1]);
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[1].handle), SPN_FULL);
    spn__io_finish(rig.io, 1);
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[1].handle), SPN_OK);
    CHECK(reads[1].handle != reads[0].handle);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 5000, 50);
    close_rig();
}

/* -- completed before a wait -- */

static void begin_held(uint32_t i, uint32_t flags, bool has_callbacks)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file_a, 1000 * i, 100, buffers[i]);

    desc.flags = flags;
    if (!has_callbacks) {
        desc.on_async = NULL;
        desc.on_done = NULL;
    }
    rig_start(&rig, &desc, &reads[i]);
}

static void expect_result(uint32_t i, spn_status status, uint64_t bytes)
{
    spn_read_result result;

    CHECK_EQ(spn__io_wait(rig.io, reads[i].handle, 0, &result), SPN_OK);
    CHECK_EQ(result.read, reads[i].handle);
    CHECK_EQ(result.status, status);
    CHECK_EQ_U(result.bytes, bytes);
    CHECK(result.buffer == buffers[i]);
    CHECK(result.user == &reads[i]);
}

static void a_read_without_callbacks_keeps_its_result_until_it_is_taken(void)
{
    spn_read_desc more;

    open_rig(2, 1);
    begin_held(0, 0, false);
    begin_held(1, 0, false);
    rig_run(&rig);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_OK);
        CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    }
    more = rig_desc(&rig, &reads[2], file_a, 0, 100, buffers[2]);
    CHECK_EQ(spn__io_read_start(rig.io, &more, &reads[2].handle), SPN_FULL);
    expect_result(0, SPN_OK, 100);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, 0, NULL), SPN_ERR_HANDLE);
    expect_result(1, SPN_OK, 100);
    spn__io_finish(rig.io, 1);
    rig_start(&rig, &more, &reads[2]);
    rig_run(&rig);
    rig_check_bytes(&reads[2], 0, 0, 100);
    close_rig();
}

/* The result is taken before the completion. The read then needs no hold when
 * it is completed. */
static void a_result_may_be_taken_before_the_completion(void)
{
    open_rig(1, 1);
    begin_held(0, 0, false);
    while (spn__io_poll(rig.io, reads[0].handle) == SPN_PENDING)
        step_io();
    expect_result(0, SPN_OK, 100);
    expect_result(0, SPN_OK, 100);
    rig_run(&rig);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, 0, NULL), SPN_ERR_HANDLE);
    begin(0, 0, 100);
    rig_run(&rig);
    close_rig();
}

static void a_held_read_keeps_its_result_until_it_is_released(void)
{
    for (uint32_t has_callbacks = 0; has_callbacks < 2; has_callbacks++) {
        test_context("callbacks %u", has_callbacks);
        open_rig(1, 1);
        begin_held(0, SPN_READ_HELD, has_callbacks);
        rig_run(&rig);
        CHECK_EQ(reads[0].done_count, has_callbacks);
        for (uint32_t i = 0; i < 3; i++)
            expect_result(0, SPN_OK, 100);
        CHECK_EQ(spn__io_release(rig.io, reads[0].handle), SPN_OK);
        CHECK_EQ(spn__io_release(rig.io, reads[0].handle), SPN_ERR_HANDLE);
        CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_ERR_HANDLE);
        spn__io_finish(rig.io, 1);
        begin(0, 0, 100);
        rig_run(&rig);
        close_rig();
    }
}

static void a_read_in_flight_may_be_released(void)
{
    open_rig(1, 1);
    begin_held(0, SPN_READ_HELD, false);
    CHECK_EQ(spn__io_release(rig.io, reads[0].handle), SPN_OK);
    CHECK_EQ(spn__io_release(rig.io, reads[0].handle), SPN_OK);
    CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_PENDING);
    rig_run(&rig);
    CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_ERR_HANDLE);
    close_rig();
}

static void a_shutdown_does_not_wait_for_held_reads(void)
{
    open_rig(2, 1);
    begin_held(0, SPN_READ_HELD, true);
    rig_run(&rig);
    begin_held(1, 0, false);
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    CHECK(spn__io_is_idle(rig.io));
    close_rig();
}

static void shut_down(void)
{
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    /* The memory still belongs to the held read. */
    CHECK(!spn__io_is_idle(rig.io));
}

static void wait_ends_with_a_shutdown(void)
{
    spn_read_result result;

    open_rig(4, 1);
    rig.slow.command_us = 1000;
    begin(0, 0, 100);
    while_asleep = shut_down;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
             SPN_OK);
    CHECK_EQ(result.status, SPN_ERR_SHUTDOWN);
    spn__io_finish(rig.io, 1);
    CHECK(spn__io_is_idle(rig.io));
    close_rig();
}

static void abort_it(void)
{
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    rig_run(&rig);
}

static void wait_ends_with_an_abort(void)
{
    spn_read_result result;

    open_rig(4, 1);
    begin(0, 0, 100);
    while_asleep = abort_it;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, &result),
             SPN_OK);
    CHECK_EQ(result.status, SPN_ERR_ABORTED);
    close_rig();
}

/* -- several threads -- */

static uint32_t depth;

/* During each sleep another thread begins to wait. The last one lets the reads
 * end. */
static void another_waits(void)
{
    spn_read_result result = {0};

    if (++depth < 3) {
        spn_read read = reads[depth % 2].handle;

        CHECK_EQ(spn__io_wait(rig.io, read, UINT64_MAX, &result), SPN_OK);
        CHECK_EQ(result.read, read);
        return;
    }
    rig_run(&rig);
    /* Two threads sleep for read 0, one for read 1. */
    for (uint32_t i = 1; i <= 3; i++)
        CHECK_EQ(signals[i], 1);
}

static void several_threads_may_wait(void)
{
    open_rig(4, 3);
    begin(0, 0, 100);
    begin(1, 5000, 100);
    depth = 0;
    while_asleep = another_waits;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, NULL), SPN_OK);
    CHECK_EQ(depth, 3);
    close_rig();
}

static void another_finds_no_waiter(void)
{
    CHECK_EQ(spn__io_wait(rig.io, reads[1].handle, UINT64_MAX, NULL), SPN_FULL);
    rig_run(&rig);
    CHECK_EQ(spn__io_wait(rig.io, reads[1].handle, UINT64_MAX, NULL),
             SPN_ERR_HANDLE);
}

static void wait_needs_a_waiter_slot(void)
{
    open_rig(4, 1);
    begin(0, 0, 100);
    begin(1, 5000, 100);
    while_asleep = another_finds_no_waiter;
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle, UINT64_MAX, NULL), SPN_OK);
    close_rig();
}

static void wait_refuses_invalid_handles(void)
{
    spn_read_result result;

    open_rig(4, 1);
    begin(0, 0, 100);
    CHECK_EQ(spn__io_wait(rig.io, 0, 0, &result), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle ^ 0x20000, 0, &result),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle + 1, 0, &result),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_wait(rig.io, reads[0].handle | 0xffff, 0, &result),
             SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_result(rig.io, reads[0].handle, &result), SPN_PENDING);
    CHECK_EQ(spn__io_result(rig.io, 0, &result), SPN_ERR_HANDLE);
    rig_run(&rig);
    CHECK_EQ(spn__io_result(rig.io, reads[0].handle, &result), SPN_ERR_HANDLE);
    close_rig();
}

TEST_MAIN(TEST(wait_returns_when_the_read_has_ended),
          TEST(wait_ends_with_its_time),
          TEST(wait_sees_a_completion_at_the_time_out),
          TEST(wait_does_not_sleep_when_the_read_has_just_ended),
          TEST(wait_survives_spurious_wakes),
          TEST(wait_keeps_the_result_of_a_read_that_is_over),
          TEST(a_read_without_callbacks_keeps_its_result_until_it_is_taken),
          TEST(a_result_may_be_taken_before_the_completion),
          TEST(a_held_read_keeps_its_result_until_it_is_released),
          TEST(a_read_in_flight_may_be_released),
          TEST(a_shutdown_does_not_wait_for_held_reads),
          TEST(wait_ends_with_a_shutdown), TEST(wait_ends_with_an_abort),
          TEST(several_threads_may_wait), TEST(wait_needs_a_waiter_slot),
          TEST(wait_refuses_invalid_handles))
