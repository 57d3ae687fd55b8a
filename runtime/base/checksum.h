/* checksum.h - XXH32 (xxHash, 32 bit), the checksum of all blocks and tables.
 *
 * It reads 32-bit words, needs no table, and is nearly as fast as memory on
 * machines without CRC instructions. A change within one aligned 32-bit word is
 * always detected, because each step is a bijection of the word. Definition:
 * the xxHash specification. Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_CHECKSUM_H
#define SPN_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Checksum of `bytes` bytes at any alignment. */
uint32_t spn__checksum(const void *data, size_t bytes, uint32_t seed);

/* The same for data in several pieces of any length: begin, add each piece,
 * end.
 */
struct checksum {
    uint32_t lane[4];
    uint32_t total_low;     /* bytes so far, modulo 2^32 */
    uint32_t pending_bytes; /* in `pending` */
    uint32_t is_large;      /* 16 bytes or more so far */
    uint32_t seed;
    uint8_t pending[16]; /* bytes after the last whole step */
};
void spn__checksum_begin(struct checksum *sum, uint32_t seed);
void spn__checksum_add(struct checksum *sum, const void *data, size_t bytes);
uint32_t spn__checksum_end(const struct checksum *sum);

#endif
