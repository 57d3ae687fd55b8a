/* test_io.c
 *
 * Goal: reads arrive whole from anywhere, in buffers and in blocks; tables are
 *   bounded and reused; callbacks come or may be absent; statistics count
 *   what happened.
 * Method: the engine on a slow disc, stepped by hand; the disc's contents are
 *   the truth. Order, failures, aborts and alignment have tests of their own.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_rig.h"

#include <string.h>

static struct rig rig;
static struct rig_read reads[32];
static uint8_t buffers[32][RIG_FILE_BYTES / 8];

/* Start read `i` of file `file` with a priority. */
static void begin(uint32_t i, spn_file file, uint64_t offset, uint64_t bytes,
                  spn_priority priority)
{
    spn_read_desc desc =
        rig_desc(&rig, &reads[i], file, offset, bytes, buffers[i]);

    desc.priority = priority;
    rig_start(&rig, &desc, &reads[i]);
}

static void begin_normal(uint32_t i, spn_file file, uint64_t offset,
                         uint64_t bytes)
{
    begin(i, file, offset, bytes, SPN_PRIORITY_NORMAL);
}

/* ---- arguments --------------------------------------------------------- */

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
    REFUSES(bad.priority = (spn_priority)6, SPN_ERR_ARG);
    REFUSES(bad.task = SPN_TASK_COUNT, SPN_ERR_ARG);
#undef REFUSES
    CHECK_EQ(out, 77);
    CHECK_EQ(spn__io_abort(rig.io, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_abort(rig.io, UINT32_MAX), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_poll(rig.io, 0x10000), SPN_ERR_HANDLE);
    CHECK_EQ(spn__io_file_close(rig.io, 0), SPN_ERR_HANDLE);
    rig_close(&rig);
}

static void on_nothing(void *context, uint32_t argument,
                       const struct io_result *result)
{
    struct io_result *out = context;

    CHECK_EQ(argument, 4711);
    *out = *result;
}

static void io_refuses_bad_internal_reads(void)
{
    struct io_result result;
    struct io_read good = {.bytes = 100,
                           .buffer = buffers[0],
                           .on_done = on_nothing,
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
    bad = good;
    bad.on_done = NULL;
    CHECK_EQ(spn__io_start(rig.io, &bad, &out), SPN_ERR_ARG);
    rig_close(&rig);
}

/* ---- bytes ------------------------------------------------------------- */

static void io_reads_arrive_whole_from_anywhere(void)
{
    static const uint64_t cases[][2] = {{0, 1},
                                        {0, 4095},
                                        {0, 4096},
                                        {0, 4097},
                                        {1, 100000},
                                        {12345, 999},
                                        {RIG_FILE_BYTES - 1, 1}};

    rig_open(&rig, NULL);
    for (uint32_t i = 0; i < 7; i++) {
        spn_file file = rig_file(&rig, i % 2 ? "b" : "c");

        test_context("case %u", i);
        begin_normal(i, file, cases[i][0], cases[i][1]);
        rig_run(&rig);
        rig_check_bytes(&reads[i], i % 2 ? 1 : 2, cases[i][0], cases[i][1]);
        CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    }
    rig_close(&rig);
}

static void io_reads_by_path_open_and_close_their_file(void)
{
    spn_read_desc desc;

    rig_open(&rig, NULL);
    for (uint32_t i = 0; i < 50; i++) {
        desc = rig_desc(&rig, &reads[0], 0, i, 5000, buffers[0]);
        desc.path = "b";
        rig_start(&rig, &desc, &reads[0]);
        rig_run(&rig);
        rig_check_bytes(&reads[0], 1, i, 5000);
        CHECK_EQ(rig.slow.opens, i + 1);
        CHECK_EQ(rig.slow.closes, i + 1);
        CHECK(spn__io_is_idle(rig.io));
    }
    rig_close(&rig);
}

static void io_reads_to_the_end_find_it_themselves(void)
{
    spn_file file;
    spn_read_desc desc;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    desc =
        rig_desc(&rig, &reads[0], file, RIG_FILE_BYTES - 5000, 0, buffers[0]);
    desc.buffer_bytes = 5000;
    rig_start(&rig, &desc, &reads[0]);
    desc =
        rig_desc(&rig, &reads[1], file, RIG_FILE_BYTES - 5000, 0, buffers[1]);
    desc.buffer_bytes = 4999;
    rig_start(&rig, &desc, &reads[1]);
    desc = rig_desc(&rig, &reads[2], file, RIG_FILE_BYTES, 0, NULL);
    rig_start(&rig, &desc, &reads[2]);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, RIG_FILE_BYTES - 5000, 5000);
    rig_check(&reads[1], SPN_ERR_RANGE);
    rig_check_bytes(&reads[2], 0, RIG_FILE_BYTES, 0);
    rig_close(&rig);
}

