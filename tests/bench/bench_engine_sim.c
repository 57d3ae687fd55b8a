/* bench_engine_sim.c - what orders of reads are worth in the engine itself.
 *
 * No timings: virtual time, the same figures on every machine. The made up game
 * through a real runtime on the emulated drive of the Xbox 360: late reads in
 * per cent and the longest wait of bulk by load; what a burst takes as a
 * multiple of its pure transfer. Arguments: the number of seeds (3), of ten
 * minutes each.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/engine_sim.h"
#include "simulate/policy_sim.h"

#include <stdio.h>
#include <stdlib.h>

#define SECONDS 600u

static uint32_t seeds = 3;

static struct engine_sim make(spn_order order, enum workload_layout layout,
                              uint32_t load)
{
    struct engine_sim sim = {.order = order, .seconds = SECONDS};

    sim.workload.drive = spn_drive_profile_find("x360_dvd12x");
    sim.workload.layout = layout;
    sim.workload.load = load;
    return sim;
}

static void print_load(const char *name, struct engine_sim *sim)
{
    struct engine_sim_result result;
    struct tally sum;
    uint64_t gap_bytes = 0;
    uint64_t bytes = 0;

    tally_init(&sum);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        sim->workload.seed = seed;
        if (!engine_sim_run(sim, &result))
            exit(1);
        if (result.bad_reads > 0 || result.completed != result.started)
            exit(70);
        gap_bytes += result.stats.total.gap_bytes;
        bytes += result.stats.total.bytes;
        tally_add(&sum, &result.tally);
        tally_free(&result.tally);
    }
    printf("%s,%s,%.2f,%.2f", name, workload_layout_names[sim->workload.layout],
           sim->workload.load / 1000.0, (double)tally_late_ppm(&sum) / 1e4);
    for (uint32_t c = 0; c < SWEEP_CLASSES; c++)
        printf(",%.2f", (double)sum.classes[c].late * 100 /
                            (double)(sum.classes[c].count + 1));
    printf(",%.1f,%.1f,%.1f,%.2f\n",
           (double)sum.classes[SWEEP_BULK].longest_us / 1e6,
           (double)sum.busy_us / (double)sum.time_us * 100,
           (double)sum.joined * 100 / (double)tally_count(&sum),
           (double)gap_bytes * 100 / (double)bytes);
    fflush(stdout);
    tally_free(&sum);
}

static void print_burst(const char *name, spn_order order,
                        enum workload_layout layout)
{
    struct engine_sim sim = make(order, layout, 1000);
    struct engine_burst one;
    double read_us = 0;
    double transfer_us = 0;

    for (uint32_t s = 0; engine_sim_burst(&sim, s, &one); s++) {
        read_us += (double)one.read_us;
        transfer_us += (double)one.transfer_us;
    }
    printf("%s,%s,burst,%.3f\n", name, workload_layout_names[layout],
           read_us / transfer_us);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"", "key", "sweep"};
    static const struct {
        enum workload_layout layout;
        uint32_t load;
    } cases[] = {{WORKLOAD_SCATTERED, 950},
                 {WORKLOAD_SCATTERED, 970},
                 {WORKLOAD_SCATTERED, 1200},
                 {WORKLOAD_BY_SCENE, 1170},
                 {WORKLOAD_COPIES, 1270}};
    spn_drive_profile flat;
    struct engine_sim sim;

    if (argc > 1 && atoi(argv[1]) > 0)
        seeds = (uint32_t)atoi(argv[1]);
    printf("order,layout,load,late %%,sound,clip,stream,bulk,longest bulk "
           "s,busy %%,joined %%,gaps %%\n");
    for (uint32_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (spn_order o = SPN_ORDER_SORT_KEY; o <= SPN_ORDER_SWEEP; o++) {
            sim = make(o, cases[c].layout, cases[c].load);
            print_load(names[o], &sim);
        }
    sim = make(SPN_ORDER_SWEEP, WORKLOAD_SCATTERED, 950);
    policy_sim_flatten(sim.workload.drive, 100000, &flat);
    sim.believed = &flat;
    print_load("sweep_flat_100ms", &sim);
    for (spn_order o = SPN_ORDER_SORT_KEY; o <= SPN_ORDER_SWEEP; o++)
        print_burst(names[o], o, WORKLOAD_COPIES);
    return 0;
}
