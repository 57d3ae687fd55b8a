/* residual_coder.h - prediction errors of the lifting codec as Huffman codes.
 *
 * The lifting codec (lift.h) stores the residuals (prediction errors) of one
 * channel of one tile in one frame: three components for each of `count`
 * vertices and, where the channel has one, a fourth. A payload of lift.h is a
 * head and the coded residuals. In this header, payload means the coded
 * residuals alone. spn__lift_decode() passes them to spn__residual_decode(),
 * which writes 16-bit residuals. The kernels of lift_kernels.h then add these
 * to predictions. Nothing here keeps state between calls.
 *
 * Most residuals are small, but how small differs from place to place. So the
 * vertices are divided into runs of 64, and each run has one of 16 classes. The
 * encoder takes the cheapest class for each run. A class says how many low bits
 * of each residual are stored as they are, because they are nearly random, and
 * which Huffman table codes the remaining high part (residual_tables.h). The
 * three high parts of a vertex are one symbol. High parts that are too large
 * or too rare for a code are stored as escapes. Four bit streams are decoded in
 * parallel, so that the processor overlaps four dependent chains of look-ups.
 *
 * RUNS. A run is RESIDUAL_RUN (64) vertices. A stripe is four consecutive runs;
 * run b of each stripe is in bit stream b. The last stripe is complete: its
 * vertices from `count` on have residuals of 0.
 *
 * LAYOUT of a payload:
 *
 *   u8      base, 0..8: added to the number of low bits of classes 6..15, so
 *           that a payload of large residuals has more low bits
 *   u16     bytes of bit stream 0, 1, 2, 3; little-endian
 *   nibble  class of each run, low nibble first
 *   nibble  quad class of each run; only with a fourth component
 *   then bit streams 0..3, raw bits and escapes, to the end of the payload
 *
 * CLASS. A residual e is split into its low k bits, which are stored raw, and
 * the rest q, which is coded. The class of a run chooses k and the table:
 *
 *   0       all residuals of the run are 0; it has no symbols
 *   1..5    k = 0,                  table c, c being the class
 *   6..14   k = base + 1 + (c-6)/3, table 6 + (c-6)%3
 *   15      k = base + 5,           table 8
 *
 *   q = (e + h) >> k    low = (e + h) & (2^k - 1)    h = 2^(k-1); 0 if k = 0
 *   e = q 2^k + low - h, modulo 2^16
 *
 * TRIPLE. (q0, q1, q2), each in -4..4, are the symbol
 * ((q0+4)*9 + q1+4)*9 + q2+4; any other triple is symbol 729 and an escape. A
 * run has 64 symbols in its bit stream, which is read from low bits to high.
 * For example, with base 1 and class 6, k = 2, h = 2 and the table is 6. The
 * residuals (9, -5, 0) have q = (2, -1, 0) and low = (3, 1, 2), and the symbol
 * is (6*9 + 3)*9 + 4 = 517.
 *
 * RAW BITS are in the order of runs. A run has 24 k bytes: for each eight
 * vertices k bytes of each of the three components in turn. These k bytes are a
 * little-endian number of eight times k bits; bits i k to i k + k - 1 are
 * vertex i's.
 *
 * QUAD. The fourth residuals f0 .. f3 of four vertices, each in -2..2, are the
 * symbol ((f0+2)*5 + f1+2)*25 + (f2+2)*5 + f3+2; any other quad is symbol 625
 * and an escape. Quads have five tables of their own (residual_tables.h). Quad
 * class 0: all are 0 and there are no symbols. Quad class 1..5: the quads are
 * coded with quad table 1..5. The 16 quads of a run follow its triples in the
 * bit stream.
 *
 * ESCAPES are in the order of runs; within a run, triples come before
 * quads.
 *
 *   triple  a 16-bit number: bit 0 is 0; then q0, q1, q2, five bits each,
 *           signed; or a byte whose bit 0 is 1, then three numbers (the
 *           encoder writes the byte 1; the other bits are ignored)
 *   quad    four numbers
 *   number  its zigzag z (0, -1, 1, -2 ... are 0, 1, 2, 3 ...): one byte if z
 *           is below 255, else a byte 255 and z in three bytes
 *
 * A payload is refused unless `base` is in its range, each class in use has a
 * table, and bit streams, raw bits and escapes are used up exactly; spare bits
 * of the last byte of a stream are 0.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_RESIDUAL_CODER_H
#define SPN_CODEC_LIFT_RESIDUAL_CODER_H

#include "codec/lift/residual_tables.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESIDUAL_RUN 64u
#define RESIDUAL_STRIPE 256u
#define RESIDUAL_STREAMS 4u
#define RESIDUAL_PADDING 128u /* bytes that may be read beyond a payload */
#define RESIDUAL_VERTICES_MAX 65536u
#define RESIDUAL_BASE_MAX 8u
#define RESIDUAL_LOW_BITS_MAX (RESIDUAL_BASE_MAX + 5u)
#define RESIDUAL_CLASSES 16u

