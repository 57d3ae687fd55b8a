/* test_emulated_drive.c
 *
 * Goal: a read takes the time of the drive's arithmetic to the microsecond.
 *   Each fault adds the time that spindle/emulator.h states, and no more.
 * Method: a second drive is charged by hand and compared. Time spans before,
 *   during and after a read; ranges at the borders of blocks; random faults and
 *   reads.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "emulator/emulated_drive.h"
#include "harness.h"

#include <string.h>

#define BLOCK 32768u
#define MIB 1048576u
#define START 1000000u /* clock when the drive is made */
#define FAULTS_MAX 16u

static struct emulated_drive drive;
static struct drive model;
static const spn_drive_profile *profile;
static spn_emulator_fault faults[FAULTS_MAX];
static uint32_t fault_count;
static struct emulated_fault_state states[FAULTS_MAX];

/* Make drive 1 of two, with the current faults. */
static void make(bool is_stopped)
{
    spn_emulator_drive drives[2] = {{.is_stopped = 0},
                                    {.is_stopped = is_stopped}};
    spn_emulator_config config = {.drives = drives,
                                  .drive_count = 2,
                                  .faults = faults,
                                  .fault_count = fault_count};

    profile = spn_drive_profile_find("x360_dvd12x");
    drives[0].profile = profile;
    drives[1].profile = profile;
    spn__emulated_drive_init(&drive, &config, 1, states, START);
    spn__drive_init(&model, profile);
    if (!is_stopped)
        spn__drive_insert(&model, START);
}

static void make_good(void)
{
    fault_count = 0;
    make(false);
}

static void make_faulty(const spn_emulator_fault *fault)
{
    faults[0] = *fault;
    faults[0].drive = 1;
    fault_count = 1;
    make(false);
}

/* Return the end of a read by the model. */
static uint64_t model_read(uint64_t offset, uint64_t bytes, uint64_t now_us)
{
    struct drive_cost cost;
    uint64_t end_us;

    CHECK_EQ(spn__drive_read(&model, offset, bytes, now_us, &cost, &end_us),
             SPN_OK);
    return end_us;
}

static uint64_t read_with(uint64_t offset, uint64_t bytes, uint64_t now_us,
                          spn_status status)
{
    uint64_t due_us = 0;

    CHECK_EQ(spn__emulated_drive_read(&drive, offset, bytes, now_us, &due_us),
             status);
    CHECK(spn__emulated_drive_check(&drive));
    return due_us;
}

static uint64_t read_good(uint64_t offset, uint64_t bytes, uint64_t now_us)
{
    return read_with(offset, bytes, now_us, SPN_OK);
}

static spn_emulator_stats stats_now(void)
{
    spn_emulator_stats stats;

    spn__emulated_drive_get_stats(&drive, &stats);
    CHECK_EQ_U(stats.busy_us, stats.command_us + stats.seek_us +
                                  stats.rotate_us + stats.gap_us +
                                  stats.transfer_us + stats.retry_us +
                                  stats.spin_us);
    return stats;
}

/* -- withdrawn reads -- */

static void cancelled_reads_that_have_not_begun_leave_no_trace(void)
{
    const spn_emulator_fault bad = {.kind = SPN_EMULATOR_UNREADABLE,
                                    .offset = 100 * MIB,
                                    .bytes = BLOCK,
                                    .times = 1};
    spn_emulator_stats before;
    spn_emulator_stats after;
    uint64_t end_us;

    make_faulty(&bad);
    end_us = read_good(0, MIB, START);
    CHECK_EQ_U(end_us, model_read(0, MIB, START));
    before = stats_now();
    (void)read_with(100 * MIB, BLOCK, START + 1, SPN_ERR_IO);
    spn__emulated_drive_withdraw(&drive, end_us - 1);
    after = stats_now();
    CHECK_MEM(&after, &before, sizeof after);
    /* A second withdrawal has no effect. */
    spn__emulated_drive_withdraw(&drive, 0);
    CHECK_EQ_U(read_good(200 * MIB, BLOCK, START + 2),
               model_read(200 * MIB, BLOCK, START + 2));
    /* The fault has not occurred. */
    (void)read_with(100 * MIB, BLOCK, START + 3, SPN_ERR_IO);
    (void)read_good(100 * MIB, BLOCK, START + 4);
}

