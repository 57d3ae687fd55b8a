/* hash64.h - XXH64 (xxHash, 64 bit): names of pak entries, content of meshes.
 *
 * Different data may have the same hash, so whoever finds something by it
 * compares the data, too. Definition: the xxHash specification. Pure functions;
 * any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HASH64_H
#define SPN_BASE_HASH64_H

#include <stddef.h>
#include <stdint.h>

/* Hash of `size` bytes at any alignment. */
uint64_t spn__hash64(const void *data, size_t size, uint64_t seed);

/* The same for data in several pieces of any length: begin, add each piece,
 * end. */
struct hash64 {
    uint64_t lanes[4];
    uint64_t total; /* bytes so far */
    uint64_t seed;
    uint32_t pending_bytes; /* in `pending` */
    uint8_t pending[32];    /* bytes after the last whole step */
};
void spn__hash64_begin(struct hash64 *hash, uint64_t seed);
void spn__hash64_add(struct hash64 *hash, const void *data, size_t size);
uint64_t spn__hash64_end(const struct hash64 *hash);

#endif
