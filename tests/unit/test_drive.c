/* test_drive.c
 *
 * Goal: the disc's arithmetic reproduces the known reference points of each
 *   drive, within a microsecond where the formula is exact.
 * Method: points from the formulas of Dolphin and PCSX2, the published
 *   figures of the Xbox 360, a data sheet, the HP 97560 of Ruemmler and Wilkes,
 *   and the measured table of the PC Engine.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "harness.h"

#include <string.h>

#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)

static const spn_drive_profile *find(const char *name)
{
    const spn_drive_profile *p = spn_drive_profile_find(name);

    CHECK(p != NULL);
    test_context("%s", name);
    return p;
}

static void check_seek(const spn_drive_profile *p, uint64_t from, uint64_t to,
                       double ms, double tolerance_us)
{
    test_context("%s: %llu to %llu", p->name, (unsigned long long)from,
                 (unsigned long long)to);
    CHECK_NEAR(spn__drive_seek_us(p, from, to), ms * 1000, tolerance_us);
    CHECK_NEAR(spn__drive_seek_us(p, to, from), ms * 1000, tolerance_us);
}

/* The offset at a fraction of the stroke. */
static uint64_t offset_at(const spn_drive_profile *p, double part)
{
    double in = p->radius_in_um;
    double out = p->radius_out_um;
    double r = in + part * (out - in);

    return (uint64_t)((r * r - in * in) / (out * out - in * in) *
                      (double)p->layer_bytes);
}

static void drive_wii_is_dolphins(void)
{
    const spn_drive_profile *p = find("wii_dvd6x");
    uint64_t end = p->layer_bytes;

    CHECK_EQ(spn__drive_radius_nm(p, 0), 24000000);
    CHECK_NEAR(spn__drive_radius_nm(p, GIB), 34827000, 500);
    CHECK_EQ(spn__drive_radius_nm(p, end), 58000000);
    check_seek(p, 0, 32768, 35.020, 1);
    check_seek(p, 0, MIB, 35.648, 1);
    check_seek(p, 0, 100 * MIB, 80.682, 1);
    check_seek(p, 0, GIB, 123.723, 1);
    check_seek(p, GIB, 3 * GIB, 142.683, 1);
    check_seek(p, end - 1, 0, 228.000, 1);
    CHECK_EQ(spn__drive_turn_us(p, GIB), 17544);
    CHECK_EQ(spn__drive_rate(p, 0), 3649044);
    CHECK_EQ(spn__drive_rate(p, end), 8818524);
    /* The curve drops at one millimetre, as in Dolphin. */
    CHECK_EQ(spn__drive_curve_us(&p->seek, 999999), 85000);
    CHECK_EQ(spn__drive_curve_us(&p->seek, 1000000), 79500);
    CHECK_EQ(spn__drive_curve_us(&p->seek, 0), 35000);
}

static void drive_gamecube_is_dolphins(void)
{
    const spn_drive_profile *p = find("gc_dvd3x");

    check_seek(p, 0, 1459978240, 138.000, 1);
    check_seek(p, 0, 486659413, 99.374, 1);
    CHECK_EQ(spn__drive_rate(p, 0), 2202010);
    CHECK_EQ(spn__drive_rate(p, 1459978240), 3486515);
    CHECK_EQ(spn__drive_turn_us(p, 0), 35088);
    CHECK_EQ(p->buffer_bytes, 480 * 1024);
}

/* Everything except the buffer is the same. */
static void drive_gamecube_shares_its_buffer_with_sound(void)
{
    spn_drive_profile p = *find("gc_dvd3x_audio");
    const spn_drive_profile *silent = find("gc_dvd3x");

    CHECK_EQ(p.buffer_bytes, 160 * 1024);
    p.buffer_bytes = silent->buffer_bytes;
    memcpy(p.name, silent->name, sizeof p.name);
    memcpy(p.about, silent->about, sizeof p.about);
    CHECK_MEM(&p, silent, sizeof p);
}