static void reads_that_have_begun_are_not_undone(void)
{
    make_good();
    CHECK_EQ_U(read_good(0, MIB, START), model_read(0, MIB, START));
    spn__emulated_drive_withdraw(&drive, START);
    CHECK_EQ_U(stats_now().reads, 1);
    CHECK_EQ_U(read_good(200 * MIB, BLOCK, START + 1),
               model_read(200 * MIB, BLOCK, START + 1));
}

/* -- without faults -- */

static void reads_take_as_long_as_in_the_model(void)
{
    struct test_random random = {11};
    uint64_t now_us = START;

    make_good();
    for (uint32_t i = 0; i < 500; i++) {
        uint64_t offset = (uint64_t)test_random_below(&random, 6800) * MIB;
        uint64_t bytes = 1 + test_random_below(&random, 2 * MIB);

        test_context("seed 11, read %u", i);
        if (test_random_below(&random, 3) == 0)
            offset = model.head;
        CHECK_EQ_U(read_good(offset, bytes, now_us),
                   model_read(offset, bytes, now_us));
        /* Some reads are submitted during the previous one. */
        now_us += test_random_below(&random, 300000);
    }
}

static void drive_may_start_from_a_standstill(void)
{
    fault_count = 0;
    make(true);
    CHECK_EQ_U(read_good(0, BLOCK, START), model_read(0, BLOCK, START));
    CHECK_EQ_U(stats_now().spin_us, profile->spin_up_us);
    make(false);
    CHECK_EQ_U(read_good(0, BLOCK, START), model_read(0, BLOCK, START));
    CHECK_EQ_U(stats_now().spin_us, 0);
}

static void drive_counts_its_work(void)
{
    uint64_t end_us;
    uint64_t far = 3000ull * MIB;
    spn_emulator_stats s;

    make_good();
    end_us = read_good(far, BLOCK, START);
    s = stats_now();
    CHECK_EQ_U(s.reads, 1);
    CHECK_EQ_U(s.bytes, BLOCK);
    CHECK_EQ_U(s.seeks, 1);
    CHECK_EQ_U(s.seek_us, spn__drive_seek_us(profile, 0, far));
    CHECK_NEAR((double)s.travel_um,
               (spn__drive_radius_nm(profile, far) -
                spn__drive_radius_nm(profile, 0)) /
                   1000.0,
               1);
    CHECK_EQ_U(s.command_us, 600);
    CHECK_EQ_U(s.transfer_us, spn__drive_transfer_us(profile, far, BLOCK));
    CHECK_EQ_U(end_us, START + s.busy_us);
    /* A later continuation, which was read ahead. */
    (void)read_good(far + BLOCK, BLOCK, end_us + 100000);
    s = stats_now();
    CHECK_EQ_U(s.buffer_hits, 1);
    CHECK_EQ_U(s.seeks, 1);
    CHECK_EQ_U(s.gap_us, 0);
    /* Continue through a gap. */
    make_good();
    end_us = read_good(far, BLOCK, START);
    (void)read_good(far + 4 * BLOCK, BLOCK, end_us);
    s = stats_now();
    CHECK_EQ_U(s.gap_us,
               spn__drive_transfer_us(profile, far + BLOCK, 3 * BLOCK));
    CHECK_EQ_U(s.buffer_hits, 0);
    CHECK_EQ_U(s.wait_us + s.retries + s.failed + s.retry_us, 0);
}

static void reads_of_zero_bytes_take_no_time(void)
{
    uint64_t end_us;

    make_good();
    CHECK_EQ_U(read_good(123, 0, START + 5), START + 5);
    end_us = read_good(0, BLOCK, START + 5);
    CHECK_EQ_U(end_us, model_read(0, BLOCK, START + 5));
    CHECK_EQ_U(read_good(123, 0, START + 6), end_us);
}

