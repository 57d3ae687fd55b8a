/* test_planes.c
 *
 * Goal: bit planes hold residuals as planes.h describes, and restore them.
 * Method: one small stream computed by hand; random streams of every channel
 *   and count compared with a slow implementation of the definition; planes
 *   stored by the encoder and joined. Buffers have exactly the needed size.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/math/residual.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = 400 };

static uint32_t bits_of(enum channel channel)
{
    return channel == CHANNEL_COLOR ? 8 : 16;
}

/* The residual of a stored number, as a wide integer; and the number of a
 * residual. */
static uint32_t slow_residual(uint32_t z, uint32_t bits)
{
    int64_t r = z % 2 ? ((int64_t)z + 1) / 2 : -(int64_t)z / 2;

    return (uint32_t)r & ((1u << bits) - 1);
}

static void put(enum channel channel, void *residuals, size_t index,
                uint32_t value)
{
    if (channel == CHANNEL_COLOR)
        ((uint8_t *)residuals)[index] = (uint8_t)value;
    else
        ((uint16_t *)residuals)[index] = (uint16_t)value;
}

static void slow_join(enum channel channel, const uint8_t *planes,
                      uint32_t count, void *residuals)
{
    uint32_t n = channel_components(channel);
    uint32_t bits = bits_of(channel);
    uint32_t plane_bytes = count / 8;

    for (uint32_t vertex = 0; vertex < count; vertex++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = vertex * n + k;
            uint32_t z = 0;

            if (vertex >= plane_bytes * 8) {
                z = bits == 8 ? planes[at]
                              : planes[2 * at] + 256u * planes[2 * at + 1];
            } else {
                for (uint32_t b = 0; b < bits; b++) {
                    uint32_t plane = k * bits + (bits - 1 - b);
                    uint8_t byte = planes[plane * plane_bytes + vertex / 8];

                    z |= (uint32_t)(byte >> (vertex % 8) & 1) << b;
                }
            }
            put(channel, residuals, at, slow_residual(z, bits));
        }
}

static void join(enum channel channel, const uint8_t *planes, uint32_t count,
                 void *residuals)
{
    void *spare = aligned_alloc(64, PLANES_SPARE_BYTES);
    struct predict_ops ops;

    spn__predict_ops_init(&ops, 0);
    spn__planes_join(&ops, channel, planes, count, residuals, spare);
    free(spare);
}

/* Nine vertices of two components: u of vertex 0 is 1, of vertex 7 -1, v of
 * vertex 2 is 300. The ninth is in no plane, and has 2 and -2. */
static void planes_match_an_example(void)
{
    uint8_t planes[36] = {0};
    uint16_t residuals[18];
    const uint16_t expected[18] = {1, 0, 0, 0, 0, 300,    0, 0, 0,
                                   0, 0, 0, 0, 0, 0xffff, 0, 2, 0xfffe};

    planes[15] = 0x01; /* u: 1 is stored as 1 */
    planes[14] = 0x80; /* -1 as 2 */
    /* v: 300 as 599 = 0b1001010111 */
    planes[16 + 6] = planes[16 + 9] = planes[16 + 11] = 0x04;
    planes[16 + 13] = planes[16 + 14] = planes[16 + 15] = 0x04;
    planes[32] = 3; /* 2 */
    planes[34] = 4; /* -2 */
    join(CHANNEL_UV, planes, 9, residuals);
    CHECK_MEM(residuals, expected, sizeof expected);
}

static void every_number_maps_to_its_own_residual(void)
{
    static uint8_t seen[65536];
    static uint16_t residuals[65536];
    static uint8_t bytes[65536 * 2];
    uint8_t colors[256];
    uint8_t color_bytes[256];

    /* Fewer than eight vertices have no planes. */
    for (uint32_t z = 0; z < 65536; z += 2) {
        const uint8_t stored[4] = {(uint8_t)z, (uint8_t)(z >> 8),
                                   (uint8_t)(z + 1), (uint8_t)((z + 1) >> 8)};

        join(CHANNEL_UV, stored, 1, residuals + z);
        CHECK_EQ_U(residuals[z], slow_residual(z, 16));
        CHECK_EQ_U(residuals[z + 1], slow_residual(z + 1, 16));
        residual_store(CHANNEL_UV, ORDER_PLANES, residuals + z, 1, bytes);
        CHECK_MEM(bytes, stored, 4);
        seen[residuals[z]] = seen[residuals[z + 1]] = 1;
    }
    for (uint32_t r = 0; r < 65536; r++)
        CHECK_EQ(seen[r], 1);
    for (uint32_t z = 0; z < 256; z += 4) {
        const uint8_t stored[4] = {(uint8_t)z, (uint8_t)(z + 1),
                                   (uint8_t)(z + 2), (uint8_t)(z + 3)};

        join(CHANNEL_COLOR, stored, 1, colors + z);
        for (uint32_t k = 0; k < 4; k++)
            CHECK_EQ_U(colors[z + k], slow_residual(z + k, 8));
        residual_store(CHANNEL_COLOR, ORDER_PLANES, colors + z, 1,
                       color_bytes + z);
        CHECK_MEM(color_bytes + z, stored, 4);
    }
}

static void check_stream(struct test_random *random, enum channel channel,
                         uint32_t count)
{
    size_t bytes = (size_t)count * channel_vertex_bytes(channel);
    uint8_t *planes = malloc(bytes + !bytes);
    uint8_t *residuals = malloc(bytes + !bytes);
    uint8_t *expected = malloc(bytes + !bytes);
    uint8_t *again = malloc(bytes + !bytes);

    for (size_t i = 0; i < bytes; i++)
        planes[i] =
            (uint8_t)(test_random_below(random, 2) ? test_random_u64(random)
                                                   : 0);
    slow_join(channel, planes, count, expected);
    join(channel, planes, count, residuals);
    CHECK_MEM(residuals, expected, bytes);
    residual_store(channel, ORDER_PLANES, residuals, count, again);
    CHECK_MEM(again, planes, bytes);
    free(planes);
    free(residuals);
    free(expected);
    free(again);
}

static void random_planes_agree_with_the_slow_reading(void)
{
    struct test_random random = {31};

    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)
        for (uint32_t count = 0; count < COUNTS; count++) {
            test_context("channel %u count %u", channel, count);
            check_stream(&random, (enum channel)channel, count);
        }
}

static void interleaved_residuals_are_little_endian(void)
{
    const uint16_t residuals[4] = {1, 0x1234, 0xfffe, 0x8000};
    const uint8_t expected[8] = {1, 0, 0x34, 0x12, 0xfe, 0xff, 0, 0x80};
    const uint8_t colors[4] = {1, 2, 3, 4};
    uint8_t bytes[8];

    residual_store(CHANNEL_UV, ORDER_INTERLEAVED, residuals, 2, bytes);
    CHECK_MEM(bytes, expected, 8);
    residual_store(CHANNEL_COLOR, ORDER_INTERLEAVED, colors, 1, bytes);
    CHECK_MEM(bytes, colors, 4);
}

TEST_MAIN(TEST(planes_match_an_example),
          TEST(every_number_maps_to_its_own_residual),
          TEST(random_planes_agree_with_the_slow_reading),
          TEST(interleaved_residuals_are_little_endian))
