/* prefix_code.h - optimal prefix codes of limited length, by package-merge. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H

#include <stdint.h>

#define PREFIX_CODE_SYMBOLS_MAX 1024u
#define PREFIX_CODE_BITS_MAX 15u

/* Compute the code lengths, 1..bits_max, of a complete code with the least
 * total length. Symbols with a count of 0 get length 0. 2 to 2^bits_max symbols
 * have a count above 0. Of two symbols with equal counts, the lower one has the
 * shorter code or one of the same length. */
void prefix_code_lengths(const uint64_t *counts, uint32_t symbol_count,
                         uint32_t bits_max, uint8_t *lengths);

#endif