static void drive_360_has_the_quoted_figures(void)
{
    const spn_drive_profile *p = find("x360_dvd12x");
    uint32_t half = spn__drive_turn_us(p, 0) / 2;
    uint64_t middle = p->layer_bytes / 2;

    CHECK_NEAR(spn__drive_seek_us(p, 0, offset_at(p, 1.0 / 3)) + half, 110000,
               50);
    CHECK_NEAR(spn__drive_seek_us(p, 0, p->layer_bytes - 1) + half, 180000,
               100);
    check_seek(p, middle, 2 * p->layer_bytes - middle, 75.0, 0);
    CHECK_EQ(spn__drive_rate(p, 0), 6800000);
    CHECK_EQ(spn__drive_rate(p, p->layer_bytes), 15000000);
}

static void drive_ps2_is_pcsx2s(void)
{
    const spn_drive_profile *p = find("ps2_dvd4x");

    check_seek(p, 0, 2048, 30, 0);
    check_seek(p, 2048000, 2048000 + 14764ull * 2048, 30, 0);
    check_seek(p, 2048000, 2048000 + 14765ull * 2048, 100, 0);
    CHECK_EQ(spn__drive_disc_bytes(p), 2298496ull * 2048);
    CHECK_EQ(spn__drive_rate(p, 0), 2211840);
    CHECK_EQ(spn__drive_rate(p, UINT64_MAX), 5529600);
    /* The rate grows linearly with the offset, not the radius. The seek
     * includes the rotation. */
    CHECK_EQ(spn__drive_rate(p, p->layer_bytes / 2), (2211840 + 5529600) / 2);
    CHECK_EQ(spn__drive_rotate_us(p, 123456789, 4711), 0);
    p = find("ps2_dvd4x_dual");
    check_seek(p, 2048000, 2048000 + 13360ull * 2048, 30, 0);
    check_seek(p, 2048000, 2048000 + 13361ull * 2048, 100, 0);
    check_seek(p, p->layer_bytes - 2048, p->layer_bytes, 75, 0);
    CHECK_EQ(spn__drive_disc_bytes(p), 4173824ull * 2048);
    CHECK_EQ(spn__drive_rate(p, 0), 2211840);
    CHECK_EQ(spn__drive_rate(p, p->layer_bytes), 5529600);
    CHECK_EQ(spn__drive_rate(p, 2 * p->layer_bytes), 2211840);
    p = find("ps2_cd24x");
    check_seek(p, 2048000, 2048000 + 4371ull * 2048, 30, 0);
    check_seek(p, 2048000, 2048000 + 4372ull * 2048, 100, 0);
    CHECK_EQ(spn__drive_disc_bytes(p), 360000ull * 2048);
    CHECK_EQ(spn__drive_rate(p, 0), 1474560);
    CHECK_EQ(spn__drive_rate(p, UINT64_MAX), 24 * 153600);
}

static void drive_hard_disk_is_its_data_sheet(void)
{
    const spn_drive_profile *p = find("hdd_5400");

    CHECK_NEAR(spn__drive_seek_us(p, 0, offset_at(p, 1.0 / 3)), 12000, 50);
    CHECK_NEAR(spn__drive_seek_us(p, 0, p->layer_bytes), 20000, 50);
    CHECK_EQ(spn__drive_seek_us(p, 4096, 4096), 1000);
    CHECK_EQ(spn__drive_turn_us(p, 0), 11111);
}

static void drive_curves_have_roots_and_slopes(void)
{
    /* HP 97560, in cylinders. */
    spn_drive_curve hp = {.unit = 1,
                          .near_limit = 384,
                          .near_piece = {3240, 0, 400},
                          .far_piece = {8000, 8, 0}};

    CHECK_NEAR(spn__drive_curve_us(&hp, 1), 3640, 1);
    CHECK_NEAR(spn__drive_curve_us(&hp, 100), 7240, 1);
    CHECK_NEAR(spn__drive_curve_us(&hp, 383), 11068, 1);
    CHECK_NEAR(spn__drive_curve_us(&hp, 384), 11072, 1);
    CHECK_NEAR(spn__drive_curve_us(&hp, 1961), 23688, 1);
    /* Large distances lose precision but do not overflow. */
    hp.near_limit = UINT64_MAX;
    CHECK_NEAR(spn__drive_curve_us(&hp, 1000000), 403240, 1);
    CHECK_NEAR(spn__drive_curve_us(&hp, 1000000000000), 400003240, 1);
    CHECK_EQ(spn__drive_curve_us(&hp, UINT64_MAX - 1), DRIVE_US_MAX);
}

