/* test_io_storage.c
 *
 * Goal: a storage callback is called once, when the size is known and the
 *   read is next. "Not now" and an exhausted budget defer this read and no
 *   other. When memory returns, deferred reads continue in order. The memory
 *   given is returned to the caller in every case.
 * Method: callbacks that return the status that the test sets, and record
 *   their arguments.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io.h"
#include "read/io_start.h"
#include "read/io_wait.h"
#include "read/stage/io_finish.h"
#include "support/io_rig.h"

#include <string.h>

#define KIB 1024u

static struct rig rig;
static struct rig_read reads[16];
static uint8_t buffers[16][100 * KIB];
static spn_file file_a;
static spn_file file_b;

/* The answer of each read's callback, and the number of its calls. */
static spn_status answers[16];
static uint32_t storage_calls[16];
static uint64_t storage_bytes[16];
static uint32_t storage_order[64];
static uint32_t storage_count;

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct rig_read *read = want->user;
    uint32_t i = (uint32_t)(read - reads);

    CHECK_EQ(want->read, read->handle);
    CHECK_EQ(want->task, SPN_TASK_OWN);
    CHECK(want->bytes > 0);
    CHECK(!*buffer);
    storage_calls[i]++;
    storage_bytes[i] = want->bytes;
    if (storage_count < 64)
        storage_order[storage_count++] = i;
    if (answers[i] != SPN_OK)
        return answers[i];
    CHECK(want->bytes <= sizeof buffers[i]);
    *buffer = read->buffer = buffers[i];
    return SPN_OK;
}

/* A read with a storage callback. */
static spn_read_desc describe(uint32_t i, spn_file file, uint64_t offset,
                              uint64_t bytes, spn_priority priority)
{
    spn_read_desc desc = rig_desc(&rig, &reads[i], file, offset, bytes, NULL);

    desc.buffer_bytes = 0;
    desc.on_storage = give;
    desc.task = SPN_TASK_OWN;
    desc.priority = priority;
    return desc;
}

static void begin(uint32_t i, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc = describe(i, file_a, offset, bytes, priority);

    rig_start(&rig, &desc, &reads[i]);
}

static void begin_normal(uint32_t i, uint64_t offset, uint64_t bytes)
{
    begin(i, offset, bytes, SPN_PRIORITY_NORMAL);
}

/* One with a buffer of its own. */
static void begin_own(uint32_t i, uint64_t offset, uint64_t bytes)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file_a, offset, bytes, buffers[i]);

    rig_start(&rig, &desc, &reads[i]);
}

static void open_rig(uint64_t budget_bytes)
{
    rig_open(&rig, &(struct rig_config){.budget_bytes = budget_bytes,
                                        .piece_bytes = 8192});
    slow_platform_place(&rig.slow, "b", SPN_MEDIUM_OPTICAL);
    rig.slow.command_us = 100;
    file_a = rig_file(&rig, "a");
    file_b = rig_file(&rig, "b");
    memset(storage_calls, 0, sizeof storage_calls);
    memset(answers, 0, sizeof answers);
    storage_count = 0;
}

static void close_rig(void)
{
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    CHECK_EQ(atomic_load_relaxed(&rig.io->storage_waiter_count), 0);
    rig_close(&rig);
}

