/* prefix_code.h - the shortest prefix code whose codes are short enough. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H

#include <stdint.h>

#define PREFIX_CODE_SYMBOLS_MAX 1024u
#define PREFIX_CODE_BITS_MAX 15u

/* Lengths of an optimal complete code for the symbols with a count above 0,
 * at least two of them and at most 2^bits_max; 0 for the others. Of equal
 * counts the lower symbol has the shorter code. */
void prefix_code_lengths(const uint64_t *counts, uint32_t symbol_count,
                         uint32_t bits_max, uint8_t *lengths);

#endif
