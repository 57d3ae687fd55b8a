/* test_policy.c
 *
 * Goal: each policy takes what its name says, once, and what leaves is never
 *   taken.
 * Method: a handful of reads on a known disc; random reads for all of them.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/policy.h"

#define MB UINT64_C(1000000)
#define READS 500u

static struct forecast forecast;
static struct forecast_place head;

static struct policy *make(enum policy_kind kind)
{
    spn__forecast_init(&forecast, spn_drive_profile_find("x360_dvd12x"));
    spn__forecast_place(&forecast, 1000 * MB, &head);
    return policy_create(kind, &forecast);
}

static void add(struct policy *policy, uint32_t id, uint64_t position,
                enum sweep_class class, uint64_t deadline_us)
{
    struct policy_read read = {.position = position,
                               .bytes = 100000,
                               .class = class,
                               .deadline_us = deadline_us};

    policy_add(policy, id, &read, 0);
}

static void check_order(enum policy_kind kind, const uint32_t ids[5])
{
    struct policy *policy = make(kind);
    uint32_t taken[SWEEP_JOIN_MAX];

    add(policy, 10, 900 * MB, SWEEP_BULK, 5000000);
    add(policy, 11, 3000 * MB, SWEEP_CLIP, 4000000);
    add(policy, 12, 1200 * MB, SWEEP_CLIP, 9000000);
    add(policy, 13, 5900 * MB, SWEEP_SOUND, 6000000);
    add(policy, 14, 100 * MB, SWEEP_CLIP, 8000000);
    test_context("%s", policy_names[kind]);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_EQ(policy_count(policy), 5 - i);
        CHECK_EQ(policy_take(policy, &head, 0, taken), 1);
        CHECK_EQ(taken[0], ids[i]);
    }
    CHECK_EQ(policy_take(policy, &head, 0, taken), 0);
    policy_destroy(policy);
}

static void policies_do_what_their_names_say(void)
{
    static const uint32_t fifo[] = {10, 11, 12, 13, 14};
    /* Priorities first, then upward. */
    static const uint32_t key[] = {13, 14, 12, 11, 10};
    /* The head stays: by the distance from it; 5900 MB lie on the second
     * layer, as far out as 1244. */
    static const uint32_t sstf[] = {10, 12, 13, 14, 11};
    static const uint32_t c_look[] = {12, 11, 13, 14, 10};
    static const uint32_t edf[] = {11, 10, 13, 14, 12};

    check_order(POLICY_FIFO, fifo);
    check_order(POLICY_KEY, key);
    check_order(POLICY_SSTF, sstf);
    check_order(POLICY_C_LOOK, c_look);
    check_order(POLICY_EDF, edf);
}

static void policy_sweep_joins_neighbours(void)
{
    struct policy *policy = make(POLICY_SWEEP);
    uint32_t taken[SWEEP_JOIN_MAX];

    add(policy, 1, 3000 * MB, SWEEP_BULK, 60000000);
    add(policy, 2, 1000 * MB + 200000, SWEEP_BULK, 60000000);
    add(policy, 3, 1000 * MB, SWEEP_BULK, 60000000);
    CHECK_EQ(policy_take(policy, &head, 0, taken), 2);
    CHECK_EQ(taken[0], 3);
    CHECK_EQ(taken[1], 2);
    CHECK_EQ(policy_take(policy, &head, 0, taken), 1);
    CHECK_EQ(taken[0], 1);
    policy_destroy(policy);
}

static bool is_odd(void *context, uint32_t id)
{
    ++*(uint32_t *)context;
    return id % 2 == 1;
}

static void policies_take_each_read_once(void)
{
    for (enum policy_kind kind = POLICY_FIFO; kind < POLICY_KINDS; kind++) {
        struct policy *policy = make(kind);
        struct test_random random = {kind + 1u};
        uint8_t counts[READS] = {0};
        uint32_t taken[SWEEP_JOIN_MAX];
        uint32_t calls = 0;
        uint32_t count;

        test_context("%s", policy_names[kind]);
        for (uint32_t i = 0; i < READS; i++)
            add(policy, i, test_random_u64(&random) % (7000 * MB),
                (enum sweep_class)test_random_below(&random, SWEEP_CLASSES),
                test_random_below(&random, 9000000));
        policy_take_if(policy, is_odd, &calls);
        CHECK_EQ(calls, READS);
        CHECK_EQ(policy_count(policy), READS / 2);
        while ((count = policy_take(policy, &head, 0, taken)) > 0)
            for (uint32_t i = 0; i < count; i++)
                counts[taken[i]]++;
        for (uint32_t i = 0; i < READS; i++)
            CHECK_EQ(counts[i], i % 2 == 0);
        policy_destroy(policy);
    }
}

/* No step of them is one for each pair. */
static void policies_of_one_order_take_no_time(void)
{
    static const enum policy_kind kinds[] = {POLICY_FIFO, POLICY_KEY,
                                             POLICY_EDF};
    const uint32_t count = 300000;

    for (uint32_t k = 0; k < 3; k++) {
        struct policy *policy = make(kinds[k]);
        uint32_t taken[SWEEP_JOIN_MAX];
        uint32_t calls = 0;

        test_context("%s", policy_names[kinds[k]]);
        for (uint32_t i = 0; i < count; i++)
            add(policy, i, (i * UINT64_C(7919) % 5000) * MB, SWEEP_CLIP,
                i * UINT64_C(104729) % count);
        policy_take_if(policy, is_odd, &calls);
        CHECK_EQ(calls, count);
        CHECK_EQ(policy_take(policy, &head, 0, taken), 1);
        add(policy, taken[0], 100 * MB, SWEEP_CLIP, count);
        for (uint32_t i = 0; i < count / 2; i++)
            CHECK_EQ(policy_take(policy, &head, 0, taken), 1);
        CHECK_EQ(policy_take(policy, &head, 0, taken), 0);
        policy_destroy(policy);
    }
}

TEST_MAIN(TEST(policies_of_one_order_take_no_time),
          TEST(policies_do_what_their_names_say),
          TEST(policy_sweep_joins_neighbours),
          TEST(policies_take_each_read_once))