static void storage_is_requested_at_dispatch(void)
{
    static const uint32_t expected[] = {1, 2, 3, 0};
    spn_read_desc desc;

    open_rig(0);
    begin_normal(0, 90000, 3000);
    begin_normal(1, 1000, 20000);
    begin_normal(2, 40000, 3000);
    /* To the end: the size is the file's to say. */
    desc = describe(3, file_a, RIG_FILE_BYTES - 5000, 0, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK_EQ(storage_count, 1);
    rig_start(&rig, &desc, &reads[3]);
    rig_step_io(&rig);
    CHECK_EQ(storage_count, 1);
    rig_run(&rig);
    CHECK_EQ(storage_count, 4);
    /* Read 3 was started in between, with a higher priority. */
    CHECK_EQ(storage_order[0], expected[0]);
    CHECK_EQ(storage_order[1], 3);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(storage_calls[i], 1);
    CHECK_EQ_U(storage_bytes[1], 20000);
    CHECK_EQ_U(storage_bytes[3], 5000);
    rig_check_bytes(&reads[0], 0, 90000, 3000);
    rig_check_bytes(&reads[1], 0, 1000, 20000);
    rig_check_bytes(&reads[2], 0, 40000, 3000);
    rig_check_bytes(&reads[3], 0, RIG_FILE_BYTES - 5000, 5000);
    close_rig();
}

static void storage_may_refuse(void)
{
    static const struct {
        spn_status answer;
        spn_status status;
    } rows[] = {{SPN_ERR_MEMORY, SPN_ERR_MEMORY},
                {SPN_ERR_STATE, SPN_ERR_STATE},
                {SPN_PENDING, SPN_ERR_MEMORY},
                {SPN_FULL, SPN_ERR_MEMORY}};

    for (uint32_t i = 0; i < 4; i++) {
        test_context("row %u", i);
        open_rig(0);
        answers[0] = rows[i].answer;
        begin_normal(0, 0, 3000);
        begin_normal(1, 5000, 3000);
        rig_run(&rig);
        rig_check(&reads[0], rows[i].status);
        CHECK_EQ_U(reads[0].bytes, 0);
        CHECK_EQ(storage_calls[0], 1);
        rig_check_bytes(&reads[1], 0, 5000, 3000);
        CHECK_EQ(rig.slow.reads, 1);
        close_rig();
    }
}

static spn_status give_nothing(const spn_read_want *want, void **buffer)
{
    (void)want;
    (void)buffer;
    return SPN_OK;
}

static void storage_must_be_given_when_promised(void)
{
    spn_read_desc desc;

    open_rig(0);
    desc = describe(0, file_a, 0, 100, SPN_PRIORITY_NORMAL);
    desc.on_storage = give_nothing;
    rig_start(&rig, &desc, &reads[0]);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_MEMORY);
    close_rig();
}

static void storage_that_is_deferred_is_requested_again(void)
{
    open_rig(0);
    answers[0] = SPN_NO_MEMORY_NOW;
    answers[1] = SPN_NO_MEMORY_NOW;
    begin_normal(0, 0, 3000);
    begin(1, 5000, 3000, SPN_PRIORITY_URGENT);
    begin_normal(2, 10000, 3000);
    begin_own(3, 20000, 3000);
    rig_run(&rig);
    CHECK_EQ(storage_calls[0], 1);
    CHECK_EQ(storage_calls[1], 1);
    rig_check_bytes(&reads[2], 0, 10000, 3000);
    rig_check_bytes(&reads[3], 0, 20000, 3000);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    for (uint32_t i = 2; i < 5; i++) {
        spn__io_retry_storage(rig.io, false);
        rig_run(&rig);
        CHECK_EQ(storage_calls[0], i);
        CHECK_EQ(storage_calls[1], i);
    }
    answers[0] = SPN_OK;
    spn__io_retry_storage(rig.io, false);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 3000);
    CHECK_EQ(reads[1].done_count, 0);
    answers[1] = SPN_ERR_MEMORY;
    spn__io_retry_storage(rig.io, true);
    rig_run(&rig);
    rig_check(&reads[1], SPN_ERR_MEMORY);
    /* No read waits any more, so no signal is sent. */
    spn__io_retry_storage(rig.io, false);
    CHECK_EQ(atomic_load_relaxed(&rig.io->signals), 0);
    close_rig();
}

static void storage_is_not_requested_needlessly(void)
{
    spn_read_desc desc;

    open_rig(0);
    begin_normal(0, RIG_FILE_BYTES, 1);
    /* to the end of the file, where no byte is left */
    begin_normal(1, RIG_FILE_BYTES, 0);
    begin_normal(2, UINT64_MAX, 2);
    desc = describe(3, 0, 0, 100, SPN_PRIORITY_NORMAL);
    desc.path = "none";
    rig_start(&rig, &desc, &reads[3]);
    begin_normal(4, 0, 100);
    CHECK_EQ(spn__io_abort(rig.io, reads[4].handle), SPN_OK);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_RANGE);
    rig_check_bytes(&reads[1], 0, RIG_FILE_BYTES, 0);
    rig_check(&reads[2], SPN_ERR_RANGE);
    rig_check(&reads[3], SPN_ERR_NOT_FOUND);
    rig_check(&reads[4], SPN_ERR_ABORTED);
    CHECK_EQ(storage_count, 0);
    close_rig();
}