/* The original adds offset and size in 32 bits. */
static void io_ranges_past_the_end_are_refused_without_wrapping(void)
{
    static const uint64_t cases[][2] = {
        {RIG_FILE_BYTES, 1},     {RIG_FILE_BYTES - 1, 2},
        {RIG_FILE_BYTES + 1, 0}, {UINT64_MAX, 0},
        {UINT64_MAX, 1},         {UINT64_MAX - 9, 10},
        {UINT32_MAX - 9ull, 10}, {1ull << 63, 100},
        {1, UINT64_MAX},         {10, UINT64_MAX - 5}};
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 10; i++) {
        begin_normal(i, file, cases[i][0], cases[i][1]);
        rig_run(&rig);
        test_context("case %u", i);
        rig_check(&reads[i], SPN_ERR_RANGE);
        CHECK_EQ_U(reads[i].bytes, 0);
    }
    CHECK_EQ(rig.slow.reads, 0);
    rig_close(&rig);
}

static void io_scatters_over_the_extents_of_a_block(void)
{
    static uint8_t view[150000];
    heap_handle holes[64];
    heap_handle block;
    struct io_result result = {0};
    struct io_read read = {.offset = 777,
                           .bytes = sizeof view,
                           .priority = SPN_PRIORITY_NORMAL,
                           .on_done = on_nothing,
                           .context = &result,
                           .argument = 4711};
    uint32_t count = 0;
    spn_read handle;

    rig_open(&rig, &(struct rig_config){.piece_bytes = 1 << 20});
    while (count < 64 && spn__heap_alloc(&rig.heap, 4096, 0, HEAP_TAG_USER,
                                         &holes[count]) == SPN_OK)
        count++;
    /* Three of four pages free: a block of runs of three. */
    for (uint32_t i = 0; i < count; i++)
        if (i % 4 != 3)
            CHECK(spn__heap_free(&rig.heap, holes[i]));
    CHECK_EQ(spn__heap_alloc(&rig.heap, sizeof view, 0, HEAP_TAG_READ, &block),
             SPN_OK);
    CHECK(spn__heap_extent_count(&rig.heap, block) > 10);
    read.file = rig_file(&rig, "b");
    read.block = block;
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ_U(result.bytes, sizeof view);
    CHECK_EQ_U(result.read, handle);
    CHECK(spn__heap_view(&rig.heap, block, 0, sizeof view, view) == view);
    for (uint32_t i = 0; i < sizeof view; i++)
        CHECK_EQ(view[i], rig_byte(1, 777 + i));
    rig_close(&rig);
}

/* 40 single pages: more extents than one submit takes. */
static void io_scatters_more_extents_than_a_submit_takes(void)
{
    static uint8_t view[HEAP_EXTENTS_MAX * 4096];
    heap_handle holes[64];
    heap_handle block;
    struct io_result result = {0};
    struct io_read read = {.bytes = 30 * 4096 - 100,
                           .on_done = on_nothing,
                           .context = &result,
                           .argument = 4711};
    uint32_t count = 0;
    spn_read handle;

    rig_open(&rig, &(struct rig_config){.piece_bytes = 1 << 20});
    while (count < 64 && spn__heap_alloc(&rig.heap, 4096, 0, HEAP_TAG_USER,
                                         &holes[count]) == SPN_OK)
        count++;
    for (uint32_t i = 0; i < count; i += 2)
        CHECK(spn__heap_free(&rig.heap, holes[i]));
    CHECK_EQ(spn__heap_alloc(&rig.heap, (uint32_t)read.bytes, 0, HEAP_TAG_READ,
                             &block),
             SPN_OK);
    CHECK_EQ(spn__heap_extent_count(&rig.heap, block), 30);
    read.file = rig_file(&rig, "c");
    read.block = block;
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ(rig.slow.reads, 2);
    spn__heap_view(&rig.heap, block, 0, (uint32_t)read.bytes, view);
    for (uint32_t i = 0; i < read.bytes; i++)
        CHECK_EQ(view[i], rig_byte(2, i));
    rig_close(&rig);
}

/* ---- files and tables -------------------------------------------------- */

static void io_files_open_late_and_close_when_no_read_needs_them(void)
{
    spn_file file;

    rig_open(&rig, NULL);
    rig.slow.command_us = 100;
    file = rig_file(&rig, "a");
    rig_run(&rig);
    CHECK_EQ(rig.slow.opens, 0);
    begin_normal(0, file, 0, 9000);
    begin_normal(1, file, 20000, 9000);
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.opens, 1);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_ERR_HANDLE);
    {
        spn_read_desc desc =
            rig_desc(&rig, &reads[2], file, 0, 100, buffers[2]);

        CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[2].handle),
                 SPN_ERR_HANDLE);
    }
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.closes, 0);
    rig_run(&rig);
    rig_check_bytes(&reads[0], 0, 0, 9000);
    rig_check_bytes(&reads[1], 0, 20000, 9000);
    CHECK_EQ(rig.slow.opens, 1);
    CHECK_EQ(rig.slow.closes, 1);
    CHECK(spn__io_is_idle(rig.io));
    rig_close(&rig);
}

