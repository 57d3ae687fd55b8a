/* range_encoder.h - encodes binary decisions to the bytes that
 * base/range_coder.h decodes. The caller owns the encoder; the bytes lie in its
 * arena.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H

#include "base/range_coder.h"
#include "common/arena.h"

struct range_encoder {
    uint64_t low;
    uint32_t range;
    uint8_t pending;   /* last byte, which a carry may still change */
    size_t pending_ff; /* bytes of 255 behind it, likewise */
    uint8_t *bytes;    /* in the arena, grows */
    size_t count;
    size_t room;
    struct arena *arena;
};

void range_encoder_begin(struct range_encoder *e, struct arena *arena);
/* Encode `bit` (0 or 1) with the adaptive probability `chance`, and adapt it.
 */
void range_encode_bit(struct range_encoder *e, struct chance *chance,
                      uint32_t bit);
/* Encode the low `count` bits of `bits`, each with probability 1/2. */
void range_encode_even(struct range_encoder *e, uint32_t count, uint32_t bits);
/* Write the last bytes. `bytes` and `count` are then complete. */
void range_encoder_end(struct range_encoder *e);

#endif
