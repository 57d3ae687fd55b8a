/* checksum.h - XXH32 (xxHash, 32 bit), the checksum of every block and table.
 *
 * Chosen because it reads 32-bit words only, needs no table, and runs near
 * memory speed on machines without CRC instructions. Every change confined to
 * one aligned 32-bit word is always noticed: each step is a bijection of the
 * word. Definition: the xxHash specification, seed as given.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CHECKSUM_H
#define SPN_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Checksum of `bytes` bytes. Any alignment. Any thread. */
uint32_t spn__checksum(const void *data, size_t bytes, uint32_t seed);

/* The same in pieces of any length, for data in several extents. */
struct checksum {
    uint32_t lane[4];
    uint32_t total_low;
    uint32_t held; /* bytes in `hold` */
    uint32_t is_large;
    uint32_t seed;
    uint8_t hold[16];
};
void spn__checksum_begin(struct checksum *sum, uint32_t seed);
void spn__checksum_add(struct checksum *sum, const void *data, size_t bytes);
uint32_t spn__checksum_end(const struct checksum *sum);

#endif
