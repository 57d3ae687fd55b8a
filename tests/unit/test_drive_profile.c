/* test_drive_profile.c
 *
 * Goal: no valid profile makes the arithmetic fail: no division by zero, no
 *   overflow, no endless time.
 * Method: each bound alone; then random profiles, most of them at their
 *   bounds, and random calls, under the sanitizers.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"
#include "disc/drive_disc.h"
#include "harness.h"

#include <string.h>

static spn_drive_profile good;

static void check_refused(const spn_drive_profile *p, const char *field)
{
    const char *what = NULL;

    test_context("%s", field);
    CHECK_EQ(spn_drive_profile_check(p, &what), SPN_ERR_ARG);
    CHECK(what != NULL);
    if (strcmp(what, field) != 0)
        test_fail(__FILE__, __LINE__, "refused for %s", what);
}

static void profiles_that_are_built_in_are_good(void)
{
    const spn_drive_profile *p;
    const char *what = NULL;
    uint32_t count = 0;

    for (; (p = spn_drive_profile_at(count)) != NULL; count++) {
        CHECK_EQ(spn_drive_profile_check(p, &what), SPN_OK);
        CHECK(spn_drive_profile_find(p->name) == p);
    }
    CHECK_EQ(count, 12);
    CHECK(!spn_drive_profile_at(UINT32_MAX));
    CHECK(!spn_drive_profile_find("wii"));
    CHECK(!spn_drive_profile_find(""));
}

#define REFUSE(field, member, value)                                           \
    do {                                                                       \
        spn_drive_profile p = good;                                            \
        p.member = (value);                                                    \
        check_refused(&p, field);                                              \
    } while (0)

static void profiles_are_refused_for_each_field(void)
{
    good = *spn_drive_profile_find("x360_dvd12x");
    REFUSE("name", name[0], '\0');
    REFUSE("about", about[0], '\0');
    REFUSE("motion", motion, (spn_drive_motion)3);
    REFUSE("distance", distance, (spn_drive_distance)2);
    REFUSE("layers", layers, 0);
    REFUSE("layers", layers, 3);
    REFUSE("layer_bytes", layer_bytes, 0);
    REFUSE("layer_bytes", layer_bytes, UINT64_MAX);
    REFUSE("radius_in_um", radius_in_um, 0);
    REFUSE("radius_out_um", radius_out_um, good.radius_in_um);
    REFUSE("radius_out_um", radius_out_um, UINT32_MAX);
    REFUSE("pitch_nm", pitch_nm, 0);
    REFUSE("rate_in", rate_in, 0);
    REFUSE("rate_out", rate_out, good.rate_in - 1);
    REFUSE("rate_out", motion, SPN_DRIVE_CLV);
    REFUSE("turns_mhz", turns_mhz, 1);
    REFUSE("turns_mhz", turns_mhz, 999);
    REFUSE("turns_mhz", turns_mhz, UINT32_MAX);
    REFUSE("seek.unit", seek.unit, 0);
    REFUSE("seek.near_piece", seek.near_piece.base_us, UINT32_MAX);
    REFUSE("seek.far_piece", seek.far_piece.base_us, UINT32_MAX);
    REFUSE("seek_blocks", seek_blocks, 2);
    REFUSE("layer_us", layer_us, UINT32_MAX);
    REFUSE("command_us", command_us, UINT32_MAX);
    REFUSE("ecc_bytes", ecc_bytes, 0);
    REFUSE("ecc_bytes", ecc_bytes, UINT32_MAX);
    REFUSE("interface_rate", interface_rate, 0);
    REFUSE("spin_up_us", spin_up_us, UINT32_MAX);
    REFUSE("retry_turns", retry_turns, UINT32_MAX);
    REFUSE("slow_percent", slow_percent, 0);
    REFUSE("slow_percent", slow_percent, 101);
    memset(good.name, 'a', sizeof good.name);
    check_refused(&good, "name");
    good = *spn_drive_profile_find("pce_cd1x");
    REFUSE("layer_bytes", layers, 2);
    REFUSE("layer_bytes", layer_bytes, good.layer_bytes + 1);
}

/* -- random profiles -- */

static struct test_random random_state = {77};

static uint64_t draw(uint64_t low, uint64_t high)
{
    uint64_t span = high - low;
    uint64_t value = (uint64_t)test_random_below(&random_state, UINT32_MAX)
                         << 32 |
                     test_random_below(&random_state, UINT32_MAX);

    switch (test_random_below(&random_state, 4)) {
    case 0:
        return low;
    case 1:
        return high;
    default:
        return low + (span == UINT64_MAX ? value : value % (span + 1));
    }
}

static void draw_piece(spn_drive_piece *piece)
{
    piece->base_us = (uint32_t)draw(0, 60000000);
    piece->slope_us = (uint32_t)draw(0, UINT32_MAX);
    piece->root_us = (uint32_t)draw(0, UINT32_MAX);
}