static void clocks_that_run_back_do_no_harm(void)
{
    uint64_t end_us;

    make_good();
    end_us = read_good(0, BLOCK, START + 1000);
    CHECK(read_good(0, BLOCK, START) >= end_us);
}

/* -- spans of time -- */

static void stalls_hold_a_read_back(void)
{
    uint64_t stall_end_us = START + 10000 + 500000;

    make_faulty(&(spn_emulator_fault){
        .kind = SPN_EMULATOR_STALL, .begin_us = 10000, .length_us = 500000});
    /* The read is submitted in the middle of the stall. */
    CHECK_EQ_U(read_good(MIB, BLOCK, START + 20000),
               model_read(MIB, BLOCK, stall_end_us));
    CHECK_EQ_U(stats_now().wait_us, stall_end_us - (START + 20000));
    /* A later read is not affected. */
    CHECK_EQ_U(read_good(5 * MIB, BLOCK, stall_end_us + 1000000),
               model_read(5 * MIB, BLOCK, stall_end_us + 1000000));
}

static void stalls_let_a_read_start_over(void)
{
    uint64_t wanted_us;

    make_faulty(&(spn_emulator_fault){
        .kind = SPN_EMULATOR_STALL, .begin_us = 10000, .length_us = 500000});
    /* The read is in progress from START on. Its seek alone takes more than 10
     * ms. */
    wanted_us = model_read(MIB, BLOCK, START + 510000);
    CHECK_EQ_U(read_good(MIB, BLOCK, START), wanted_us);
    CHECK_EQ_U(stats_now().wait_us, 510000);
    CHECK_EQ_U(stats_now().busy_us, wanted_us - START - 510000);
}

static void stalls_at_the_borders_touch_or_not(void)
{
    uint64_t end_us;

    make_good();
    end_us = read_good(MIB, BLOCK, START);
    /* The stall begins when the read ends. */
    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_STALL,
                                      .begin_us = end_us - START,
                                      .length_us = 1000});
    CHECK_EQ_U(read_good(MIB, BLOCK, START), end_us);
    /* The stall begins one microsecond earlier. */
    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_STALL,
                                      .begin_us = end_us - START - 1,
                                      .length_us = 1000});
    CHECK_EQ_U(read_good(MIB, BLOCK, START),
               model_read(MIB, BLOCK, end_us + 999));
    /* The stall ends when the read begins. */
    make_faulty(&(spn_emulator_fault){
        .kind = SPN_EMULATOR_STALL, .begin_us = 1, .length_us = 99});
    CHECK_EQ_U(read_good(MIB, BLOCK, START + 100),
               model_read(MIB, BLOCK, START + 100));
}

static void stalls_affect_only_their_drive(void)
{
    faults[0] = (spn_emulator_fault){
        .kind = SPN_EMULATOR_STALL, .drive = 0, .length_us = 1000000};
    fault_count = 1;
    make(false);
    CHECK_EQ_U(read_good(MIB, BLOCK, START), model_read(MIB, BLOCK, START));
}

static void stalls_for_ever_never_end(void)
{
    make_faulty(
        &(spn_emulator_fault){.kind = SPN_EMULATOR_STALL, .begin_us = 2000000});
    CHECK_EQ_U(read_good(MIB, BLOCK, START), model_read(MIB, BLOCK, START));
    CHECK_EQ_U(read_good(0, BLOCK, START + 2000000), UINT64_MAX);
    CHECK_EQ_U(read_good(0, BLOCK, START + 2000001), UINT64_MAX);
    CHECK_EQ_U(stats_now().wait_us, 0);
    CHECK_EQ_U(stats_now().reads, 3);
}

