/* bench_game_sim.c - compare orders of reads in the runtime itself.
 *
 * The generated game runs through a real runtime on the emulated drive of the
 * Xbox 360, in virtual time: the same figures on every machine. By load: the
 * share of late reads in per cent, and the longest wait of bulk reads,
 * including reads that still wait at the end; the same with idle bulk reads
 * without a deadline (order_idle_bulk); the time of a burst as a multiple of
 * its pure transfer. Argument: the number of seeds (3), of ten minutes each.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_sim.h"
#include "simulate/load_state.h"
#include "support/loading_screen.h"
#include "support/order_sim.h"
#include "support/tally_add.h"

#include <stdio.h>
#include <stdlib.h>

#define SECONDS 600u

static uint32_t seeds = 3;

static struct workload_config workload;
static struct game_sim sim;
static struct sim_record record;
static bool is_bulk_idle;

static void make(enum game_order order, enum workload_layout layout,
                 uint32_t load)
{
    workload =
        (struct workload_config){.drive = spn_drive_profile_find("x360_dvd12x"),
                                 .layout = layout,
                                 .load = load};
    sim = (struct game_sim){.drive = workload.drive,
                            .order = order,
                            .limit_us = SECONDS * UINT64_C(1000000),
                            .heap_mib = 64};
}

/* Run the game and free its record. */
static void run(struct load *load)
{
    struct diag diag;

    diag_init(&diag);
    if (!load || !game_sim_run(&sim, load, &record, &diag))
        exit(EXIT_INTERNAL);
    load_destroy(load);
    diag_finish(&diag);
}

static struct load *make_load(void)
{
    struct load *load = load_generate(&workload);

    if (load && is_bulk_idle)
        load->is_bulk_idle = true;
    return load;
}

static void print_load(const char *name)
{
    struct tally sum;
    uint64_t busy_us = 0;
    uint64_t coalesced = 0;
    uint64_t gap_bytes = 0;
    uint64_t bytes = 0;

    tally_init(&sum);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        workload.seed = seed;
        run(make_load());
        busy_us += record.drive.busy_us;
        coalesced += record.medium.total.coalesced;
        gap_bytes += record.medium.total.gap_bytes;
        bytes += record.medium.total.bytes;
        tally_add(&sum, &record.tally);
        sim_record_free(&record);
    }
    printf("%s,%s,%.2f,%.2f", name, workload_layout_names[workload.layout],
           workload.load / 1000.0, (double)tally_late_ppm(&sum) / 1e4);
    for (uint32_t c = 0; c < DEADLINE_CLASSES; c++)
        printf(",%.2f", (double)sum.classes[c].late * 100 /
                            (double)(sum.classes[c].count + 1));
    printf(",%.1f,%u,%.1f,%.1f,%.2f\n",
           (double)sum.classes[DEADLINE_BULK].longest_us / 1e6,
           (unsigned)sum.classes[DEADLINE_BULK].waiting,
           (double)busy_us / (SECONDS * 1e6 * seeds) * 100,
           (double)coalesced * 100 / (double)tally_sum(&sum).count,
           (double)gap_bytes * 100 / (double)bytes);
    fflush(stdout);
    tally_free(&sum);
}

/* A load beyond the drive: the longest wait of reads without a deadline. */
static void print_idle(const char *name, enum game_order order)
{
    make(order, WORKLOAD_SCATTERED, 1200);
    is_bulk_idle = true;
    print_load(name);
    is_bulk_idle = false;
}

static void print_burst(const char *name, enum game_order order,
                        enum workload_layout layout)
{
    struct load *load;
    double read_us = 0;
    double transfer_us = 0;

    make(order, layout, 1000);
    sim.limit_us = UINT64_MAX;
    for (uint32_t s = 0; (load = loading_screen_load(&workload, s)) != NULL;
         s++) {
        run(load);
        read_us += (double)(record.bursts[0].end_us - record.bursts[0].at_us);
        transfer_us += (double)record.bursts[0].transfer_us;
        sim_record_free(&record);
    }
    printf("%s,%s,burst,%.3f\n", name, workload_layout_names[layout],
           read_us / transfer_us);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const enum game_order orders[] = {
        GAME_ORDER_FIFO, GAME_ORDER_SORT_KEY, GAME_ORDER_DEADLINE};
    const uint32_t order_count = sizeof orders / sizeof orders[0];
    static const struct {
        enum workload_layout layout;
        uint32_t load;
    } cases[] = {{WORKLOAD_SCATTERED, 950},
                 {WORKLOAD_SCATTERED, 970},
                 {WORKLOAD_SCATTERED, 1200},
                 {WORKLOAD_BY_SCENE, 1170},
                 {WORKLOAD_COPIES, 1270}};
    spn_drive_profile flat;

    if (argc > 1 && atoi(argv[1]) > 0)
        seeds = (uint32_t)atoi(argv[1]);
    printf("order,layout,load,late %%,sound,clip,stream,bulk,longest bulk "
           "s,bulk waits,busy %%,coalesced %%,gaps %%\n");
    for (uint32_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint32_t o = 0; o < order_count; o++) {
            make(orders[o], cases[c].layout, cases[c].load);
            print_load(game_order_names[orders[o]]);
        }
    make(GAME_ORDER_DEADLINE, WORKLOAD_SCATTERED, 950);
    order_sim_flatten(sim.drive, 100000, &flat);
    sim.believed = &flat;
    print_load("deadline_flat_100ms");
    print_idle("deadline_idle_bulk", GAME_ORDER_DEADLINE);
    print_idle("key_idle_bulk", GAME_ORDER_SORT_KEY);
    for (uint32_t o = 0; o < order_count; o++)
        print_burst(game_order_names[orders[o]], orders[o], WORKLOAD_COPIES);
    return 0;
}
