/* test_io_bytes.c
 *
 * Goal: reads deliver all their bytes from any range, in buffers and in
 *   blocks. A range that leaves the file is refused.
 * Method: comparison with the disc's contents.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "support/io_fixture.h"

#include <string.h>

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

static void io_reads_to_the_end_use_the_file_size(void)
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

/* Offset and size are added in 64 bits. */
static void io_ranges_past_the_end_are_refused_without_wrapping(void)
{
    /* No buffer is larger than SIZE_MAX. */
    static const uint64_t cases[][2] = {
        {RIG_FILE_BYTES, 1},     {RIG_FILE_BYTES - 1, 2},
        {RIG_FILE_BYTES + 1, 0}, {UINT64_MAX, 0},
        {UINT64_MAX, 1},         {UINT64_MAX - 9, 10},
        {UINT32_MAX - 9ull, 10}, {1ull << 63, 100},
        {1, SIZE_MAX},           {10, SIZE_MAX - 5}};
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
    if (SIZE_MAX < UINT64_MAX) {
        spn_read_desc desc =
            rig_desc(&rig, &reads[0], file, 1, UINT64_MAX, buffers[0]);
        spn_read handle;

        CHECK_EQ(spn__io_read_start(rig.io, &desc, &handle), SPN_ERR_ARG);
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
    struct io_read read = {.task = SPN_TASK_GEOM_CACHE,
                           .offset = 777,
                           .bytes = sizeof view,
                           .priority = SPN_PRIORITY_NORMAL,
                           .on_done = rig_keep,
                           .context = &result,
                           .argument = RIG_ARGUMENT};
    uint32_t count = 0;
    spn_read handle;

    rig_open(&rig, &(struct rig_config){.piece_bytes = 1 << 20});
    while (count < 64 && spn__heap_alloc(&rig.heap, 4096, 0, HEAP_TAG_USER,
                                         &holes[count]) == SPN_OK)
        count++;
    /* Three of four pages are free, so a block has runs of three pages. */
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

/* 40 single pages, which are more extents than one submit accepts. */
static void io_scatters_more_extents_than_a_submit_takes(void)
{
    static uint8_t view[HEAP_EXTENTS_MAX * 4096];
    heap_handle holes[64];
    heap_handle block;
    struct io_result result = {0};
    struct io_read read = {.task = SPN_TASK_GEOM_CACHE,
                           .bytes = 30 * 4096 - 100,
                           .on_done = rig_keep,
                           .context = &result,
                           .argument = RIG_ARGUMENT};
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

/* The bytes around the requested range are unchanged. */
static void io_reads_into_the_middle_of_a_block(void)
{
    static uint8_t view[20000];
    struct io_result result = {0};
    struct io_read read = {.task = SPN_TASK_GEOM_CACHE,
                           .offset = 100,
                           .bytes = 9000,
                           .block_offset = 5000,
                           .on_done = rig_keep,
                           .context = &result,
                           .argument = RIG_ARGUMENT};
    heap_handle holes[64];
    uint32_t count = 0;
    spn_read handle;

    rig_open(&rig, NULL);
    while (count < 64 && spn__heap_alloc(&rig.heap, 4096, 0, HEAP_TAG_USER,
                                         &holes[count]) == SPN_OK) {
        uint32_t bytes;

        memset(spn__heap_extent(&rig.heap, holes[count], 0, &bytes), 7, 4096);
        count++;
    }
    for (uint32_t i = 0; i < count; i += 2)
        CHECK(spn__heap_free(&rig.heap, holes[i]));
    CHECK_EQ(
        spn__heap_alloc(&rig.heap, sizeof view, 0, HEAP_TAG_READ, &read.block),
        SPN_OK);
    CHECK_EQ(spn__heap_extent_count(&rig.heap, read.block), 5);
    read.file = rig_file(&rig, "b");
    CHECK_EQ(spn__io_start(rig.io, &read, &handle), SPN_OK);
    rig_run(&rig);
    CHECK_EQ(result.status, SPN_OK);
    spn__heap_view(&rig.heap, read.block, 0, sizeof view, view);
    for (uint32_t i = 0; i < sizeof view; i++)
        CHECK_EQ(view[i], i >= 5000 && i < 14000 ? rig_byte(1, i - 4900) : 7);
    rig_close(&rig);
}

TEST_MAIN(TEST(io_reads_arrive_whole_from_anywhere),
          TEST(io_reads_by_path_open_and_close_their_file),
          TEST(io_reads_to_the_end_use_the_file_size),
          TEST(io_ranges_past_the_end_are_refused_without_wrapping),
          TEST(io_scatters_over_the_extents_of_a_block),
          TEST(io_scatters_more_extents_than_a_submit_takes),
          TEST(io_reads_into_the_middle_of_a_block))