static void drive_pc_engine_is_the_measured_table(void)
{
    static const struct {
        uint32_t from;
        uint32_t to;
        double ms;
    } points[] = {
        {0, 3, 216.74},           {0, 500, 332.73},     {0, 5000, 503.33},
        {0, 50000, 929.95},       {0, 110000, 1298.69}, {0, 333000, 2308.01},
        {150000, 200000, 787.57}, {0, 1, 50},
    };
    const spn_drive_profile *p = find("pce_cd1x");

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        test_context("%u to %u", points[i].from, points[i].to);
        CHECK_NEAR(spn__drive_seek_us(p, points[i].from * 2048ull,
                                      points[i].to * 2048ull),
                   points[i].ms * 1000, 10);
    }
    CHECK_EQ(spn__drive_turn_us(p, 0), 133470);
    CHECK_EQ(spn__drive_turn_us(p, 333012 * 2048ull), 306990);
}

static void drive_clv_rotation_slows_down_outwards(void)
{
    const spn_drive_profile *p = find("ps3_bd2x");

    CHECK_EQ(spn__drive_turns_mhz(p, 0), 65200);
    CHECK_NEAR(spn__drive_turns_mhz(p, p->layer_bytes), 27000, 50);
    CHECK_EQ(spn__drive_rate(p, 0), 9000000);
    CHECK_EQ(spn__drive_rate(p, p->layer_bytes), 9000000);
    p = find("ps1_cd2x");
    CHECK_NEAR(spn__drive_turns_mhz(p, p->layer_bytes), 7155, 10);
    CHECK_EQ(spn__drive_rate(p, 0), 307200);
}

/* In every profile radii rise along the first layer and fall in the same way
 * along the second. */
static void drive_layers_lie_one_over_the_other(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        uint64_t disc = spn__drive_disc_bytes(p);
        uint32_t before = 0;

        test_context("%s", p->name);
        CHECK_EQ(spn__drive_radius_nm(p, 0), p->radius_in_um * 1000);
        for (uint64_t k = 0; k <= 1000; k++) {
            uint64_t offset = p->layer_bytes / 1000 * k;
            uint32_t r = spn__drive_radius_nm(p, offset);

            CHECK(r > before);
            before = r;
            if (p->layers == 2 && offset < p->layer_bytes)
                CHECK_EQ(spn__drive_radius_nm(p, disc - offset), r);
        }
        CHECK_EQ(spn__drive_radius_nm(p, UINT64_MAX),
                 spn__drive_radius_nm(p, disc));
    }
}

/* The wait is the time until the sector arrives: a microsecond later it is one
 * less. */
static void drive_rotation_wraps_around(void)
{
    const spn_drive_profile *p = find("x360_dvd12x");
    uint32_t turn = spn__drive_turn_us(p, 0);
    uint32_t longest = 0;

    for (uint64_t t = 0; t < 3ull * turn; t += 7) {
        uint32_t wait = spn__drive_rotate_us(p, 123456789, t);

        CHECK(wait <= turn);
        if (wait > longest)
            longest = wait;
        /* After the wait the sector has arrived, or has just passed. */
        CHECK((spn__drive_rotate_us(p, 123456789, t + wait) + 2) % turn <= 4);
    }
    CHECK(longest > turn - 10);
    /* At 114 turns a second the wait is the same after any number of whole
     * seconds. */
    CHECK_EQ(spn__drive_rotate_us(p, 4711, 1234),
             spn__drive_rotate_us(p, 4711, 1234 + 5000000));
    CHECK_EQ(spn__drive_rotate_us(p, 4711, 1234),
             spn__drive_rotate_us(p, 4711, 1234 + 18446744073000000000ull));
}

