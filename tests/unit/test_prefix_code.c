/* test_prefix_code.c
 *
 * Goal: lengths are those of the shortest complete code within the limit.
 * Method: known codes; all limits; a search of all codes with few symbols.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/encode/entropy/prefix_code.h"

#include <string.h>

static uint64_t cost_of(const uint64_t *counts, const uint8_t *lengths,
                        uint32_t n)
{
    uint64_t cost = 0;

    for (uint32_t i = 0; i < n; i++)
        cost += counts[i] * lengths[i];
    return cost;
}

static uint32_t room_of(const uint8_t *lengths, uint32_t n)
{
    uint32_t room = 0;

    for (uint32_t i = 0; i < n; i++)
        if (lengths[i] > 0)
            room += 1u << (PREFIX_CODE_BITS_MAX - lengths[i]);
    return room;
}

static void known_codes_are_found(void)
{
    static const uint64_t counts[6] = {45, 13, 12, 16, 9, 5};
    static const uint8_t expected[6] = {1, 3, 3, 3, 4, 4};
    static const uint64_t two[4] = {0, 7, 0, 1};
    static const uint8_t two_expected[4] = {0, 1, 0, 1};
    uint8_t lengths[6];

    prefix_code_lengths(counts, 6, 11, lengths);
    CHECK_MEM(lengths, expected, sizeof expected);
    prefix_code_lengths(two, 4, 11, lengths);
    CHECK_MEM(lengths, two_expected, sizeof two_expected);
}

static void codes_are_complete_and_short_enough(void)
{
    struct test_random random = {1};
    uint64_t counts[730];
    uint8_t lengths[730];

    for (uint32_t round = 0; round < 50; round++) {
        test_context("round %u", round);
        for (uint32_t i = 0; i < 730; i++)
            counts[i] = (uint64_t)1 << test_random_below(&random, 1 + round);
        prefix_code_lengths(counts, 730, 11, lengths);
        CHECK_EQ_U(room_of(lengths, 730), 1u << PREFIX_CODE_BITS_MAX);
        for (uint32_t i = 0; i < 730; i++)
            CHECK(lengths[i] >= 1 && lengths[i] <= 11);
    }
}

/* All lengths 1..4 of five symbols. */
static void no_code_within_the_limit_is_shorter(void)
{
    struct test_random random = {2};

    for (uint32_t round = 0; round < 40; round++) {
        uint64_t counts[5];
        uint8_t lengths[5];
        uint64_t best = UINT64_MAX;

        for (uint32_t i = 0; i < 5; i++)
            counts[i] = 1 + (test_random_u64(&random) & 0xfff) /
                                (1 + (uint64_t)i * i * i * 20);
        prefix_code_lengths(counts, 5, 3, lengths);
        for (uint32_t code = 0; code < 243; code++) {
            uint8_t trial[5];
            uint32_t rest = code;

            for (uint32_t i = 0; i < 5; i++, rest /= 3)
                trial[i] = (uint8_t)(1 + rest % 3);
            if (room_of(trial, 5) <= 1u << PREFIX_CODE_BITS_MAX &&
                cost_of(counts, trial, 5) < best)
                best = cost_of(counts, trial, 5);
        }
        test_context("round %u", round);
        CHECK_EQ_U(cost_of(counts, lengths, 5), best);
    }
}

TEST_MAIN(TEST(known_codes_are_found),
          TEST(codes_are_complete_and_short_enough),
          TEST(no_code_within_the_limit_is_shorter))
