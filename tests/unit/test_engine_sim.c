/* test_engine_sim.c
 *
 * Goal: in the engine itself, on the drive of the Xbox 360, the sweep keeps
 *   deadlines up to the loads that are promised, also where the drive is not
 *   known; it wastes little on a burst and starves nobody; and under faults
 *   every read completes once, with the disc's bytes.
 * Method: the made up game through a runtime and the emulator, in virtual time.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/engine_sim.h"
#include "simulate/policy_sim.h"

#include <string.h>

#define SECOND_US UINT64_C(1000000)
/* The longest seek with half a turn, a change of layer, and 3 MiB and a piece
 * at the lowest rate, which is 6.8 MB/s. */
#define TURN_US ((180 + 75 + 520) * UINT64_C(1000))

static struct engine_sim sim;
static struct engine_sim_result result;

static void start(spn_order order, enum workload_layout layout, uint32_t load)
{
    if (TEST_HAS_TSAN)
        test_skip("minutes of one thread, which has nobody to race with");
    sim = (struct engine_sim){.order = order, .seconds = 300};
    sim.workload.drive = spn_drive_profile_find("x360_dvd12x");
    sim.workload.layout = layout;
    sim.workload.load = load;
    sim.workload.seed = 1;
}

/* Free the tally. */
static void run(void)
{
    CHECK(engine_sim_run(&sim, &result));
    test_context("order %u, %s, load %u, seed %u: %u ppm late", sim.order,
                 workload_layout_names[sim.workload.layout], sim.workload.load,
                 (unsigned)sim.workload.seed,
                 (unsigned)tally_late_ppm(&result.tally));
    CHECK(result.started > 0);
    CHECK_EQ_U(result.completed, result.started);
    CHECK_EQ_U(result.bad_reads, 0);
    if (sim.fault_count == 0)
        CHECK_EQ_U(result.failed, 0);
}

static uint64_t late_ppm(uint32_t seeds)
{
    struct tally sum;
    uint64_t ppm;

    tally_init(&sum);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        sim.workload.seed = seed;
        run();
        tally_add(&sum, &result.tally);
        tally_free(&result.tally);
    }
    ppm = tally_late_ppm(&sum);
    tally_free(&sum);
    test_context("order %u, %s, load %u: %u ppm late", sim.order,
                 workload_layout_names[sim.workload.layout], sim.workload.load,
                 (unsigned)ppm);
    return ppm;
}

static void engine_keeps_deadlines_up_to_the_load_that_is_promised(void)
{
    static const struct {
        enum workload_layout layout;
        uint32_t load;
    } cases[] = {{WORKLOAD_SCATTERED, 970},
                 {WORKLOAD_BY_SCENE, 1170},
                 {WORKLOAD_COPIES, 1270}};

    for (uint32_t i = 0; i < 3; i++) {
        start(SPN_ORDER_SWEEP, cases[i].layout, cases[i].load);
        CHECK(late_ppm(3) <= 10000);
    }
}

static void engine_is_better_with_the_sweep_than_with_the_key(void)
{
    uint64_t key_ppm;

    start(SPN_ORDER_SORT_KEY, WORKLOAD_SCATTERED, 950);
    key_ppm = late_ppm(1);
    start(SPN_ORDER_AUTOMATIC, WORKLOAD_SCATTERED, 950);
    CHECK(late_ppm(1) < key_ppm / 5);
}

/* Every seek is said to take 100 ms, and the rate to be the same everywhere. */
static void engine_bears_a_drive_that_it_does_not_know(void)
{
    spn_drive_profile flat;

    start(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 950);
    policy_sim_flatten(sim.workload.drive, 100000, &flat);
    sim.believed = &flat;
    CHECK(late_ppm(2) <= 30000);
}

static void engine_reads_a_burst_in_little_more_than_its_transfer(void)
{
    struct engine_burst one;
    uint64_t read_us = 0;
    uint64_t transfer_us = 0;
    uint32_t scene = 0;

    start(SPN_ORDER_SWEEP, WORKLOAD_COPIES, 1000);
    for (; engine_sim_burst(&sim, scene, &one); scene++) {
        CHECK(one.read_us >= one.transfer_us);
        read_us += one.read_us;
        transfer_us += one.transfer_us;
    }
    CHECK_EQ(scene, 24);
    CHECK(read_us * 10 <= transfer_us * 11);
}

