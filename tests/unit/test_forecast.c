/* test_forecast.c
 *
 * Goal: the predicted times are those of the drive's arithmetic, for every
 *   profile. Completed reads correct the prediction, and no single read spoils
 *   it.
 * Method: comparison with spn__drive_seek_us and related functions between
 *   any two positions; drives that differ from the assumed profile; every
 *   extreme.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "disc/drive_disc.h"
#include "disc/forecast.h"
#include <math.h>

#define PAIRS 2000u

static struct forecast forecast;

static struct forecast_place place_at(uint64_t offset)
{
    struct forecast_place place;

    spn__forecast_place(&forecast, offset, &place);
    return place;
}

static uint32_t position_us(uint64_t head, uint64_t to)
{
    struct forecast_place a = place_at(head);
    struct forecast_place b = place_at(to);

    return spn__forecast_position_us(&forecast, &a, &b);
}

static uint64_t any_offset(struct test_random *random,
                           const spn_drive_profile *p)
{
    return test_random_u64(random) % spn__drive_disc_bytes(p);
}

/* Exact time of a seek and half a rotation, without the transfer. */
static double exact_us(const spn_drive_profile *p, uint64_t from, uint64_t to)
{
    double us = spn__drive_seek_us(p, from, to);

    us -= spn__drive_in_seek_us(p, to);
    return p->motion == SPN_DRIVE_ZONES ? us
                                        : us + spn__drive_turn_us(p, to) / 2;
}

static void forecast_agrees_with_the_drive(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        struct test_random random = {i + 1};

        spn__forecast_init(&forecast, p);
        for (uint32_t n = 0; n < PAIRS; n++) {
            uint64_t from = any_offset(&random, p);
            uint64_t near =
                n % 3 == 0 ? any_offset(&random, p)
                           : from + (test_random_u64(&random) >> (30 + n % 30));
            uint64_t to = near % spn__drive_disc_bytes(p);
            double exact = exact_us(p, from, to);

            if (to <= from && from <= to + 2 * p->ecc_bytes)
                continue;
            if (to > from && to <= from + p->buffer_bytes) {
                double gap =
                    (double)(to - from) * 1e6 / spn__drive_rate(p, from);

                exact = exact < gap ? exact : gap;
            }
            test_context("%s: from %llu to %llu", p->name,
                         (unsigned long long)from, (unsigned long long)to);
            /* Linear curves are exact. A square root is approximated by chords
             * of an eighth of an octave. */
            CHECK_NEAR(position_us(from, to), exact, 3 + exact / 500);
        }
    }
}

/* A seek across the whole disc, also where its size is a power of two, so that
 * the longest distance is the last sample of the curve. */
static void forecast_bounds_the_longest_seek(void)
{
    static const uint64_t discs[] = {
        65536, (uint64_t)1 << 33, ((uint64_t)1 << 33) + 1, (uint64_t)1 << 46};

    for (uint32_t i = 0; i < sizeof discs / sizeof discs[0]; i++) {
        spn_drive_profile p = *spn_drive_profile_find("x360_dvd12x");
        const char *what = "";

        p.distance = SPN_DRIVE_BY_BYTES;
        p.layers = 1;
        p.layer_bytes = discs[i];
        p.ecc_bytes = 1;
        p.buffer_bytes = 0;
        p.seek.near_piece = (spn_drive_piece){1000, 20000, 0};
        p.seek.far_piece = p.seek.near_piece;
        p.seek.unit = discs[i];
        CHECK_EQ(spn_drive_profile_check(&p, &what), SPN_OK);
        spn__forecast_init(&forecast, &p);
        test_context("a disc of %llu bytes", (unsigned long long)discs[i]);
        CHECK(spn__drive_seek_us(&p, 0, discs[i]) > 15000);
        CHECK_NEAR(position_us(0, discs[i]), exact_us(&p, 0, discs[i]), 2);
        CHECK_NEAR(position_us(discs[i], 0), exact_us(&p, discs[i], 0), 2);
    }
}

static void forecast_reads_on_through_a_gap(void)
{
    const spn_drive_profile *p = spn_drive_profile_find("x360_dvd12x");
    uint32_t rate = spn__drive_rate(p, 1 << 30);
    uint64_t head = (uint64_t)1 << 30;

    spn__forecast_init(&forecast, p);
    CHECK_EQ(position_us(head, head), 0);
    CHECK_EQ(position_us(head, head - 2 * p->ecc_bytes), 0);
    CHECK(position_us(head, head - 2 * p->ecc_bytes - 1) > 35000);
    CHECK_NEAR(position_us(head, head + 100000), 1e11 / rate, 2);
    /* Reading through a gap is used up to the gap that takes longer than a
     * seek. */
    CHECK_NEAR(position_us(head, head + p->buffer_bytes),
               exact_us(p, head, head + p->buffer_bytes), 100);
    CHECK(position_us(head, head + p->buffer_bytes) <
          p->buffer_bytes * 1e6 / rate);
    CHECK_NEAR(position_us(head, head + p->buffer_bytes + 1), 35000 + 4386,
               5000);
}

