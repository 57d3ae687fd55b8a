/* test_slow_platform.c
 *
 * Goal: the slow disc of other tests has exactly the requested delays and
 * faults.
 * Method: one setting at a time; due times compared with values computed by
 * hand.
 */
/* SPDX-License-Identifier: MIT */
#include "../../platform/consoles_stub/platform_stub.h"
#include "harness.h"
#include "support/slow_platform.h"

#include <string.h>

static struct slow_platform slow;
static uint8_t bytes_a[1000];
static uint8_t bytes_b[2000];
static uint8_t memory[4096];

static spn_platform_file insert(const char *path)
{
    spn_platform_file_info info;

    for (size_t i = 0; i < sizeof bytes_a; i++)
        bytes_a[i] = (uint8_t)(i * 3);
    for (size_t i = 0; i < sizeof bytes_b; i++)
        bytes_b[i] = (uint8_t)(i * 5 + 1);
    slow_platform_init(&slow);
    slow_platform_add(&slow, "a", bytes_a, sizeof bytes_a);
    slow_platform_add(&slow, "b", bytes_b, sizeof bytes_b);
    CHECK_EQ(slow.table.file_open(&slow, path, &info), SPN_OK);
    memset(memory, 0, sizeof memory);
    return info.file;
}

/* Submit, wait until it is due, and take the completion. */
static spn_platform_completion read_at(spn_platform_file file, uint64_t offset,
                                       uint32_t bytes)
{
    spn_extent extent = {memory, bytes};
    spn_platform_completion end;
    uint64_t due_us;

    CHECK_EQ(slow.table.read_submit(&slow, file, offset, &extent, 1, 3),
             SPN_OK);
    CHECK(slow_platform_advance(&slow));
    CHECK_EQ(slow.table.read_poll(&slow, &end, &due_us), SPN_OK);
    CHECK_EQ(end.tag, 3);
    return end;
}