static void stalls_keep_the_read_ahead_buffer(void)
{
    spn_emulator_fault stall = {
        .kind = SPN_EMULATOR_STALL, .begin_us = 1000000, .length_us = 10};

    make_faulty(&stall);
    (void)read_good(MIB, BLOCK, START);
    (void)read_good(MIB + 8 * BLOCK, BLOCK, START + 1000020);
    CHECK_EQ_U(stats_now().buffer_hits, 1);
}

static void trays_make_a_read_wait_and_the_disc_spin_up(void)
{
    uint64_t ready_us;
    spn_emulator_disc disc;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_TRAY_OPEN,
                                      .begin_us = 2000000,
                                      .length_us = 3000000});
    ready_us = START + 5000000 + profile->spin_up_us;
    (void)read_good(MIB, BLOCK, START);
    disc = spn__emulated_drive_disc_state(&drive, START + 1999999);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_IN);
    disc = spn__emulated_drive_disc_state(&drive, START + 2000000);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_OUT);
    disc = spn__emulated_drive_disc_state(&drive, START + 4999999);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_OUT);
    disc = spn__emulated_drive_disc_state(&drive, START + 5000000);
    CHECK_EQ(disc, SPN_EMULATOR_DISC_IN);
    /* The head is then at the start of the disc, and the buffer is empty. */
    spn__drive_insert(&model, ready_us);
    CHECK_EQ_U(read_good(MIB + BLOCK, BLOCK, START + 3000000),
               model_read(MIB + BLOCK, BLOCK, ready_us));
    CHECK_EQ_U(stats_now().buffer_hits, 0);
}

static void unnoticed_tray_openings_still_lose_the_buffer(void)
{
    uint64_t ready_us;
    uint64_t later_us;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_TRAY_OPEN,
                                      .begin_us = 2000000,
                                      .length_us = 1000000});
    ready_us = START + 3000000 + profile->spin_up_us;
    later_us = ready_us + 1000000;
    (void)read_good(MIB, BLOCK, START);
    spn__drive_insert(&model, ready_us);
    CHECK_EQ_U(read_good(MIB + BLOCK, BLOCK, later_us),
               model_read(MIB + BLOCK, BLOCK, later_us));
    CHECK_EQ_U(stats_now().wait_us, 0);
}

static void trays_may_fail_reads(void)
{
    uint64_t open_us = START + 10000;
    uint64_t closed_us = START + 3000000;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_TRAY_OPEN,
                                      .begin_us = 10000,
                                      .length_us = 2990000,
                                      .is_failing = 1});
    /* The read is in progress when the tray opens. */
    CHECK_EQ_U(read_with(MIB, BLOCK, START, SPN_ERR_IO), open_us + 600);
    CHECK_EQ_U(read_with(MIB, BLOCK, START + 20000, SPN_ERR_IO), START + 20600);
    CHECK_EQ_U(stats_now().failed, 2);
    CHECK_EQ_U(stats_now().busy_us, 0);
    CHECK_EQ_U(stats_now().bytes, 0);
    spn__drive_insert(&model, closed_us + profile->spin_up_us);
    CHECK_EQ_U(read_good(MIB, BLOCK, closed_us),
               model_read(MIB, BLOCK, closed_us + profile->spin_up_us));
}

static void swapped_discs_spin_up_and_are_refused(void)
{
    uint64_t swap_us = START + 10000;
    uint64_t back_us = swap_us + 20000000;
    uint64_t spin_us;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_DISC_SWAPPED,
                                      .begin_us = 10000,
                                      .length_us = 20000000});
    spin_us = profile->spin_up_us;
    CHECK_EQ_U(read_with(MIB, BLOCK, START, SPN_ERR_IO),
               swap_us + spin_us + 600);
    CHECK_EQ_U(read_with(MIB, BLOCK, START + 5000000, SPN_ERR_IO),
               START + 5000600);
    CHECK_EQ(spn__emulated_drive_disc_state(&drive, START + 5000000),
             SPN_EMULATOR_DISC_OTHER);
    /* The right disc is back before the drive detects the other one. */
    spn__drive_insert(&model, back_us + spin_us);
    CHECK_EQ_U(read_good(MIB, BLOCK, back_us - 600),
               model_read(MIB, BLOCK, back_us + spin_us));
}