static uint64_t longest_bulk_us(void)
{
    uint64_t waiting_us = result.waiting_us[SWEEP_BULK];
    uint64_t longest_us = result.tally.classes[SWEEP_BULK].longest_us;

    return waiting_us > longest_us ? waiting_us : longest_us;
}

/* The drive cannot do it all. Idle reads wait long, but have their turns: by
 * the sort key the unlucky ones wait until the run is over. */
static void engine_starves_no_idle_read(void)
{
    uint64_t longest_us;

    start(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 1200);
    sim.is_idle_bulk = true;
    run();
    longest_us = longest_bulk_us();
    CHECK(longest_us <= 30 * SECOND_US + 16 * result.pending_peak * TURN_US);
    CHECK(longest_us <= 200 * SECOND_US);
    CHECK(result.tally.classes[SWEEP_BULK].count > 100);
    tally_free(&result.tally);
    start(SPN_ORDER_SORT_KEY, WORKLOAD_SCATTERED, 1200);
    sim.is_idle_bulk = true;
    run();
    CHECK(longest_bulk_us() > 200 * SECOND_US);
    tally_free(&result.tally);
}

static void engine_completes_every_read_once_under_faults(void)
{
    static const spn_emulator_fault faults[] = {
        {.kind = SPN_EMULATOR_BAD_SECTORS,
         .offset = 1000000000,
         .bytes = 300000000,
         .retries = 2},
        {.kind = SPN_EMULATOR_UNREADABLE,
         .offset = 2000000000,
         .bytes = 50000000,
         .retries = 1},
        {.kind = SPN_EMULATOR_UNREADABLE,
         .retries = 1,
         .times = 40,
         .begin_us = 20 * SECOND_US},
        {.kind = SPN_EMULATOR_STALL,
         .begin_us = 50 * SECOND_US,
         .length_us = 4 * SECOND_US},
        {.kind = SPN_EMULATOR_TRAY_OPEN,
         .begin_us = 70 * SECOND_US,
         .length_us = 3 * SECOND_US,
         .is_failing = 1},
        {.kind = SPN_EMULATOR_DISC_SWAPPED,
         .begin_us = 90 * SECOND_US,
         .length_us = 5 * SECOND_US},
    };

    for (uint32_t piece = 0; piece < 3; piece++)
        for (enum workload_layout l = WORKLOAD_SCATTERED; l < WORKLOAD_LAYOUTS;
             l++) {
            start(SPN_ORDER_SWEEP, l, 900);
            sim.seconds = 120;
            sim.piece_bytes = 16384u << 3 * piece;
            sim.faults = faults;
            sim.fault_count = sizeof faults / sizeof faults[0];
            run();
            CHECK(result.failed > 0);
            CHECK(tally_count(&result.tally) > 100);
            tally_free(&result.tally);
        }
}

static void engine_sim_repeats_itself(void)
{
    uint64_t waits_us[2];

    for (uint32_t i = 0; i < 2; i++) {
        start(SPN_ORDER_SWEEP, WORKLOAD_BY_SCENE, 1000);
        sim.seconds = 60;
        run();
        waits_us[i] = result.tally.busy_us;
        for (uint32_t c = 0; c < SWEEP_CLASSES; c++)
            waits_us[i] = waits_us[i] * 31 + result.tally.classes[c].sum_us;
        tally_free(&result.tally);
    }
    CHECK_EQ_U(waits_us[0], waits_us[1]);
}

static void engine_sim_refuses_what_cannot_be(void)
{
    spn_drive_profile broken = *spn_drive_profile_find("x360_dvd12x");

    start(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 0);
    CHECK(!engine_sim_run(&sim, &result));
    start(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 900);
    sim.piece_bytes = 1;
    CHECK(!engine_sim_run(&sim, &result));
    start(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 900);
    broken.rate_in = 0;
    sim.believed = &broken;
    CHECK(!engine_sim_run(&sim, &result));
}

TEST_MAIN(TEST(engine_keeps_deadlines_up_to_the_load_that_is_promised),
          TEST(engine_is_better_with_the_sweep_than_with_the_key),
          TEST(engine_bears_a_drive_that_it_does_not_know),
          TEST(engine_reads_a_burst_in_little_more_than_its_transfer),
          TEST(engine_starves_no_idle_read),
          TEST(engine_completes_every_read_once_under_faults),
          TEST(engine_sim_repeats_itself),
          TEST(engine_sim_refuses_what_cannot_be))
