/* test_phases.c
 *
 * Goal: time is charged to the phase of a thread, and only when measuring is
 *   on.
 * Method: threads enter and leave phases. One phase lasts until the clocks show
 *   it, because they count in steps of up to 16 ms.
 */
/* SPDX-License-Identifier: MIT */
#include "common/phases.h"
#include "common/system.h"
#include "common/workers.h"
#include "harness.h"
#include "host/host.h"

static void spin(void)
{
    double processor = system_thread_cpu_seconds();
    double clock = system_seconds();

    while (system_thread_cpu_seconds() == processor ||
           system_seconds() == clock) {
    }
}

static void phases_charge_the_phase_that_is_left(void)
{
    struct phases phases;

    phases_init(&phases);
    phases_bind(&phases);
    CHECK_EQ(phases_enter(PHASE_SEARCH), PHASE_OTHER);
    CHECK_EQ(phases_enter(PHASE_COMPRESS), PHASE_SEARCH);
    spin();
    CHECK_EQ(phases_enter(PHASE_SEARCH), PHASE_COMPRESS);
    CHECK_EQ(phases_enter(PHASE_OTHER), PHASE_SEARCH);
    phases_bind(NULL);
    CHECK(phases_processor_seconds(&phases, PHASE_COMPRESS) > 0);
    CHECK(phases_clock_seconds(&phases, PHASE_COMPRESS) > 0);
    CHECK(phases_processor_seconds(&phases, PHASE_WRITE) == 0);
}

static void phases_of_an_unbound_thread_cost_nothing(void)
{
    struct phases phases;

    phases_init(&phases);
    CHECK(phases_bound() == NULL);
    phases_enter(PHASE_READ);
    spin();
    phases_enter(PHASE_OTHER);
    for (int i = 0; i < PHASE_COUNT; i++)
        CHECK(phases_processor_seconds(&phases, (enum phase)i) == 0);
}

static void note_binding(void *user, uint32_t index, uint32_t worker)
{
    struct phases **bound = user;

    (void)worker;
    bound[index] = phases_bound();
}

static void phases_bind_the_threads_of_a_pool(void)
{
    struct phases *bound[64] = {NULL};
    struct workers *workers;
    struct phases phases;

    phases_init(&phases);
    phases_bind(&phases);
    workers = workers_create(3);
    workers_run(workers, 64, note_binding, bound);
    workers_destroy(workers);
    phases_bind(NULL);
    for (int i = 0; i < 64; i++)
        CHECK(bound[i] == &phases);
}

static void phases_have_names(void)
{
    for (int i = 0; i < PHASE_COUNT; i++)
        CHECK(phases_name((enum phase)i)[0] != 0);
}

TEST_MAIN(TEST(phases_charge_the_phase_that_is_left),
          TEST(phases_of_an_unbound_thread_cost_nothing),
          TEST(phases_bind_the_threads_of_a_pool), TEST(phases_have_names))
