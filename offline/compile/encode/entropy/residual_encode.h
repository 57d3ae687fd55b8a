/* residual_encode.h - encodes the residuals of lifted meshes to payloads.
 *
 * codec/lift/residual_coder.h defines the format of a payload, and the terms
 * class, table, triple and quad. residual_train.h makes the Huffman tables of a
 * channel. Once a struct residual_encoder is finished it does not change, and
 * any thread may encode with it. The functions keep no state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_ENCODE_H

#include "codec/lift/residual_coder.h"

#define RESIDUAL_RUNS_MAX (RESIDUAL_VERTICES_MAX / RESIDUAL_RUN)

/* The Huffman tables of a channel. Table numbers start at 1; index 0 is not
 * used. The caller sets the code lengths, in bits; a length of 0 means that the
 * table has no code for the symbol, and escapes it. residual_encoder_finish()
 * computes the other fields. */
struct residual_encoder {
    uint8_t triple_length[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint8_t quad_length[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint16_t triple_code[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint16_t quad_code[QUAD_TABLES + 1][QUAD_SYMBOLS];
    uint8_t wire[RESIDUAL_TABLES_BYTES]; /* the lengths, as a file has them */
    /* The lengths again, for residual_classes.c: 16 bits for each table, tables
     * 1..4 in [0] and 5..8 in [1]. */
    uint64_t triple_bits[TRIPLE_SYMBOLS][2];
    uint64_t quad_bits[QUAD_SYMBOLS][2];
};

/* Compute all other fields from the lengths. */
void residual_encoder_finish(struct residual_encoder *coder);

/* An upper bound of the bytes of a payload of `count` vertices. */
size_t residual_payload_bytes_max(uint32_t count);

/* Write a payload, and return its bytes.
 *
 * residuals  four numbers a vertex, of which the first three count
 * fourth     the fourth component, one number a vertex; NULL: none
 * count      vertices, 1..RESIDUAL_VERTICES_MAX. Both arrays go up to whole
 *            stripes of RESIDUAL_STRIPE vertices, and are 0 from `count` on
 * out        residual_payload_bytes_max(count) bytes */
size_t residual_encode(const struct residual_encoder *coder,
                       const int16_t *residuals, const int16_t *fourth,
                       uint32_t count, uint8_t *out);

#endif