static void spans_follow_each_other(void)
{
    faults[0] = (spn_emulator_fault){.kind = SPN_EMULATOR_STALL,
                                     .drive = 1,
                                     .begin_us = 3000000,
                                     .length_us = 1000000};
    faults[1] = (spn_emulator_fault){.kind = SPN_EMULATOR_TRAY_OPEN,
                                     .drive = 1,
                                     .begin_us = 0,
                                     .length_us = 3500000};
    /* This span lies within the tray's span. */
    faults[2] = (spn_emulator_fault){.kind = SPN_EMULATOR_STALL,
                                     .drive = 1,
                                     .begin_us = 100,
                                     .length_us = 100};
    fault_count = 3;
    make(false);
    spn__drive_insert(&model, START + 3500000 + profile->spin_up_us);
    CHECK_EQ_U(read_good(MIB, BLOCK, START + 50),
               model_read(MIB, BLOCK, START + 50));
}

/* -- bad blocks -- */

static void bad_blocks_cost_retries_and_speed(void)
{
    uint64_t turn_us;
    uint64_t wanted_us;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_BAD_SECTORS,
                                      .offset = MIB + BLOCK,
                                      .bytes = 2 * BLOCK,
                                      .retries = 3});
    turn_us = spn__drive_turn_us(profile, MIB);
    wanted_us = model_read(MIB, 8 * BLOCK, START);
    /* Two blocks with three retries each, which take several rotations. */
    wanted_us += spn__drive_retry(&model, MIB + BLOCK, 6);
    CHECK_EQ_U(read_good(MIB, 8 * BLOCK, START), wanted_us);
    CHECK_EQ_U(stats_now().retries, 6);
    CHECK_EQ_U(stats_now().retry_us, 6 * profile->retry_turns * turn_us);
    /* The drive is slow now, and so is the model. */
    CHECK_EQ_U(read_good(50 * MIB, 8 * BLOCK, wanted_us),
               model_read(50 * MIB, 8 * BLOCK, wanted_us));
    /* A second read needs the retries again. */
    wanted_us = model_read(MIB + 2 * BLOCK, 1, wanted_us + 20000000);
    wanted_us += spn__drive_retry(&model, MIB + 2 * BLOCK, 3);
    CHECK_EQ_U(read_good(MIB + 2 * BLOCK, 1, drive.drive.now_us + 20000000),
               wanted_us);
}

static void bad_blocks_are_whole_blocks(void)
{
    static const struct {
        uint64_t offset;
        uint64_t bytes;
        uint32_t blocks;
    } cases[] = {
        {MIB, BLOCK, 0},         {MIB, BLOCK + 1, 1},
        {MIB, 2 * BLOCK, 1},     {MIB + 2 * BLOCK, 1, 1},
        {MIB + 3 * BLOCK, 1, 0}, {MIB + 3 * BLOCK - 1, 1, 1},
        {MIB, 8 * BLOCK, 2},     {MIB + BLOCK + 900, 100, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_context("case %zu", i);
        /* From the last byte of one block to the first of the next. */
        make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_BAD_SECTORS,
                                          .offset = MIB + 2 * BLOCK - 1,
                                          .bytes = 2,
                                          .retries = 5});
        (void)read_good(cases[i].offset, cases[i].bytes, START);
        CHECK_EQ_U(stats_now().retries, 5 * cases[i].blocks);
    }
}

static void bad_blocks_heal(void)
{
    spn_emulator_fault bad = {.kind = SPN_EMULATOR_BAD_SECTORS,
                              .offset = MIB,
                              .bytes = 1,
                              .retries = 1,
                              .times = 2};

    make_faulty(&bad);
    for (uint32_t i = 0; i < 4; i++) {
        (void)read_good(0, BLOCK, START); /* does not touch the block */
        (void)read_good(MIB, BLOCK, START);
    }
    CHECK_EQ_U(stats_now().retries, 2);
    /* The block heals by time. */
    bad.times = 0;
    bad.begin_us = 1000000;
    bad.length_us = 1000000;
    make_faulty(&bad);
    (void)read_good(MIB, BLOCK, START);
    CHECK_EQ_U(stats_now().retries, 0);
    (void)read_good(MIB, BLOCK, START + 1500000);
    CHECK_EQ_U(stats_now().retries, 1);
    (void)read_good(MIB, BLOCK, START + 2000000);
    CHECK_EQ_U(stats_now().retries, 1);
}

