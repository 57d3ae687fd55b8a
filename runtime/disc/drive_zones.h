/* drive_zones.h - the PC Engine's CD drive: a table of 14 zones, and seeks that
 * were measured by counting frames of 1/60 s.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DISC_DRIVE_ZONES_H
#define SPN_DISC_DRIVE_ZONES_H

#include <stdint.h>

#define DRIVE_ZONES_SECTOR_BYTES 2048u
#define DRIVE_ZONES_SECTORS 333013u
#define DRIVE_ZONES_BYTES                                                      \
    ((uint64_t)DRIVE_ZONES_SECTORS * DRIVE_ZONES_SECTOR_BYTES)

/* One turn at a byte of the disc. */
uint32_t spn__drive_zone_turn_us(uint64_t offset);
/* From one byte to another. The mean wait for the sector is part of what was
 * measured. */
uint32_t spn__drive_zone_seek_us(uint64_t from, uint64_t to);

/* The same for who asks often: what the zones say of a byte, worked out once,
 * and the way between two bytes with what they say. */
uint32_t spn__drive_zone_place(uint64_t offset);
uint32_t spn__drive_zone_way_us(uint64_t from, uint32_t from_place, uint64_t to,
                                uint32_t to_place);

#endif
