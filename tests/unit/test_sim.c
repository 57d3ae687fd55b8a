/* test_sim.c
 *
 * Goal: whatever goes wrong, in whatever order, the runtime keeps what
 *   tests/sim/FAULTS.md says that it owes; and the simulator would notice if it
 *   did not.
 * Method: 200 seeds of the simulator, each twice; before them bugs that are
 *   planted, each to be found by the check that is there for it.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "sim/sim.h"
#include "sim/sim_canaries.h"

#include <stdio.h>

#define SEEDS (TEST_IS_SANITIZED ? 80u : 200u)
#define STEPS 1200u

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

static void runtime_keeps_its_promises_in_every_seed(void)
{
    uint64_t reads = 0;
    uint64_t frames = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct sim_options options = {.seed = seed, .steps = STEPS};

        sim_run(&options, &result);
        reads += result.reads;
        frames += result.frames;
        if (result.failed != SIM_FINE) {
            sim_log_print(&result.log, stdout);
            test_fail(__FILE__, __LINE__, "seed %u, step %u: %s: %s",
                      (unsigned)seed, (unsigned)result.step,
                      sim_check_name(result.failed), result.why);
        }
    }
    /* It was not for nothing. */
    CHECK(reads > SEEDS * 20);
    CHECK(frames > SEEDS * 20);
}

TEST_MAIN(TEST(simulator_finds_every_planted_bug),
          TEST(runtime_keeps_its_promises_in_every_seed))
