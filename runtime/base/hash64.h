/* hash64.h - XXH64 (xxHash, 64 bit), by which names are found.
 *
 * Two names of one pak may still have the same hash: whoever finds one by it
 * compares the names. Definition: the xxHash specification, seed as given.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_HASH64_H
#define SPN_BASE_HASH64_H

#include <stddef.h>
#include <stdint.h>

/* Hash of `size` bytes. Any alignment. Any thread. */
uint64_t spn__hash64(const void *data, size_t size, uint64_t seed);

#endif
