/* model_writer.h - the coder with which models write (number_coder.h).
 *
 * It encodes to a range_encoder. A file includes it once, before the models. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_MODEL_WRITER_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_MODEL_WRITER_H

#include "compile/encode/entropy/range_encoder.h"

#define coder range_encoder
static inline uint32_t code_bit(struct coder *c, struct chance *chance,
                                uint32_t bit)
{
    range_encode_bit(c, chance, bit != 0);
    return bit != 0;
}

static inline uint32_t code_even(struct coder *c, uint32_t count, uint32_t bits)
{
    range_encode_even(c, count, bits);
    return bits;
}

static inline void code_choice(struct coder *c, int32_t guess, int8_t *weight)
{
    (void)c;
    (void)guess;
    (void)weight;
}

#endif
