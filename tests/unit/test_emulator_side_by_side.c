/* test_emulator_side_by_side.c
 *
 * Goal: several drives work at once, and each read ends once, also when it is
 *   cancelled.
 * Method: as in test_emulator.c; then random reads and cancels on all media,
 *   and a runtime on top of the emulator.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/emulator_fixture.h"

#include <spindle/spindle.h>
#include <string.h>

/* -- several drives -- */

static void drives_work_side_by_side(void)
{
    spn_platform_file a;
    spn_platform_file b;
    spn_platform_file c;
    spn_extent extent = {buffer[3], 10};
    uint64_t optical_us;
    uint64_t disk_us;

    make_emulator();
    a = open_emulated("a").file;
    b = open_emulated("b").file;
    c = open_emulated("disk/c").file;
    optical_us = model_read(0, OFFSET_A, 30000);
    disk_us = model_read(1, OFFSET_B + 100, 20000);
    CHECK(disk_us < optical_us);
    submit(0, a, 0, 30000, 1);
    submit(1, b, 100, 20000, 2);
    submit(2, c, 7, 5000, 3);
    /* One read for each drive. */
    CHECK_EQ(emulated.read_submit(emulated.user, open_emulated("d").file, 0,
                                  &extent, 1, 4),
             SPN_ERR_ARG);
    CHECK_EQ(emulated.read_submit(emulated.user, c, 0, &extent, 1, 4),
             SPN_ERR_ARG);
    expect_end(3, SPN_OK, 5000);
    expect_pending(disk_us);
    slow.clock_us = disk_us;
    expect_end(2, SPN_OK, 20000);
    expect_end_at(optical_us, 1, 30000);
    CHECK_MEM(buffer[0], data[0], 30000);
    CHECK_MEM(buffer[1], data[1] + 100, 20000);
    CHECK_MEM(buffer[2], data[2] + 7, 5000);
}

/* The wrapped platform accepts one read at a time, which it asserts. */
static void drives_share_a_slow_platform(void)
{
    spn_platform_file files[3];

    make_emulator();
    slow.command_us = 1000000;
    files[0] = open_emulated("a").file;
    files[1] = open_emulated("b").file;
    files[2] = open_emulated("disk/c").file;
    /* submit() keeps the array of extents on the stack, so the emulator must
     * have copied it. */
    for (uint32_t f = 0; f < 3; f++)
        submit(f, files[f], f, 1000 + f, f);
    for (uint32_t f = 0; f < 3; f++) {
        slow.clock_us = 5000000 + 1000000 * (f + 1) - 1;
        expect_pending(slow.clock_us + 1);
        slow.clock_us++;
        expect_end(f, SPN_OK, 1000 + f);
        CHECK_MEM(buffer[f], data[f] + f, 1000 + f);
    }
    expect_pending(UINT64_MAX);
}

/* Two files without a drive lie on two media and may be read at the same time,
 * as may two that a drive serves. */
static void media_of_the_wrapped_platform_work_side_by_side(void)
{
    spn_platform_file files[3];

    make_emulator();
    slow.command_us = 1000000;
    slow_platform_place(&slow, "b", SPN_MEDIUM_OPTICAL);
    slow_platform_place(&slow, "disk/c", SPN_MEDIUM_OPTICAL);
    files[0] = open_emulated("a").file;
    files[1] = open_emulated("b").file;
    files[2] = open_emulated("disk/c").file;
    submit(2, files[2], 0, 1000, 1);
    submit(0, files[0], 0, 1000, 2);
    submit(1, files[1], 0, 1000, 3); /* after the first */
    CHECK_EQ(slow.reads, 2);
    slow.clock_us = 6000000;
    expect_end(1, SPN_OK, 1000);
    CHECK_EQ(slow.reads, 3);
    expect_end(2, SPN_OK, 1000);
    expect_pending(7000000);
    slow.clock_us = 7000000;
    expect_end(3, SPN_OK, 1000);
    expect_pending(UINT64_MAX);
}

static void drives_end_in_the_order_of_their_times(void)
{
    spn_platform_file a;
    spn_platform_file b;

    make_emulator();
    a = open_emulated("a").file;
    b = open_emulated("b").file;
    for (uint32_t i = 0; i < 20; i++) {
        submit(0, a, 0, 1000, 2 * i);
        submit(1, b, 0, 1000, 2 * i + 1);
        slow.clock_us += 10000000;
        /* The disk's read is due first, although it was submitted later. */
        expect_end(2 * i + 1, SPN_OK, 1000);
        expect_end(2 * i, SPN_OK, 1000);
    }
}