/* The forecast uses the rate at the start of the read, in whole microseconds a
 * MiB. Its error is the difference to the other rates of the range. */
static double rounding_us(const spn_drive_profile *p, uint64_t offset,
                          uint64_t bytes)
{
    bool turns_back = p->layers > 1 && offset < p->layer_bytes &&
                      offset + bytes > p->layer_bytes;
    double first = spn__drive_rate(p, offset);
    double last = spn__drive_rate(p, offset + bytes);
    double fastest = turns_back ? p->rate_out : fmax(first, last);

    return (double)bytes * 1e6 * (1 / fmin(first, last) - 1 / fastest) +
           (double)bytes / 1048576 + 2;
}

static void forecast_knows_rates_and_blocks(void)
{
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        struct test_random random = {i + 1};

        spn__forecast_init(&forecast, p);
        for (uint32_t n = 0; n < 200; n++) {
            uint64_t offset = any_offset(&random, p);
            uint64_t bytes = 1 + test_random_below(&random, 4000000);
            struct forecast_place begin;
            struct forecast_place end;

            spn__forecast_range(&forecast, offset, bytes, &begin, &end);
            test_context("%s: %llu bytes at %llu", p->name,
                         (unsigned long long)bytes, (unsigned long long)offset);
            CHECK_EQ_U(begin.offset % p->ecc_bytes, 0);
            CHECK(begin.offset <= offset);
            CHECK(begin.offset + p->ecc_bytes > offset);
            if (end.offset < spn__drive_disc_bytes(p)) {
                CHECK_EQ_U(end.offset % p->ecc_bytes, 0);
                CHECK(end.offset >= offset + bytes);
                CHECK(end.offset - p->ecc_bytes < offset + bytes);
            }
            bytes = end.offset - begin.offset;
            CHECK_NEAR(spn__forecast_transfer_us(&forecast, &begin, bytes),
                       p->command_us +
                           spn__drive_transfer_us(p, begin.offset, bytes),
                       2 + rounding_us(p, begin.offset, bytes));
        }
    }
}

/* Report one read of `bytes` on the real drive, with the head elsewhere
 * before. */
static void learn_from(const spn_drive_profile *real, uint64_t from,
                       uint64_t to, uint64_t bytes)
{
    struct forecast_place head = place_at(from);
    struct forecast_place begin;
    struct forecast_place end;
    double us;

    spn__forecast_range(&forecast, to, bytes, &begin, &end);
    us = exact_us(real, from, begin.offset) + real->command_us +
         spn__drive_transfer_us(real, begin.offset, end.offset - begin.offset);
    spn__forecast_learn(&forecast, &head, &begin, &end, (uint64_t)us);
}

/* A profile in which all seeks take the same time, which is the worst profile
 * error. */
static spn_drive_profile flat_drive(uint32_t seek_us)
{
    spn_drive_profile flat = *spn_drive_profile_find("x360_dvd12x");

    flat.seek.near_piece = (spn_drive_piece){seek_us, 0, 0};
    flat.seek.far_piece = flat.seek.near_piece;
    flat.layer_us = 0;
    return flat;
}

static void forecast_learns_a_curve_from_reads(void)
{
    static const uint32_t beliefs_us[] = {1000, 100000, 400000};
    const spn_drive_profile *real = spn_drive_profile_find("x360_dvd12x");

    for (uint32_t i = 0; i < 3; i++) {
        spn_drive_profile flat = flat_drive(beliefs_us[i]);
        struct test_random random = {7};

        spn__forecast_init(&forecast, &flat);
        for (uint32_t n = 0; n < 4000; n++)
            learn_from(real, any_offset(&random, real) / 2,
                       any_offset(&random, real) / 2, 262144);
        for (uint32_t n = 0; n < 200; n++) {
            uint64_t from = any_offset(&random, real) / 2;
            uint64_t to = any_offset(&random, real) / 2;

            test_context("seeks of %u us: from %llu to %llu", beliefs_us[i],
                         (unsigned long long)from, (unsigned long long)to);
            if (to > from && to - from <= real->buffer_bytes)
                continue;
            /* A bucket is a quarter of the stroke at most, so 8.5 mm to either
             * side of its middle, at 3.1 ms each mm. The means fluctuate. */
            CHECK_NEAR(position_us(from, to), exact_us(real, from, to), 18000);
        }
    }
}

static void forecast_learns_the_change_of_layer(void)
{
    const spn_drive_profile *real = spn_drive_profile_find("x360_dvd12x");
    spn_drive_profile flat = flat_drive(10000);

    spn__forecast_init(&forecast, &flat);
    for (uint32_t n = 0; n < 100; n++)
        learn_from(real, real->layer_bytes - 3000000,
                   real->layer_bytes + 3000000, 65536);
    CHECK_NEAR(
        position_us(real->layer_bytes - 3000000, real->layer_bytes + 3000000),
        75000 + 4386, 300);
    /* Near seeks on one layer are not affected. */
    CHECK_NEAR(position_us(5000000, 1000000), 10000 + 4386, 300);
}

