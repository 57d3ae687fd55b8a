/* number_coder.h - codes a number with its model, for reading and writing.
 *
 * This header and the models of hierarchies, one-rings and indices are compiled
 * twice, once to read and once to write, so both always agree. A file that
 * includes them has defined `struct coder` before, and
 *
 *   uint32_t code_bit(struct coder *, struct chance *, uint32_t bit)
 *   uint32_t code_even(struct coder *, uint32_t count, uint32_t bits)
 *
 * code_bit() codes one bit with a chance that learns, code_even() `count` bits
 * that are 0 as often as 1. A writer's functions write their last argument and
 * return it. A reader's functions ignore it and return what they read
 * (model_reader.h). All functions of the models follow the same rule: they take
 * the number to write and return the number that was coded.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_CODER_H
#define SPN_CODEC_LIFT_NUMBER_CODER_H

#include "base/minmax.h"
#include "codec/lift/number_model.h"

/* A number: its length in bits, in unary; then its bits below the highest one,
 * from the highest on. */
static inline uint32_t code_number(struct coder *c, struct number_model *m,
                                   uint32_t x)
{
    uint32_t length = 0;
    uint32_t top = 1;
    struct chance *bit;
    uint32_t rest;

    while (length < NUMBER_BITS_MAX &&
           code_bit(c, &m->longer[length], x >> length != 0))
        length++;
    if (length < 2)
        return length;
    bit = m->bit[min_u32(length - 2, NUMBER_LENGTHS - 1)];
    for (rest = length - 1; rest > 0 && top < NUMBER_TOPS; rest--)
        top = top << 1 | code_bit(c, &bit[top], x >> (rest - 1) & 1);
    return top << rest | code_even(c, rest, x & ((1u << rest) - 1));
}

/* A number by its difference to `guess`: the magnitude, then the sign. The sum
 * wraps around where damaged bytes leave the range. */
static inline uint32_t code_near(struct coder *c, struct number_model *m,
                                 uint32_t guess, uint32_t x)
{
    const uint32_t difference = x - guess;
    const uint32_t is_negative = difference >> 31;
    const uint32_t magnitude =
        code_number(c, m, is_negative ? 0u - difference : difference);

    if (magnitude == 0)
        return guess;
    return code_bit(c, &m->is_negative, is_negative) ? guess - magnitude
                                                     : guess + magnitude;
}

#endif
