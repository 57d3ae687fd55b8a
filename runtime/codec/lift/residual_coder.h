/* residual_coder.h - residuals of three components as one Huffman symbol.
 *
 * A payload holds the residuals of `count` vertices: three components each
 * and, where the channel has one, a fourth. Vertices stand in blocks of 64,
 * four blocks make a group of 256; block b of a group belongs to bit stream b,
 * so four decodings run side by side. Beyond `count` residuals are 0.
 *
 *   u8      base, 0..8
 *   u16     bytes of bit stream 0, 1, 2, 3
 *   nibble  class of each block, low nibble first: 2 bytes a group
 *   nibble  quad class of each block; only with a fourth component
 *   bit streams 0..3, raw bits, escapes: to the end of the payload
 *
 * Class: how many low bits k are split off, and the table of the rest.
 *   0       all residuals of the block are 0; no symbols
 *   1..5    k = 0,                  table c
 *   6..14   k = base + 1 + (c-6)/3, table 6 + (c-6)%3
 *   15      k = base + 5,           table 8
 * A residual e becomes q = (e + h) >> k and low = (e + h) & (2^k - 1), with
 * h = 2^(k-1), or 0 for k = 0. Back: e = q * 2^k + low - h, modulo 2^16.
 *
 * Triple: (q0, q1, q2), each in -4..4, are symbol ((q0+4)*9 + q1+4)*9 + q2+4;
 * anything else is symbol 729 and an escape. The block's 64 symbols stand in
 * its bit stream, low bit first. Raw bits: for each 8 vertices of the block,
 * 8 k bits of x, 8 k of y, 8 k of z: 24 k bytes a block.
 *
 * Quad: the fourth residuals of four vertices, each in -2..2, are symbol
 * ((f0+2)*5 + f1+2)*25 + (f2+2)*5 + f3+2; anything else is symbol 625 and an
 * escape. Quad class 0: all 0, no symbols; 1..5: the table. The block's 16
 * quads follow its triples in the bit stream.
 *
 * Escapes stand in the order of blocks; within one triples, then quads.
 *   triple  a 16-bit number whose bit 0 is 0 and which holds q0, q1, q2 in
 *           five bits each from bit 1; or a byte 1 and three numbers
 *   quad    four numbers
 *   number  zigzag, as a byte below 255, or 255 and three bytes
 *
 * Tables are lengths of canonical codes, 0..11 bits, shorter codes and lower
 * symbols first. They are complete: every 11 bits begin with exactly one code.
 *
 * A payload is good when base and classes are (with tables for all classes
 * used), and bit streams, raw bits and escapes are used up exactly: up to the
 * last byte, whose spare bits are 0. Everything else is refused. Decoding
 * reads up to RESIDUAL_PADDING bytes beyond the payload, whose value does not
 * matter.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RESIDUAL_CODER_H
#define SPN_CODEC_LIFT_RESIDUAL_CODER_H

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESIDUAL_BLOCK 64u
#define RESIDUAL_GROUP 256u
#define RESIDUAL_STREAMS 4u
#define RESIDUAL_PADDING 128u
#define RESIDUAL_VERTICES_MAX 65536u
#define RESIDUAL_BASE_MAX 8u
#define RESIDUAL_LOW_BITS_MAX (RESIDUAL_BASE_MAX + 5u)

#define RESIDUAL_CLASSES 16u
#define TRIPLE_TABLES 8u /* numbered 1..8 in the text above */
#define TRIPLE_Q_MAX 4
#define TRIPLE_SYMBOLS 730u
#define TRIPLE_ESCAPE 729u
#define QUAD_TABLES 5u
#define QUAD_Q_MAX 2
#define QUAD_SYMBOLS 626u
#define QUAD_ESCAPE 625u

#define RESIDUAL_CODE_BITS 11u
#define RESIDUAL_TABLE_ENTRIES (1u << RESIDUAL_CODE_BITS)

/* Tables as they lie in a file: a nibble a symbol, low nibble first; all
 * triples' tables, then all quads'. A table of zeros is absent. */
#define TRIPLE_LENGTH_BYTES (TRIPLE_SYMBOLS / 2u)
#define QUAD_LENGTH_BYTES (QUAD_SYMBOLS / 2u)
#define RESIDUAL_TABLES_BYTES                                                  \
    (TRIPLE_TABLES * TRIPLE_LENGTH_BYTES + QUAD_TABLES * QUAD_LENGTH_BYTES)

/* Tables as they are looked up, by the next 11 bits: the length, 0..11, in the
 * low six bits, then the symbol; so small that those of a group stay in the
 * nearest cache. Table 0 has zeros of no bits. `has` tells which classes have
 * their table, a bit each. */