static uint64_t done_us[FILES];

static void note_done(const spn_read_result *result)
{
    CHECK_EQ(result->status, SPN_OK);
    CHECK_EQ_U(result->bytes, 20000);
    *(uint64_t *)result->user = slow.clock_us;
}

/* Every read ends at the step of the clock at which its drive is done. */
static void runtimes_read_all_media_side_by_side(void)
{
    static const char *const paths[FILES] = {"a", "b", "disk/c", "d"};
    static _Alignas(64) uint8_t block[1 << 20];
    spn_config config = {.platform = &emulated,
                         .heap_bytes = 65536,
                         .node_count = 1,
                         .cache_count = 1};
    uint64_t start_us;
    uint64_t due_us[2];
    spn_runtime *rt;
    spn_read read;

    make_emulator();
    slow_platform_place(&slow, "d", SPN_MEDIUM_MEMORY);
    CHECK(spn_memory_needed(&config) <= sizeof block);
    CHECK_EQ(spn_init(&config, block, sizeof block, &rt), SPN_OK);
    start_us = slow.clock_us;
    for (uint32_t f = 0; f < FILES; f++) {
        spn_read_desc desc = {.path = paths[f],
                              .bytes = 20000,
                              .buffer = buffer[f],
                              .buffer_bytes = FILE_BYTES,
                              .priority = SPN_PRIORITY_NORMAL,
                              .on_done = note_done,
                              .user = &done_us[f]};

        done_us[f] = 0;
        CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    }
    due_us[0] = model_read(0, OFFSET_A, 20000);
    due_us[1] = model_read(1, OFFSET_B, 20000);
    for (; slow.clock_us < start_us + 300000; slow.clock_us++)
        spn_update(rt);
    CHECK_EQ_U(done_us[0], due_us[0]);
    CHECK_EQ_U(done_us[3], start_us);
    /* On one medium reads end one after the other. A read without a drive takes
     * no time. */
    CHECK_EQ_U(done_us[1], due_us[1]);
    CHECK(done_us[2] == due_us[1] || done_us[2] == start_us);
    for (uint32_t f = 0; f < FILES; f++)
        CHECK_MEM(buffer[f], data[f], 20000);
    spn_shutdown(rt);
}

/* -- cancel -- */

static void cancel_ends_the_wait_and_not_the_drives_work(void)
{
    spn_platform_file a;
    uint64_t due_us;

    make_emulator();
    a = open_emulated("a").file;
    due_us = model_read(0, OFFSET_A, 100000);
    submit(0, a, 0, 100000, 1);
    expect_pending(due_us);
    slow.clock_us += 1000;
    emulated.read_cancel(emulated.user, 2); /* tag of another read */
    expect_pending(due_us);
    emulated.read_cancel(emulated.user, 1);
    emulated.read_cancel(emulated.user, 1);
    expect_end(1, SPN_ERR_IO, 0);
    expect_pending(UINT64_MAX);
    emulated.read_cancel(emulated.user, 1);
    /* the wrapped platform had read all of it at once */
    CHECK_EQ(slow.cancels, 0);
    /* The next read begins when the cancelled one would have ended. */
    due_us = model_read(0, OFFSET_A + 200000, 1000);
    submit(0, a, 200000, 1000, 3);
    expect_end_at(due_us, 3, 1000);
}

/* Any number of cancelled reads adds nothing to the read in progress. */
static void cancel_undoes_reads_that_the_drive_has_not_begun(void)
{
    spn_emulator_stats stats;
    spn_platform_file a;
    uint64_t due_us;

    make_emulator();
    a = open_emulated("a").file;
    (void)model_read(0, OFFSET_A, 100000);
    submit(0, a, 0, 100000, 1);
    for (uint32_t tag = 1; tag < 20; tag++) {
        slow.clock_us += 100;
        emulated.read_cancel(emulated.user, tag);
        expect_end(tag, SPN_ERR_IO, 0);
        submit(0, a, 300000 * (tag % 2), 100000, tag + 1);
        CHECK_EQ(spn_emulator_get_stats(emulator, 0, &stats), SPN_OK);
        CHECK_EQ_U(stats.reads, 2);
    }
    emulated.read_cancel(emulated.user, 20);
    expect_end(20, SPN_ERR_IO, 0);
    CHECK_EQ(spn_emulator_get_stats(emulator, 0, &stats), SPN_OK);
    CHECK_EQ_U(stats.reads, 1);
    CHECK_EQ_U(stats.bytes, 100000);
    due_us = model_read(0, OFFSET_A + 200000, 1000);
    submit(0, a, 200000, 1000, 21);
    expect_end_at(due_us, 21, 1000);
}