/* The time of a range is the sum of its parts for any length of parts, and so
 * lies between the times at the rates of its ends. On the second layer the way
 * back takes the same time. */
static void drive_reads_at_the_rates_of_the_range(void)
{
    static const uint32_t parts[] = {32768, 1048576, 8388608, 50331648};
    const uint64_t bytes = 96 * 8 * MIB;
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        uint64_t start = p->layer_bytes / 5;
        uint32_t whole;

        test_context("%s", p->name);
        if (p->layer_bytes - start < bytes)
            continue;
        whole = spn__drive_transfer_us(p, start, bytes);
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            double sum = 0;

            for (uint64_t at = 0; at < bytes; at += parts[k])
                sum += spn__drive_transfer_us(p, start + at, parts[k]);
            /* Each part is rounded, and the whole range is integrated in coarse
             * pieces. */
            CHECK_NEAR(whole, sum, (double)bytes / parts[k] / 2 + sum * 5e-6);
        }
        CHECK((double)whole <=
              (double)bytes * 1e6 / spn__drive_rate(p, start) + 64);
        CHECK((double)whole >=
              (double)bytes * 1e6 / spn__drive_rate(p, start + bytes) - 64);
        if (p->layers == 2)
            CHECK_NEAR(spn__drive_transfer_us(
                           p, 2 * p->layer_bytes - start - bytes, bytes),
                       whole, whole * 1e-6);
    }
    /* Over the whole layer the mean radius is weighted by area. */
    p = find("gc_dvd3x");
    CHECK_NEAR(spn__drive_transfer_us(p, 0, p->layer_bytes),
               1e6 * 2 * 1459978240.0 / (2202010.0 + 3486515.0), 30000);
    CHECK_EQ(spn__drive_transfer_us(p, 0, UINT64_MAX), DRIVE_US_MAX);
    CHECK_EQ(spn__drive_transfer_us(p, UINT64_MAX, UINT64_MAX), DRIVE_US_MAX);
    CHECK_EQ(spn__drive_transfer_us(p, 0, 0), 0);
}

static void drive_expected_time_is_the_charged_time(void)
{
    const spn_drive_profile *p = find("x360_dvd12x");
    uint64_t head = GIB;

    CHECK_EQ(spn__drive_expect_us(p, head, head), 0);
    CHECK_EQ(spn__drive_expect_us(p, head, head - 65536), 0);
    CHECK(spn__drive_expect_us(p, head, head - 65537) > 35000);
    /* Reading through a gap is cheaper while it takes less time than a seek. */
    CHECK_EQ(spn__drive_expect_us(p, head, head + 100000),
             spn__drive_transfer_us(p, head, 100000));
    CHECK_EQ(spn__drive_expect_us(p, head, head + 1048576),
             spn__drive_seek_us(p, head, head + 1048576) +
                 spn__drive_turn_us(p, head) / 2);
    CHECK(spn__drive_expect_us(p, head, head + 1048577) < 45000);
}

TEST_MAIN(TEST(drive_wii_is_dolphins), TEST(drive_gamecube_is_dolphins),
          TEST(drive_gamecube_shares_its_buffer_with_sound),
          TEST(drive_360_has_the_quoted_figures), TEST(drive_ps2_is_pcsx2s),
          TEST(drive_hard_disk_is_its_data_sheet),
          TEST(drive_curves_have_roots_and_slopes),
          TEST(drive_pc_engine_is_the_measured_table),
          TEST(drive_clv_rotation_slows_down_outwards),
          TEST(drive_layers_lie_one_over_the_other),
          TEST(drive_rotation_wraps_around),
          TEST(drive_reads_at_the_rates_of_the_range),
          TEST(drive_expected_time_is_the_charged_time))
