/* residual_encode.h - encodes residuals to payloads of
 * codec/lift/residual_coder.h.
 *
 * That header defines classes, tables, triples and quads. For each block of
 * vertices the bits of every class are counted exactly and the cheapest class
 * is taken; likewise the base of a payload. Functions keep no state and may run
 * on any thread; encoders are read only once they are finished.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H

#include "codec/lift/residual_coder.h"

/* The Huffman tables of a channel. Table numbers start at 1; index 0 is unused.
 * A length of 0 means that the symbol is escaped. */
struct residual_encoder {
    uint8_t triple_length[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint16_t triple_code[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint8_t quad_length[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint16_t quad_code[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint8_t wire[RESIDUAL_TABLES_BYTES];
    /* The lengths once more, of tables 1..4 in [0] and 5..8 in [1], 16 bits for
     * each table: four sums are added at once. */
    uint64_t triple_bits[TRIPLE_SYMBOLS][2];
    uint64_t quad_bits[QUAD_SYMBOLS][2];
};

/* Fill all other fields from the lengths. */
void residual_encoder_finish(struct residual_encoder *coder);

/* The symbol of each vertex of a block, after `low_bits` low bits are split
 * off.
 */
void residual_symbols(const int16_t *residuals, uint32_t low_bits,
                      uint16_t symbols[RESIDUAL_BLOCK]);
/* The symbol of the fourth components of four vertices. */
uint32_t residual_quad_symbol(const int16_t f[4]);

/* Choose the base of a payload, and for each of its blocks the class and, with
 * `fourth`, the class of its quads. Returns the bits. */
uint64_t residual_choose_classes(const struct residual_encoder *coder,
                                 const int16_t *residuals,
                                 const int16_t *fourth, uint32_t block_count,
                                 uint32_t *base, uint8_t *classes,
                                 uint8_t *quad_classes);

/* An upper bound of the bytes of a payload of `count` vertices. */
size_t residual_payload_bytes_max(uint32_t count);

/* Write a payload. `residuals` has four numbers a vertex, of which the first
 * three count; `fourth` one, or is NULL. Both are 0 up to whole groups. Returns
 * the bytes written. */
size_t residual_encode(const struct residual_encoder *coder,
                       const int16_t *residuals, const int16_t *fourth,
                       uint32_t count, uint8_t *out);

#endif
