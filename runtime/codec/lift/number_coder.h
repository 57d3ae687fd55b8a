/* number_coder.h - codes a number with its model, to read or to write.
 *
 * This header and those that use it (lift_model.h, one_ring_model.h,
 * index_model.h) are compiled twice: once to read and once to write. So the
 * reader and the writer always agree. Before a file includes them, it defines
 * `struct coder` and two functions:
 *
 *   uint32_t code_bit(struct coder *, struct chance *, uint32_t bit)
 *   uint32_t code_even(struct coder *, uint32_t count, uint32_t bits)
 *
 * code_bit() codes one bit with an adaptive probability. code_even() codes
 * `count` bits, for which 0 and 1 are equally likely. To write
 * (model_writer.h in the compiler), they write their last argument and return
 * it. To read (model_reader.h), they ignore their last argument and return what
 * they have read.
 *
 * All functions of the models follow the same rule: they take the number to
 * write, and return the number that was written or read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_CODER_H
#define SPN_CODEC_LIFT_NUMBER_CODER_H

#include "base/minmax.h"
#include "codec/lift/number_model.h"

/* Code a number, as number_model.h describes. */
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

/* Code a number as its difference to `guess`: the magnitude, then the sign. If
 * bytes are damaged, the sum may wrap around. */
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