static void storage_excludes_a_buffer(void)
{
    spn_read_desc desc;
    spn_read handle;

    open_rig(0);
    desc = describe(0, file_a, 0, 100, SPN_PRIORITY_NORMAL);
    desc.buffer = buffers[0];
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);
    desc.buffer = NULL;
    desc.buffer_bytes = 100;
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);
    desc.buffer_bytes = 0;
    desc.flags = 4;
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);
    desc.flags = 0x80000000u;
    CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);
    close_rig();
}

/* The completion returns the memory to the caller. */
static void storage_is_returned_in_every_case(void)
{
    static const struct slow_fault bad = {
        .kind = SLOW_ERROR, .offset = 9000, .bytes = 1};

    for (uint32_t how = 0; how < 3; how++) {
        test_context("how %u", how);
        open_rig(0);
        if (how == 2)
            slow_platform_fault(&rig.slow, &bad);
        begin_normal(0, 0, 20000);
        rig_step_io(&rig);
        if (how == 0)
            CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
        else if (how == 1)
            spn__io_shutdown(rig.io);
        rig_run(&rig);
        /* rig_check compares the result's buffer with the memory given. */
        rig_check(&reads[0], how == 0   ? SPN_ERR_ABORTED
                             : how == 1 ? SPN_ERR_SHUTDOWN
                                        : SPN_ERR_IO);
        CHECK(reads[0].buffer == buffers[0]);
        close_rig();
    }
}

static void storage_need_not_be_aligned(void)
{
    open_rig(0);
    rig.slow.align_bytes = 512;
    begin_normal(0, 777, 50000);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 777, 50000);
    close_rig();
}

static void start_and_abort_others(const spn_read_want *want)
{
    (void)want;
    begin_own(5, 70000, 100);
    CHECK_EQ(spn__io_abort(rig.io, reads[1].handle), SPN_OK);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
}

static spn_status act_and_give(const spn_read_want *want, void **buffer)
{
    start_and_abort_others(want);
    return give(want, buffer);
}

static void storage_callbacks_may_start_and_abort(void)
{
    spn_read_desc desc;

    open_rig(0);
    desc = describe(0, file_a, 0, 100, SPN_PRIORITY_NORMAL);
    desc.on_storage = act_and_give;
    rig_start(&rig, &desc, &reads[0]);
    begin_normal(1, 5000, 100);
    rig_run(&rig);
    rig_check(&reads[0], SPN_ERR_ABORTED);
    rig_check(&reads[1], SPN_ERR_ABORTED);
    rig_check_bytes(&reads[5], 0, 70000, 100);
    CHECK_EQ(storage_calls[0], 1);
    CHECK_EQ(storage_calls[1], 0);
    close_rig();
}

/* -- the budget -- */

/* Run everything except completions, so that memory stays in use. */
static void run_without_completions(void)
{
    do {
        rig_step_io(&rig);
    } while (slow_platform_advance(&rig.slow));
}

static void budget_admits_only_urgent_reads_when_used_up(void)
{
    spn_read_desc desc;

    open_rig(64 * KIB);
    begin_normal(0, 0, 60 * KIB);
    run_without_completions();
    CHECK_EQ(storage_calls[0], 1);
    begin_normal(1, 100000, 8 * KIB);
    begin(2, 110000, 8 * KIB, SPN_PRIORITY_ABOVE_NORMAL);
    begin(3, 120000, 8 * KIB, SPN_PRIORITY_URGENT);
    desc = describe(4, file_a, 130000, 8 * KIB, SPN_PRIORITY_IDLE);
    desc.flags = SPN_READ_OVER_BUDGET;
    rig_start(&rig, &desc, &reads[4]);
    begin_own(5, 140000, 8 * KIB); /* needs no storage */
    run_without_completions();
    CHECK_EQ(storage_calls[1] + storage_calls[2], 0);
    CHECK_EQ(storage_calls[3], 1);
    CHECK_EQ(storage_calls[4], 1);
    CHECK_EQ(spn__io_poll(rig.io, reads[5].handle), SPN_OK);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 76 * KIB);
    /* All reads continue when memory returns. */
    rig_run(&rig);
    for (uint32_t i = 1; i < 6; i++)
        rig_check_bytes(&reads[i], 0, 90000 + i * 10000, 8 * KIB);
    CHECK_EQ_U(spn__budget_bytes_peak(&rig.io->budget), 76 * KIB);
    close_rig();
}

