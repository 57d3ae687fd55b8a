/* test_hash64.c
 *
 * Goal: the hash is XXH64, at any address, whole and in pieces.
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

static void hash_of_pieces_is_that_of_the_whole(void)
{
    uint8_t data[200];

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 37);
    for (size_t piece = 1; piece <= sizeof data; piece++)
        for (size_t length = 0; length <= sizeof data; length += 9) {
            struct hash64 hash;

            test_context("%zu bytes in pieces of %zu", length, piece);
            spn__hash64_begin(&hash, 5);
            for (size_t at = 0; at < length; at += piece) {
                spn__hash64_add(&hash, data + at,
                                length - at < piece ? length - at : piece);
                spn__hash64_add(&hash, NULL, 0);
            }
            CHECK_EQ_U(spn__hash64_end(&hash), XXH64(data, length, 5));
        }
}

TEST_MAIN(TEST(hash_is_xxh64_at_every_length_and_offset),
          TEST(hash_of_pieces_is_that_of_the_whole),
          TEST(hash_of_zero_bytes_is_the_published_value))
