/* test_budget.c
 *
 * Goal: only permitted requests exceed the budget. Nothing is lost or counted
 *   twice. A refused request is notified when memory returns.
 * Method: the limits; random reservations and releases against a sum; threads
 *   that release while one reserves.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "host/host.h"
#include "schedule/budget.h"
#include "support/start_thread.h"

#include <stdlib.h>

static struct budget budget;

static uint32_t take(uint64_t bytes)
{
    uint32_t units = 0;

    CHECK(spn__budget_take(&budget, bytes, false, &units));
    CHECK(units > 0);
    return units;
}

static bool is_refused(uint64_t bytes)
{
    uint32_t units = 77;
    bool is_taken = spn__budget_take(&budget, bytes, false, &units);

    CHECK(is_taken || units == 77);
    return !is_taken;
}

static void budget_ends_at_its_limit(void)
{
    uint32_t units;

    spn__budget_init(&budget, 10 * 4096);
    CHECK_EQ(take(4096), 1);
    CHECK_EQ(take(4097), 2);
    CHECK(is_refused(7 * 4096 + 1));
    units = take(7 * 4096);
    CHECK_EQ(units, 7);
    CHECK_EQ_U(spn__budget_bytes(&budget), 10 * 4096);
    CHECK(is_refused(1));
    CHECK(spn__budget_give(&budget, units));
    CHECK_EQ(take(1), 1);
    CHECK_EQ_U(spn__budget_bytes(&budget), 4 * 4096);
    CHECK_EQ_U(spn__budget_bytes_peak(&budget), 10 * 4096);
}

/* A request larger than the budget would never be admitted. */
static void budget_admits_one_read_of_any_size_when_unused(void)
{
    static const uint64_t sizes[] = {1, 4096, 40961, 1ull << 40, UINT64_MAX};

    for (uint32_t i = 0; i < 5; i++) {
        uint32_t units;

        test_context("%llu bytes", (unsigned long long)sizes[i]);
        spn__budget_init(&budget, 1);
        units = take(sizes[i]);
        CHECK(is_refused(1));
        CHECK(spn__budget_give(&budget, units));
        CHECK_EQ_U(spn__budget_bytes(&budget), 0);
        units = take(sizes[i]);
        spn__budget_forget_refusal(&budget);
        CHECK(!spn__budget_give(&budget, units));
    }
}

static void budget_is_exceeded_by_forced_reservations(void)
{
    uint32_t units[4];
    uint32_t first;

    spn__budget_init(&budget, 8192);
    first = take(8192);
    CHECK(spn__budget_take(&budget, 1 << 20, true, &units[0]));
    CHECK(spn__budget_take(&budget, UINT64_MAX, true, &units[1]));
    CHECK(spn__budget_take(&budget, UINT64_MAX, true, &units[2]));
    CHECK(spn__budget_take(&budget, 1, true, &units[3]));
    CHECK(is_refused(1));
    for (uint32_t i = 0; i < 4; i++)
        spn__budget_give(&budget, units[i]);
    CHECK_EQ_U(spn__budget_bytes(&budget), 8192);
    CHECK(is_refused(1));
    spn__budget_give(&budget, first);
    CHECK_EQ_U(spn__budget_bytes(&budget), 0);
}

static void budget_is_the_sum_of_its_reservations(void)
{
    struct test_random random = {31};
    uint32_t units[64] = {0};
    uint64_t sum = 0;

    spn__budget_init(&budget, 1000 * 4096);
    for (uint32_t step = 0; step < 100000; step++) {
        uint32_t i = test_random_below(&random, 64);

        test_context("seed 31, step %u", step);
        if (units[i]) {
            spn__budget_give(&budget, units[i]);
            sum -= units[i];
            units[i] = 0;
        } else {
            uint64_t bytes = 1 + test_random_below(&random, 200 * 4096);
            bool is_taken = spn__budget_take(&budget, bytes, false, &units[i]);

            CHECK_EQ(is_taken, sum == 0 || sum + (bytes + 4095) / 4096 <= 1000);
            sum += units[i];
        }
        CHECK_EQ_U(spn__budget_bytes(&budget), sum * 4096);
    }
}

