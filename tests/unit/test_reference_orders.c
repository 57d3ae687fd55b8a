/* test_reference_orders.c
 *
 * Goal: each order takes reads as its name says, each read once; a removed
 * read is never taken.
 * Method: five reads on a known disc in an order computed by hand; random reads
 * in all orders.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/reference_orders.h"

#define MB UINT64_C(1000000)
#define READS 500u

static struct forecast forecast;
static struct forecast_place head;

static struct reference_queue *make(enum reference_order order)
{
    spn__forecast_init(&forecast, spn_drive_profile_find("x360_dvd12x"));
    spn__forecast_place(&forecast, 1000 * MB, &head);
    return reference_queue_create(order, &forecast);
}

static void add(struct reference_queue *queue, uint32_t id, uint64_t position,
                enum deadline_class class, uint64_t deadline_us)
{
    struct reference_read read = {.position = position,
                                  .bytes = 100000,
                                  .class = class,
                                  .deadline_us = deadline_us};

    reference_queue_add(queue, id, &read, 0);
}

static void check_order(enum reference_order order, const uint32_t ids[5])
{
    struct reference_queue *queue = make(order);
    uint32_t taken[DEADLINE_COALESCE_MAX];

    add(queue, 10, 900 * MB, DEADLINE_BULK, 5000000);
    add(queue, 11, 3000 * MB, DEADLINE_CLIP, 4000000);
    add(queue, 12, 1200 * MB, DEADLINE_CLIP, 9000000);
    add(queue, 13, 5900 * MB, DEADLINE_SOUND, 6000000);
    add(queue, 14, 100 * MB, DEADLINE_CLIP, 8000000);
    test_context("%s", reference_order_names[order]);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_EQ(reference_queue_count(queue), 5 - i);
        CHECK_EQ(reference_queue_take(queue, &head, 0, taken), 1);
        CHECK_EQ(taken[0], ids[i]);
    }
    CHECK_EQ(reference_queue_take(queue, &head, 0, taken), 0);
    reference_queue_destroy(queue);
}

static void orders_choose_as_their_names_say(void)
{
    static const uint32_t fifo[] = {10, 11, 12, 13, 14};
    /* By priority first, then ascending. */
    static const uint32_t key[] = {13, 14, 12, 11, 10};
    /* By distance from the fixed head. Byte 5900 MB is on the second layer, at
     * the radius of byte 1244 MB. */
    static const uint32_t sstf[] = {10, 12, 13, 14, 11};
    static const uint32_t c_look[] = {12, 11, 13, 14, 10};
    static const uint32_t edf[] = {11, 10, 13, 14, 12};

    check_order(REFERENCE_FIFO, fifo);
    check_order(REFERENCE_SORT_KEY, key);
    check_order(REFERENCE_SSTF, sstf);
    check_order(REFERENCE_C_LOOK, c_look);
    check_order(REFERENCE_EDF, edf);
}

static void deadline_scheduler_coalesces_neighbours(void)
{
    struct reference_queue *queue = make(REFERENCE_DEADLINE);
    uint32_t taken[DEADLINE_COALESCE_MAX];

    add(queue, 1, 3000 * MB, DEADLINE_BULK, 60000000);
    add(queue, 2, 1000 * MB + 200000, DEADLINE_BULK, 60000000);
    add(queue, 3, 1000 * MB, DEADLINE_BULK, 60000000);
    CHECK_EQ(reference_queue_take(queue, &head, 0, taken), 2);
    CHECK_EQ(taken[0], 3);
    CHECK_EQ(taken[1], 2);
    CHECK_EQ(reference_queue_take(queue, &head, 0, taken), 1);
    CHECK_EQ(taken[0], 1);
    reference_queue_destroy(queue);
}

static bool is_odd(void *context, uint32_t id)
{
    ++*(uint32_t *)context;
    return id % 2 == 1;
}

static void orders_take_each_read_once(void)
{
    for (enum reference_order order = REFERENCE_FIFO; order < REFERENCE_ORDERS;
         order++) {
        struct reference_queue *queue = make(order);
        struct test_random random = {order + 1u};
        uint8_t counts[READS] = {0};
        uint32_t taken[DEADLINE_COALESCE_MAX];
        uint32_t calls = 0;
        uint32_t count;

        test_context("%s", reference_order_names[order]);
        for (uint32_t i = 0; i < READS; i++)
            add(queue, i, test_random_u64(&random) % (7000 * MB),
                (enum deadline_class)test_random_below(&random,
                                                       DEADLINE_CLASSES),
                test_random_below(&random, 9000000));
        reference_queue_remove_if(queue, is_odd, &calls);
        CHECK_EQ(calls, READS);
        CHECK_EQ(reference_queue_count(queue), READS / 2);
        while ((count = reference_queue_take(queue, &head, 0, taken)) > 0)
            for (uint32_t i = 0; i < count; i++)
                counts[taken[i]]++;
        for (uint32_t i = 0; i < READS; i++)
            CHECK_EQ(counts[i], i % 2 == 0);
        reference_queue_destroy(queue);
    }
}

TEST_MAIN(TEST(orders_choose_as_their_names_say),
          TEST(deadline_scheduler_coalesces_neighbours),
          TEST(orders_take_each_read_once))
