/* test_checksum.c
 *
 * Goal: the checksum is XXH32, computed at once or in pieces, at any address.
 * Method: the results of the xxHash library for every length up to 300 and
 *   for random lengths; every cut of a short buffer into two; the promise about
 *   single words, bit by bit.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/checksum.h"

#include <string.h>
#include <xxhash.h>

#define BYTES 70000u
static uint8_t data[BYTES];

static void fill(uint64_t seed)
{
    struct test_random random = {seed};

    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)test_random_u64(&random);
}

static void checksum_is_xxh32_at_every_length_and_offset(void)
{
    static const uint32_t seeds[] = {0, 1, 0x9E3779B1u, UINT32_MAX};

    fill(1);
    for (size_t s = 0; s < 4; s++)
        for (size_t length = 0; length <= 300; length++)
            for (size_t at = 0; at < 5; at++) {
                test_context("length %zu at %zu", length, at);
                CHECK_EQ_U(spn__checksum(data + at, length, seeds[s]),
                           XXH32(data + at, length, seeds[s]));
            }
    CHECK_EQ_U(spn__checksum(data, BYTES, 7), XXH32(data, BYTES, 7));
}

static void checksum_of_zero_bytes_is_the_published_value(void)
{
    CHECK_EQ_U(spn__checksum(NULL, 0, 0), 0x02CC5D05u);
}

static void checksum_in_two_pieces_equals_the_whole(void)
{
    fill(2);
    for (size_t length = 0; length <= 70; length++)
        for (size_t cut = 0; cut <= length; cut++) {
            struct checksum sum;

            test_context("length %zu cut at %zu", length, cut);
            spn__checksum_begin(&sum, 5);
            spn__checksum_add(&sum, data, cut);
            spn__checksum_add(&sum, data + cut, length - cut);
            CHECK_EQ_U(spn__checksum_end(&sum), XXH32(data, length, 5));
        }
}

static void checksum_in_random_pieces_equals_the_whole(void)
{
    struct test_random random = {3};

    test_context("seed 3");
    fill(3);
    for (int round = 0; round < 300; round++) {
        size_t length = test_random_below(&random, BYTES);
        size_t largest = test_random_below(&random, 2) ? 40 : 9000;
        size_t at = 0;
        struct checksum sum;

        spn__checksum_begin(&sum, (uint32_t)round);
        while (at < length) {
            size_t piece = test_random_below(&random, (uint32_t)largest);

            if (piece > length - at)
                piece = length - at;
            spn__checksum_add(&sum, data + at, piece);
            at += piece;
        }
        CHECK_EQ_U(spn__checksum_end(&sum),
                   XXH32(data, length, (uint32_t)round));
        /* More bytes may be added after spn__checksum_end. */
        spn__checksum_add(&sum, data, 1);
        spn__checksum_end(&sum);
    }
}

static void checksum_notices_every_change_within_one_word(void)
{
    struct test_random random = {4};

    test_context("seed 4");
    fill(4);
    for (size_t length = 4; length <= 64; length += 4) {
        uint32_t good = spn__checksum(data, length, 0);

        for (size_t word = 0; word < length; word += 4)
            for (int round = 0; round < 300; round++) {
                uint8_t saved[4];
                uint32_t change = (uint32_t)test_random_u64(&random) | 1u;

                if (round < 32)
                    change = 1u << round;
                memcpy(saved, data + word, 4);
                for (unsigned i = 0; i < 4; i++)
                    data[word + i] ^= (uint8_t)(change >> (8 * i));
                CHECK(spn__checksum(data, length, 0) != good);
                memcpy(data + word, saved, 4);
            }
    }
}

TEST_MAIN(TEST(checksum_is_xxh32_at_every_length_and_offset),
          TEST(checksum_of_zero_bytes_is_the_published_value),
          TEST(checksum_in_two_pieces_equals_the_whole),
          TEST(checksum_in_random_pieces_equals_the_whole),
          TEST(checksum_notices_every_change_within_one_word))
