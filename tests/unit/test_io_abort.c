/* test_io_abort.c
 *
 * Goal: an abort or a shutdown in any state of a read, from any callback,
 *   leads to exactly one completion with the right status. The read owns its
 *   memory until then. Nothing stays open.
 * Method: the engine is stepped into each state by hand, then the read is
 *   aborted. The disc delivers its bytes late, so that a read that ended too
 *   early is detected.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_rig.h"

#include <string.h>

static struct rig rig;
static struct rig_read reads[16];
static uint8_t buffers[16][20000];
static spn_file file_a;

static void begin(uint32_t i, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file_a, offset, bytes, buffers[i]);

    rig_start(&rig, &desc, &reads[i]);
}

static void open_rig(void)
{
    rig_open(&rig, NULL);
    rig.slow.command_us = 100;
    file_a = rig_file(&rig, "a");
}

static void abort_read(uint32_t i)
{
    CHECK_EQ(spn__io_abort(rig.io, reads[i].handle), SPN_OK);
}

/* The states in which a read can be found. */
enum state {
    IN_THE_INBOX,
    IN_THE_QUEUE,
    FIRST_IN_THE_QUEUE,
    AT_THE_DEVICE,
    BETWEEN_PIECES,
    AT_THE_DEVICE_AGAIN,
    AT_THE_DEVICE_TO_FAIL,
    WAITING_FOR_A_RETRY,
    STATE_COUNT
};

/* Bring read 0 (10,000 bytes, three pieces) into a state. Read 1 is urgent
 * and keeps the device busy where that is needed. */
static void step_into(enum state state)
{
    static const struct slow_fault fault = {.kind = SLOW_ERROR, .times = 1};
    spn_read_desc desc =
        rig_desc(&rig, &reads[1], file_a, 50000, 100, buffers[1]);

    desc.priority = SPN_PRIORITY_URGENT;
    if (state == AT_THE_DEVICE_TO_FAIL || state == WAITING_FOR_A_RETRY)
        slow_platform_fault(&rig.slow, &fault);
    if (state == IN_THE_QUEUE) {
        rig_start(&rig, &desc, &reads[1]);
        rig_step_io(&rig);
    }
    begin(0, 0, 10000);
    if (state == IN_THE_INBOX)
        return;
    if (state == FIRST_IN_THE_QUEUE) {
        uint64_t due_us;

        CHECK(spn__io_step(rig.io, &due_us)); /* has only opened its file */
        CHECK_EQ(rig.slow.reads, 0);
        return;
    }
    rig_step_io(&rig);
    if (state == BETWEEN_PIECES || state == WAITING_FOR_A_RETRY) {
        rig_start(&rig, &desc, &reads[1]);
        rig_step_io(&rig);
    }
    if (state == BETWEEN_PIECES || state == AT_THE_DEVICE_AGAIN ||
        state == WAITING_FOR_A_RETRY) {
        CHECK(slow_platform_advance(&rig.slow));
        rig_step_io(&rig);
    }
}

static bool is_at_the_device(enum state state)
{
    return state == AT_THE_DEVICE || state == AT_THE_DEVICE_AGAIN ||
           state == AT_THE_DEVICE_TO_FAIL;
}

/* After the completion the memory belongs to the caller, and the disc must not
 * access it. */
static void check_memory_is_left_alone(uint32_t i)
{
    static uint8_t copy[sizeof buffers[0]];

    memset(buffers[i], 0x5a, sizeof buffers[i]);
    memcpy(copy, buffers[i], sizeof copy);
    rig_run(&rig);
    CHECK_MEM(buffers[i], copy, sizeof copy);
}

static void abort_in_every_state_completes_once(void)
{
    for (uint32_t state = 0; state < STATE_COUNT; state++) {
        spn_io_stats stats;

        test_context("state %u", state);
        open_rig();
        step_into((enum state)state);
        abort_read(0);
        abort_read(0); /* a second abort changes nothing */
        while (rig_step(&rig)) {
        }
        /* The read waits only for the device's answer. */
        CHECK_EQ(reads[0].done_count,
                 is_at_the_device((enum state)state) ? 0 : 1);
        CHECK_EQ(rig.slow.cancels, is_at_the_device((enum state)state) ? 1 : 0);
        if (reads[0].done_count)
            check_memory_is_left_alone(0);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_ABORTED);
        if (reads[1].handle)
            rig_check_bytes(&reads[1], 0, 50000, 100);
        spn__io_get_stats(rig.io, &stats);
        CHECK_EQ_U(stats.requests_aborted, 1);
        CHECK_EQ(stats.pending, 0);
        memset(reads, 0, sizeof reads);
        rig_close(&rig);
    }
}

