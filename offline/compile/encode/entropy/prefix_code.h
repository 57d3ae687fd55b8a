/* prefix_code.h - optimal prefix codes of limited length.
 *
 * Like a Huffman code, but no code is longer than a limit. residual_train.c
 * makes the tables of the residual coder with it. No state; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_PREFIX_CODE_H

#include <stdint.h>

#define PREFIX_CODE_SYMBOLS_MAX 1024u
#define PREFIX_CODE_BITS_MAX 15u

/* Compute the code lengths of a complete prefix code with the least total
 * length.
 *
 * counts        how often each symbol occurs; from 2 to 2^bits_max of the
 *               counts are above 0
 * symbol_count  at most PREFIX_CODE_SYMBOLS_MAX bits_max      the longest code,
 * at most PREFIX_CODE_BITS_MAX lengths       gets 1..bits_max for each symbol,
 * or 0 if its count is 0. Of two
 *               symbols with equal counts, the higher one never has the shorter
 *               code */
void prefix_code_lengths(const uint64_t *counts, uint32_t symbol_count,
                         uint32_t bits_max, uint8_t *lengths);

#endif
