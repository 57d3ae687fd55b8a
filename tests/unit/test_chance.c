/* test_chance.c
 *
 * Goal: the generator returns the same numbers on every machine, with the
 *   stated distributions.
 * Method: golden values, means of many numbers, and the ends of every range.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "simulate/chance.h"

#define MANY 200000u

static struct chance chance;

static void chance_is_the_same_everywhere(void)
{
    chance_start(&chance, 1, 0);
    CHECK_EQ_U(chance_u64(&chance), UINT64_C(12793040940332582595));
    CHECK_EQ_U(chance_below(&chance, 1000000), 971766);
    CHECK_EQ_U(chance_size(&chance, 4096, 409600), 29208);
    CHECK_EQ_U(chance_wait(&chance, 1000000), 215414);
}

static void chance_sequences_differ(void)
{
    struct chance a;
    struct chance b;

    for (uint32_t seed = 0; seed < 4; seed++)
        for (uint32_t number = 0; number < 4; number++) {
            uint32_t same = 0;

            chance_start(&a, 0, 0);
            chance_start(&b, seed, number);
            for (uint32_t i = 0; i < 1000; i++)
                same += chance_below(&a, 16) == chance_below(&b, 16);
            test_context("seed %u number %u", seed, number);
            if (seed == 0 && number == 0)
                CHECK_EQ(same, 1000);
            else
                CHECK_NEAR(same, 62.5, 40);
        }
}

static void chance_below_is_uniform(void)
{
    uint32_t counts[10] = {0};

    chance_start(&chance, 2, 0);
    for (uint32_t i = 0; i < MANY; i++)
        counts[chance_below(&chance, 10)]++;
    for (uint32_t i = 0; i < 10; i++)
        CHECK_NEAR(counts[i], MANY / 10, MANY / 200);
    for (uint32_t i = 0; i < 100; i++)
        CHECK_EQ_U(chance_below(&chance, 1), 0);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(chance_below(&chance, UINT64_MAX) < UINT64_MAX);
}

/* As many sizes lie between 1 and 2 as between 2 and 4. */
static void chance_sizes_are_uniform_in_their_logarithm(void)
{
    uint32_t octaves[7] = {0};
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    chance_start(&chance, 3, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t size = chance_size(&chance, 4096, 524288);
        uint32_t octave = 0;

        CHECK(size >= 4096 && size <= 524288);
        least = size < least ? size : least;
        most = size > most ? size : most;
        while (octave < 6 && size >= UINT64_C(8192) << octave)
            octave++;
        octaves[octave]++;
    }
    for (uint32_t i = 0; i < 7; i++)
        CHECK_NEAR(octaves[i], MANY / 7, MANY / 100);
    CHECK(least < 4100);
    CHECK(most > 524000);
}

static void chance_sizes_reach_their_ends(void)
{
    chance_start(&chance, 4, 0);
    CHECK_EQ_U(chance_size(&chance, 1, 1), 1);
    CHECK_EQ_U(chance_size(&chance, UINT64_MAX, UINT64_MAX), UINT64_MAX);
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t size = chance_size(&chance, 7, 9);

        CHECK(size >= 7 && size <= 9);
    }
    for (uint32_t i = 0; i < 1000; i++)
        CHECK(chance_size(&chance, 1, UINT64_MAX) > 0);
}

static void chance_waits_are_exponential(void)
{
    uint64_t sum = 0;
    uint32_t longer = 0;

    chance_start(&chance, 5, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t wait = chance_wait(&chance, 1000000);

        sum += wait;
        longer += wait > 2000000;
    }
    CHECK_NEAR((double)sum / MANY, 1e6, 1e4);
    /* exp(-2) */
    CHECK_NEAR((double)longer / MANY, 0.13534, 0.003);
    CHECK_EQ_U(chance_wait(&chance, 0), 0);
}

TEST_MAIN(TEST(chance_is_the_same_everywhere), TEST(chance_sequences_differ),
          TEST(chance_below_is_uniform),
          TEST(chance_sizes_are_uniform_in_their_logarithm),
          TEST(chance_sizes_reach_their_ends),
          TEST(chance_waits_are_exponential))