/* The completion that frees the memory is enough. The test calls no retry. */
static void budget_returns_with_the_completion(void)
{
    open_rig(8 * KIB);
    for (uint32_t i = 0; i < 8; i++)
        begin_normal(i, i * 10000, 8 * KIB);
    for (uint32_t i = 0; i < 8; i++) {
        run_without_completions();
        CHECK_EQ(storage_count, i + 1);
        CHECK(spn__jobs_step(&rig.jobs, 0));
        run_without_completions();
        CHECK_EQ(storage_count, i + 1);
        CHECK_EQ(spn__io_finish(rig.io, 1), 1);
    }
    for (uint32_t i = 0; i < 8; i++)
        rig_check_bytes(&reads[i], 0, i * 10000, 8 * KIB);
    close_rig();
}

/* Complete the reads that have ended. */
static void complete(void)
{
    while (spn__jobs_step(&rig.jobs, 0) || spn__io_finish(rig.io, 1)) {
    }
}

/* A large read is not passed by any number of small ones that would fit. It
 * begins when it is next, also on another medium. */
static void budget_is_given_in_order(void)
{
    for (uint32_t is_other_medium = 0; is_other_medium < 2; is_other_medium++) {
        spn_read_desc desc;

        open_rig(64 * KIB);
        begin_normal(0, 0, 20 * KIB);
        run_without_completions();
        desc = describe(1, is_other_medium ? file_b : file_a, 30000, 60 * KIB,
                        SPN_PRIORITY_NORMAL);
        rig_start(&rig, &desc, &reads[1]);
        run_without_completions();
        for (uint32_t i = 2; i < 8; i++)
            begin_normal(i, i * 1000, 4 * KIB);
        run_without_completions();
        CHECK_EQ(storage_count, 1);
        /* A read of a better class goes before it. */
        begin(8, 200, 8 * KIB, SPN_PRIORITY_ABOVE_NORMAL);
        run_without_completions();
        CHECK_EQ(storage_count, 2);
        CHECK_EQ(storage_order[1], 8);
        complete();
        run_without_completions();
        /* One of the small reads also fits beside it. */
        CHECK_EQ(storage_calls[1], 1);
        CHECK_EQ(storage_calls[2], 1);
        CHECK_EQ(storage_count, 4);
        rig_run(&rig);
        for (uint32_t i = 2; i < 8; i++)
            rig_check_bytes(&reads[i], 0, i * 1000, 4 * KIB);
        rig_check_bytes(&reads[1], is_other_medium, 30000, 60 * KIB);
        close_rig();
    }
}

/* A large read of lower priority, among small ones that never end. At any time
 * one of these holds some of the budget. */
static void budget_starves_no_read(void)
{
    static const uint32_t age_limit_s[] = {[SPN_PRIORITY_NORMAL] = 8,
                                           [SPN_PRIORITY_BELOW_NORMAL] = 16,
                                           [SPN_PRIORITY_IDLE] = 32};

    for (uint32_t p = SPN_PRIORITY_NORMAL; p <= SPN_PRIORITY_IDLE; p++) {
        uint32_t second = 0;

        open_rig(64 * KIB);
        begin(0, 0, 20 * KIB, SPN_PRIORITY_ABOVE_NORMAL);
        run_without_completions();
        begin(15, 30000, 60 * KIB, (spn_priority)p);
        run_without_completions();
        for (; storage_calls[15] == 0 && second < 60; second++) {
            uint32_t i = 1 + second % 2;

            CHECK_EQ(storage_calls[15], 0);
            run_without_completions();
            rig.slow.clock_us += 1000000;
            begin(i, i * 1000, 20 * KIB, SPN_PRIORITY_ABOVE_NORMAL);
            /* The next small read begins before the budget of the previous one
             * returns. */
            rig_step_io(&rig);
            complete();
            rig_step_io(&rig);
        }
        test_context("priority %u: %u s", p, second);
        CHECK(second + 6 > age_limit_s[p] && second <= age_limit_s[p]);
        rig_run(&rig);
        rig_check_bytes(&reads[15], 0, 30000, 60 * KIB);
        close_rig();
    }
}

