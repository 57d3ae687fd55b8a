/* test_drive_zones.c
 *
 * Goal: seeks of a few sectors take their measured times, on both sides of
 *   each step.
 * Method: seeks in both directions in the first zone, against the table.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_zones.h"
#include "harness.h"

#define SECTOR DRIVE_ZONES_SECTOR_BYTES

static void short_seeks_take_the_measured_times(void)
{
    static const struct {
        uint32_t sectors;
        uint32_t us; /* plus half a rotation, where the drive charges it */
    } seeks[] = {{0, 50000},  {1, 50000},    {2, 150000},   {4, 150000},
                 {5, 266000}, {809, 266000}, {810, 366000}, {1619, 366000}};
    const uint64_t from = 2000 * SECTOR;
    const uint32_t half_us = spn__drive_zone_turn_us(from) / 2;

    for (uint32_t i = 0; i < sizeof seeks / sizeof seeks[0]; i++) {
        uint64_t bytes = seeks[i].sectors * SECTOR;
        uint32_t us = seeks[i].us + (seeks[i].sectors < 2 ? 0 : half_us);

        test_context("%u sectors", seeks[i].sectors);
        CHECK_EQ_U(spn__drive_zone_seek_us(from, from + bytes), us);
        CHECK_EQ_U(spn__drive_zone_seek_us(from, from - bytes), us);
    }
}

TEST_MAIN(TEST(short_seeks_take_the_measured_times))