static void unreadable_blocks_end_the_read(void)
{
    uint64_t wanted_us;

    make_faulty(&(spn_emulator_fault){.kind = SPN_EMULATOR_UNREADABLE,
                                      .offset = MIB + 4 * BLOCK,
                                      .bytes = 0,
                                      .retries = 2});
    CHECK_EQ_U(read_good(MIB, 4 * BLOCK, START),
               model_read(MIB, 4 * BLOCK, START));
    /* The read takes the time to the end of the block, then the retries. The
     * rest is not read. */
    wanted_us = model_read(MIB, 5 * BLOCK, drive.drive.end_us);
    wanted_us += spn__drive_retry(&model, MIB + 4 * BLOCK, 2);
    CHECK_EQ_U(read_with(MIB, 64 * BLOCK, drive.drive.end_us, SPN_ERR_IO),
               wanted_us);
    CHECK_EQ_U(stats_now().failed, 1);
    CHECK_EQ_U(stats_now().retries, 2);
    /* Bytes that were not transferred are not counted, because they would make
     * the transfer look faster. */
    CHECK_EQ_U(stats_now().bytes, 8 * BLOCK);
    /* The read begins in the middle of a bad block. */
    wanted_us = model_read(MIB + 6 * BLOCK + 5, 1, wanted_us);
    wanted_us += spn__drive_retry(&model, MIB + 6 * BLOCK, 2);
    CHECK_EQ_U(read_with(MIB + 6 * BLOCK + 5, 3 * BLOCK, drive.drive.end_us,
                         SPN_ERR_IO),
               wanted_us);
}

static void unreadable_blocks_heal_one_by_one(void)
{
    faults[0] = (spn_emulator_fault){.kind = SPN_EMULATOR_UNREADABLE,
                                     .drive = 1,
                                     .offset = MIB + 2 * BLOCK,
                                     .bytes = 1,
                                     .times = 1};
    faults[1] = (spn_emulator_fault){.kind = SPN_EMULATOR_UNREADABLE,
                                     .drive = 1,
                                     .offset = MIB + BLOCK,
                                     .bytes = 1,
                                     .times = 2};
    /* This block lies behind the first failing one and is not reached. */
    faults[2] = (spn_emulator_fault){.kind = SPN_EMULATOR_BAD_SECTORS,
                                     .drive = 1,
                                     .offset = MIB + 3 * BLOCK,
                                     .bytes = 1,
                                     .retries = 1,
                                     .times = 1};
    fault_count = 3;
    make(false);
    (void)read_with(MIB, 4 * BLOCK, START, SPN_ERR_IO);
    (void)read_with(MIB, 4 * BLOCK, START, SPN_ERR_IO);
    (void)read_with(MIB, 4 * BLOCK, START, SPN_ERR_IO);
    CHECK_EQ_U(stats_now().retries, 0);
    (void)read_good(MIB, 4 * BLOCK, START);
    CHECK_EQ_U(stats_now().retries, 1);
    CHECK_EQ_U(stats_now().failed, 3);
}

static void faults_deferred_by_a_span_occur_once(void)
{
    faults[0] = (spn_emulator_fault){.kind = SPN_EMULATOR_BAD_SECTORS,
                                     .drive = 1,
                                     .offset = MIB,
                                     .bytes = 1,
                                     .retries = 1,
                                     .times = 1};
    faults[1] = (spn_emulator_fault){.kind = SPN_EMULATOR_STALL,
                                     .drive = 1,
                                     .begin_us = 20000,
                                     .length_us = 100};
    fault_count = 2;
    make(false);
    (void)read_good(MIB, BLOCK, START);
    CHECK_EQ_U(stats_now().retries, 1);
    (void)read_good(MIB, BLOCK, START);
    CHECK_EQ_U(stats_now().retries, 1);
}

