/* residual_tables.h - Huffman tables of the residual coder.
 *
 * residual_coder.h uses them. A cache stores one set of tables for each channel
 * as code lengths. They are expanded once, when the cache is opened, into
 * tables that are indexed by the next RESIDUAL_CODE_BITS bits of a stream;
 * decoders on any thread then read those.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RESIDUAL_TABLES_H
#define SPN_CODEC_LIFT_RESIDUAL_TABLES_H

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A triple is three components of one vertex, a quad the fourth components of
 * four vertices. Each is one symbol, or an escape if a number is too large. */
#define TRIPLE_TABLES 8u /* numbered from 1; table 0 is described below */
#define TRIPLE_Q_MAX 4   /* largest magnitude within a symbol */
#define TRIPLE_SYMBOLS 730u
#define TRIPLE_ESCAPE 729u
#define QUAD_TABLES 5u
#define QUAD_Q_MAX 2
#define QUAD_SYMBOLS 626u
#define QUAD_ESCAPE 625u

#define RESIDUAL_CODE_BITS 11u /* longest code */
#define RESIDUAL_TABLE_ENTRIES (1u << RESIDUAL_CODE_BITS)

/* A set of tables in a file: first those of triples, then those of quads. A
 * table is one nibble for each symbol, low nibble first: the length of its
 * code, or 0 if it has none. Codes are canonical: shorter codes first, lower
 * symbols first among equals. A table of zeros is absent; any other is
 * complete: every sequence of 11 bits begins with exactly one code. */
#define TRIPLE_LENGTH_BYTES (TRIPLE_SYMBOLS / 2u)
#define QUAD_LENGTH_BYTES (QUAD_SYMBOLS / 2u)
#define RESIDUAL_TABLES_BYTES                                                  \
    (TRIPLE_TABLES * TRIPLE_LENGTH_BYTES + QUAD_TABLES * QUAD_LENGTH_BYTES)

/* A set of expanded tables. An entry of `triple` and `quad` is the length of
 * the code, 0..11, in the low six bits, and the symbol above; 16 bits, so that
 * the tables of four streams fit the first-level cache together. Table 0 codes
 * the symbol of zeros with no bits. */
struct residual_tables {
    uint16_t triple[TRIPLE_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    uint16_t quad[QUAD_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    /* Numbers of a symbol. Bytes from the low end: 0, q0, q1, q2, signed. */
    uint32_t triple_value[TRIPLE_SYMBOLS];
    /* f0 .. f3 as signed nibbles of the upper half, f0 the lowest. */
    uint32_t quad_value[QUAD_SYMBOLS];
    /* Bit c is set if class c of residual_coder.h has its table. */
    uint32_t has_triple;
    uint32_t has_quad;
};
#define RESIDUAL_ENTRY_LENGTH 0x3fu /* mask */
#define RESIDUAL_ENTRY_SYMBOL 6u    /* shift */
/* The value of the escape symbol: this bit, and numbers of 0. */
#define RESIDUAL_VALUE_IS_ESCAPE 0x80u

/* Check and expand RESIDUAL_TABLES_BYTES bytes. SPN_ERR_FORMAT: another number
 * of bytes, or a table that is neither absent nor complete; `out` then holds
 * anything. */
SPN_NODISCARD spn_status spn__residual_tables_expand(
    const uint8_t *wire, size_t bytes, struct residual_tables *out,
    struct spn_fault *fault);

/* Compute the codes of one table of nibbles. `codes` has an entry for each
 * symbol, and those with a length are written, the first bit of the code
 * lowest. False if the table is not complete. Decoder and encoder share this
 * function. */
bool spn__residual_codes(const uint8_t *lengths, uint32_t symbol_count,
                         uint16_t *codes);

#endif
