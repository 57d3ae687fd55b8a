/* test_pool.c
 *
 * Goal: a live handle finds its slot and nothing else does.
 * Method: small pools against a plain model, checked after every step; every
 * handle ever given is tried again; the generation's wrap; damaged lists.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/pool.h"

#include <stdalign.h>
#include <string.h>

alignas(64) static uint8_t memory[65535 * 4 + 128];

static void make(struct pool *pool, uint32_t capacity)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};

    spn__pool_init(pool, &carve, capacity);
    CHECK(!carve.is_over);
    CHECK(spn__pool_check(pool));
}

static void pool_gives_each_slot_once_then_is_full(void)
{
    static const uint32_t capacities[] = {0, 1, 2, 7, 65535};

    for (size_t c = 0; c < 5; c++) {
        struct pool pool;
        uint32_t handle = 0;

        make(&pool, capacities[c]);
        for (uint32_t i = 0; i < capacities[c]; i++) {
            CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
            CHECK(handle != 0);
            CHECK_EQ_U(spn__pool_index(&pool, handle), i);
            CHECK_EQ_U(spn__pool_handle(&pool, i), handle);
        }
        CHECK_EQ_U(pool.used, capacities[c]);
        handle = 77;
        CHECK_EQ(spn__pool_take(&pool, &handle), SPN_ERR_TABLE_FULL);
        CHECK_EQ_U(handle, 77);
        CHECK(spn__pool_check(&pool));
    }
}

static void pool_without_room_has_no_slots(void)
{
    for (size_t bytes = 0; bytes < 20 * 4; bytes += 2) {
        struct carve carve = {.base = memory, .limit = bytes};
        struct pool pool;
        uint32_t handle = 77;

        spn__pool_init(&pool, &carve, 20);
        CHECK(carve.is_over);
        CHECK_EQ(pool.capacity, 0);
        CHECK_EQ(spn__pool_take(&pool, &handle), SPN_ERR_TABLE_FULL);
        CHECK_EQ_U(handle, 77);
    }
}

static void pool_refuses_what_was_never_a_handle(void)
{
    struct pool pool;
    uint32_t handle;

    make(&pool, 3);
    CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
    for (uint32_t i = 0; i < 0x20000u; i++) {
        uint32_t word = i * 0x9E3779B1u;

        if (word == handle)
            continue;
        CHECK_EQ_U(spn__pool_index(&pool, word), POOL_NONE);
        CHECK(!spn__pool_give(&pool, word));
    }
    CHECK_EQ_U(spn__pool_index(&pool, 0), POOL_NONE);
    CHECK_EQ_U(spn__pool_index(&pool, 1), POOL_NONE);
    CHECK_EQ_U(spn__pool_index(&pool, handle | 0xFFFFu), POOL_NONE);
    CHECK(!spn__pool_is_used(&pool, 1));
    CHECK(!spn__pool_is_used(&pool, UINT32_MAX));
    CHECK_EQ_U(pool.used, 1);
    CHECK(spn__pool_check(&pool));
}

static void pool_refuses_a_stale_handle_until_the_generation_wraps(void)
{
    struct pool pool;
    uint32_t first;
    uint32_t handle;

    make(&pool, 1);
    CHECK_EQ(spn__pool_take(&pool, &first), SPN_OK);
    CHECK(spn__pool_give(&pool, first));
    CHECK(!spn__pool_give(&pool, first));
    for (uint32_t i = 0; i < 32767; i++) {
        CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
        CHECK(handle != 0 && handle != first);
        CHECK(!spn__pool_give(&pool, first));
        CHECK(spn__pool_give(&pool, handle));
    }
    CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
    CHECK_EQ_U(handle, first);
}

static void pool_renews_a_handle_in_its_slot(void)
{
    struct pool pool;
    uint32_t first;
    uint32_t before;

    make(&pool, 2);
    CHECK_EQ(spn__pool_take(&pool, &first), SPN_OK);
    CHECK_EQ(spn__pool_renew(&pool, 0), 0);
    before = first;
    /* The generation has 32768 odd values; then the first one is used again. */
    for (uint32_t i = 1; i <= 32768; i++) {
        uint32_t handle = spn__pool_renew(&pool, before);

        CHECK(handle != 0);
        CHECK_EQ(handle == first, i == 32768);
        CHECK_EQ_U(spn__pool_index(&pool, handle), 0);
        CHECK_EQ_U(spn__pool_index(&pool, before), POOL_NONE);
        CHECK_EQ_U(spn__pool_renew(&pool, before), 0);
        before = handle;
    }
    CHECK_EQ_U(pool.used, 1);
    CHECK(spn__pool_check(&pool));
    CHECK(spn__pool_give(&pool, before));
    CHECK_EQ_U(spn__pool_renew(&pool, before), 0);
    CHECK(spn__pool_check(&pool));
}