/* A read that is due soon does not wait behind earlier reads that are not. */
static void budget_waiters_are_ordered_by_deadline(void)
{
    spn_read_desc desc;

    open_rig(64 * KIB);
    begin_normal(0, 0, 20 * KIB);
    run_without_completions();
    begin_normal(1, 30000, 60 * KIB);
    run_without_completions();
    desc = describe(2, file_a, 200, 60 * KIB, SPN_PRIORITY_NORMAL);
    desc.deadline_us = rig.slow.clock_us + 400000;
    rig_start(&rig, &desc, &reads[2]);
    run_without_completions();
    /* A read whose deadline had passed before its start is not older than the
     * waiting reads. */
    rig.slow.clock_us += 500000;
    desc = describe(3, file_a, 300, 60 * KIB, SPN_PRIORITY_NORMAL);
    desc.deadline_us = 1;
    rig_start(&rig, &desc, &reads[3]);
    run_without_completions();
    CHECK_EQ(storage_count, 1);
    complete();
    run_without_completions();
    CHECK_EQ(storage_order[1], 2);
    rig_run(&rig);
    CHECK_EQ(storage_order[2], 3);
    CHECK_EQ(storage_order[3], 1);
    rig_run(&rig);
    close_rig();
}

/* A read larger than the whole budget is served alone. */
static void budget_admits_an_oversized_read_alone(void)
{
    open_rig(16 * KIB);
    begin_normal(0, 0, 8 * KIB);
    begin_normal(1, 10000, 90 * KIB);
    begin_normal(2, 110000, 8 * KIB);
    run_without_completions();
    CHECK_EQ(storage_calls[0], 1);
    CHECK_EQ(storage_calls[1] + storage_calls[2], 0);
    complete();
    run_without_completions();
    CHECK_EQ(storage_calls[1], 1);
    CHECK_EQ(storage_calls[2], 0);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 92 * KIB);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 10000, 90 * KIB);
    rig_check_bytes(&reads[2], 0, 110000, 8 * KIB);
    close_rig();
}

/* When the first waiter leaves, the next may fit at once. */
static void budget_goes_to_the_next_when_the_first_leaves(void)
{
    for (uint32_t is_pause = 0; is_pause < 2; is_pause++) {
        spn_read_desc desc;

        open_rig(64 * KIB);
        begin_normal(0, 0, 20 * KIB);
        run_without_completions();
        desc = describe(1, file_a, 30000, 60 * KIB, SPN_PRIORITY_NORMAL);
        desc.task = SPN_TASK_TEXTURE;
        rig_start(&rig, &desc, &reads[1]);
        begin_normal(2, 100000, 4 * KIB);
        run_without_completions();
        CHECK_EQ(storage_count, 1);
        if (is_pause)
            spn__io_pause(rig.io, SPN_TASK_TEXTURE, true);
        else
            CHECK_EQ(spn__io_abort(rig.io, reads[1].handle), SPN_OK);
        run_without_completions();
        CHECK_EQ(storage_calls[2], 1);
        spn__io_shutdown(rig.io);
        rig_run(&rig);
        rig_check(&reads[1], is_pause ? SPN_ERR_SHUTDOWN : SPN_ERR_ABORTED);
        close_rig();
    }
}

static void budget_waiters_can_be_aborted(void)
{
    for (uint32_t is_shutdown = 0; is_shutdown < 2; is_shutdown++) {
        open_rig(64 * KIB);
        begin_normal(0, 0, 60 * KIB);
        run_without_completions();
        for (uint32_t i = 1; i < 6; i++)
            answers[i] = i % 2 ? SPN_OK : SPN_NO_MEMORY_NOW;
        for (uint32_t i = 1; i < 6; i++)
            begin(i, i * 10000, 8 * KIB,
                  i % 2 ? SPN_PRIORITY_IDLE : SPN_PRIORITY_URGENT);
        run_without_completions();
        CHECK_EQ(rig.io->budget_waiters.count, 3);
        CHECK_EQ(rig.io->storage_waiters.count, 2);
        for (uint32_t i = 1; i < 6 && !is_shutdown; i++)
            CHECK_EQ(spn__io_abort(rig.io, reads[i].handle), SPN_OK);
        if (is_shutdown)
            spn__io_shutdown(rig.io);
        rig_run(&rig);
        rig_check_bytes(&reads[0], 0, 0, 60 * KIB);
        for (uint32_t i = 1; i < 6; i++)
            rig_check(&reads[i],
                      is_shutdown ? SPN_ERR_SHUTDOWN : SPN_ERR_ABORTED);
        close_rig();
    }
}

