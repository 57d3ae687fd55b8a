/* test_sort_key.c
 *
 * Goal: keys order by priority, then time group, then sweep, then offset, for
 * all values. The head only moves forward within one priority and time group.
 * Method: every field at 0, its maximum, one above it and the largest number,
 * with the others at 0 and at their maximum; a simulated head that serves
 * random arrivals.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "schedule/sort_key.h"

#define KIB 1024u
#define TIB (1ull << 40)

static void sort_key_fields_come_back(void)
{
    uint64_t key = spn__sort_key(3, 0x12345, 0x2aa, 0x1234567ull * KIB + 1023);

    CHECK_EQ_U(key,
               3ull << 60 | 0x12345ull << 40 | 0x2aaull << 30 | 0x1234567ull);
    CHECK_EQ(spn__sort_key_priority(key), 3);
    CHECK_EQ(spn__sort_key_group(key), 0x12345);
    CHECK_EQ(spn__sort_key_sweep(key), 0x2aa);
    CHECK_EQ(spn__sort_key_offset_kib(key), 0x1234567);
}

/* Every field at every edge, with every edge of the others: each field is
 * clamped by itself. */
static void sort_key_fields_never_touch(void)
{
    static const uint32_t priorities[] = {0, 1, 15, 16, UINT32_MAX};
    static const uint64_t groups[] = {0, 1, 0xfffff, 0x100000, UINT64_MAX};
    static const uint32_t sweeps[] = {0, 1, 1023, 1024, UINT32_MAX};
    static const uint64_t offsets[] = {
        0,   1023,    1024,       TIB - KIB,      TIB - 1,
        TIB, TIB + 5, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};

    for (size_t p = 0; p < 5; p++)
        for (size_t g = 0; g < 5; g++)
            for (size_t s = 0; s < 5; s++)
                for (size_t o = 0; o < 10; o++) {
                    uint64_t kib = offsets[o] / KIB;
                    uint64_t key = spn__sort_key(priorities[p], groups[g],
                                                 sweeps[s], offsets[o]);

                    test_context("fields %zu %zu %zu %zu", p, g, s, o);
                    CHECK_EQ(spn__sort_key_priority(key),
                             priorities[p] > 15 ? 15 : priorities[p]);
                    CHECK_EQ_U(spn__sort_key_group(key),
                               groups[g] > 0xfffff ? 0xfffff : groups[g]);
                    CHECK_EQ(spn__sort_key_sweep(key),
                             sweeps[s] > 1023 ? 1023 : sweeps[s]);
                    CHECK_EQ_U(spn__sort_key_offset_kib(key),
                               kib > 0x3fffffff ? 0x3fffffff : kib);
                }
}

static void sort_key_compares_priority_before_all_else(void)
{
    CHECK(spn__sort_key(0, UINT64_MAX, UINT32_MAX, UINT64_MAX) <
          spn__sort_key(1, 0, 0, 0));
    CHECK(spn__sort_key(2, 7, UINT32_MAX, UINT64_MAX) <
          spn__sort_key(2, 8, 0, 0));
    CHECK(spn__sort_key(2, 7, 4, UINT64_MAX) < spn__sort_key(2, 7, 5, 0));
    CHECK(spn__sort_key(2, 7, 4, 1023) < spn__sort_key(2, 7, 4, 1024));
}

/* An offset of 1 TiB, or an unknown one, is the last of its sweep and does not
 * reach the next sweep. */
static void sort_key_offset_saturates_at_one_tebibyte(void)
{
    uint64_t last = spn__sort_key(2, 7, 4, TIB - KIB);

    CHECK_EQ_U(spn__sort_key(2, 7, 4, TIB), last);
    CHECK_EQ_U(spn__sort_key(2, 7, 4, SORT_KEY_OFFSET_UNKNOWN), last);
    CHECK(spn__sort_key(2, 7, 4, TIB - KIB - 1) < last);
    CHECK(last < spn__sort_key(2, 7, 5, 0));
}

static void sort_key_arrival_ahead_stays_in_the_sweep(void)
{
    uint64_t head = spn__sort_key(3, 5, 9, 100 * KIB);

    CHECK_EQ(spn__sort_key_sweep(spn__sort_key_arrive(3, 5, 101 * KIB, head)),
             9);
    /* At the position of the head there is no distance, so the sweep is the
     * same. */
    CHECK_EQ(spn__sort_key_sweep(spn__sort_key_arrive(3, 5, 100 * KIB, head)),
             9);
    CHECK_EQ(spn__sort_key_sweep(
                 spn__sort_key_arrive(3, 5, SORT_KEY_OFFSET_UNKNOWN, head)),
             9);
}