static void draw_profile(spn_drive_profile *p)
{
    *p = (spn_drive_profile){.name = "random", .about = "random"};
    p->motion = (spn_drive_motion)draw(SPN_DRIVE_CAV, SPN_DRIVE_ZONES);
    p->distance =
        (spn_drive_distance)draw(SPN_DRIVE_BY_RADIUS, SPN_DRIVE_BY_BYTES);
    p->layers = p->motion == SPN_DRIVE_ZONES ? 1 : (uint32_t)draw(1, 2);
    p->layer_bytes = draw(
        65536, p->motion == SPN_DRIVE_ZONES ? 600000000 : (uint64_t)1 << 46);
    p->radius_in_um = (uint32_t)draw(100, 499999);
    p->radius_out_um = (uint32_t)draw(p->radius_in_um + 1, 500000);
    p->pitch_nm = (uint32_t)draw(1, 1000000);
    p->rate_in = (uint32_t)draw(1000, UINT32_MAX);
    p->rate_out = p->motion == SPN_DRIVE_CAV
                      ? (uint32_t)draw(p->rate_in, UINT32_MAX)
                      : p->rate_in;
    p->turns_mhz = (uint32_t)draw(1000, 10000000);
    if (draw(0, 9) == 5)
        p->turns_mhz = 0;
    p->seek.unit = draw(1, UINT64_MAX);
    p->seek.near_limit = draw(0, UINT64_MAX);
    draw_piece(&p->seek.near_piece);
    draw_piece(&p->seek.far_piece);
    p->seek_blocks = (uint32_t)draw(0, 1);
    p->layer_us = (uint32_t)draw(0, 60000000);
    p->command_us = (uint32_t)draw(0, 1000000);
    p->ecc_bytes = (uint32_t)draw(1, 65536);
    p->buffer_bytes = (uint32_t)draw(0, UINT32_MAX);
    p->interface_rate = (uint32_t)draw(1000, UINT32_MAX);
    p->spin_up_us = (uint32_t)draw(0, 60000000);
    p->retry_turns = (uint32_t)draw(0, 1000);
    p->slow_percent = (uint32_t)draw(1, 100);
    p->slow_us = (uint32_t)draw(0, UINT32_MAX);
}

static void check_disc(const spn_drive_profile *p)
{
    uint64_t a = draw(0, UINT64_MAX);
    uint64_t b = draw(0, spn__drive_disc_bytes(p));
    uint64_t r = spn__drive_radius_nm(p, b);

    CHECK(r >= (uint64_t)p->radius_in_um * 1000);
    CHECK(r <= (uint64_t)p->radius_out_um * 1000);
    CHECK(spn__drive_rate(p, b) >= p->rate_in);
    CHECK(spn__drive_rate(p, b) <= p->rate_out);
    CHECK(spn__drive_turns_mhz(p, b) > 0 || p->turns_mhz == 0);
    CHECK(spn__drive_seek_us(p, a, b) <= DRIVE_US_MAX);
    CHECK(spn__drive_seek_us(p, b, a) <= DRIVE_US_MAX);
    /* Speeds of rotation are whole thousandths of a turn a second, zones whole
     * microseconds. */
    CHECK(spn__drive_rotate_us(p, b, draw(0, UINT64_MAX)) <=
          spn__drive_turn_us(p, b) + spn__drive_turn_us(p, b) / 1000 + 1);
    CHECK(spn__drive_transfer_us(p, b, a) <= DRIVE_US_MAX);
    CHECK(spn__drive_expect_us(p, a, b) <= DRIVE_US_MAX);
    CHECK(spn__drive_expect_us(p, b, a) <= DRIVE_US_MAX);
}

static void valid_profiles_do_no_harm(void)
{
    for (uint32_t round = 0; round < 3000; round++) {
        spn_drive_profile p;
        struct drive drive;
        uint64_t now = draw(0, UINT64_MAX / 2);
        const char *what = "";

        test_context("seed 77, round %u", round);
        draw_profile(&p);
        if (spn_drive_profile_check(&p, &what) != SPN_OK)
            test_fail(__FILE__, __LINE__, "refused for %s", what);
        spn__drive_init(&drive, &p);
        for (uint32_t i = 0; i < 10; i++) {
            uint64_t disc = spn__drive_disc_bytes(&p);
            uint64_t offset = draw(0, disc);
            uint64_t bytes = draw(0, disc - offset);
            struct drive_cost cost;
            uint64_t end;

            check_disc(&p);
            CHECK_EQ(spn__drive_read(&drive, offset, bytes, now, &cost, &end),
                     SPN_OK);
            CHECK(end >= now && drive.head <= disc && drive.ahead <= disc);
            CHECK(drive.ahead >= drive.head);
            if (i == 5)
                (void)spn__drive_retry(&drive, offset,
                                       (uint32_t)draw(0, UINT32_MAX));
            now = i == 8 ? UINT64_MAX : now + draw(0, 1000000000);
        }
    }
}

TEST_MAIN(TEST(profiles_that_are_built_in_are_good),
          TEST(profiles_are_refused_for_each_field),
          TEST(valid_profiles_do_no_harm))
