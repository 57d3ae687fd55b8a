/* test_order_sim.c
 *
 * Goal: on the Xbox 360's drive the deadline scheduler keeps deadlines up to
 * the promised loads, better than any other order; a burst takes little more
 * than its transfer; a wrong profile of the drive costs little; no read
 * starves.
 * Method: the generated game for ten minutes, from each of a few seeds.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/order_sim.h"
#include "support/tally_add.h"

#include <string.h>

#define SEEDS 3u
#define SECONDS 600u

static struct order_sim sim;
static struct order_sim_result sum;

static void start(enum reference_order order, enum workload_layout layout,
                  uint32_t load)
{
    sim = (struct order_sim){.order = order, .seconds = SECONDS};
    sim.workload.drive = spn_drive_profile_find("x360_dvd12x");
    sim.workload.layout = layout;
    sim.workload.load = load;
}

/* Run all seeds and add up the results. The caller frees the tally. */
static void run(void)
{
    struct order_sim_result result;

    memset(&sum, 0, sizeof sum);
    tally_init(&sum.tally);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sim.workload.seed = seed;
        CHECK(order_sim_run(&sim, &result));
        tally_add(&sum.tally, &result.tally);
        sum.time_us += result.time_us;
        sum.busy_us += result.busy_us;
        sum.command_us += result.command_us;
        sum.coalesced += result.coalesced;
        sum.stalled_us += result.stalled_us;
        sum.playing_us += result.playing_us;
        tally_free(&result.tally);
    }
    test_context("%s, %s, load %u: %llu ppm late",
                 reference_order_names[sim.order],
                 workload_layout_names[sim.workload.layout], sim.workload.load,
                 (unsigned long long)tally_late_ppm(&sum.tally));
}

static uint64_t late_ppm(enum reference_order order,
                         enum workload_layout layout, uint32_t load)
{
    uint64_t ppm;

    start(order, layout, load);
    run();
    ppm = tally_late_ppm(&sum.tally);
    tally_free(&sum.tally);
    return ppm;
}

static void sim_repeats_itself(void)
{
    uint64_t first = late_ppm(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 1100);

    CHECK(first > 0);
    CHECK_EQ_U(late_ppm(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 1100), first);
}

/* The drive is busy or idle at all times, and reads exactly the requested
 * bytes. */
static void sim_accounts_for_all_time_and_reads(void)
{
    uint64_t count = 0;

    for (enum reference_order order = REFERENCE_FIFO; order < REFERENCE_ORDERS;
         order++) {
        const struct tally *t = &sum.tally;

        start(order, WORKLOAD_COPIES, 700);
        run();
        CHECK(sum.busy_us < sum.time_us);
        CHECK(sum.time_us >= SEEDS * SECONDS * 1000000ull);
        /* One command for each access. */
        CHECK_EQ_U(sum.command_us % 600, 0);
        CHECK_EQ_U(sum.command_us / 600 + sum.coalesced, tally_sum(t).count);
        CHECK(order == REFERENCE_DEADLINE ? sum.coalesced > 0
                                          : sum.coalesced == 0);
        /* At this load all orders complete the same reads. */
        if (order == REFERENCE_FIFO)
            count = tally_sum(t).count;
        CHECK_NEAR((double)tally_sum(t).count, (double)count, 50);
        tally_free(&sum.tally);
    }
}

static void deadline_scheduler_has_fewer_late_reads_than_other_orders(void)
{
    uint64_t least = late_ppm(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 950);

    CHECK(least <= 10000);
    for (enum reference_order order = REFERENCE_FIFO;
         order < REFERENCE_DEADLINE; order++)
        CHECK(late_ppm(order, WORKLOAD_SCATTERED, 950) > 5 * least);
    /* Figures measured earlier with other random numbers. */
    CHECK_NEAR((double)late_ppm(REFERENCE_FIFO, WORKLOAD_SCATTERED, 950),
               260000, 60000);
    CHECK_NEAR((double)late_ppm(REFERENCE_SORT_KEY, WORKLOAD_SCATTERED, 950),
               119000, 40000);
}

