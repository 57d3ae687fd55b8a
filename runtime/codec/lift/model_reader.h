/* model_reader.h - the coder with which models read (number_coder.h).
 *
 * It decodes from a range_decoder. A file includes it once, before the models.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_MODEL_READER_H
#define SPN_CODEC_LIFT_MODEL_READER_H

#include "base/range_coder.h"

#define coder range_decoder
static inline uint32_t code_bit(struct coder *c, struct chance *chance,
                                uint32_t bit)
{
    (void)bit;
    return range_decode_bit(c, chance);
}

static inline uint32_t code_even(struct coder *c, uint32_t count, uint32_t bits)
{
    (void)bits;
    return range_decode_even(c, count);
}

static inline void code_choice(struct coder *c, int32_t guess, int8_t *weight)
{
    (void)c;
    (void)guess;
    (void)weight;
}

#endif