static void cancel_reaches_the_wrapped_platform(void)
{
    spn_platform_file a;
    spn_platform_file b;

    make_emulator();
    slow.command_us = 1000000;
    a = open_emulated("a").file;
    b = open_emulated("b").file;
    submit(0, a, 0, 1000, 1);
    submit(1, b, 0, 1000, 2);
    emulated.read_cancel(emulated.user, 1);
    CHECK_EQ(slow.cancels, 1);
    expect_pending(6000000);
    /* A read that was not passed to the wrapped platform is never passed. */
    emulated.read_cancel(emulated.user, 2);
    CHECK_EQ(slow.cancels, 1);
    expect_end(2, SPN_ERR_IO, 0);
    CHECK_EQ(buffer[1][0], 0xee);
    expect_end_at(6000000, 1, 1000);
    CHECK_EQ(slow.reads, 1);
}

static void cancel_ends_endless_reads(void)
{
    spn_emulator_fault stall = {.kind = SPN_EMULATOR_STALL};
    spn_emulator_config config = good_config();
    spn_platform_file a;

    make_disc();
    config.faults = &stall;
    config.fault_count = 1;
    make_emulator_with(&config);
    a = open_emulated("a").file;
    submit(0, a, 0, 1000, 1);
    expect_pending(UINT64_MAX);
    slow.clock_us = UINT64_MAX - 1;
    expect_pending(UINT64_MAX);
    emulated.read_cancel(emulated.user, 1);
    /* A drive that is stopped delivers no byte. */
    expect_end(1, SPN_ERR_IO, 0);
}

/* -- everything together -- */

static void reads_of_all_media_end_once_in_any_mix(void)
{
    struct test_random random = {29};
    spn_platform_file files[3];
    uint32_t waiting[3] = {0}; /* tag, or 0 */
    uint64_t at[3] = {0};
    uint32_t bytes[3] = {0};
    uint32_t ended = 0;
    uint32_t submitted = 0;

    make_emulator();
    files[0] = open_emulated("a").file;
    files[1] = open_emulated("b").file;
    files[2] = open_emulated("disk/c").file;
    while (ended < 3000) {
        uint32_t f = test_random_below(&random, 3);
        spn_platform_completion end;
        uint64_t due_us = 0;

        test_context("seed 29, after %u", ended);
        slow.command_us = test_random_below(&random, 40000);
        if (!waiting[f] && submitted < 3000) {
            at[f] = test_random_below(&random, FILE_BYTES - 20000);
            bytes[f] = 2 + test_random_below(&random, 19000);
            memset(buffer[f], 0xee, bytes[f]);
            waiting[f] = ++submitted;
            submit(f, files[f], at[f], bytes[f], submitted);
        } else if (waiting[f] && test_random_below(&random, 20) == 0) {
            emulated.read_cancel(emulated.user, waiting[f]);
        }
        if (emulated.read_poll(emulated.user, &end, &due_us) != SPN_OK) {
            CHECK(due_us > slow.clock_us);
            if (due_us != UINT64_MAX && test_random_below(&random, 2))
                slow.clock_us = due_us;
            continue;
        }
        for (f = 0; f < 3 && waiting[f] != end.tag; f++) {
        }
        CHECK(f < 3);
        CHECK(end.status == SPN_OK || end.bytes == 0);
        if (end.status == SPN_OK)
            CHECK_EQ_U(end.bytes, bytes[f]);
        CHECK_MEM(buffer[f], data[f] + at[f], (size_t)end.bytes);
        waiting[f] = 0;
        ended++;
    }
    expect_pending(UINT64_MAX);
}

TEST_MAIN(TEST(drives_work_side_by_side), TEST(drives_share_a_slow_platform),
          TEST(media_of_the_wrapped_platform_work_side_by_side),
          TEST(drives_end_in_the_order_of_their_times),
          TEST(runtimes_read_all_media_side_by_side),
          TEST(cancel_ends_the_wait_and_not_the_drives_work),
          TEST(cancel_undoes_reads_that_the_drive_has_not_begun),
          TEST(cancel_reaches_the_wrapped_platform),
          TEST(cancel_ends_endless_reads),
          TEST(reads_of_all_media_end_once_in_any_mix))