/* The budget of a refused read goes to the waiters. */
static void budget_of_a_refused_read_goes_to_waiters(void)
{
    open_rig(16 * KIB);
    answers[0] = SPN_NO_MEMORY_NOW;
    begin_normal(0, 0, 12 * KIB);
    begin_normal(1, 20000, 12 * KIB);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 20000, 12 * KIB);
    CHECK_EQ(storage_calls[0], 1);
    answers[0] = SPN_OK;
    spn__io_retry_storage(rig.io, false);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 12 * KIB);
    close_rig();
}

static spn_status give_texture(const spn_read_want *want, void **buffer)
{
    struct rig_read *read = want->user;

    CHECK_EQ(want->task, SPN_TASK_TEXTURE);
    *buffer = read->buffer = buffers[read - reads];
    return SPN_OK;
}

/* The read got its budget while the device was busy, but no memory yet. */
static void budget_of_a_paused_read_goes_to_waiters(void)
{
    spn_read_desc desc;

    open_rig(8 * KIB);
    desc = describe(0, file_b, 0, 8 * KIB, SPN_PRIORITY_NORMAL);
    rig_start(&rig, &desc, &reads[0]);
    rig_step_io(&rig);
    begin_normal(1, 50000, 8 * KIB);
    rig_step_io(&rig);
    CHECK_EQ(rig.io->budget_waiters.count, 1);
    begin_own(2, 0, 40000);
    rig_step_io(&rig);
    rig.slow.clock_us += 100;
    rig_step_io(&rig);
    CHECK_EQ(spn__io_finish(rig.io, 16), 0); /* its callback runs on a worker */
    while (spn__jobs_step(&rig.jobs, 0)) {
    }
    CHECK_EQ(spn__io_finish(rig.io, 16), 1);
    rig_step_io(&rig);
    CHECK_EQ(rig.io->budget_waiters.count, 0);
    CHECK_EQ(storage_calls[1], 0);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 8 * KIB);
    spn__io_pause(rig.io, SPN_TASK_OWN, true);
    rig_step_io(&rig);
    CHECK_EQ_U(spn__budget_bytes(&rig.io->budget), 0);
    desc = describe(3, file_a, 70000, 8 * KIB, SPN_PRIORITY_NORMAL);
    desc.task = SPN_TASK_TEXTURE;
    desc.on_storage = give_texture;
    rig_start(&rig, &desc, &reads[3]);
    rig_run(&rig);
    rig_check_bytes(&reads[3], 0, 70000, 8 * KIB);
    CHECK_EQ(reads[1].done_count, 0);
    spn__io_pause(rig.io, SPN_TASK_OWN, false);
    rig_run(&rig);
    rig_check_bytes(&reads[1], 0, 50000, 8 * KIB);
    close_rig();
}

TEST_MAIN(
    TEST(storage_is_requested_at_dispatch), TEST(storage_may_refuse),
    TEST(storage_must_be_given_when_promised),
    TEST(storage_that_is_deferred_is_requested_again),
    TEST(storage_is_not_requested_needlessly), TEST(storage_excludes_a_buffer),
    TEST(storage_is_returned_in_every_case), TEST(storage_need_not_be_aligned),
    TEST(storage_callbacks_may_start_and_abort),
    TEST(budget_admits_only_urgent_reads_when_used_up),
    TEST(budget_returns_with_the_completion), TEST(budget_starves_no_read),
    TEST(budget_waiters_are_ordered_by_deadline),
    TEST(budget_is_given_in_order), TEST(budget_admits_an_oversized_read_alone),
    TEST(budget_goes_to_the_next_when_the_first_leaves),
    TEST(budget_waiters_can_be_aborted),
    TEST(budget_of_a_refused_read_goes_to_waiters),
    TEST(budget_of_a_paused_read_goes_to_waiters))
