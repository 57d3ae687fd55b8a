/* drive_zones.c - zones and seeks of the PC Engine's CD drive.
 *
 * [F] pce-devel/PCECD_seek, measured on hardware: sectors of a turn by zone,
 * 1606.48 tracks in a zone, and the times below. Seeks of less than two
 * sectors are named there, but lost to a later branch; here they count.
 */
/* SPDX-License-Identifier: MIT */
#include "io/drive_zones.h"

struct zone {
    uint32_t first; /* sector */
    uint32_t turn_us;
};

#define ZONE_COUNT 14u
#define ZONE_SECTORS_FIRST 10u /* of a turn; one more in each further zone */
#define TRACK 100u             /* tracks are counted in hundredths */
#define ZONE_TRACKS 160648u

static const struct zone zones[ZONE_COUNT] = {
    {0, 133470},      {12573, 146820},  {30245, 160170},  {49524, 173510},
    {70409, 186860},  {92901, 200210},  {116999, 213560}, {142704, 226900},
    {170015, 240250}, {198933, 253600}, {229457, 266950}, {261588, 280290},
    {295325, 293640}, {330669, 306990}};

static uint32_t sector_of(uint64_t offset)
{
    uint64_t sector = offset / DRIVE_ZONES_SECTOR_BYTES;

    return sector < DRIVE_ZONES_SECTORS ? (uint32_t)sector
                                        : DRIVE_ZONES_SECTORS - 1;
}

static uint32_t zone_of(uint32_t sector)
{
    uint32_t zone = ZONE_COUNT - 1;

    while (zones[zone].first > sector)
        zone--;
    return zone;
}

static uint32_t last_of(uint32_t zone)
{
    return (zone + 1 < ZONE_COUNT ? zones[zone + 1].first
                                  : DRIVE_ZONES_SECTORS) -
           1;
}

/* Hundredths of tracks between two sectors, low <= high. */
static uint32_t tracks_between(uint32_t low, uint32_t high)
{
    uint32_t a = zone_of(low);
    uint32_t b = zone_of(high);
    uint32_t tracks;

    if (a == b)
        return (high - low) / (ZONE_SECTORS_FIRST + a) * TRACK;
    tracks = (last_of(a) - low) / (ZONE_SECTORS_FIRST + a) +
             (high - zones[b].first) / (ZONE_SECTORS_FIRST + b);
    return tracks * TRACK + ZONE_TRACKS * (b - a - 1);
}

uint32_t spn__drive_zone_turn_us(uint64_t offset)
{
    return zones[zone_of(sector_of(offset))].turn_us;
}

uint32_t spn__drive_zone_seek_us(uint64_t from, uint64_t to)
{
    uint32_t a = sector_of(from);
    uint32_t b = sector_of(to);
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    uint32_t half_us = zones[zone_of(b)].turn_us / 2;
    uint32_t tracks = tracks_between(low, high);

    if (high - low < 2)
        return 50000;
    if (high - low < 5)
        return 150000 + half_us;
    if (tracks <= 80 * TRACK)
        return 266000 + half_us;
    if (tracks <= 160 * TRACK)
        return 366000 + half_us;
    if (tracks <= 644 * TRACK)
        return 366000 + half_us +
               (uint32_t)((uint64_t)(tracks > 161 * TRACK ? tracks - 161 * TRACK
                                                          : 0) *
                          16660 / (80 * TRACK));
    return 600000 +
           (uint32_t)((uint64_t)(tracks - 644 * TRACK) * 16660 / (195 * TRACK));
}
