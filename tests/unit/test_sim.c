/* test_sim.c
 *
 * Goal: under any faults in any order the runtime keeps the guarantees of
 * tests/sim/FAULTS.md, and the simulator detects when it does not.
 * Method: 200 seeds of the simulator (or TEST_SEEDS), each twice. Before that,
 * planted bugs, each of which must be found by the check that is meant for it.
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

/* TEST_SEEDS: fewer seeds for an emulated machine. */
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

static void runtime_keeps_its_guarantees_in_every_seed(void)
{
    const uint64_t count = count_seeds();
    uint64_t reads = 0;
    uint64_t frames = 0;

    for (uint64_t seed = 1; seed <= count; seed++) {
        run(seed, STEPS);
        reads += result.reads;
        frames += result.frames;
    }
    /* The runs must complete many reads. */
    CHECK(reads > count * 20);
    CHECK(frames > count * 20);
}

/* Seeds of fixed bugs. A clip with a damaged end: frames that were kept for
 * ever, and frames that were shown and then lost. Reads cancelled by a
 * time-out: one reported the end of its file, one delivered bytes that were not
 * requested. */
static void runtime_keeps_its_guarantees_in_seeds_of_fixed_bugs(void)
{
    static const uint32_t seeds[] = {231, 446, 690, 1859, 2188, 2243, 8781};

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        run(seeds[i], 3000);
}

TEST_MAIN(TEST(simulator_finds_every_planted_bug),
          TEST(runtime_keeps_its_guarantees_in_every_seed),
          TEST(runtime_keeps_its_guarantees_in_seeds_of_fixed_bugs))