/* Every result that the contract permits for a cancelled read. None is a fault
 * of the medium, so nothing is retried, and the next read is served. */
static void every_cancelled_read_ends_as_aborted(void)
{
    for (uint32_t i = SLOW_CANCELLED_ALL; i <= SLOW_CANCELLED_ERROR; i++) {
        test_context("report %u", i);
        open_rig();
        rig.slow.ends_cancelled = true;
        rig.slow.cancelled = (enum slow_cancelled)i;
        step_into(AT_THE_DEVICE);
        abort_read(0);
        rig_run(&rig);
        CHECK_EQ(rig.slow.cancels, 1);
        CHECK_EQ(rig.slow.reads, 1);
        rig_check(&reads[0], SPN_ERR_ABORTED);
        begin(2, 0, 10000);
        rig_run(&rig);
        rig_check_bytes(&reads[2], 0, 0, 10000);
        rig_close(&rig);
    }
}

static void shutdown_in_every_state_completes_once(void)
{
    for (uint32_t state = 0; state < STATE_COUNT; state++)
        for (uint32_t is_abort_too = 0; is_abort_too < 2; is_abort_too++) {
            spn_read_desc desc;
            spn_read handle;
            spn_file file = 0;
            uint32_t disc_reads;

            test_context("state %u", state);
            open_rig();
            step_into((enum state)state);
            disc_reads = rig.slow.reads;
            if (is_abort_too)
                abort_read(0);
            spn__io_shutdown(rig.io);
            spn__io_shutdown(rig.io);
            desc = rig_desc(&rig, &reads[9], file_a, 0, 100, buffers[9]);
            CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle),
                     SPN_ERR_SHUTDOWN);
            CHECK_EQ(spn__io_file_open(rig.io, "b", &file), SPN_ERR_SHUTDOWN);
            CHECK(!spn__io_is_idle(rig.io));
            rig_run(&rig);
            rig_check(&reads[0],
                      is_abort_too ? SPN_ERR_ABORTED : SPN_ERR_SHUTDOWN);
            if (reads[1].handle)
                rig_check(&reads[1], SPN_ERR_SHUTDOWN);
            /* no further read was begun */
            CHECK_EQ(rig.slow.reads, disc_reads);
            CHECK_EQ(reads[9].async_count + reads[9].done_count, 0);
            memset(reads, 0, sizeof reads);
            rig_close(&rig);
        }
}

/* Ended, but its callbacks have yet to run: the abort is too late. */
static void abort_after_the_end_changes_nothing(void)
{
    open_rig();
    begin(0, 0, 4096);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    CHECK_EQ(spn__io_poll(rig.io, reads[0].handle), SPN_OK);
    abort_read(0); /* a worker runs its callback */
    CHECK(spn__jobs_step(&rig.jobs, 0));
    abort_read(0); /* in the done queue */
    spn__io_shutdown(rig.io);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 4096);
    rig_close(&rig);
}

static void abort_of_a_read_by_path_closes_its_file(void)
{
    for (uint32_t is_at_device = 0; is_at_device < 2; is_at_device++) {
        spn_read_desc desc;

        open_rig();
        desc = rig_desc(&rig, &reads[0], 0, 0, 100, buffers[0]);
        desc.path = "b";
        rig_start(&rig, &desc, &reads[0]);
        if (is_at_device)
            rig_step_io(&rig);
        abort_read(0);
        rig_run(&rig);
        rig_check(&reads[0], SPN_ERR_ABORTED);
        CHECK_EQ(rig.slow.opens, is_at_device);
        CHECK(spn__io_is_idle(rig.io));
        rig_close(&rig);
    }
}

/* -- from callbacks -- */

struct actor {
    spn_read_desc again; /* started by the callback */
    spn_read target;     /* aborted by the callback */
    spn_read *started;
    uint32_t calls;
    spn_status start_status;
    spn_status abort_status;
};

static void abort_in_callback(const spn_read_result *result)
{
    struct actor *actor = result->user;

    actor->calls++;
    actor->start_status =
        spn__io_read_start(rig.io, &actor->again, actor->started);
    actor->abort_status = spn__io_abort(rig.io, actor->target);
}

