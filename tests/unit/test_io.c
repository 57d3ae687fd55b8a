/* test_io.c
 *
 * Goal: bad arguments are refused. Callbacks are called, or may be absent.
 *   Statistics count the events.
 * Method: the engine on a slow disc, stepped by hand. Bytes, tables, order,
 *   failures, aborts and alignment have tests of their own.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_fixture.h"

#include <string.h>

static void io_refuses_every_bad_argument(void)
{
    char longest[SPN_PATH_BYTES_MAX + 1];
    spn_read_desc good;
    spn_read_desc bad;
    spn_read out = 77;
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    memset(longest, 'x', sizeof longest);
    longest[SPN_PATH_BYTES_MAX] = 0;
    CHECK_EQ(spn__io_file_open(rig.io, NULL, &file), SPN_ERR_ARG);
    CHECK_EQ(spn__io_file_open(rig.io, "", &file), SPN_ERR_ARG);
    CHECK_EQ(spn__io_file_open(rig.io, longest, &file), SPN_ERR_ARG);
    CHECK_EQ(spn__io_file_open(rig.io, "a", NULL), SPN_ERR_ARG);
    good = rig_desc(&rig, &reads[0], file, 0, 100, buffers[0]);
    CHECK_EQ(spn__io_read_start(rig.io, NULL, &out), SPN_ERR_ARG);
    CHECK_EQ(spn__io_read_start(rig.io, &good, NULL), SPN_ERR_ARG);
#define REFUSES(change, status)                                                \
    do {                                                                       \
        bad = good;                                                            \
        change;                                                                \
        CHECK_EQ(spn__io_read_start(rig.io, &bad, &out), status);              \
    } while (0)
    REFUSES(bad.file = 0, SPN_ERR_ARG);
    REFUSES((bad.file = 0, bad.path = ""), SPN_ERR_ARG);
    REFUSES((bad.file = 0, bad.path = longest), SPN_ERR_ARG);
    REFUSES(bad.file = 1, SPN_ERR_HANDLE);
    REFUSES(bad.file += 1u << 17, SPN_ERR_HANDLE);
    REFUSES(bad.file |= 0xffff, SPN_ERR_HANDLE);
    REFUSES(bad.buffer = NULL, SPN_ERR_ARG);
    REFUSES(bad.bytes = 101, SPN_ERR_ARG);
    REFUSES(bad.priority = SPN_PRIORITY_PREEMPTED, SPN_ERR_ARG);
    REFUSES(bad.priority = (spn_priority)7, SPN_ERR_ARG);
    REFUSES(bad.task = SPN_TASK_COUNT, SPN_ERR_ARG);
#undef REFUSES
    CHECK_EQ(out, 77);
    CHECK_EQ(spn__io_abort(rig.io, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_abort(rig.io, UINT32_MAX), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_poll(rig.io, 0x10000), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_file_close(rig.io, 0), SPN_ERR_HANDLE);
    rig_close(&rig);
}

static void io_refuses_bad_internal_reads(void)
{
    struct io_result result;
    struct io_read good = {.task = SPN_TASK_GEOM_CACHE,
                           .argument = RIG_ARGUMENT,
                           .bytes = 100,
                           .buffer = buffers[0],
                           .on_done = rig_keep,
                           .context = &result};
    struct io_read bad;
    spn_read out;
    heap_handle block;

    rig_open(&rig, NULL);
    good.file = rig_file(&rig, "a");
    CHECK_EQ(spn__heap_alloc(&rig.heap, 5000, 0, HEAP_TAG_READ, &block),
             SPN_OK);
    CHECK_EQ(spn__io_start(rig.io, NULL, &out), SPN_ERR_ARG);
    CHECK_EQ(spn__io_start(rig.io, &good, NULL), SPN_ERR_ARG);
    bad = good;
    bad.file = 0;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad = good;
    bad.bytes = 0;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad = good;
    bad.buffer = NULL;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad.block = block;
    bad.bytes = 5001;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad.bytes = 1;
    bad.block_offset = 5000;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad.block_offset = UINT32_MAX;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad = good;
    bad.task = (spn_task)0;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad.task = SPN_TASK_COUNT;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    bad = good;
    bad.on_done = NULL;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    CHECK_EQ(spn__io_start(rig.io, &good, &out), SPN_OK);
    rig_close(&rig);
}

/* The job table holds one job, which runs late. */
static void io_a_full_job_table_delays_callbacks_and_loses_none(void)
{
    spn_file file;
    uint64_t due_us;

    rig_open(&rig, &(struct rig_config){.job_capacity = 2});
    file = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 10; i++)
        begin_normal(i, file, i * 5000, 5000);
    rig_step_io(&rig);
    CHECK_EQ(spn__jobs_count(&rig.jobs), 2);
    CHECK(!spn__io_step(rig.io, &due_us));
    CHECK_EQ_U(due_us, rig.slow.clock_us + 1000);
    rig_run(&rig);
    for (uint32_t i = 0; i < 10; i++) {
        rig_check_bytes(&reads[i], 0, i * 5000, 5000);
        CHECK_EQ(reads[i].place, i + 1);
    }
    rig_close(&rig);
}