static void slow_platform_opens_what_was_added(void)
{
    spn_platform_file_info info;
    spn_platform_file file = insert("b");

    CHECK_EQ(slow.table.file_open(&slow, "b", &info), SPN_OK);
    CHECK_EQ_U(info.file, file);
    CHECK_EQ_U(info.bytes, sizeof bytes_b);
    CHECK_EQ_U(info.disc_offset, sizeof bytes_a);
    CHECK_EQ(info.align_bytes, 1);
    slow.is_place_unknown = true;
    slow.align_bytes = 512;
    CHECK_EQ(slow.table.file_open(&slow, "a", &info), SPN_OK);
    CHECK_EQ_U(info.disc_offset, UINT64_MAX);
    CHECK_EQ(info.align_bytes, 512);
    CHECK_EQ(slow.table.file_open(&slow, "c", &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(slow.opens, 3);
    slow.table.file_close(&slow, file);
    CHECK_EQ(slow.closes, 1);
}

static void slow_platform_fills_memory_when_due_and_not_before(void)
{
    spn_platform_file file = insert("a");
    spn_extent extents[2] = {{memory + 500, 100}, {memory, 200}};
    spn_platform_completion end;
    uint64_t due_us = 0;

    slow.command_us = 10;
    CHECK_EQ(slow.table.read_submit(&slow, file, 300, extents, 2, 1), SPN_OK);
    slow.clock_us = 9;
    CHECK_EQ(slow.table.read_poll(&slow, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, 10);
    CHECK_EQ(memory[500], 0);
    slow.clock_us = 10;
    CHECK_EQ(slow.table.read_poll(&slow, &end, &due_us), SPN_OK);
    CHECK_EQ_U(end.bytes, 300);
    CHECK_MEM(memory + 500, bytes_a + 300, 100);
    CHECK_MEM(memory, bytes_a + 400, 200);
    CHECK_EQ(slow.table.read_poll(&slow, &end, &due_us), SPN_PENDING);
    CHECK_EQ_U(due_us, UINT64_MAX);
    CHECK(!slow_platform_advance(&slow));
}

static void slow_platform_charges_command_seek_and_transfer(void)
{
    spn_platform_file file = insert("a");

    slow.command_us = 7;
    slow.seek_us = 1000;
    slow.bytes_per_second = 1000000;
    read_at(file, 0, 100);
    CHECK_EQ_U(slow.clock_us, 107);
    read_at(file, 100, 100);
    CHECK_EQ_U(slow.clock_us, 214);
    read_at(file, 100, 100);
    CHECK_EQ_U(slow.clock_us, 214 + 1107);
    CHECK_EQ(slow.reads, 3);
    CHECK_EQ_U(slow.log[1].offset, 100);
    CHECK_EQ_U(slow.bytes_read, 300);
}

static void slow_platform_ends_short_at_the_end(void)
{
    spn_platform_file file = insert("a");

    CHECK_EQ_U(read_at(file, 990, 100).bytes, 10);
    CHECK_EQ_U(read_at(file, 1000, 100).bytes, 0);
    CHECK_EQ_U(read_at(file, UINT64_MAX, 100).bytes, 0);
}

static void slow_platform_errors_occur_as_often_as_requested(void)
{
    spn_platform_file file = insert("a");
    struct slow_fault *fault = slow_platform_fault(
        &slow, &(struct slow_fault){.kind = SLOW_ERROR, .times = 2});

    for (int i = 0; i < 2; i++) {
        spn_platform_completion end = read_at(file, 0, 10);

        CHECK_EQ(end.status, SPN_ERR_IO);
        CHECK_EQ_U(end.bytes, 0);
        CHECK(memory[1] != bytes_a[1]);
    }
    CHECK_EQ(read_at(file, 0, 10).status, SPN_OK);
    CHECK_MEM(memory, bytes_a, 10);
    CHECK_EQ(fault->hits, 2);
}

static void slow_platform_faults_choose_by_file_range_and_number(void)
{
    spn_platform_file file = insert("a");

    slow_platform_fault(&slow,
                        &(struct slow_fault){.kind = SLOW_ERROR, .path = "b"});
    CHECK_EQ(read_at(file, 0, 10).status, SPN_OK);
    slow_platform_clear_faults(&slow);
    slow_platform_fault(&slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                    .path = "a",
                                                    .offset = 100,
                                                    .bytes = 10});
    CHECK_EQ(read_at(file, 90, 10).status, SPN_OK);
    CHECK_EQ(read_at(file, 90, 11).status, SPN_ERR_IO);
    CHECK_EQ(read_at(file, 109, 1).status, SPN_ERR_IO);
    CHECK_EQ(read_at(file, 110, 1).status, SPN_OK);
    slow_platform_clear_faults(&slow);
    slow_platform_fault(
        &slow, &(struct slow_fault){.kind = SLOW_ERROR, .nth = slow.reads + 2});
    CHECK_EQ(read_at(file, 0, 1).status, SPN_OK);
    CHECK_EQ(read_at(file, 0, 1).status, SPN_ERR_IO);
    CHECK_EQ(read_at(file, 0, 1).status, SPN_OK);
}

static void slow_platform_refuses_shortens_flips_and_stalls(void)
{
    spn_platform_file file = insert("a");
    spn_extent extent = {memory, 100};

    slow_platform_fault(&slow,
                        &(struct slow_fault){.kind = SLOW_REFUSE, .times = 1});
    CHECK_EQ(slow.table.read_submit(&slow, file, 0, &extent, 1, 1), SPN_ERR_IO);
    CHECK(!slow_platform_advance(&slow));
    slow_platform_fault(&slow, &(struct slow_fault){
                                   .kind = SLOW_SHORT, .times = 1, .value = 9});
    CHECK_EQ_U(read_at(file, 0, 100).bytes, 9);
    CHECK_EQ(memory[9], 0);
    slow_platform_fault(
        &slow, &(struct slow_fault){.kind = SLOW_FLIP, .value = 8 * 300 + 5});
    read_at(file, 200, 100);
    CHECK_MEM(memory, bytes_a + 200, 100);
    read_at(file, 201, 100);
    CHECK_MEM(memory, bytes_a + 201, 99);
    CHECK_EQ(memory[99], bytes_a[300] ^ 0x20);
    slow_platform_clear_faults(&slow);
    slow_platform_fault(
        &slow, &(struct slow_fault){.kind = SLOW_STALL, .value = 5000});
    read_at(file, 0, 1);
    CHECK_EQ_U(slow.clock_us, 5000);
}

static void slow_platform_opens_fail_when_requested(void)
{
    spn_platform_file_info info;

    insert("a");
    slow_platform_fault(
        &slow,
        &(struct slow_fault){.kind = SLOW_OPEN_ERROR, .path = "b", .times = 1});
    CHECK_EQ(slow.table.file_open(&slow, "a", &info), SPN_OK);
    CHECK_EQ(slow.table.file_open(&slow, "b", &info), SPN_ERR_IO);
    CHECK_EQ(slow.table.file_open(&slow, "b", &info), SPN_OK);
    slow_platform_fault(&slow, &(struct slow_fault){.kind = SLOW_OPEN_MISSING});
    CHECK_EQ(slow.table.file_open(&slow, "a", &info), SPN_ERR_NOT_FOUND);
}

static void slow_platform_wraps_another(void)
{
    static spn_platform_stub stub;
    spn_platform inner;
    spn_platform_file_info info;
    spn_platform_file_info again;

    insert("a");
    memset(&stub, 0, sizeof stub);
    stub.files[0] = (spn_stub_file){"b", bytes_a, 0};
    stub.files[1] = (spn_stub_file){"inner", bytes_b, sizeof bytes_b};
    stub.file_count = 2;
    spn_platform_stub_init(&stub, &inner);
    slow_platform_wrap(&slow, &inner);
    slow.seek_us = 100;
    CHECK_EQ(slow.table.file_open(&slow, "missing", &info), SPN_ERR_NOT_FOUND);
    CHECK_EQ(slow.table.file_open(&slow, "b", &info), SPN_OK);
    CHECK_EQ_U(info.bytes, sizeof bytes_b); /* a file of the disc itself comes
                                             * first */
    CHECK_EQ(slow.table.file_open(&slow, "inner", &info), SPN_OK);
    CHECK_EQ(slow.table.file_open(&slow, "inner", &again), SPN_OK);
    CHECK_EQ_U(again.file, info.file);
    CHECK_EQ_U(info.bytes, sizeof bytes_b);
    CHECK_EQ_U(info.disc_offset, sizeof bytes_a + sizeof bytes_b);
    CHECK_EQ_U(read_at(info.file, 1900, 200).bytes, 100);
    CHECK_MEM(memory, bytes_b + 1900, 100);
    CHECK_EQ_U(slow.clock_us, 100);
    slow_platform_fault(&slow, &(struct slow_fault){
                                   .kind = SLOW_SHORT, .times = 1, .value = 5});
    CHECK_EQ_U(read_at(info.file, 0, 100).bytes, 5);
    slow.table.file_close(&slow, info.file);
    slow.table.file_close(&slow, info.file);
}

TEST_MAIN(TEST(slow_platform_opens_what_was_added),
          TEST(slow_platform_fills_memory_when_due_and_not_before),
          TEST(slow_platform_charges_command_seek_and_transfer),
          TEST(slow_platform_ends_short_at_the_end),
          TEST(slow_platform_errors_occur_as_often_as_requested),
          TEST(slow_platform_faults_choose_by_file_range_and_number),
          TEST(slow_platform_refuses_shortens_flips_and_stalls),
          TEST(slow_platform_opens_fail_when_requested),
          TEST(slow_platform_wraps_another))
