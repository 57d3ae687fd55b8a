/* test_endian.c
 *
 * Goal: numbers of files are read and written little-endian, at any address,
 *   on any machine.
 * Method: bytes written by hand at every offset of a buffer; round trips of
 *   limit values. No byte beside the number changes.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/endian.h"

#include <string.h>

static const uint8_t bytes[8] = {0x81, 0x92, 0xA3, 0xB4,
                                 0xC5, 0xD6, 0xE7, 0xF8};

static void endian_loads_the_low_byte_first_from_any_address(void)
{
    uint8_t buffer[32];

    for (size_t at = 0; at < 16; at++) {
        memset(buffer, 0x55, sizeof buffer);
        memcpy(buffer + at, bytes, 8);
        CHECK_EQ_U(spn_load_u16le(buffer + at), 0x9281);
        CHECK_EQ_U(spn_load_u32le(buffer + at), 0xB4A39281u);
        CHECK_EQ_U(spn_load_u64le(buffer + at), 0xF8E7D6C5B4A39281u);
    }
}

static void endian_stores_only_the_bytes_of_the_number(void)
{
    uint8_t buffer[32];
    uint8_t expected[32];

    for (size_t at = 0; at < 16; at++)
        for (size_t size = 2; size <= 8; size *= 2) {
            memset(buffer, 0x55, sizeof buffer);
            memset(expected, 0x55, sizeof expected);
            memcpy(expected + at, bytes, size);
            if (size == 2)
                spn_store_u16le(buffer + at, 0x9281);
            else if (size == 4)
                spn_store_u32le(buffer + at, 0xB4A39281u);
            else
                spn_store_u64le(buffer + at, 0xF8E7D6C5B4A39281u);
            CHECK_MEM(buffer, expected, sizeof buffer);
        }
}

static void endian_floats_are_ieee_754_bits(void)
{
    static const uint8_t one_and_a_half[4] = {0, 0, 0xC0, 0x3F};
    static const uint8_t minus_two[8] = {0, 0, 0, 0, 0, 0, 0, 0xC0};
    uint8_t buffer[8];

    CHECK(spn_load_f32le(one_and_a_half) == 1.5f);
    CHECK(spn_load_f64le(minus_two) == -2.0);
    spn_store_f32le(buffer, 1.5f);
    CHECK_MEM(buffer, one_and_a_half, 4);
    spn_store_f64le(buffer, -2.0);
    CHECK_MEM(buffer, minus_two, 8);
}

static void endian_swap_gives_the_machines_order_at_any_length(void)
{
    for (size_t count = 0; count < 5; count++) {
        uint8_t file[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        uint16_t values[5];

        memcpy(values, file, sizeof values);
        spn_swap_u16le(values, count);
        for (size_t i = 0; i < count; i++)
            CHECK_EQ_U(values[i], spn_load_u16le(file + i * 2));
        CHECK_MEM((const uint8_t *)values + count * 2, file + count * 2,
                  sizeof file - count * 2);
    }
}

TEST_MAIN(TEST(endian_loads_the_low_byte_first_from_any_address),
          TEST(endian_stores_only_the_bytes_of_the_number),
          TEST(endian_floats_are_ieee_754_bits),
          TEST(endian_swap_gives_the_machines_order_at_any_length))
