/* test_io_unpack_slots.c
 *
 * Goal: when temporary memory for compressed blocks is exhausted, only urgent
 *   reads continue, and all others when it returns. Reads that wait for it can
 *   be aborted, paused and shut down.
 * Method: the fixture's pak; few slots, and workers that run only when the
 *   test runs them. The check of slots refuses damaged ones.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "read/engine.h"
#include "read/io_wait.h"
#include "read/stage/read_check.h"
#include "read/unpack_reads.h"
#include "support/packed_fixture.h"

static void unpack_continues_urgent_reads_without_memory(void)
{
    packed_open(
        &(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    packed_mount();
    CHECK_EQ(packed.rig.io->unpack.memory_count, 2);
    for (uint32_t i = 0; i < 6; i++)
        packed_begin(i, "lz4", i * 1000, 150000, SPN_PRIORITY_NORMAL);
    rig_run_io(&packed.rig);
    /* The first read has the only slot that is not reserved for urgent
     * reads. */
    CHECK_EQ(packed.rig.io->unpack.free.count, 1);
    CHECK_EQ(packed.rig.io->slot_waiters.count, 6);
    /* A read without temporary memory continues. */
    packed_begin(6, "store", 0, 5000, SPN_PRIORITY_IDLE);
    rig_run_io(&packed.rig);
    spn__io_finish(packed.rig.io, 10);
    CHECK_EQ(packed.reads[6].done_count, 1);
    packed_begin(7, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    packed_begin(8, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    rig_run_io(&packed.rig);
    CHECK_EQ(packed.rig.io->unpack.free.count, 0);
    rig_run(&packed.rig);
    for (uint32_t i = 0; i < 6; i++)
        packed_check(i, "lz4", i * 1000, 150000);
    packed_check(6, "store", 0, 5000);
    packed_check(7, "zstd", 5, 1000);
    packed_check(8, "zstd", 5, 1000);
    CHECK(packed.reads[7].place < packed.reads[1].place);
    packed_close();
}

static void check_finds_damaged_slots(void)
{
    struct unpack *unpack;
    struct unpack before;

    packed_open(&(struct rig_config){.piece_bytes = 65536});
    unpack = &packed.rig.io->unpack;
    packed_mount();
    packed_begin(0, "lz4", 0, PACKED_BYTES, SPN_PRIORITY_NORMAL);
    rig_step_io(&packed.rig);
    CHECK(unpack->free.count < unpack->memory_count);
    CHECK(spn__unpack_check(unpack) && !spn__read_check(packed.rig.io));
    before = *unpack;
    for (uint32_t i = 0; i < unpack->slot_count; i++) {
        struct unpack_slot slot = unpack->slots[i];

        test_context("slot %u", i);
        unpack->slots[i].users++;
        CHECK(spn__read_check(packed.rig.io) != NULL);
        unpack->slots[i].users += 1;
        CHECK(!spn__unpack_check(unpack));
        unpack->slots[i] = slot;
        unpack->slots[i].used_bytes = unpack->slot_bytes + 1;
        CHECK(!spn__unpack_check(unpack));
        unpack->slots[i] = slot;
        if (slot.users == 0 && slot.next != IO_NONE) {
            unpack->slots[i].next = i;
            CHECK(!spn__unpack_check(unpack));
        }
        unpack->slots[i] = slot;
    }
    unpack->free.count--;
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    unpack->borrowers.last = unpack->borrowers.first;
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    atomic_store_relaxed(&unpack->used_peak, 0);
    CHECK(!spn__unpack_check(unpack));
    *unpack = before;
    CHECK(spn__unpack_check(unpack));
    packed_close();
}

/* A read that waits for a slot between two pieces is in no queue of a medium,
 * so an urgent read does not interrupt it. */
static void unpack_interrupts_no_read_that_waits_for_a_slot(void)
{
    packed_open(
        &(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    packed_mount();
    packed_begin(0, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    rig_run_io(&packed.rig);
    CHECK_EQ(packed.rig.io->slot_waiters.count, 1);
    CHECK_EQ(packed.rig.io->media[SPN_MEDIUM_HARD_DISK].unfinished, IO_NONE);
    packed_begin(1, "zstd", 5, 1000, SPN_PRIORITY_URGENT);
    rig_run_io(&packed.rig);
    CHECK(!packed.rig.io->requests[packed.reads[0].handle & READ_INDEX_MASK]
               .is_interrupted);
    rig_run(&packed.rig);
    packed_check(0, "lz4", 0, 150000);
    packed_check(1, "zstd", 5, 1000);
    packed_close();
}

/* Reads that wait for memory are aborted, paused and shut down like others. */
static void unpack_reads_that_wait_can_be_aborted_and_paused(void)
{
    packed_open(
        &(struct rig_config){.piece_bytes = 65536, .job_capacity = 256});
    packed_mount();
    for (uint32_t i = 0; i < 6; i++)
        packed_begin(i, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    rig_run_io(&packed.rig);
    CHECK_EQ(spn__io_abort(packed.rig.io, packed.reads[3].handle), SPN_OK);
    CHECK_EQ(spn__io_abort(packed.rig.io, packed.reads[0].handle), SPN_OK);
    rig_run_io(&packed.rig);
    spn__io_finish(packed.rig.io, 10);
    CHECK_EQ(packed.reads[3].status, SPN_ERR_ABORTED);
    /* The workers still process a block of it. */
    CHECK_EQ(packed.reads[0].done_count, 0);
    spn__io_pause(packed.rig.io, SPN_TASK_USER, true);
    rig_run(&packed.rig);
    CHECK_EQ(packed.reads[0].status, SPN_ERR_ABORTED);
    CHECK_EQ(packed.reads[1].done_count, 0);
    CHECK(spn__unpack_is_idle(&packed.rig.io->unpack));
    spn__io_pause(packed.rig.io, SPN_TASK_USER, false);
    rig_run(&packed.rig);
    packed_check(1, "lz4", 0, 150000);
    packed_check(5, "lz4", 0, 150000);
    for (uint32_t i = 6; i < 12; i++)
        packed_begin(i, "lz4", 0, 150000, SPN_PRIORITY_NORMAL);
    rig_run_io(&packed.rig);
    spn__io_shutdown(packed.rig.io);
    rig_run(&packed.rig);
    for (uint32_t i = 6; i < 12; i++)
        CHECK_EQ(packed.reads[i].status, SPN_ERR_SHUTDOWN);
    rig_close(&packed.rig);
}

static void unpack_waits_for_memory_in_the_order_of_deadlines(void)
{
    packed_by_deadline(unpack_continues_urgent_reads_without_memory);
    packed_by_deadline(unpack_reads_that_wait_can_be_aborted_and_paused);
}

TEST_MAIN(TEST(unpack_continues_urgent_reads_without_memory),
          TEST(check_finds_damaged_slots),
          TEST(unpack_interrupts_no_read_that_waits_for_a_slot),
          TEST(unpack_reads_that_wait_can_be_aborted_and_paused),
          TEST(unpack_waits_for_memory_in_the_order_of_deadlines))
