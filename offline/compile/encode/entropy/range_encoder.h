/* range_encoder.h - the other direction of base/range_coder.h. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RANGE_ENCODER_H

#include "base/range_coder.h"
#include "common/arena.h"

struct range_encoder {
    uint64_t low;
    uint32_t range;
    uint8_t held;   /* a byte that a carry may still change ... */
    size_t held_ff; /* ... and as many of 255 behind it */
    uint8_t *bytes; /* in the arena, grows */
    size_t count;
    size_t room;
    struct arena *arena;
};

void range_encoder_begin(struct range_encoder *e, struct arena *arena);
void range_encode_bit(struct range_encoder *e, struct chance *chance,
                      uint32_t bit);
/* The low `count` bits. */
void range_encode_even(struct range_encoder *e, uint32_t count, uint32_t bits);
/* `bytes` and `count` are then whole. */
void range_encoder_end(struct range_encoder *e);

#endif