static void deadline_scheduler_handles_the_promised_loads(void)
{
    CHECK(late_ppm(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 970) <= 10000);
    CHECK(late_ppm(REFERENCE_DEADLINE, WORKLOAD_BY_TYPE, 950) <= 10000);
    CHECK(late_ppm(REFERENCE_DEADLINE, WORKLOAD_BY_SCENE, 1170) <= 10000);
    CHECK(late_ppm(REFERENCE_DEADLINE, WORKLOAD_COPIES, 1270) <= 10000);
}

static void deadline_scheduler_tolerates_a_wrong_profile(void)
{
    spn_drive_profile flat;

    for (uint32_t learns = 0; learns < 2; learns++) {
        start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 950);
        order_sim_flatten(sim.workload.drive, 100000, &flat);
        sim.believed = &flat;
        sim.is_learning = learns == 1;
        run();
        /* Learning corrects most of a wrong profile. */
        CHECK(tally_late_ppm(&sum.tally) <= (learns ? 10000 : 30000));
        tally_free(&sum.tally);
    }
}

static void learning_does_not_worsen_a_true_profile(void)
{
    start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 950);
    sim.is_learning = true;
    run();
    CHECK(tally_late_ppm(&sum.tally) <= 10000);
    tally_free(&sum.tally);
}

static void deadline_scheduler_starves_no_bulk_under_overload(void)
{
    start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 1200);
    run();
    CHECK(sum.tally.classes[DEADLINE_BULK].longest_us <= 30000000);
    CHECK(sum.stalled_us < sum.playing_us / 10);
    tally_free(&sum.tally);
}

/* All scenes together, in thousandths of the pure transfer. */
static uint64_t burst_of(enum reference_order order,
                         enum workload_layout layout)
{
    struct order_sim_burst burst;
    uint64_t read_us = 0;
    uint64_t transfer_us = 0;
    uint32_t scene = 0;

    start(order, layout, 1000);
    for (; order_sim_run_burst(&sim, scene, &burst); scene++) {
        read_us += burst.read_us;
        transfer_us += burst.transfer_us;
    }
    test_context("%s, %s", reference_order_names[order],
                 workload_layout_names[layout]);
    CHECK_EQ(scene, 24);
    return read_us * 1000 / transfer_us;
}

static void deadline_scheduler_reads_a_burst_near_its_transfer_time(void)
{
    CHECK(burst_of(REFERENCE_DEADLINE, WORKLOAD_COPIES) <= 1100);
    CHECK(burst_of(REFERENCE_DEADLINE, WORKLOAD_BY_SCENE) <= 1150);
    CHECK(burst_of(REFERENCE_FIFO, WORKLOAD_SCATTERED) > 6000);
    CHECK(burst_of(REFERENCE_DEADLINE, WORKLOAD_SCATTERED) <=
          burst_of(REFERENCE_C_LOOK, WORKLOAD_SCATTERED));
}

static void sim_refuses_invalid_configurations(void)
{
    struct order_sim_result result;
    struct order_sim_burst burst;

    start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 0);
    CHECK(!order_sim_run(&sim, &result));
    CHECK(!order_sim_run_burst(&sim, 0, &burst));
    start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 1000);
    CHECK(!order_sim_run_burst(&sim, 24, &burst));
}

static void sim_runs_on_every_drive(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        struct order_sim_result result;

        start(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 900);
        sim.workload.drive = p;
        sim.workload.seed = 1;
        CHECK(order_sim_run(&sim, &result));
        test_context("%s: %llu of %llu late", p->name,
                     (unsigned long long)tally_sum(&result.tally).late,
                     (unsigned long long)tally_sum(&result.tally).count);
        CHECK(tally_sum(&result.tally).count > 0);
        tally_free(&result.tally);
    }
}

TEST_MAIN(TEST(sim_repeats_itself), TEST(sim_accounts_for_all_time_and_reads),
          TEST(deadline_scheduler_has_fewer_late_reads_than_other_orders),
          TEST(deadline_scheduler_handles_the_promised_loads),
          TEST(deadline_scheduler_tolerates_a_wrong_profile),
          TEST(learning_does_not_worsen_a_true_profile),
          TEST(deadline_scheduler_starves_no_bulk_under_overload),
          TEST(deadline_scheduler_reads_a_burst_near_its_transfer_time),
          TEST(sim_refuses_invalid_configurations),
          TEST(sim_runs_on_every_drive))