/* -- random operations -- */

static struct test_random random_state;

static uint64_t draw(uint64_t limit)
{
    uint32_t kind = test_random_below(&random_state, 8);

    if (kind == 0)
        return 0;
    if (kind == 1)
        return UINT64_MAX;
    return test_random_u64(&random_state) % limit;
}

static void draw_faults(void)
{
    uint64_t disc = spn__drive_disc_bytes(profile);

    fault_count = test_random_below(&random_state, FAULTS_MAX + 1);
    for (uint32_t i = 0; i < fault_count; i++)
        faults[i] = (spn_emulator_fault){
            .kind = (spn_emulator_fault_kind)(1 + test_random_below(
                                                      &random_state, 5)),
            .drive = test_random_below(&random_state, 2),
            .begin_us = draw(30000000),
            .length_us = draw(3000000),
            .offset = draw(disc) % disc,
            .bytes = draw(disc),
            .retries = (uint32_t)draw(100),
            .times = (uint32_t)draw(5),
            .is_failing = test_random_below(&random_state, 2)};
}

static void faults_of_any_kind_do_no_harm(void)
{
    profile = spn_drive_profile_find("x360_dvd12x");
    for (uint32_t round = 0; round < 3000; round++) {
        uint64_t disc = spn__drive_disc_bytes(profile);
        uint64_t now_us = START;
        uint64_t before_us = 0;
        uint32_t reads;

        random_state.state = round;
        test_context("seed %u", round);
        reads = test_random_below(&random_state, 20);
        draw_faults();
        make(test_random_below(&random_state, 2));
        for (uint32_t i = 0; i < reads; i++) {
            uint64_t offset = draw(disc) % disc;
            uint64_t bytes = draw(4ull * MIB) % (disc - offset);
            uint64_t due_us = 0;
            spn_status status = spn__emulated_drive_read(&drive, offset, bytes,
                                                         now_us, &due_us);

            CHECK(spn__emulated_drive_check(&drive));
            CHECK(status == SPN_OK || status == SPN_ERR_IO);
            CHECK(due_us >= now_us && due_us >= before_us);
            before_us = due_us;
            now_us += draw(3000000) % 3000000;
        }
        CHECK_EQ_U(stats_now().reads, reads);
    }
}

TEST_MAIN(TEST(cancelled_reads_that_have_not_begun_leave_no_trace),
          TEST(reads_that_have_begun_are_not_undone),
          TEST(reads_take_as_long_as_in_the_model),
          TEST(drive_may_start_from_a_standstill), TEST(drive_counts_its_work),
          TEST(reads_of_zero_bytes_take_no_time),
          TEST(clocks_that_run_back_do_no_harm), TEST(stalls_hold_a_read_back),
          TEST(stalls_let_a_read_start_over),
          TEST(stalls_at_the_borders_touch_or_not),
          TEST(stalls_affect_only_their_drive), TEST(stalls_for_ever_never_end),
          TEST(stalls_keep_the_read_ahead_buffer),
          TEST(trays_make_a_read_wait_and_the_disc_spin_up),
          TEST(unnoticed_tray_openings_still_lose_the_buffer),
          TEST(trays_may_fail_reads),
          TEST(swapped_discs_spin_up_and_are_refused),
          TEST(spans_follow_each_other),
          TEST(bad_blocks_cost_retries_and_speed),
          TEST(bad_blocks_are_whole_blocks), TEST(bad_blocks_heal),
          TEST(unreadable_blocks_end_the_read),
          TEST(unreadable_blocks_heal_one_by_one),
          TEST(faults_deferred_by_a_span_occur_once),
          TEST(faults_of_any_kind_do_no_harm))