static void forecast_learns_the_rate_from_continued_reads(void)
{
    const spn_drive_profile *p = spn_drive_profile_find("x360_dvd12x");
    uint64_t at = (uint64_t)1 << 30;
    struct forecast_place head;
    struct forecast_place end;
    uint32_t before_us;

    spn__forecast_init(&forecast, p);
    head = place_at(at);
    end = place_at(at + 1048576);
    before_us = spn__forecast_transfer_us(&forecast, &head, 1048576);
    for (uint32_t n = 0; n < 60; n++)
        spn__forecast_learn(&forecast, &head, &head, &end, 2 * before_us);
    CHECK_NEAR(spn__forecast_transfer_us(&forecast, &head, 1048576),
               2.0 * before_us, before_us / 20);
    /* Times of positioning are unchanged. */
    CHECK_NEAR(position_us(5000000, 1000000), exact_us(p, 5000000, 1000000), 3);
}

/* A continued read has no seek, and a short read measures mostly the
 * command. */
static void forecast_learns_no_rate_from_short_reads(void)
{
    const spn_drive_profile *p = spn_drive_profile_find("x360_dvd12x");
    const uint64_t at = (uint64_t)1 << 30;
    struct forecast_place head;
    struct forecast_place end;
    uint32_t before_us;

    spn__forecast_init(&forecast, p);
    head = place_at(at);
    CHECK_EQ_U(spn__forecast_seek_us(&forecast, &head, &head), 0);
    before_us = spn__forecast_transfer_us(&forecast, &head, 1048576);
    for (uint32_t bytes = 65535; bytes <= 65536; bytes++) {
        end = head;
        end.offset += bytes;
        for (uint32_t n = 0; n < 60; n++)
            spn__forecast_learn(&forecast, &head, &head, &end, 60000000);
        CHECK_EQ(spn__forecast_transfer_us(&forecast, &head, 1048576) ==
                     before_us,
                 bytes < 65536);
    }
}

static void forecast_forgets_a_read_that_failed(void)
{
    const spn_drive_profile *p = spn_drive_profile_find("x360_dvd12x");
    struct forecast_place head;
    struct forecast_place begin;
    struct forecast_place end;
    uint32_t before_us;

    spn__forecast_init(&forecast, p);
    head = place_at(0);
    spn__forecast_range(&forecast, (uint64_t)3 << 30, 65536, &begin, &end);
    before_us = spn__forecast_position_us(&forecast, &head, &begin);
    spn__forecast_learn(&forecast, &head, &begin, &end, 60000000);
    /* The correction is an eighth of the error, which is clipped to half of the
     * time plus 20 ms. */
    CHECK(spn__forecast_position_us(&forecast, &head, &begin) <=
          before_us + before_us / 16 + 2500);
    for (uint32_t n = 0; n < 60; n++)
        learn_from(p, 0, (uint64_t)3 << 30, 65536);
    CHECK_NEAR(spn__forecast_position_us(&forecast, &head, &begin), before_us,
               100);
}

static void forecast_survives_every_extreme(void)
{
    static const uint64_t offsets[] = {
        0, 1, 4096, (uint64_t)1 << 31, (uint64_t)1 << 46, UINT64_MAX};
    static const uint64_t times[] = {0, 1, 600000000, UINT64_MAX};
    enum { OFFSETS = sizeof offsets / sizeof offsets[0], TIMES = 4 };
    const spn_drive_profile *p;

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        spn__forecast_init(&forecast, p);
        for (uint32_t n = 0; n < OFFSETS * OFFSETS * TIMES * 8; n++) {
            struct forecast_place head = place_at(offsets[n % OFFSETS]);
            struct forecast_place begin;
            struct forecast_place end;

            test_context("%s, call %u", p->name, n);
            spn__forecast_range(&forecast, offsets[n / OFFSETS % OFFSETS],
                                offsets[n / 5 % OFFSETS], &begin, &end);
            spn__forecast_learn(&forecast, &head, &begin, &end,
                                times[n / OFFSETS / OFFSETS % TIMES]);
            CHECK(spn__forecast_position_us(&forecast, &head, &begin) <=
                  DRIVE_US_MAX);
            CHECK(spn__forecast_transfer_us(&forecast, &begin,
                                            offsets[n / 3 % OFFSETS]) <=
                  DRIVE_US_MAX);
        }
    }
}

TEST_MAIN(TEST(forecast_agrees_with_the_drive),
          TEST(forecast_bounds_the_longest_seek),
          TEST(forecast_reads_on_through_a_gap),
          TEST(forecast_knows_rates_and_blocks),
          TEST(forecast_learns_a_curve_from_reads),
          TEST(forecast_learns_the_change_of_layer),
          TEST(forecast_learns_the_rate_from_continued_reads),
          TEST(forecast_learns_no_rate_from_short_reads),
          TEST(forecast_forgets_a_read_that_failed),
          TEST(forecast_survives_every_extreme))
