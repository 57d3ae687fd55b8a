/* test_degrees.c
 *
 * Goal: sine and cosine are correct for angles of every size, with the same
 *   bits on every machine.
 * Method: comparison with the C library, with exact values, and with a golden
 *   hash of many results.
 */
/* SPDX-License-Identifier: MIT */
#include "common/degrees.h"
#include "harness.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void sine_agrees_with_the_c_library(void)
{
    for (int i = -14400; i <= 14400; i++) {
        double degrees = i / 40.0;
        double sine;
        double cosine;

        degrees_sin_cos(degrees, &sine, &cosine);
        test_context("%.3f degrees", degrees);
        /* The library gets a rounded angle. */
        CHECK_NEAR(sine, sin(degrees * PI / 180), 2e-15);
        CHECK_NEAR(cosine, cos(degrees * PI / 180), 2e-15);
        CHECK_NEAR(sine * sine + cosine * cosine, 1, 4e-16);
    }
}

static void sine_is_exact_at_right_angles(void)
{
    static const double sines[4] = {0, 1, 0, -1};

    for (int i = -40; i <= 40; i++) {
        double sine;
        double cosine;

        degrees_sin_cos(90.0 * i, &sine, &cosine);
        test_context("%d quarters", i);
        CHECK(sine == sines[i & 3]);
        CHECK(cosine == sines[(i + 1) & 3]);
    }
}

/* Doubles of this size are whole numbers of turns plus a known remainder. */
static void angle_is_as_good_for_large_angles(void)
{
    double sine[2];
    double cosine[2];

    degrees_sin_cos(30, &sine[0], &cosine[0]);
    degrees_sin_cos(30 + 360.0 * (1 << 20) * 1024, &sine[1], &cosine[1]);
    CHECK(sine[0] == sine[1]);
    CHECK(cosine[0] == cosine[1]);
    degrees_sin_cos(ldexp(45, 200), &sine[0], &cosine[0]);
    CHECK(sine[0] == 0 && cosine[0] == 1);
}

static void angle_of_nan_is_nan(void)
{
    double sine;
    double cosine;

    degrees_sin_cos(INFINITY, &sine, &cosine);
    CHECK(isnan(sine) && isnan(cosine));
    degrees_sin_cos(NAN, &sine, &cosine);
    CHECK(isnan(sine) && isnan(cosine));
}

static void angle_gives_the_same_bits_everywhere(void)
{
    uint64_t hash = 0;

    for (int i = -5000; i < 5000; i++) {
        double pair[2];

        degrees_sin_cos(i * 0.37 + i * 1e-7, &pair[0], &pair[1]);
        for (int k = 0; k < 2; k++) {
            uint64_t bits;

            memcpy(&bits, &pair[k], sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x100000001b3);
        }
    }
    CHECK_EQ_U(hash, UINT64_C(0x38007f0d08bf60f0));
}

TEST_MAIN(TEST(sine_agrees_with_the_c_library),
          TEST(sine_is_exact_at_right_angles),
          TEST(angle_is_as_good_for_large_angles), TEST(angle_of_nan_is_nan),
          TEST(angle_gives_the_same_bits_everywhere))
