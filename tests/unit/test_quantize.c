/* test_quantize.c
 *
 * Goal: dequantized values are within the promised error in single precision,
 *   with as few bits as possible.
 * Method: ranges of many sizes and positions; quantize, dequantize in float,
 *   and compare with the bound.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/math/quantize.h"

#include <float.h>
#include <math.h>

static uint16_t quantize(float value, float min, float size, uint32_t bits)
{
    uint16_t q;

    quantize_values(&value, 1, 1, min, size, bits, &q);
    return q;
}

static void check_range(float min, float max, uint32_t bits,
                        struct test_random *random)
{
    struct quantize_range range = QUANTIZE_NOTHING;
    double bound;
    float size;

    quantize_extend(&range, min);
    quantize_extend(&range, max);
    CHECK(quantize_size(&range, &size));
    bound = quantize_error(min, size, bits);
    for (int i = 0; i < 300; i++) {
        double at = test_random_below(random, 1000001) / 1000000.0;
        float value = (float)(min + at * ((double)max - min));
        float back;

        if (i == 0)
            value = min;
        if (i == 1)
            value = max;
        back = quantize_back(quantize(value, min, size, bits), min, size, bits);
        test_context("min %.9g max %.9g bits %u value %.9g back %.9g bound %g",
                     (double)min, (double)max, bits, (double)value,
                     (double)back, bound);
        CHECK(fabs((double)back - value) <= bound);
    }
}

static void errors_stay_in_the_bound(void)
{
    static const float centres[] = {0, 1, -1, 1000, -12345.678f, 6.4e7f};
    static const float widths[] = {1e-6f, 1e-3f, 1, 17.3f, 1000, 6.4e4f};
    struct test_random random = {3};

    for (int c = 0; c < 6; c++)
        for (int w = 0; w < 6; w++)
            for (uint32_t bits = 1; bits <= 16; bits++)
                check_range(centres[c] - widths[w], centres[c] + widths[w],
                            bits, &random);
}

static void bits_are_the_fewest_possible(void)
{
    bool is_reached;

    /* A metre at a millimetre: 1001 levels need 10 bits; half a step of 9
     * bits is 0.98 mm. */
    CHECK_EQ(quantize_bits(0, 1, 0.0005, &is_reached), 10);
    CHECK(is_reached);
    CHECK_EQ(quantize_bits(0, 1, 0.6, &is_reached), 1);
    CHECK_EQ(quantize_bits(0, 65.5f, 0.0005, &is_reached), 16);
    CHECK(is_reached || quantize_error(0, 65.5f, 16) > 0.0005);
    CHECK_EQ(quantize_bits(0, 70, 0.0005, &is_reached), 16);
    CHECK(!is_reached);
    for (uint32_t bits = 2; bits <= 16; bits++) {
        double error = quantize_error(-3, 11, bits);

        CHECK_EQ(quantize_bits(-3, 11, error, &is_reached), bits);
        CHECK(is_reached);
        CHECK(quantize_error(-3, 11, bits - 1) > error);
    }
}

static void small_ranges_far_away_are_exact(void)
{
    /* Floats are 8 mm apart at 100 km; eleven bits on ten metres are finer. */
    float min = 100000.0f;
    float size = 10.0f;
    bool is_reached;
    uint32_t bits = quantize_bits(min, size, 0.0005, &is_reached);

    CHECK(is_reached);
    for (float value = min; value <= min + size;
         value = nextafterf(value, INFINITY))
        CHECK(quantize_back(quantize(value, min, size, bits), min, size,
                            bits) == value);
}

/* Where floats are farther apart than the steps, values are restored exactly
 * before the step is as small as requested. */
static void steps_are_as_requested_at_any_distance(void)
{
    static const float places[] = {32768, 40000, 100000, 16777216, -40010};
    bool is_reached;

    for (int i = 0; i < 5; i++) {
        test_context("at %g", (double)places[i]);
        /* 10 m in steps of 1 mm. */
        CHECK_EQ(quantize_bits(places[i], 10, 0.0005, &is_reached), 14);
        CHECK(is_reached);
        /* 100 m are too many for 16 bits. */
        CHECK_EQ(quantize_bits(places[i], 100, 0.0005, &is_reached), 16);
        CHECK(!is_reached);
    }
}

static void no_width_takes_one_bit_and_is_exact(void)
{
    bool is_reached;

    CHECK_EQ(quantize_bits(3.25f, 0, 0, &is_reached), 1);
    CHECK(is_reached);
    CHECK_EQ(quantize(3.25f, 3.25f, 0, 1), 0);
    CHECK(quantize_back(0, 3.25f, 0, 1) == 3.25f);
}

static void sizes_reach_the_far_end_or_are_refused(void)
{
    struct test_random random = {9};
    struct quantize_range huge = {-FLT_MAX, FLT_MAX};
    float size;

    for (int i = 0; i < 10000; i++) {
        float a = (float)test_random_below(&random, 1 << 30) / 977.0f;
        float b = (float)test_random_below(&random, 1 << 30) / -31.0f;
        struct quantize_range range = {b, a};

        CHECK(quantize_size(&range, &size));
        CHECK(b + size >= a);
    }
    CHECK(!quantize_size(&huge, &size));
}

static void colors_round_and_clamp(void)
{
    CHECK_EQ(quantize_color(0), 0);
    CHECK_EQ(quantize_color(1), 255);
    CHECK_EQ(quantize_color(-5), 0);
    CHECK_EQ(quantize_color(1e30f), 255);
    for (int i = 0; i < 256; i++)
        CHECK_EQ(quantize_color((float)i / 255), i);
    CHECK_EQ(quantize_color(0.499f / 255), 0);
    CHECK_EQ(quantize_color(0.501f / 255), 1);
}

TEST_MAIN(TEST(errors_stay_in_the_bound), TEST(bits_are_the_fewest_possible),
          TEST(small_ranges_far_away_are_exact),
          TEST(steps_are_as_requested_at_any_distance),
          TEST(no_width_takes_one_bit_and_is_exact),
          TEST(sizes_reach_the_far_end_or_are_refused),
          TEST(colors_round_and_clamp))
