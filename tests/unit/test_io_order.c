/* test_io_order.c
 *
 * Goal: the smallest key is served next. The head moves forward only. Files
 *   without a place on the medium also have an order.
 * Method: the offsets in the disc's log against the order of the keys, and
 *   against sweeps computed by the test.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/sort_key.h"
#include "support/io_order_fixture.h"

static void order_is_priority_first(void)
{
    static const uint64_t expected[] = {40960, 30720, 20480, 10240, 0};

    open_rig(4096);
    begin_in_a(0, 0, 10, SPN_PRIORITY_IDLE);
    begin_in_a(1, 10240, 10, SPN_PRIORITY_BELOW_NORMAL);
    begin_in_a(2, 20480, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(3, 30720, 10, SPN_PRIORITY_ABOVE_NORMAL);
    begin_in_a(4, 40960, 10, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

static void order_is_by_offset_within_a_group(void)
{
    static const uint64_t expected[] = {0, 10240, 20480, 30720, 40960};

    open_rig(4096);
    for (uint32_t i = 0; i < 5; i++)
        begin_in_a(i, (i * 3 % 5) * 10240, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

static void order_is_by_time_group_before_offset(void)
{
    static const uint64_t expected[] = {40960, 0, 20480};

    open_rig(4096);
    rig.slow.clock_us = SORT_KEY_GROUP_US - 1;
    begin_in_a(0, 40960, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig); /* at the device now */
    rig.slow.command_us = 0;
    begin_in_a(1, 0, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(3, 0, 10, SPN_PRIORITY_NORMAL);
    CHECK_EQ(spn__io_abort(rig.io, reads[3].handle), SPN_OK);
    rig_step_io(&rig);
    rig.slow.clock_us++;
    begin_in_a(2, 20480, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 3);
    rig_close(&rig);
}

/* In groups of 1 ms the reads are served as they came; in those of 2 s, which
 * begin later, by place. */
static void order_is_by_groups_of_any_length(void)
{
    static const uint64_t expected[] = {40960, 20480, 10240, 0, 30720, 51200};

    open_rig(4096);
    rig.slow.command_us = 100000;
    rig.slow.clock_us = SORT_KEY_GROUP_US + 1;
    begin_in_a(0, 40960, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig); /* at the device now */
    spn__io_set_time_group(rig.io, 1000);
    for (uint32_t i = 1; i < 3; i++) {
        rig.slow.clock_us += 1000;
        begin_in_a(i, i == 1 ? 20480 : 10240, 10, SPN_PRIORITY_NORMAL);
        rig_step_io(&rig);
    }
    spn__io_set_time_group(rig.io, SORT_KEY_GROUP_US);
    for (uint32_t i = 3; i < 6; i++) {
        static const uint64_t offsets[] = {51200, 0, 30720};

        rig.slow.clock_us += 1000;
        begin_in_a(i, offsets[i - 3], 10, SPN_PRIORITY_NORMAL);
        rig_step_io(&rig);
    }
    rig_run(&rig);
    check_log(expected, 6);
    rig_close(&rig);
}

/* The key is compared with the head's position, not with the next queued read,
 * so a read just behind the head waits for the next sweep. */
