/* test_fill_pack.c
 *
 * Goal: every format rounds to nearest, ties to even, up to its limits.
 * Method: values with a known packed form are given to the packing functions
 *   alone.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "fill/fill_pack.h"

#include <math.h>
#include <string.h>

static void halfs_round_to_nearest_even(void)
{
    /* value, half: exact, ties to even both ways, carry into the exponent,
     * the largest, the first that overflows, subnormals and their ties. */
    static const struct {
        float value;
        uint32_t half;
    } cases[] = {
        {0.0f, 0},
        {1.0f, 0x3c00},
        {-2.0f, 0xc000},
        {0x1.002p0f, 0x3c00},    /* half a step: to even, rounded down */
        {0x1.006p0f, 0x3c02},    /* to even, rounded up */
        {0x1.002002p0f, 0x3c01}, /* a little more than half a step */
        {0x1.ffep0f, 0x4000},    /* carries into the exponent */
        {65504.0f, 0x7bff},
        {65519.996f, 0x7bff},
        {65520.0f, 0x7c00},
        {-65536.0f, 0xfc00},
        {3e38f, 0x7c00},
        {INFINITY, 0x7c00},
        {0x1p-14f, 0x0400},
        {0x1.ff8p-15f, 0x03ff},
        /* tie: rounded up to the smallest normal number */
        {0x1.ffcp-15f, 0x0400},
        {0x1p-24f, 0x0001},
        {0x1p-25f, 0x0000}, /* tie: rounded to even */
        {0x1.8p-24f, 0x0002},
        {0x1.000002p-25f, 0x0001},
        {1e-40f, 0x0000},
        {NAN, 0x7e00},
    };
    const uint32_t count = sizeof cases / sizeof cases[0];
    uint32_t in[2 * 32] = {0};
    uint32_t out[32];
    struct fill_ops ops;

    spn__fill_ops_init(&ops, 0);
    for (uint32_t i = 0; i < count; i++) {
        in[i] = fill_word(cases[i].value);
        in[32 + i] = fill_word(-1);
    }
    ops.pack[SPN_FORMAT_F16X2](out, in, 32, count);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t halfs[2];

        test_context("%a", (double)cases[i].value);
        memcpy(halfs, &out[i], sizeof halfs);
        CHECK_EQ_U(halfs[0] & 0x7fff, cases[i].half & 0x7fff);
        if (cases[i].value == cases[i].value)
            CHECK_EQ_U(halfs[0], cases[i].half);
        CHECK_EQ_U(halfs[1], 0xbc00);
    }
}

/* Pack one value in all four columns. */
static void pack(spn_format format, float value, uint32_t out[2])
{
    uint32_t in[4 * FILL_LANES] = {0};
    uint32_t words[2 * FILL_LANES] = {0};
    struct fill_ops ops;

    for (uint32_t k = 0; k < 4; k++)
        in[k * FILL_LANES] = fill_word(value);
    spn__fill_ops_init(&ops, 0);
    ops.pack[format](words, in, FILL_LANES, 1);
    out[0] = words[0];
    out[1] = words[FILL_LANES];
}

static void check_snorm(float value, int at8, int at10, int at16)
{
    uint32_t out[2];
    int8_t bytes[4];
    int16_t shorts[2];
    const uint32_t ten = (uint32_t)at10 & 1023u;

    test_context("%a", (double)value);
    pack(SPN_FORMAT_SNORM8X4, value, out);
    memcpy(bytes, out, 4);
    for (int k = 0; k < 4; k++)
        CHECK_EQ(bytes[k], at8);
    pack(SPN_FORMAT_SNORM16X4, value, out);
    for (int half = 0; half < 2; half++) {
        memcpy(shorts, &out[half], 4);
        CHECK_EQ(shorts[0], at16);
        CHECK_EQ(shorts[1], at16);
    }
    pack(SPN_FORMAT_SNORM10X3_2, value, out);
    CHECK_EQ_U(out[0] & 0x3fffffffu, ten | ten << 10 | ten << 20);
}

static void snorms_are_symmetric_and_round_to_even(void)
{
    check_snorm(0, 0, 0, 0);
    check_snorm(1, 127, 511, 32767);
    check_snorm(-1, -127, -511, -32767);
    /* the length error of a unit vector */
    check_snorm(0x1.000002p0f, 127, 511, 32767);
    check_snorm(-0x1.000002p0f, -127, -511, -32767);
    check_snorm(0.5f, 64, 256, 16384); /* 63.5, 255.5, 16383.5 */
    check_snorm(-0.5f, -64, -256, -16384);
    check_snorm(2.0f / 511, 0, 2, 128);
}

static void ten_bit_w_has_one_zero_and_minus_one(void)
{
    uint32_t out[2];

    pack(SPN_FORMAT_SNORM10X3_2, 1, out);
    CHECK_EQ_U(out[0] >> 30, 1);
    pack(SPN_FORMAT_SNORM10X3_2, 0, out);
    CHECK_EQ_U(out[0] >> 30, 0);
    pack(SPN_FORMAT_SNORM10X3_2, -1, out);
    CHECK_EQ_U(out[0] >> 30, 3);
}

static void check_unorm16(float value, uint32_t expected)
{
    uint32_t out[2];

    test_context("%a", (double)value);
    pack(SPN_FORMAT_UNORM16X2, value, out);
    CHECK_EQ_U(out[0], expected | expected << 16);
}

static void unorm16_clamps_to_zero_and_one(void)
{
    check_unorm16(0, 0);
    check_unorm16(-0.0f, 0);
    check_unorm16(-1e-20f, 0);
    check_unorm16(-INFINITY, 0);
    check_unorm16(NAN, 0);
    check_unorm16(1, 65535);
    check_unorm16(1.00001f, 65535);
    check_unorm16(INFINITY, 65535);
    check_unorm16(0.5f, 32768); /* 32767.5 */
    check_unorm16(0.49f / 65535, 0);
    check_unorm16(0.51f / 65535, 1);
    check_unorm16(12345.0f / 65535, 12345);
}

static void colors_keep_their_order(void)
{
    uint32_t in[4 * FILL_LANES] = {0};
    uint32_t out[FILL_LANES];
    const uint8_t rgba[4] = {10, 200, 255, 4};
    const uint8_t bgra[4] = {255, 200, 10, 4};
    struct fill_ops ops;

    in[0] = fill_word(10.5f); /* to even */
    in[FILL_LANES] = fill_word(199.6f);
    in[2 * FILL_LANES] = fill_word(255);
    in[3 * FILL_LANES] = fill_word(3.5f);
    spn__fill_ops_init(&ops, 0);
    ops.pack[SPN_FORMAT_UNORM8X4](out, in, FILL_LANES, 1);
    CHECK_MEM(out, rgba, 4);
    ops.pack[SPN_FORMAT_UNORM8X4_BGRA](out, in, FILL_LANES, 1);
    CHECK_MEM(out, bgra, 4);
}

TEST_MAIN(TEST(halfs_round_to_nearest_even),
          TEST(snorms_are_symmetric_and_round_to_even),
          TEST(ten_bit_w_has_one_zero_and_minus_one),
          TEST(unorm16_clamps_to_zero_and_one), TEST(colors_keep_their_order))
