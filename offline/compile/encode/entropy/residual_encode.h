/* residual_encode.h - residuals to payloads (codec/lift/residual_coder.h).
 *
 * What a block costs in each class is counted exactly, and the cheapest is
 * taken; so is the base of a payload.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H

#include "codec/lift/residual_coder.h"

/* Tables 1.. as the encoder needs them; 0 is unused. A length of 0: the symbol
 * is escaped. */
struct residual_encoder {
    uint8_t triple_length[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint16_t triple_code[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint8_t quad_length[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint16_t quad_code[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint8_t wire[RESIDUAL_TABLES_BYTES];
    /* Bits of a symbol in tables 1..4 and 5..8, 16 bits each. */
    uint64_t triple_bits[TRIPLE_SYMBOLS][2];
    uint64_t quad_bits[QUAD_SYMBOLS][2];
};

/* From the lengths: codes, wire and bits. */
void residual_encoder_finish(struct residual_encoder *coder);

/* Of each triple of a block with so many low bits. */
void residual_symbols(const int16_t *residuals, uint32_t low_bits,
                      uint16_t symbols[RESIDUAL_BLOCK]);
uint32_t residual_quad_symbol(const int16_t f[4]);

/* The cheapest classes of a payload's blocks, `block_count` each (quads only
 * with `fourth`), and the base. Returns the bits. */
uint64_t residual_choose_classes(const struct residual_encoder *coder,
                                 const int16_t *residuals,
                                 const int16_t *fourth, uint32_t block_count,
                                 uint32_t *base, uint8_t *classes,
                                 uint8_t *quad_classes);

/* Room that any payload of `count` vertices fits in. */
size_t residual_payload_bytes_max(uint32_t count);

/* Write a payload; `residuals` (4 a vertex) and `fourth` (or NULL) hold zeros
 * up to whole groups. Returns its bytes. */
size_t residual_encode(const struct residual_encoder *coder,
                       const int16_t *residuals, const int16_t *fourth,
                       uint32_t count, uint8_t *out);

#endif