static void io_file_table_is_bounded_and_reused(void)
{
    spn_file files[3];
    spn_file extra = 99;

    rig_open(&rig, &(struct rig_config){.file_count = 3});
    for (uint32_t i = 0; i < 3; i++)
        files[i] = rig_file(&rig, "a");
    CHECK_EQ(spn__io_file_open(rig.io, "b", &extra), SPN_ERR_TABLE_FULL);
    CHECK_EQ(extra, 99);
    for (uint32_t i = 0; i < 70000; i++) {
        CHECK_EQ(spn__io_file_close(rig.io, files[1]), SPN_OK);
        rig_step_io(&rig);
        extra = rig_file(&rig, "b");
        CHECK(extra != files[1]);
        files[1] = extra;
    }
    rig_close(&rig);
}

static void io_file_size_is_known_after_its_first_read(void)
{
    uint64_t bytes = 5;
    spn_file file;

    rig_open(&rig, NULL);
    file = rig_file(&rig, "a");
    CHECK_EQ(spn__io_file_bytes(rig.io, file, &bytes), SPN_PENDING);
    begin_normal(0, file, RIG_FILE_BYTES, 1); /* fails, but knows the size */
    rig_run(&rig);
    CHECK_EQ(spn__io_file_bytes(rig.io, file, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn__io_file_bytes(rig.io, file, &bytes), SPN_OK);
    CHECK_EQ_U(bytes, RIG_FILE_BYTES);
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    CHECK_EQ(spn__io_file_bytes(rig.io, file, &bytes), SPN_ERR_HANDLE);
    rig_run(&rig);
    file = rig_file(&rig, "b");
    CHECK_EQ(spn__io_file_bytes(rig.io, file, &bytes), SPN_PENDING);
    rig_close(&rig);
}

static void io_read_table_is_bounded_and_reused(void)
{
    spn_read_desc desc;
    spn_file file;

    rig_open(&rig, &(struct rig_config){.read_count = 5});
    file = rig_file(&rig, "a");
    for (uint32_t round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < 5; i++)
            begin_normal(i, file, i * 100, 100);
        desc = rig_desc(&rig, &reads[5], file, 0, 100, buffers[5]);
        CHECK_EQ(spn__io_read_start(rig.io, &desc, &reads[5].handle), SPN_FULL);
        rig_run(&rig);
        for (uint32_t i = 0; i < 5; i++)
            rig_check_bytes(&reads[i], 0, i * 100, 100);
        CHECK_EQ(reads[5].async_count + reads[5].done_count, 0);
    }
    /* The refused reads hold the file no longer. */
    CHECK_EQ(spn__io_file_close(rig.io, file), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(rig.slow.closes, 1);
    rig_close(&rig);
}

/* One job at a time in the table, and nobody runs it for long. */
static void io_a_full_job_table_delays_callbacks_and_loses_none(void)
{
    spn_file file;
    uint64_t due_us;

    rig_open(&rig, &(struct rig_config){.job_capacity = 2});
    file = rig_file(&rig, "a");
    for (uint32_t i = 0; i < 10; i++)
        begin_normal(i, file, i * 5000, 5000);
    rig_step_io(&rig);
    CHECK_EQ(spn__ring_count(&rig.jobs.ready), 2);
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
        if (i == 1) /* the callback wants the other to have come */
            reads[i].async_count = 1, reads[i].status = SPN_OK;
        rig_start(&rig, &desc, &reads[i]);
    }
    rig_run(&rig);
    CHECK_EQ(reads[0].done_count, 1);
    CHECK_EQ(reads[1].done_count, 1);
    CHECK_EQ(reads[2].async_count, 1);
    CHECK_EQ(reads[2].done_count, 0);
    CHECK_EQ(reads[3].async_count + reads[3].done_count, 0);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(spn__io_poll(rig.io, reads[i].handle), SPN_ERR_HANDLE);
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
    begin_normal(2, file, UINT64_MAX, 1); /* fails */
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

/* A worker brings the older sums home after the newer ones. */
static void io_statistics_do_not_run_back(void)
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

TEST_MAIN(TEST(io_refuses_every_bad_argument),
          TEST(io_refuses_bad_internal_reads),
          TEST(io_reads_arrive_whole_from_anywhere),
          TEST(io_reads_by_path_open_and_close_their_file),
          TEST(io_reads_to_the_end_find_it_themselves),
          TEST(io_ranges_past_the_end_are_refused_without_wrapping),
          TEST(io_scatters_over_the_extents_of_a_block),
          TEST(io_scatters_more_extents_than_a_submit_takes),
          TEST(io_files_open_late_and_close_when_no_read_needs_them),
          TEST(io_file_table_is_bounded_and_reused),
          TEST(io_file_size_is_known_after_its_first_read),
          TEST(io_read_table_is_bounded_and_reused),
          TEST(io_a_full_job_table_delays_callbacks_and_loses_none),
          TEST(io_callbacks_may_be_absent), TEST(io_statistics_are_exact),
          TEST(io_statistics_do_not_run_back))
