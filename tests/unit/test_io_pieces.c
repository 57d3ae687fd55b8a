/* test_io_pieces.c
 *
 * Goal: long reads are served in pieces, and between two pieces the smallest
 *   key is next. An urgent read interrupts a long one, which continues right
 *   after it at the same place.
 * Method: the offsets in the disc's log.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/io_order_fixture.h"

static void pieces_long_reads_are_served_in_pieces(void)
{
    open_rig(8192);
    begin_in_a(0, 1000, 100000, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    CHECK_EQ(rig.slow.reads, 13);
    for (uint32_t i = 0; i < 13; i++) {
        CHECK_EQ_U(rig.slow.log[i].offset, 1000 + i * 8192);
        CHECK_EQ_U(rig.slow.log[i].bytes, i < 12 ? 8192 : 100000 - 12 * 8192);
    }
    rig_check_bytes(&reads[0], 0, 1000, 100000);
    rig_close(&rig);
}

/* An interrupted read continues for one piece before all but urgent reads. Its
 * rest waits in its class again. */
static void pieces_an_interrupted_read_precedes_all_but_urgent(void)
{
    static const uint64_t expected[] = {0,    90000, 4096, 91000,
                                        8192, 80000, 12288};

    open_rig(4096);
    begin_in_a(0, 0, 4 * 4096, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    begin_in_a(1, 90000, 10, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    begin_in_a(2, 80000, 10, SPN_PRIORITY_ABOVE_NORMAL);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* continues at 4096 */
    CHECK_EQ(rig.slow.reads, 3);
    begin_in_a(3, 91000, 10, SPN_PRIORITY_URGENT);
    rig_run(&rig);
    check_log(expected, 7);
    CHECK_EQ(reads[1].place, 2);
    CHECK_EQ(reads[3].place, 3);
    CHECK_EQ(reads[2].place, 4);
    CHECK_EQ(reads[0].place, 5);
    rig_check_bytes(&reads[0], 0, 0, 4 * 4096);
    rig_close(&rig);
}

/* A read that was passed only by a better class keeps its own class. */
static void pieces_an_outranked_read_waits_for_its_class(void)
{
    static const uint64_t expected[] = {0, 80000, 70000, 4096};

    open_rig(4096);
    begin_in_a(0, 0, 2 * 4096, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    begin_in_a(1, 80000, 10, SPN_PRIORITY_ABOVE_NORMAL);
    begin_in_a(2, 70000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 4);
    rig_check_bytes(&reads[0], 0, 0, 2 * 4096);
    rig_close(&rig);
}

/* The interrupted read had just failed and was about to be retried. */
static void pieces_a_read_that_failed_is_interrupted_like_any(void)
{
    static const uint64_t expected[] = {0, 4096, 90000, 4096, 80000, 8192};

    open_rig(4096);
    slow_platform_fault(&rig.slow, &(struct slow_fault){.kind = SLOW_ERROR,
                                                        .times = 1,
                                                        .offset = 5000,
                                                        .bytes = 1});
    begin_in_a(0, 0, 3 * 4096, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* at 4096, where it will fail */
    begin_in_a(1, 90000, 10, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig); /* the urgent read is at the device */
    begin_in_a(2, 80000, 10, SPN_PRIORITY_ABOVE_NORMAL);
    rig_run(&rig);
    check_log(expected, 6);
    rig_check_bytes(&reads[0], 0, 0, 3 * 4096);
    rig_close(&rig);
}

/* The place of the urgent read's file is not known yet. The read interrupts as
 * soon as it is known, and the interrupted read need not wait for any other. */
static void pieces_an_urgent_read_of_a_new_file_interrupts(void)
{
    static const uint64_t expected[] = {0, 500, 4096, 80000, 8192};
    spn_read_desc desc;

    open_rig(4096);
    begin_in_a(0, 0, 3 * 4096, SPN_PRIORITY_IDLE);
    rig_step_io(&rig);
    desc = rig_desc(&rig, &reads[1], 0, 500, 10, buffers[1]);
    desc.path = "b";
    desc.priority = SPN_PRIORITY_URGENT;
    rig_start(&rig, &desc, &reads[1]);
    begin_in_a(2, 80000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    /* The last two entries: the preempted read comes before the normal one. */
    check_log(expected, 5);
    rig_check_bytes(&reads[1], 1, 500, 10);
    rig_check_bytes(&reads[0], 0, 0, 3 * 4096);
    rig_close(&rig);
}

/* An urgent read that cannot start lets the long one continue. */
static void pieces_only_a_startable_read_interrupts(void)
{
    static const uint64_t expected[] = {0, 4096, 8192, 80000, 90000};

    open_rig(4096);
    begin_in_a(0, 0, 3 * 4096, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    begin_in_a(1, 90000, 10, SPN_PRIORITY_URGENT);
    CHECK_EQ(spn__io_abort(rig.io, reads[1].handle), SPN_OK);
    begin_in_a(2, 80000, 10, SPN_PRIORITY_BELOW_NORMAL);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    rig_step_io(&rig);
    begin_in_a(3, 90000, 10, SPN_PRIORITY_IDLE);
    rig_run(&rig);
    check_log(expected, 5);
    rig_check(&reads[1], SPN_ERR_ABORTED);
    rig_close(&rig);
}

static void pieces_equals_do_not_interrupt(void)
{
    static const uint64_t expected[] = {8192, 12288, 16384, 0, 90000};

    open_rig(4096);
    begin_in_a(0, 8192, 3 * 4096, SPN_PRIORITY_URGENT);
    rig_step_io(&rig);
    begin_in_a(1, 0, 10, SPN_PRIORITY_URGENT);
    begin_in_a(2, 90000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

/* A read that arrives inside the range in progress counts as behind the head,
 * because the head will have passed it. */
static void pieces_the_head_is_at_the_end_of_the_piece(void)
{
    static const uint64_t expected[] = {0, 90000, 32768};

    open_rig(65536);
    begin_in_a(0, 0, 65536, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    begin_in_a(1, 32768, 10, SPN_PRIORITY_NORMAL);
    begin_in_a(2, 90000, 10, SPN_PRIORITY_NORMAL);
    rig_run(&rig);
    check_log(expected, 3);
    rig_close(&rig);
}

/* A short read that was not interrupted gets the slot of an aborted long
 * one. */
static void pieces_an_aborted_read_leaves_no_preemption_behind(void)
{
    static const uint64_t expected[] = {0, 80000, 90000, 70000, 60000};
    uint64_t due_us;

    rig_open(&rig, &(struct rig_config){.piece_bytes = 4096, .read_count = 4});
    rig.slow.command_us = 100;
    file_a = rig_file(&rig, "a");
    begin_in_a(0, 0, 8192, SPN_PRIORITY_NORMAL);
    rig_step_io(&rig);
    CHECK(slow_platform_advance(&rig.slow));
    CHECK(spn__io_step(rig.io, &due_us)); /* the first piece has arrived */
    CHECK_EQ(rig.slow.reads, 1);
    CHECK_EQ(spn__io_abort(rig.io, reads[0].handle), SPN_OK);
    while (rig_step(&rig)) {
    }
    rig_check(&reads[0], SPN_ERR_ABORTED);
    begin_in_a(1, 90000, 10, SPN_PRIORITY_ABOVE_NORMAL);
    begin_in_a(2, 80000, 10, SPN_PRIORITY_URGENT);
    begin_in_a(3, 60000, 10, SPN_PRIORITY_IDLE);
    begin_in_a(4, 70000, 10, SPN_PRIORITY_NORMAL);
    CHECK_EQ(reads[4].handle & 0xffff, reads[0].handle & 0xffff);
    rig_run(&rig);
    check_log(expected, 5);
    rig_close(&rig);
}

TEST_MAIN(TEST(pieces_long_reads_are_served_in_pieces),
          TEST(pieces_an_interrupted_read_precedes_all_but_urgent),
          TEST(pieces_an_outranked_read_waits_for_its_class),
          TEST(pieces_a_read_that_failed_is_interrupted_like_any),
          TEST(pieces_an_urgent_read_of_a_new_file_interrupts),
          TEST(pieces_only_a_startable_read_interrupts),
          TEST(pieces_equals_do_not_interrupt),
          TEST(pieces_the_head_is_at_the_end_of_the_piece),
          TEST(pieces_an_aborted_read_leaves_no_preemption_behind))
