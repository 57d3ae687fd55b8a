/* hash64.h - XXH64 (xxHash, 64 bit), by which entries of paks are found.
 *
 * Two names in one pak may have the same hash, so a lookup also compares the
 * names. Definition: the xxHash specification.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HASH64_H
#define SPN_BASE_HASH64_H

#include <stddef.h>
#include <stdint.h>

/* Hash of `size` bytes at any alignment. Any thread. */
uint64_t spn__hash64(const void *data, size_t size, uint64_t seed);

#endif