static void io_callbacks_may_be_absent(void)
{
    spn_read_desc desc;
    spn_io_stats stats;
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 4; i++) {
        desc = rig_desc(&rig, &reads[i], file, 0, 100, buffers[i]);
        if (i & 1)
            desc.on_async = NULL;
        if (i & 2)
            desc.on_done = NULL;
        if (i == 1) /* the callback expects that the other one ran */
            reads[i].async_count = 1, reads[i].status = SPN_OK;
        rig_start(&rig, &desc, &reads[i]);
    }
    rig_run(&rig);
    CHECK_EQ(reads[0].done_count, 1);
    CHECK_EQ(reads[1].done_count, 1);
    CHECK_EQ(reads[2].async_count, 1);
    CHECK_EQ(reads[2].done_count, 0);
    CHECK_EQ(reads[3].async_count + reads[3].done_count, 0);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(spn__io_poll(rig.io, reads[i].handle), SPN_ERR_HANDLE);
    /* No callback reported this read. */
    CHECK_EQ(spn__io_poll(rig.io, reads[3].handle), SPN_OK);
    CHECK_EQ(spn__io_release(rig.io, reads[3].handle), SPN_OK);
    CHECK_EQ(spn__io_poll(rig.io, reads[3].handle), SPN_ERR_HANDLE);
    rig_run(&rig);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.requests_done, 4);
    rig_close(&rig);
}

static void io_statistics_are_exact(void)
{
    spn_io_stats stats;
    spn_file file;

    rig_open(&rig, NULL);
    rig.slow.command_us = 10;
    file = rig_file(&rig, "a");
    begin_normal(0, file, 0, 8192); /* two pieces */
    begin_normal(1, file, 100000, 1000);
    begin_normal(2, file, UINT64_MAX, 1); /* this read fails */
    begin_normal(3, file, 200000, 1000);
    CHECK_EQ(spn__io_abort(rig.io, reads[3].handle), SPN_OK);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ(stats.pending, 4);
    rig_run(&rig);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.requests_done, 2);
    CHECK_EQ_U(stats.requests_failed, 1);
    CHECK_EQ_U(stats.requests_aborted, 1);
    CHECK_EQ_U(stats.bytes_read, 9192);
    CHECK_EQ_U(stats.head_travel_bytes, 100000 - 8192);
    CHECK_EQ_U(stats.busy_us, 30);
    CHECK_EQ(stats.pending, 0);
    CHECK_EQ(stats.pending_peak, 4);
    rig_close(&rig);
}

/* A worker reports older sums after newer ones. */
static void io_statistics_survive_a_clock_that_runs_back(void)
{
    spn_io_stats stats;
    spn_read_desc desc;
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    begin_normal(0, file, 0, 1000);
    desc = rig_desc(&rig, &reads[1], file, 5000, 500, buffers[1]);
    desc.on_async = NULL;
    desc.on_done = NULL;
    rig_start(&rig, &desc, &reads[1]);
    rig_step_io(&rig);
    CHECK_EQ(spn__io_finish(rig.io, 1), 1);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.bytes_read, 1500);
    rig_run(&rig);
    spn__io_get_stats(rig.io, &stats);
    CHECK_EQ_U(stats.bytes_read, 1500);
    CHECK_EQ_U(stats.requests_done, 2);
    rig_close(&rig);
}

/* No worker runs the common jobs, and their table is full. A type with reserved
 * workers is not affected. It uses the first lane that lists it. */
static void io_reserved_callbacks_wait_for_no_other(void)
{
    static const spn_task tasks[] = {
        SPN_TASK_TEXTURE, SPN_TASK_GEOMETRY, SPN_TASK_OWN,
        SPN_TASK_USER,    SPN_TASK_USER,     SPN_TASK_USER,
        SPN_TASK_USER,    (spn_task)31,      (spn_task)31};
    static const uint32_t lane_of[] = {1, 3, 1, 9, 9, 9, 9, 3, 3};
    struct rig_config config = {.job_capacity = 2};
    uint32_t done = 0;
    spn_file file;

    config.reserved_tasks[1] = 1u << SPN_TASK_TEXTURE | 1u << SPN_TASK_OWN;
    config.reserved_tasks[3] =
        1u << SPN_TASK_GEOMETRY | 1u << SPN_TASK_OWN | 1u << 31;
    rig_open(&rig, &config);
    file = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 9; i++) {
        spn_read_desc desc =
            rig_desc(&rig, &reads[i], file, i * 5000, 100, buffers[i]);

        desc.task = tasks[i];
        rig_start(&rig, &desc, &reads[i]);
    }
    rig_step_io(&rig);
    CHECK_EQ(spn__jobs_count(&rig.jobs), 2);
    for (uint32_t lane = 0; lane < IO_LANES_MAX; lane++) {
        uint32_t count = 0;

        for (uint32_t i = 0; i < 9; i++)
            count += lane_of[i] == lane;
        CHECK_EQ(spn__jobs_count(&rig.reserved[lane]), count);
        while (spn__jobs_step(&rig.reserved[lane], 0))
            done++;
    }
    CHECK_EQ(done, 5);
    CHECK_EQ(spn__io_finish(rig.io, 100), 5);
    for (uint32_t i = 0; i < 9; i++)
        CHECK_EQ(reads[i].done_count, lane_of[i] != 9);
    rig_run(&rig);
    for (uint32_t i = 0; i < 9; i++)
        rig_check_bytes(&reads[i], 0, i * 5000, 100);
    rig_close(&rig);
}

TEST_MAIN(TEST(io_refuses_every_bad_argument),
          TEST(io_refuses_bad_internal_reads),
          TEST(io_a_full_job_table_delays_callbacks_and_loses_none),
          TEST(io_callbacks_may_be_absent), TEST(io_statistics_are_exact),
          TEST(io_statistics_survive_a_clock_that_runs_back),
          TEST(io_reserved_callbacks_wait_for_no_other))
