/* drive_zones.h - rotation and seek times of the PC Engine's CD drive.
 *
 * They follow a table of 14 zones, measured by counting frames of 1/60 s. All
 * functions are pure.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_ZONES_H
#define SPN_DISC_DRIVE_ZONES_H

#include <stdint.h>

#define DRIVE_ZONES_SECTOR_BYTES 2048u
#define DRIVE_ZONES_SECTORS 333013u
#define DRIVE_ZONES_BYTES                                                      \
    ((uint64_t)DRIVE_ZONES_SECTORS * DRIVE_ZONES_SECTOR_BYTES)

/* Time of one turn of the disc at a byte offset. */
uint32_t spn__drive_zone_turn_us(uint64_t offset);
/* Seek time between two byte offsets. It contains the mean rotational delay, as
 * the measurements do. */
uint32_t spn__drive_zone_seek_us(uint64_t from, uint64_t to);

/* The same in two steps, for many seeks between the same offsets. The first
 * function looks up an offset in the table; its result is the "place" of the
 * offset in the second one. */
uint32_t spn__drive_zone_place(uint64_t offset);
uint32_t spn__drive_zone_travel_us(uint64_t from, uint32_t from_place,
                                   uint64_t to, uint32_t to_place);

#endif
