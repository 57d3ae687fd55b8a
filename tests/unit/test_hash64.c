/* test_hash64.c
 *
 * Goal: the hash of names is XXH64, at any address.
 * Method: the results of the xxHash library for every length up to 300.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/hash64.h"

#include <xxhash.h>

static void hash_is_xxh64_at_every_length_and_offset(void)
{
    static const uint64_t seeds[] = {0, 1, UINT64_MAX};
    struct test_random random = {1};
    uint8_t data[320];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)test_random_u64(&random);
    for (size_t s = 0; s < 3; s++)
        for (size_t length = 0; length <= 300; length++)
            for (size_t at = 0; at < 9; at++) {
                test_context("length %zu at %zu", length, at);
                CHECK_EQ_U(spn__hash64(data + at, length, seeds[s]),
                           XXH64(data + at, length, seeds[s]));
            }
}

static void hash_of_zero_bytes_is_the_published_value(void)
{
    CHECK_EQ_U(spn__hash64(NULL, 0, 0), 0xEF46DB3751D8E999u);
}

TEST_MAIN(TEST(hash_is_xxh64_at_every_length_and_offset),
          TEST(hash_of_zero_bytes_is_the_published_value))