static void callbacks_may_start_and_abort_reads(void)
{
    for (uint32_t is_async = 0; is_async < 2; is_async++) {
        struct actor actor;
        spn_read_desc desc;

        open_rig();
        memset(&actor, 0, sizeof actor);
        begin(2, 90000, 10000);
        actor.target = reads[2].handle;
        actor.again = rig_desc(&rig, &reads[1], file_a, 5000, 5000, buffers[1]);
        actor.started = &reads[1].handle;
        desc = rig_desc(&rig, &reads[0], file_a, 0, 100, buffers[0]);
        desc.user = &actor;
        desc.on_async = is_async ? abort_in_callback : NULL;
        desc.on_done = is_async ? NULL : abort_in_callback;
        rig_start(&rig, &desc, &reads[0]);
        rig_run(&rig);
        CHECK_EQ(actor.calls, 1);
        CHECK_EQ(actor.start_status, SPN_OK);
        CHECK_EQ(actor.abort_status, SPN_OK);
        rig_check(&reads[2], SPN_ERR_ABORTED);
        rig_check_bytes(&reads[1], 0, 5000, 5000);
        rig_close(&rig);
    }
}

static void callbacks_cannot_abort_their_own_read(void)
{
    struct actor actor;
    spn_read_desc desc;

    open_rig();
    memset(&actor, 0, sizeof actor);
    actor.again = rig_desc(&rig, &reads[1], 0, 0, 1, buffers[1]);
    actor.started = &reads[1].handle;
    desc = rig_desc(&rig, &reads[0], file_a, 0, 100, buffers[0]);
    desc.user = &actor;
    desc.on_async = NULL;
    desc.on_done = abort_in_callback;
    rig_start(&rig, &desc, &reads[0]);
    actor.target = reads[0].handle;
    rig_run(&rig);
    CHECK_EQ(actor.calls, 1);
    CHECK_EQ(actor.start_status, SPN_ERR_ARG);
    CHECK_EQ(actor.abort_status, SPN_OK);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_ERR_HANDLE);
    rig_close(&rig);
}

/* A chain of reads, each started by the callback of the one before. The table
 * has one slot too few, because the slot of a read is not free during its
 * callback. */
static void slots_are_in_use_during_their_callbacks(void)
{
    struct actor actor;
    spn_read_desc desc;

    rig_open(&rig, &(struct rig_config){.read_count = 1});
    file_a = rig_file(&rig, "a");
    memset(&actor, 0, sizeof actor);
    actor.again = rig_desc(&rig, &reads[1], file_a, 0, 1, buffers[1]);
    actor.started = &reads[1].handle;
    desc = rig_desc(&rig, &reads[0], file_a, 0, 100, buffers[0]);
    desc.user = &actor;
    desc.on_async = NULL;
    desc.on_done = abort_in_callback;
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    CHECK_EQ(actor.start_status, SPN_FULL);
    CHECK_EQ(spn__io_read_start(rig.io, &actor.again, &reads[1].handle),
             SPN_OK);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 0, 1);
    rig_close(&rig);
}

static void handles_of_a_reused_slot_are_stale(void)
{
    spn_read first;

    rig_open(&rig, &(struct rig_config){.read_count = 1});
    file_a = rig_file(&rig, "a");
    begin(0, 0, 100);
    first = reads[0].handle;
    rig_run(&rig);
    begin(0, 0, 100);
    CHECK(reads[0].handle != first);
    CHECK_EQ(spn__io_abort(rig.io, first), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_poll(rig.io, first), SPN_ERR_HANDLE);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 100);
    rig_close(&rig);
}

static void finish_completes_no_more_than_its_limit(void)
{
    uint64_t due_us;

    open_rig();
    rig.slow.command_us = 0;
    for (uint32_t i = 0; i < 10; i++)
        begin(i, i * 5000, 100);
    while (spn__io_step(rig.io, &due_us) || spn__jobs_step(&rig.jobs, 0)) {
    }
    CHECK_EQ(spn__io_finish(rig.io, 0), 0);
    CHECK_EQ(spn__io_finish(rig.io, 3), 3);
    CHECK_EQ(spn__io_finish(rig.io, 100), 7);
    CHECK_EQ(spn__io_finish(rig.io, 100), 0);
    rig_close(&rig);
}

TEST_MAIN(TEST(abort_in_every_state_completes_once),
          TEST(every_cancelled_read_ends_as_aborted),
          TEST(shutdown_in_every_state_completes_once),
          TEST(abort_after_the_end_changes_nothing),
          TEST(abort_of_a_read_by_path_closes_its_file),
          TEST(callbacks_may_start_and_abort_reads),
          TEST(callbacks_cannot_abort_their_own_read),
          TEST(slots_are_in_use_during_their_callbacks),
          TEST(handles_of_a_reused_slot_are_stale),
          TEST(finish_completes_no_more_than_its_limit))
