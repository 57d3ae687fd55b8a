/* residual_tables.h - Huffman tables of the residual coder (residual_coder.h).
 *
 * A cache stores one set of tables for each channel, as code lengths. When the
 * cache is opened, a job expands each set into look-up tables, which are
 * indexed by the next RESIDUAL_CODE_BITS bits of a bit stream. After that they
 * do not change, and decoders on any thread read them.
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

/* A set of tables in a file: first the tables of triples, then those of quads.
 * A table has a nibble for each symbol, low nibble first: the length of its
 * code in bits, or 0 if it has none. Codes are canonical: shorter codes are
 * smaller, and of two codes of one length, that of the lower symbol is smaller.
 * A table of zeros is absent. Any other table is complete: every sequence of 11
 * bits begins with exactly one code. */
#define TRIPLE_LENGTH_BYTES (TRIPLE_SYMBOLS / 2u)
#define QUAD_LENGTH_BYTES (QUAD_SYMBOLS / 2u)
#define RESIDUAL_TABLES_BYTES                                                  \
    (TRIPLE_TABLES * TRIPLE_LENGTH_BYTES + QUAD_TABLES * QUAD_LENGTH_BYTES)

/* A set of expanded tables. An entry of `triple` and `quad` has the length of
 * the code, 0..11, in its low six bits, and the symbol above them. Entries have
 * 16 bits, so that the tables of four bit streams fit the first-level cache.
 * Table 0 has one symbol, that of zeros, with a code of no bits. */
struct residual_tables {
    uint16_t triple[TRIPLE_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    uint16_t quad[QUAD_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    /* The numbers of each symbol. Of triples: bytes 0, q0, q1, q2 from the low
     * end, signed. */
    uint32_t triple_value[TRIPLE_SYMBOLS];
    /* Of quads: f0 .. f3 as signed nibbles of the upper 16 bits, f0 lowest. */
    uint32_t quad_value[QUAD_SYMBOLS];
    /* Bit c is set if the table of class c (residual_coder.h) is present. */
    uint32_t has_triple;
    uint32_t has_quad;
};
#define RESIDUAL_ENTRY_LENGTH 0x3fu /* mask */
#define RESIDUAL_ENTRY_SYMBOL 6u    /* shift */
/* The value of the escape symbol: this bit, and numbers of 0. */
#define RESIDUAL_VALUE_IS_ESCAPE 0x80u

/* Check and expand a stored set of RESIDUAL_TABLES_BYTES bytes. SPN_ERR_FORMAT
 * with a fault: `bytes` is another number, or a table is neither absent nor
 * complete. `out` then holds anything. */
SPN_NODISCARD spn_status spn__residual_tables_expand(
    const uint8_t *wire, size_t bytes, struct residual_tables *out,
    struct spn_fault *fault);

/* Compute the codes of one stored table. `codes` has an entry for each symbol;
 * an entry is written if the symbol has a code. The first bit of the code is
 * the lowest. False if the table is not complete. The decoder and the encoder
 * both use this function. */
bool spn__residual_codes(const uint8_t *lengths, uint32_t symbol_count,
                         uint16_t *codes);

#endif