static void pool_reuses_the_longest_free_slot(void)
{
    struct pool pool;
    uint32_t handle;
    uint32_t given;

    make(&pool, 4);
    CHECK_EQ(spn__pool_take(&pool, &given), SPN_OK);
    CHECK(spn__pool_give(&pool, given));
    for (uint32_t i = 1; i <= 4; i++) {
        CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
        CHECK_EQ_U(spn__pool_index(&pool, handle), i % 4);
    }
}

static void pool_agrees_with_a_model_over_random_use(void)
{
    enum { CAPACITY = 9 };
    struct test_random random = {5};
    uint32_t live[CAPACITY] = {0};
    uint32_t used = 0;
    struct pool pool;

    test_context("seed 5");
    make(&pool, CAPACITY);
    for (int step = 0; step < 50000; step++) {
        uint32_t slot = test_random_below(&random, CAPACITY);
        uint32_t handle;

        if (test_random_below(&random, 2)) {
            spn_status status = spn__pool_take(&pool, &handle);

            CHECK_EQ(status, used < CAPACITY ? SPN_OK : SPN_ERR_TABLE_FULL);
            if (status == SPN_OK) {
                slot = spn__pool_index(&pool, handle);
                CHECK_EQ_U(live[slot], 0);
                live[slot] = handle;
                used++;
            }
        } else if (live[slot]) {
            CHECK(spn__pool_give(&pool, live[slot]));
            CHECK(!spn__pool_give(&pool, live[slot]));
            live[slot] = 0;
            used--;
        }
        CHECK_EQ_U(pool.used, used);
        for (uint32_t i = 0; i < CAPACITY; i++)
            CHECK_EQ(spn__pool_is_used(&pool, i), live[i] != 0);
        CHECK(spn__pool_check(&pool));
    }
}

static void pool_check_finds_damage(void)
{
    struct pool pool;
    uint32_t handle;

    make(&pool, 4);
    CHECK_EQ(spn__pool_take(&pool, &handle), SPN_OK);
    pool.next[2] = 1;
    CHECK(!spn__pool_check(&pool));
    pool.next[2] = 0xFFFF;
    CHECK(!spn__pool_check(&pool));
    pool.next[2] = 3;
    CHECK(spn__pool_check(&pool));
    pool.last_free = 2;
    CHECK(!spn__pool_check(&pool));
    pool.last_free = 3;
    pool.generation[3] ^= 1;
    CHECK(!spn__pool_check(&pool));
    pool.generation[3] ^= 1;
    pool.used = 0;
    CHECK(!spn__pool_check(&pool));
}

static void pool_that_was_only_counted_is_empty(void)
{
    struct carve carve = {.limit = SIZE_MAX};
    struct pool pool;
    uint32_t handle;

    spn__pool_init(&pool, &carve, 100);
    CHECK(carve.used >= 400);
    CHECK_EQ(spn__pool_take(&pool, &handle), SPN_ERR_TABLE_FULL);
    CHECK(spn__pool_check(&pool));
}

TEST_MAIN(TEST(pool_without_room_has_no_slots),
          TEST(pool_gives_each_slot_once_then_is_full),
          TEST(pool_refuses_what_was_never_a_handle),
          TEST(pool_refuses_a_stale_handle_until_the_generation_wraps),
          TEST(pool_renews_a_handle_in_its_slot),
          TEST(pool_reuses_the_longest_free_slot),
          TEST(pool_agrees_with_a_model_over_random_use),
          TEST(pool_check_finds_damage),
          TEST(pool_that_was_only_counted_is_empty))
