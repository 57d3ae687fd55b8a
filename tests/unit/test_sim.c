/* test_sim.c
 *
 * Goal: whatever goes wrong, in whatever order, the runtime keeps what
 *   tests/sim/FAULTS.md says that it owes; and the simulator would notice if it
 *   did not.
 * Method: 200 seeds of the simulator (or TEST_SEEDS), each twice; before them
 *   bugs that are planted, each to be found by the check that is there for it.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "sim/sim.h"
#include "sim/sim_canaries.h"

#include <stdio.h>
#include <stdlib.h>

#define STEPS 3000u

static struct sim_result result;

static void simulator_finds_every_planted_bug(void)
{
    for (enum sim_canary c = CANARY_NONE + 1; c < CANARIES; c++) {
        bool is_found = sim_canary_is_found(c, STEPS, &result);

        test_context("canary %s: %s %s", sim_canary_name(c),
                     sim_check_name(result.failed), result.why);
        CHECK(is_found);
    }
}

/* TEST_SEEDS: as many as a machine has time for that is emulated. */
static uint64_t count_seeds(void)
{
    const char *wish = getenv("TEST_SEEDS");

    if (wish)
        return strtoul(wish, NULL, 10);
    return TEST_IS_SANITIZED ? 80 : 200;
}

static void run(uint64_t seed, uint32_t steps)
{
    const struct sim_options options = {.seed = seed, .steps = steps};

    sim_run(&options, &result);
    if (result.failed != SIM_FINE) {
        sim_log_print(&result.log, stdout);
        test_fail(__FILE__, __LINE__, "seed %u, step %u: %s: %s",
                  (unsigned)seed, (unsigned)result.step,
                  sim_check_name(result.failed), result.why);
    }
}

static void runtime_keeps_its_promises_in_every_seed(void)
{
    const uint64_t count = count_seeds();
    uint64_t reads = 0;
    uint64_t frames = 0;

    for (uint64_t seed = 1; seed <= count; seed++) {
        run(seed, STEPS);
        reads += result.reads;
        frames += result.frames;
    }
    /* It was not for nothing. */
    CHECK(reads > count * 20);
    CHECK(frames > count * 20);
}

/* A clip whose end is bad, and what lies before it: frames that were kept for
 * ever, and frames that were shown and went. Reads that a time-out cancelled:
 * one that was said to be at the end of its file, one that nobody asked for. */
static void runtime_keeps_them_where_it_did_not(void)
{
    static const uint32_t seeds[] = {231, 446, 690, 1859, 2188, 2243, 8781};

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        run(seeds[i], 3000);
}

TEST_MAIN(TEST(simulator_finds_every_planted_bug),
          TEST(runtime_keeps_its_promises_in_every_seed),
          TEST(runtime_keeps_them_where_it_did_not))