/* The parts of a payload; its sizes, base and classes are checked. Pointers
 * are into the payload. */
struct residual_payload {
    const struct residual_tables *tables;
    const uint8_t *classes;      /* two bytes a stripe */
    const uint8_t *quad_classes; /* likewise; NULL: no fourth component */
    const uint8_t *stream[RESIDUAL_STREAMS];
    uint32_t stream_bytes[RESIDUAL_STREAMS];
    const uint8_t *raw;
    const uint8_t *escapes;
    const uint8_t *escapes_end; /* the end of the payload */
    uint32_t base;              /* 0..RESIDUAL_BASE_MAX; see LAYOUT */
    uint32_t stripe_count;
};

/* What a class means. */
struct residual_class {
    uint8_t low_bits; /* k */
    uint8_t table;    /* 0 for class 0 */
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

/* The decoder: one function, in a table because it depends on the processor. It
 * decodes all stripes of a payload to the outputs of spn__residual_decode().
 * Returns false if the payload is damaged. The scalar function is the
 * specification; the others give the same result for any bytes. */
struct residual_ops {
    bool (*decode)(const struct residual_payload *payload, int16_t *residuals,
                   int16_t *fourth);
};

/* Fill the table with the best functions for `cpu`, a mask of SPN_CPU_* that
 * may be used; 0 gives the scalar ones. */
void spn__residual_ops_init(struct residual_ops *ops, uint32_t cpu);

/* Parts of spn__residual_ops_init, one for each instruction set. They leave the
 * table as it is where this build has no code for the instruction set. */
void spn__residual_ops_sse41(struct residual_ops *ops);
void spn__residual_ops_avx2(struct residual_ops *ops);
void spn__residual_ops_neon(struct residual_ops *ops);

/* Decode a payload.
 *
 * payload    `bytes` of it, then RESIDUAL_PADDING bytes that may be read and
 *            whose values do not matter
 * count      vertices, 1..RESIDUAL_VERTICES_MAX
 * residuals  4 for each vertex, of which the fourth becomes 0; room for `count`
 *            rounded up to whole stripes
 * fourth     1 for each vertex, the same room; NULL: no fourth component
 *
 * SPN_ERR_FORMAT with a fault: the payload is damaged, and the outputs hold
 * anything.
 */
SPN_NODISCARD spn_status spn__residual_decode(
    const struct residual_ops *ops, const struct residual_tables *tables,
    const uint8_t *payload, size_t bytes, uint32_t count, int16_t *residuals,
    int16_t *fourth, struct spn_fault *fault);

/* -- shared by the functions of all instruction sets -- */

/* The readers of escapes. They read at *at and advance it past what they have
 * read. They do not check for the end: the caller calls them only if *at lies
 * before the end of the payload, so they read at most 15 bytes beyond it, which
 * are padding (RESIDUAL_PADDING). */

/* Read one number of an escape: 1 or 4 bytes. An escaped quad has four, at most
 * 16 bytes. */
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

/* Read an escaped triple: 2 bytes, or 4 to 13. */
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
