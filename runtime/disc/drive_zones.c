/* drive_zones.c - zones and seeks of the PC Engine's CD drive.
 *
 * Source: pce-devel/PCECD_seek, measured on hardware: sectors per turn by zone,
 * 1606.48 tracks per zone, and the times below. The time of seeks of less than
 * two sectors is stated there, but its code does not reach it; here it is used.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_zones.h"

#include "base/assert.h"

struct zone {
    uint32_t first; /* sector */
    uint32_t turn_us;
};

#define ZONE_COUNT 14u
#define ZONE_SECTORS_FIRST 10u /* sectors per turn; each zone has one more */
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

/* A place has three numbers: the zone; the whole tracks from here to the last
 * sector of the zone; the whole tracks from the first sector of the zone. */
#define PLACE_BITS 14u
#define PLACE_MASK ((1u << PLACE_BITS) - 1)

SPN_STATIC_ASSERT(ZONE_COUNT <= 1u << (32 - 2 * PLACE_BITS), zone_fits);
SPN_STATIC_ASSERT(ZONE_TRACKS / TRACK < PLACE_MASK, tracks_fit);

static uint32_t zone_at(uint32_t place)
{
    return place >> (2 * PLACE_BITS);
}

static uint32_t tracks_behind(uint32_t place)
{
    return place >> PLACE_BITS & PLACE_MASK;
}

static uint32_t tracks_before(uint32_t place)
{
    return place & PLACE_MASK;
}

uint32_t spn__drive_zone_place(uint64_t offset)
{
    uint32_t sector = sector_of(offset);
    uint32_t zone = zone_of(sector);
    uint32_t turn = ZONE_SECTORS_FIRST + zone;

    return zone << (2 * PLACE_BITS) |
           (last_of(zone) - sector) / turn << PLACE_BITS |
           (sector - zones[zone].first) / turn;
}

/* Distance of two places, in 1/100 of a track.
 *
 * sectors  distance in sectors */
static uint32_t tracks_between(uint32_t sectors, uint32_t low, uint32_t high)
{
    uint32_t a = zone_at(low);
    uint32_t b = zone_at(high);

    if (a == b)
        return sectors / (ZONE_SECTORS_FIRST + a) * TRACK;
    return (tracks_behind(low) + tracks_before(high)) * TRACK +
           ZONE_TRACKS * (b - a - 1);
}

static uint32_t near_us(uint32_t sectors, uint32_t tracks, uint32_t half_us)
{
    if (sectors < 2)
        return 50000;
    if (sectors < 5)
        return 150000 + half_us;
    if (tracks <= 80 * TRACK)
        return 266000 + half_us;
    if (tracks <= 161 * TRACK)
        return 366000 + half_us;
    return 366000 + half_us + (tracks - 161 * TRACK) * 16660 / (80 * TRACK);
}

uint32_t spn__drive_zone_travel_us(uint64_t from, uint32_t from_place,
                                   uint64_t to, uint32_t to_place)
{
    uint32_t a = sector_of(from);
    uint32_t b = sector_of(to);
    uint32_t tracks = a < b ? tracks_between(b - a, from_place, to_place)
                            : tracks_between(a - b, to_place, from_place);

    if (tracks <= 644 * TRACK)
        return near_us(a < b ? b - a : a - b, tracks,
                       zones[zone_at(to_place)].turn_us / 2);
    return 600000 +
           (uint32_t)((uint64_t)(tracks - 644 * TRACK) * 16660 / (195 * TRACK));
}

uint32_t spn__drive_zone_turn_us(uint64_t offset)
{
    return zones[zone_of(sector_of(offset))].turn_us;
}

uint32_t spn__drive_zone_seek_us(uint64_t from, uint64_t to)
{
    return spn__drive_zone_travel_us(from, spn__drive_zone_place(from), to,
                                     spn__drive_zone_place(to));
}
