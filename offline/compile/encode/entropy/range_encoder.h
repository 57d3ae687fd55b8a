/* range_encoder.h - encodes bits to the bytes that base/range_coder.h decodes.
 *
 * The compiler writes the static data of lifted meshes with it. Call
 * range_encoder_begin() once, then encode the bits in the order in which they
 * are decoded, then range_encoder_end(). The caller owns the encoder; one
 * thread at a time uses it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H

#include "base/range_coder.h"
#include "common/arena.h"

struct range_encoder {
    /* The output: complete after range_encoder_end(). */
    uint8_t *bytes; /* in `arena` */
    size_t count;   /* bytes that were written */

    /* The state. */
    size_t room;         /* bytes that fit at `bytes`; it grows */
    struct arena *arena; /* of the caller */
    uint32_t range;      /* the range of the decoder */
    uint64_t low;        /* 32 bits of the code, and a carry in bit 32 */
    uint8_t pending;     /* last byte before `low`; a carry may change it */
    size_t pending_ff;   /* bytes of 255 between `pending` and `low` */
};

/* Begin with no bytes. */
void range_encoder_begin(struct range_encoder *e, struct arena *arena);
/* Encode `bit` (0 or 1) with the adaptive probability `chance`, and adapt it.
 */
void range_encode_bit(struct range_encoder *e, struct chance *chance,
                      uint32_t bit);
/* Encode the low `count` bits of `bits`, each with probability 1/2. */
void range_encode_even(struct range_encoder *e, uint32_t count, uint32_t bits);
/* Write the last bytes. */
void range_encoder_end(struct range_encoder *e);

#endif