/* -- threads -- */

#define GIVERS 3u
#define ROUNDS 20000u

static spn_platform platform;
static uint64_t events[GIVERS + 1];
/* reserved units that each thread releases */
static struct atomic_u32 reserved[GIVERS];
static struct atomic_u32 is_over;

static void return_units(void *argument)
{
    uint32_t i = (uint32_t)(uintptr_t)argument;

    while (!atomic_load_acquire(&is_over)) {
        uint32_t units = atomic_exchange_acq_rel(&reserved[i], 0);

        if (units == 0)
            platform.event_wait(platform.user, events[i], UINT64_MAX);
        else if (spn__budget_give(&budget, units))
            platform.event_signal(platform.user, events[GIVERS]);
    }
}

/* A refused thread sleeps until it is notified. A lost notification would block
 * it for ever. */
static void budget_notifies_refused_requests(void)
{
    void *memory = malloc(host_platform_bytes());
    struct test_random random = {9};
    uint64_t threads[GIVERS];

    CHECK_EQ(host_platform_init(memory, host_platform_bytes(), &platform),
             SPN_OK);
    spn__budget_init(&budget, 16 * 4096);
    atomic_store_relaxed(&is_over, 0);
    for (uint32_t i = 0; i <= GIVERS; i++)
        CHECK_EQ(platform.event_create(platform.user, SPN_EVENT_FOR_WAITER,
                                       &events[i]),
                 SPN_OK);
    for (uint32_t i = 0; i < GIVERS; i++)
        CHECK_EQ(start_thread(&platform, "giver", return_units,
                              (void *)(uintptr_t)i, &threads[i]),
                 SPN_OK);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t i = test_random_below(&random, GIVERS);
        uint32_t units;

        for (;;) {
            spn__budget_forget_refusal(&budget);
            if (spn__budget_take(&budget,
                                 1 + test_random_below(&random, 8 * 4096),
                                 false, &units))
                break;
            platform.event_wait(platform.user, events[GIVERS], UINT64_MAX);
        }
        atomic_add_acq_rel(&reserved[i], units);
        platform.event_signal(platform.user, events[i]);
    }
    CHECK(spn__budget_bytes_peak(&budget) <= 16 * 4096);
    /* This request fits only when everything was released. */
    while (spn__budget_bytes(&budget) > 0) {
        uint32_t units;

        spn__budget_forget_refusal(&budget);
        if (!spn__budget_take(&budget, 1 << 20, false, &units))
            platform.event_wait(platform.user, events[GIVERS], UINT64_MAX);
        else
            spn__budget_give(&budget, units);
    }
    atomic_store_release(&is_over, 1);
    for (uint32_t i = 0; i < GIVERS; i++) {
        platform.event_signal(platform.user, events[i]);
        platform.thread_join(platform.user, threads[i]);
        CHECK_EQ(atomic_load_relaxed(&reserved[i]), 0);
    }
    for (uint32_t i = 0; i <= GIVERS; i++)
        platform.event_destroy(platform.user, events[i]);
    free(memory);
}

static void budget_check_compares_the_use(void)
{
    uint32_t units;

    spn__budget_init(&budget, 1 << 20);
    CHECK(spn__budget_check(&budget, 0));
    CHECK(spn__budget_take(&budget, 3 * BUDGET_UNIT_BYTES, false, &units));
    CHECK(spn__budget_check(&budget, 3));
    CHECK(!spn__budget_check(&budget, 2));
    CHECK(!spn__budget_check(&budget, 4));
    atomic_store_relaxed(&budget.peak, 2);
    CHECK(!spn__budget_check(&budget, 3));
}

TEST_MAIN(TEST(budget_ends_at_its_limit),
          TEST(budget_admits_one_read_of_any_size_when_unused),
          TEST(budget_is_exceeded_by_forced_reservations),
          TEST(budget_is_the_sum_of_its_reservations),
          TEST(budget_notifies_refused_requests),
          TEST(budget_check_compares_the_use))