struct residual_tables {
    uint16_t triple[TRIPLE_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    uint16_t quad[QUAD_TABLES + 1][RESIDUAL_TABLE_ENTRIES];
    /* What a symbol means. Bytes from the low end: 0, q0, q1, q2. */
    uint32_t triple_value[TRIPLE_SYMBOLS];
    /* f0 .. f3 in the high four nibbles. */
    uint32_t quad_value[QUAD_SYMBOLS];
    uint32_t has_triple;
    uint32_t has_quad;
};
#define RESIDUAL_ENTRY_LENGTH 0x3fu
#define RESIDUAL_ENTRY_SYMBOL 6u
/* An escape's value, whose numbers are zeros. */
#define RESIDUAL_VALUE_IS_ESCAPE 0x80u

/* Judge and expand RESIDUAL_TABLES_BYTES. Refuses a table that is not complete.
 */
SPN_NODISCARD spn_status spn__residual_tables_expand(
    const uint8_t *wire, size_t bytes, struct residual_tables *out,
    struct spn_fault *fault);

/* Codes of one table of nibbles, low bit first, for the symbols that have a
 * length: what expands a table and what writes with it agree on. False when
 * they are not complete. */
bool spn__residual_codes(const uint8_t *lengths, uint32_t symbol_count,
                         uint16_t *codes);

/* A payload after its head was judged. */
struct residual_payload {
    const struct residual_tables *tables;
    const uint8_t *classes;
    const uint8_t *quad_classes; /* NULL: no fourth component */
    const uint8_t *stream[RESIDUAL_STREAMS];
    uint32_t stream_bytes[RESIDUAL_STREAMS];
    const uint8_t *raw;
    const uint8_t *escapes;
    const uint8_t *escapes_end;
    uint32_t base;
    uint32_t group_count;
};

/* The class's low bits and table (0: none). */
struct residual_class {
    uint8_t low_bits;
    uint8_t table;
};
static inline struct residual_class residual_class(uint32_t class_,
                                                   uint32_t base)
{
    struct residual_class c = {0, (uint8_t)class_};

    if (class_ >= 6) {
        c.low_bits = (uint8_t)(base + 1 + (class_ - 6) / 3);
        c.table = (uint8_t)(6 + (class_ - 6) % 3);
    }
    if (class_ == 15) {
        c.low_bits = (uint8_t)(base + 5);
        c.table = 8;
    }
    return c;
}

/* Decode all groups; false: refused. The scalar one is the specification. */
struct residual_ops {
    bool (*decode)(const struct residual_payload *payload, int16_t *residuals,
                   int16_t *fourth);
};

/* `cpu`: bits of the instruction sets that may be used; 0: scalar. */
void spn__residual_ops_init(struct residual_ops *ops, uint32_t cpu);

/* The parts of spn__residual_ops_init; they leave the table as it is where
 * this build has no code for the instruction set. */
void spn__residual_ops_sse41(struct residual_ops *ops);
void spn__residual_ops_avx2(struct residual_ops *ops);
void spn__residual_ops_neon(struct residual_ops *ops);

/* Decode a payload.
 *
 * payload    `bytes` of it, and RESIDUAL_PADDING readable bytes after them
 * count      vertices, 1..RESIDUAL_VERTICES_MAX
 * residuals  4 a vertex, of which the fourth becomes 0; room for `count`
 *            rounded up to whole groups
 * fourth     1 a vertex, the same room; NULL: there is no fourth component
 *
 * After a refusal the outputs hold anything.
 */
SPN_NODISCARD spn_status spn__residual_decode(
    const struct residual_ops *ops, const struct residual_tables *tables,
    const uint8_t *payload, size_t bytes, uint32_t count, int16_t *residuals,
    int16_t *fourth, struct spn_fault *fault);

/* -- what the variants share -- */

/* One number of an escape; reads up to 4 bytes. */
static inline int32_t residual_number(const uint8_t **at)
{
    const uint8_t *b = *at;
    uint32_t zigzag = b[0];

    *at += 1;
    if (zigzag == 255) {
        zigzag = (uint32_t)b[1] | (uint32_t)b[2] << 8 | (uint32_t)b[3] << 16;
        *at += 3;
    }
    return (int32_t)(zigzag >> 1) ^ -(int32_t)(zigzag & 1);
}

/* An escaped triple; reads up to 13 bytes. */
static inline void residual_escape(const uint8_t **at, int32_t q[3])
{
    const uint8_t *b = *at;

    if (b[0] & 1) {
        *at += 1;
        for (int i = 0; i < 3; i++)
            q[i] = residual_number(at);
        return;
    }
    *at += 2;
    for (int i = 0; i < 3; i++) {
        uint32_t five = ((uint32_t)b[0] | (uint32_t)b[1] << 8) >> (1 + 5 * i);

        q[i] = (int32_t)((five & 31) ^ 16) - 16;
    }
}

#endif
