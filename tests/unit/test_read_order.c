/* test_read_order.c
 *
 * Goal: time groups count from the base, and moving the base changes no order.
 * Each priority has its own sweep. Extreme values saturate.
 * Method: arrivals and keys computed by hand.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/read_order.h"

#define KIB 1024u

static struct read_order order;

static struct order_ticket arrive(uint32_t priority, uint64_t group,
                                  uint64_t position)
{
    struct order_ticket ticket = {group, priority, 77};

    spn__order_arrive(&order, &ticket, position);
    return ticket;
}

static void order_groups_are_intervals_of_time(void)
{
    const uint32_t period = SORT_KEY_GROUP_US;
    struct order_clock clock = {0};

    CHECK_EQ_U(spn__order_group(&clock, 0, period), 0);
    CHECK_EQ_U(spn__order_group(&clock, period - 1, period), 0);
    CHECK_EQ_U(spn__order_group(&clock, period, period), 1);
    CHECK_EQ_U(spn__order_group(&clock, UINT64_MAX, period),
               UINT64_MAX / period);
}

/* Longer groups have lower numbers of time / length. A read that starts after
 * the change must not come before those that wait. */
static void order_of_groups_stays_when_their_length_changes(void)
{
    struct order_clock clock = {0};

    CHECK_EQ_U(spn__order_group(&clock, 100, 10), 10);
    CHECK_EQ_U(spn__order_group(&clock, 109, 10), 10);
    CHECK_EQ_U(spn__order_group(&clock, 109, 50), 11);
    CHECK_EQ_U(spn__order_group(&clock, 158, 50), 11);
    CHECK_EQ_U(spn__order_group(&clock, 159, 50), 12);
    CHECK_EQ_U(spn__order_group(&clock, 159, 5), 13);
    CHECK_EQ_U(spn__order_group(&clock, 163, 5), 13);
    CHECK_EQ_U(spn__order_group(&clock, 164, 5), 14);
}

static void order_counts_groups_from_its_base(void)
{
    struct order_ticket ticket;

    spn__order_reset(&order, 1000);
    ticket = arrive(3, 1005, 0);
    CHECK_EQ(spn__sort_key_group(spn__order_key(&order, &ticket, 0)), 5);
    ticket = arrive(3, 999, 0); /* older than the base: first of all */
    CHECK_EQ(spn__sort_key_group(spn__order_key(&order, &ticket, 0)), 0);
    CHECK(!spn__order_is_far(&order, 1000 + SORT_KEY_GROUP_MAX));
    CHECK(spn__order_is_far(&order, 1001 + SORT_KEY_GROUP_MAX));
    CHECK(!spn__order_is_far(&order, 0));
    spn__order_set_base(&order, 1004);
    ticket = arrive(3, 1005, 0);
    CHECK_EQ(spn__sort_key_group(spn__order_key(&order, &ticket, 0)), 1);
}

static void order_stays_when_the_base_moves(void)
{
    struct order_ticket a;
    struct order_ticket b;

    spn__order_reset(&order, 10);
    a = arrive(3, 12, 500 * KIB);
    spn__order_serve(&order, &a, 500 * KIB);
    b = arrive(3, 12, 100 * KIB);
    CHECK_EQ(b.sweep, 1);
    CHECK(spn__order_key(&order, &a, 500 * KIB) <
          spn__order_key(&order, &b, 100 * KIB));
    spn__order_set_base(&order, 12);
    CHECK(spn__order_key(&order, &a, 500 * KIB) <
          spn__order_key(&order, &b, 100 * KIB));
    CHECK_EQ(arrive(3, 12, 100 * KIB).sweep, 1);
    CHECK_EQ(arrive(3, 12, 600 * KIB).sweep, 0);
}

static void order_each_priority_has_its_own_sweep(void)
{
    struct order_ticket normal;
    struct order_ticket urgent;

    spn__order_reset(&order, 0);
    normal = arrive(3, 0, 500 * KIB);
    spn__order_serve(&order, &normal, 500 * KIB);
    urgent = arrive(0, 0, 100 * KIB);
    CHECK_EQ(urgent.sweep, 0);
    spn__order_serve(&order, &urgent, 100 * KIB);
    CHECK_EQ(arrive(3, 0, 200 * KIB).sweep, 1);
    CHECK_EQ(arrive(0, 0, 200 * KIB).sweep, 0);
    CHECK_EQ(arrive(0, 0, 99 * KIB).sweep, 1);
    CHECK_EQ(arrive(4, 0, 0).sweep, 0);
    CHECK_EQ(arrive(3, 1, 0).sweep, 0);
}

static void order_reset_clears_the_state(void)
{
    struct order_ticket ticket;

    spn__order_reset(&order, 0);
    ticket = arrive(3, 0, 500 * KIB);
    spn__order_serve(&order, &ticket, 500 * KIB);
    spn__order_reset(&order, 0);
    CHECK_EQ(arrive(3, 0, 0).sweep, 0);
}

static void order_unknown_places_are_last_and_never_behind(void)
{
    struct order_ticket known;
    struct order_ticket unknown;

    spn__order_reset(&order, 0);
    known = arrive(3, 0, 500 * KIB);
    spn__order_serve(&order, &known, 500 * KIB);
    unknown = arrive(3, 0, SORT_KEY_OFFSET_UNKNOWN);
    CHECK_EQ(unknown.sweep, 0);
    CHECK(spn__order_key(&order, &unknown, SORT_KEY_OFFSET_UNKNOWN) >
          spn__order_key(&order, &known, 1ull << 39));
}

static void order_sweeps_saturate_in_their_group(void)
{
    struct order_ticket ticket;

    spn__order_reset(&order, 0);
    for (uint32_t i = 0; i < 2000; i++) {
        ticket = arrive(3, 0, i % 2 ? 0 : 500 * KIB);
        spn__order_serve(&order, &ticket, i % 2 ? 0 : 500 * KIB);
    }
    CHECK_EQ(ticket.sweep, 1000);
    for (uint32_t i = 0; i < 2000; i++) {
        ticket = arrive(3, 0, i % 2 ? 0 : 500 * KIB);
        spn__order_serve(&order, &ticket, i % 2 ? 0 : 500 * KIB);
    }
    CHECK_EQ(ticket.sweep, SORT_KEY_SWEEP_MAX);
    CHECK_EQ(arrive(3, 1, 0).sweep, 0);
}

TEST_MAIN(TEST(order_groups_are_intervals_of_time),
          TEST(order_of_groups_stays_when_their_length_changes),
          TEST(order_counts_groups_from_its_base),
          TEST(order_stays_when_the_base_moves),
          TEST(order_each_priority_has_its_own_sweep),
          TEST(order_reset_clears_the_state),
          TEST(order_unknown_places_are_last_and_never_behind),
          TEST(order_sweeps_saturate_in_their_group))