static void sort_key_arrival_behind_waits_for_the_next_sweep(void)
{
    uint64_t head = spn__sort_key(3, 5, 9, 100 * KIB);
    uint64_t key = spn__sort_key_arrive(3, 5, 100 * KIB - 1, head);

    CHECK_EQ(spn__sort_key_sweep(key), 10);
    CHECK_EQ(spn__sort_key_offset_kib(key), 99);
    CHECK(key > spn__sort_key_arrive(3, 5, TIB, head));
}

static void sort_key_arrival_elsewhere_starts_at_sweep_zero(void)
{
    uint64_t head = spn__sort_key(3, 5, 9, 100 * KIB);

    CHECK_EQ_U(spn__sort_key_arrive(2, 5, 0, head), spn__sort_key(2, 5, 0, 0));
    CHECK_EQ_U(spn__sort_key_arrive(4, 5, 0, head), spn__sort_key(4, 5, 0, 0));
    CHECK_EQ_U(spn__sort_key_arrive(3, 4, 0, head), spn__sort_key(3, 4, 0, 0));
    CHECK_EQ_U(spn__sort_key_arrive(3, 6, 0, head), spn__sort_key(3, 6, 0, 0));
    CHECK_EQ_U(spn__sort_key_arrive(0, 0, 0, 0), 0);
    CHECK_EQ_U(spn__sort_key_arrive(0, 0, 77 * KIB, 0),
               spn__sort_key(0, 0, 0, 77 * KIB));
}

/* The 1024th sweep of a busy time group: the request stays in its group. */
static void sort_key_sweep_saturates_inside_its_group(void)
{
    uint64_t head = spn__sort_key(3, 5, SORT_KEY_SWEEP_MAX, 100 * KIB);
    uint64_t key = spn__sort_key_arrive(3, 5, 0, head);

    CHECK_EQ(spn__sort_key_priority(key), 3);
    CHECK_EQ(spn__sort_key_group(key), 5);
    CHECK_EQ(spn__sort_key_sweep(key), SORT_KEY_SWEEP_MAX);
    CHECK_EQ(spn__sort_key_offset_kib(key), 0);
}

/* Groups beyond the field become one group and do not change the priority. */
static void sort_key_group_saturates_below_the_priority(void)
{
    uint64_t head =
        spn__sort_key(3, SORT_KEY_GROUP_MAX, SORT_KEY_SWEEP_MAX, UINT64_MAX);
    uint64_t key = spn__sort_key_arrive(3, 1ull << 40, 0, head);

    CHECK_EQ(spn__sort_key_priority(key), 3);
    CHECK_EQ(spn__sort_key_group(key), SORT_KEY_GROUP_MAX);
    CHECK_EQ(spn__sort_key_sweep(key), SORT_KEY_SWEEP_MAX);
    CHECK(key < spn__sort_key(4, 0, 0, 0));
}

/* The head serves the smallest key while random requests of the same priority
 * and group arrive. It goes back only when the sweep ends. */
static void sort_key_head_only_moves_forward_within_a_sweep(void)
{
    enum { PENDING = 8, ROUNDS = 2000 };
    struct test_random random = {20261121};
    uint64_t pending[PENDING];
    uint64_t head = 0;

    for (int i = 0; i < PENDING; i++)
        pending[i] = spn__sort_key_arrive(
            3, 5, (uint64_t)test_random_below(&random, 1000) * KIB, head);
    for (int round = 0; round < ROUNDS; round++) {
        int first = 0;

        for (int i = 1; i < PENDING; i++)
            if (pending[i] < pending[first])
                first = i;
        test_context("round %d", round);
        CHECK(pending[first] >= head);
        /* Requests are short here: the head stays where the read began. */
        head = pending[first];
        if (spn__sort_key_sweep(head) == SORT_KEY_SWEEP_MAX)
            return;
        pending[first] = spn__sort_key_arrive(
            3, 5, (uint64_t)test_random_below(&random, 1000) * KIB, head);
    }
}

TEST_MAIN(TEST(sort_key_fields_come_back), TEST(sort_key_fields_never_touch),
          TEST(sort_key_compares_priority_before_all_else),
          TEST(sort_key_offset_saturates_at_one_tebibyte),
          TEST(sort_key_arrival_ahead_stays_in_the_sweep),
          TEST(sort_key_arrival_behind_waits_for_the_next_sweep),
          TEST(sort_key_arrival_elsewhere_starts_at_sweep_zero),
          TEST(sort_key_sweep_saturates_inside_its_group),
          TEST(sort_key_group_saturates_below_the_priority),
          TEST(sort_key_head_only_moves_forward_within_a_sweep))