static void order_late_reads_behind_the_head_wait_for_the_next_sweep(void)
{
    static const uint64_t expected[] = {20480, 30720, 51200, 10240, 20480};

    open_rig(4096);
    begin_in_a(0, 20480, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(1, 51200, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig); /* 20480 is at the device, 51200 is next */
    begin_in_a(2, 10240, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(3, 30720, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* 30720 is at the device */
    begin_in_a(4, 20480, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

/* A sweep continues at its place after an urgent read has moved the head. */
static void order_sweeps_survive_an_urgent_read(void)
{
    static const uint64_t expected[] = {51200, 0, 61440, 20480, 30720};

    open_rig(4096);
    begin_in_a(0, 51200, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(1, 61440, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    begin_in_a(2, 0, 10, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* the urgent read is at the device, the head at 0 */
    CHECK_EQ(rig.slow.reads, 2);
    begin_in_a(3, 20480, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(4, 30720, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

/* When no read is pending, there is no sweep to wait for. */
static void order_restarts_after_an_empty_queue(void)
{
    static const uint64_t expected[] = {51200, 10240, 20480};

    open_rig(4096);
    begin_in_a(0, 51200, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    begin_in_a(1, 20480, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(2, 10240, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 3);
    rig_close(&rig);
}

/* 24 days after an idle read that was never served, the time group would
 * overflow into the priority. */
static void order_outlives_the_time_group_field(void)
{
    static const uint64_t expected[] = {0, 10240, 20480, 30720, 4096, 40960};
    uint64_t group = (uint64_t)SORT_KEY_GROUP_US;

    open_rig(4096);
    begin_in_a(0, 0, 8192, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    rig.slow.clock_us += group * (SORT_KEY_GROUP_MAX + 10);
    begin_in_a(1, 10240, 10, SPN_PRIORITY_NORMAL);
    /* the first piece of the idle read ends, this read begins */
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.reads, 2);
    rig.slow.clock_us += group;
    begin_in_a(2, 20480, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(5, 40960, 10, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    rig.slow.clock_us += group * 2 * SORT_KEY_GROUP_MAX;
    begin_in_a(3, 30720, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 6);
    rig_close(&rig);
}

/* The queue is never empty for 24 days, though each read is served. Groups
 * count from the oldest pending read. */
static void order_counts_groups_from_the_oldest_pending_read(void)
{
    static const uint64_t expected[] = {0, 10240, 30720, 20480};
    uint64_t group = (uint64_t)SORT_KEY_GROUP_US;

    open_rig(4096);
    begin_in_a(0, 0, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    rig.slow.clock_us = group * (SORT_KEY_GROUP_MAX - 1);
    begin_in_a(1, 10240, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    CHECK_EQ(rig.slow.reads, 2); /* the second read is at the device */
    rig.slow.command_us = group * 10;
    rig.slow.clock_us += group * 3;
    /* and it stays there */
    rig.slow.drives[0].due_us = rig.slow.clock_us + group * 5;
    begin_in_a(2, 30720, 10, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    rig.slow.clock_us += group;
    begin_in_a(3, 20480, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 4);
    rig_close(&rig);
}

static void order_of_equal_reads_is_first_in_first_out(void)
{
    open_rig(4096);
    for (uint32_t i = 0; i < 8; i++)
        begin_in_a(i, 1000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(reads[i].place, i + 2);
    rig_close(&rig);
}

/* -- places -- */

/* Files without a place have an order of their own, not all the offset 0. */
static void order_holds_within_files_without_a_place(void)
{
    static const uint64_t expected[] = {1, 10240, 51200, 1024, 30720};
    static const uint32_t files[] = {0, 0, 0, 1, 1};
    spn_file file_b;

    rig_open(&rig, NULL);
    rig.slow.is_place_unknown = true;
    file_a = rig_file(&rig, "a");
    file_b = rig_file(&rig, "b");
    /* A file gets its place when it is opened, so the first reads do not count
     * here. */
    begin_in_a(0, 0, 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    begin_of(1, file_b, 0, 1, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    rig.slow.reads = 0;
    begin_of(0, file_b, 30720, 10, SPN_PRIORITY_NORMAL);
    begin_of(1, file_a, 51200, 10, SPN_PRIORITY_NORMAL);
    begin_of(2, file_a, 1, 10, SPN_PRIORITY_NORMAL);
    begin_of(3, file_b, 1024, 10, SPN_PRIORITY_NORMAL);
    begin_of(4, file_a, 10240, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 5);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(rig.slow.log[i].file, files[i]);
    rig_close(&rig);
}

/* Each read opens the file again, and all have the same place. */
static void order_holds_within_a_file_that_is_read_by_path(void)
{
    static const uint64_t expected[] = {5000, 10000, 50000, 90000};
    static const uint64_t offsets[] = {90000, 50000, 5000, 10000};

    rig_open(&rig, NULL);
    rig.slow.is_place_unknown = true;
    for (uint32_t i = 0; i < 4; i++) {
        spn_read_desc desc =
            rig_desc(&rig, &reads[i], 0, offsets[i], 10, buffers[i]);

        desc.path = "a";
        rig_start(&rig, &desc, &reads[i]);
    }
    rig_run(&rig);
    check_log(expected, 4);
    rig_close(&rig);
}

/* The first reads of a file are keyed before its place is known. Opening it
 * sorts them. */
static void order_is_found_when_the_file_is_opened(void)
{
    static const uint64_t expected[] = {1000, 2000, 40000, 90000};

    rig_open(&rig, NULL);
    file_a = rig_file(&rig, "a");
    begin_in_a(0, 90000, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(1, 2000, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(2, 40000, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(3, 1000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 4);
    CHECK_EQ(rig.slow.opens, 1);
    rig_close(&rig);
}

/* The waiting reads of this sweep and the next one, kept by the test. Offsets
 * in KiB. */
struct sweeps {
    uint64_t now[32];
    uint64_t next[32];
    uint32_t now_count;
    uint32_t next_count;
    uint64_t head;
};

static void sweeps_add(struct sweeps *sweeps, uint64_t offset, bool is_idle)
{
    if (is_idle || offset >= sweeps->head)
        sweeps->now[sweeps->now_count++] = offset;
    else
        sweeps->next[sweeps->next_count++] = offset;
}

static uint64_t sweeps_take(struct sweeps *sweeps)
{
    uint32_t first = 0;

    if (sweeps->now_count == 0) {
        for (uint32_t i = 0; i < sweeps->next_count; i++)
            sweeps->now[i] = sweeps->next[i];
        sweeps->now_count = sweeps->next_count;
        sweeps->next_count = 0;
    }
    CHECK(sweeps->now_count > 0);
    for (uint32_t i = 1; i < sweeps->now_count; i++)
        if (sweeps->now[i] < sweeps->now[first])
            first = i;
    sweeps->head = sweeps->now[first];
    sweeps->now[first] = sweeps->now[--sweeps->now_count];
    return sweeps->head;
}

/* The last range that the disc read must follow from the sweeps. */
static void check_sweeps(struct sweeps *sweeps)
{
    CHECK_EQ_U(rig.slow.log[rig.slow.reads - 1].offset / 1024,
               sweeps_take(sweeps));
}

/* Number of reads of the disc that do not continue the previous one. */
static uint32_t count_seeks(void)
{
    uint32_t seeks = 0;

    for (uint32_t i = 1; i < rig.slow.reads; i++)
        seeks += rig.slow.log[i].offset !=
                 rig.slow.log[i - 1].offset + rig.slow.log[i - 1].bytes;
    return seeks;
}

/* Overlapping reads and reads side by side. In the order of offsets their
 * pieces would alternate, each with a seek. */
static void order_does_not_interleave_reads_of_one_priority(void)
{
    open_rig(4096);
    for (uint32_t i = 0; i < 4; i++)
        begin_in_a(i, 10000 + i * 6000, 40960, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    CHECK_EQ(rig.slow.reads, 40);
    CHECK_EQ(count_seeks(), 3);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(reads[i].place, i + 2);
    rig_close(&rig);
}

/* A read in front of the begun one waits for its end. A read of a higher
 * priority comes between, then the begun one continues. */
static void order_lets_only_higher_priorities_come_between_pieces(void)
{
    static const uint64_t expected[] = {20480, 24576, 81920, 28672, 1024, 0};

    open_rig(4096);
    begin_in_a(0, 20480, 12288, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    begin_in_a(1, 1024, 10, SPN_PRIORITY_NORMAL);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* the second piece */
    begin_in_a(2, 81920, 10, SPN_PRIORITY_ABOVE_NORMAL);
    begin_in_a(3, 0, 10, SPN_PRIORITY_BELOW_NORMAL);
    rig_run(&rig);
    check_log(expected, 6);
    rig_close(&rig);
}

/* An interrupted read continues right after the urgent one, for one piece. Then
 * the order is as before. Otherwise one urgent byte would let a long idle read
 * pass all others. */
static void order_gives_interrupted_reads_one_piece_first(void)
{
    static const uint64_t expected[] = {0,     81920, 4096, 40960,
                                        45056, 8192,  12288};

    open_rig(4096);
    begin_in_a(0, 0, 16384, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    begin_in_a(1, 81920, 1, SPN_PRIORITY_URGENT);
    begin_in_a(2, 40960, 8192, SPN_PRIORITY_BELOW_NORMAL);
    rig_run(&rig);
    check_log(expected, 7);
    rig_check_bytes(&reads[0], 0, 0, 16384);
    rig_close(&rig);
}

/* Random arrivals while reads are at the device. Reads ahead of the head join
 * this sweep, reads behind it the next. */
static void order_agrees_with_sweeps_of_the_test(void)
{
    struct test_random random = {99};
    struct sweeps sweeps = {.now_count = 0};
    bool is_pending[30] = {false};
    uint32_t pending = 0;

    open_rig(4096);
    for (uint32_t round = 0; round < 1000; round++) {
        test_context("seed 99, round %u", round);
        for (uint32_t i = 0; i < 30; i++) {
            uint64_t offset = test_random_below(&random, 100) * 10000ull;

            if (is_pending[i] || test_random_below(&random, 20))
                continue;
            begin_in_a(i, offset, 10, SPN_PRIORITY_NORMAL);
            is_pending[i] = true;
            sweeps_add(&sweeps, offset / 1024, pending == 0);
            rig_step_io(&rig);
            if (pending++ == 0)
                check_sweeps(&sweeps);
        }
        if (pending == 0)
            continue;
        CHECK(slow_platform_advance(&rig.slow));
        rig_step_io(&rig);
        while (spn__jobs_step(&rig.jobs, 0) || spn__io_finish(rig.io, 1)) {
        }
        for (uint32_t i = 0; i < 30; i++)
            if (is_pending[i] && reads[i].done_count) {
                is_pending[i] = false;
                pending--;
            }
        if (pending > 0)
            check_sweeps(&sweeps);
    }
    CHECK(rig.slow.reads > 800);
    rig_run(&rig);
    rig_close(&rig);
}

TEST_MAIN(TEST(order_is_priority_first),
          TEST(order_is_by_offset_within_a_group),
          TEST(order_is_by_time_group_before_offset),
          TEST(order_is_by_groups_of_any_length),
          TEST(order_late_reads_behind_the_head_wait_for_the_next_sweep),
          TEST(order_sweeps_survive_an_urgent_read),
          TEST(order_restarts_after_an_empty_queue),
          TEST(order_outlives_the_time_group_field),
          TEST(order_counts_groups_from_the_oldest_pending_read),
          TEST(order_of_equal_reads_is_first_in_first_out),
          TEST(order_holds_within_files_without_a_place),
          TEST(order_holds_within_a_file_that_is_read_by_path),
          TEST(order_is_found_when_the_file_is_opened),
          TEST(order_does_not_interleave_reads_of_one_priority),
          TEST(order_lets_only_higher_priorities_come_between_pieces),
          TEST(order_gives_interrupted_reads_one_piece_first),
          TEST(order_agrees_with_sweeps_of_the_test))
