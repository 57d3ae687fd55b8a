/* bench_policies.c - six orders of reads on the generated game.
 *
 * The runtime's two orders and four textbook orders
 * (support/reference_orders.h). Share of late reads in per cent at a load of
 * 0.95; the highest load with at most one per cent late reads; the time of a
 * burst as a multiple of its pure transfer. The argument is the number of seeds
 * (default 3), of ten minutes each. Virtual time: the same figures on every
 * machine.
 */
/* SPDX-License-Identifier: MIT */
#include "support/order_sim.h"
#include "support/tally_add.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 600u
#define LIMIT_PPM 10000u
#define LOAD_STEP 10u
#define LOAD_MAX 2000u

static uint32_t seeds = 3;

static struct order_sim make(enum reference_order order,
                             enum workload_layout layout, uint32_t load)
{
    struct order_sim sim = {.order = order, .seconds = SECONDS};

    sim.workload.drive = spn_drive_profile_find("x360_dvd12x");
    sim.workload.layout = layout;
    sim.workload.load = load;
    return sim;
}

static uint64_t late_ppm(struct order_sim *sim, double *longest_bulk_s)
{
    struct order_sim_result result;
    struct tally sum;
    uint64_t ppm;

    tally_init(&sum);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        sim->workload.seed = seed;
        if (!order_sim_run(sim, &result))
            exit(1);
        tally_add(&sum, &result.tally);
        tally_free(&result.tally);
    }
    ppm = tally_late_ppm(&sum);
    *longest_bulk_s = (double)sum.classes[DEADLINE_BULK].longest_us / 1e6;
    tally_free(&sum);
    return ppm;
}

/* Late reads increase with the load, except for noise in the last digit. */
static uint32_t highest_load(enum reference_order order,
                             enum workload_layout layout)
{
    uint32_t low = 0;
    uint32_t high = LOAD_MAX / LOAD_STEP;
    double longest;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        struct order_sim sim = make(order, layout, middle * LOAD_STEP);

        if (late_ppm(&sim, &longest) <= LIMIT_PPM)
            low = middle;
        else
            high = middle;
    }
    return low * LOAD_STEP;
}

static double burst(enum reference_order order, enum workload_layout layout)
{
    struct order_sim sim = make(order, layout, 1000);
    struct order_sim_burst one;
    double read_us = 0;
    double transfer_us = 0;

    for (uint32_t s = 0; order_sim_run_burst(&sim, s, &one); s++) {
        read_us += (double)one.read_us;
        transfer_us += (double)one.transfer_us;
    }
    return read_us / transfer_us;
}

static void print_flat(bool is_learning)
{
    struct order_sim sim = make(REFERENCE_DEADLINE, WORKLOAD_SCATTERED, 950);
    spn_drive_profile flat;
    double longest;

    order_sim_flatten(sim.workload.drive, 100000, &flat);
    sim.believed = &flat;
    sim.is_learning = is_learning;
    printf("deadline_flat_100ms%s,late %%,%.2f\n", is_learning ? "_learns" : "",
           (double)late_ppm(&sim, &longest) / 1e4);
}

int main(int argc, char **argv)
{
    double longest;

    if (argc > 1 && atoi(argv[1]) > 0)
        seeds = (uint32_t)atoi(argv[1]);
    printf("order,scattered 0.95 late %%");
    for (uint32_t l = 0; l < WORKLOAD_LAYOUTS; l++)
        printf(",%s highest load", workload_layout_names[l]);
    printf(",scattered 1.2 longest bulk s,copies burst\n");
    for (enum reference_order order = REFERENCE_FIFO; order < REFERENCE_ORDERS;
         order++) {
        struct order_sim sim = make(order, WORKLOAD_SCATTERED, 950);

        printf("%s,%.2f", reference_order_names[order],
               (double)late_ppm(&sim, &longest) / 1e4);
        for (enum workload_layout l = WORKLOAD_SCATTERED; l < WORKLOAD_LAYOUTS;
             l++)
            printf(",%.2f", highest_load(order, l) / 1000.0);
        sim = make(order, WORKLOAD_SCATTERED, 1200);
        late_ppm(&sim, &longest);
        printf(",%.1f,%.3f\n", longest, burst(order, WORKLOAD_COPIES));
        fflush(stdout);
    }
    print_flat(false);
    print_flat(true);
    return 0;
}
