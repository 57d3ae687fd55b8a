/* number_model.h - numbers bit by bit, for both directions.
 *
 * Included once by a file that reads or one that writes, after it has made
 * `struct coder` and
 *   uint32_t code_bit(struct coder *, struct chance *, uint32_t bit)
 *   uint32_t code_even(struct coder *, uint32_t count, uint32_t bits)
 * which take what is written, or ignore it, and return what was coded.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_MODEL_H
#define SPN_CODEC_LIFT_NUMBER_MODEL_H

#include "codec/lift/lift_wire.h"

/* How many bits a magnitude has, one by one; the sign; the bit below its
 * highest one; the rest is even. */
static inline uint32_t code_magnitude(struct coder *c, struct wire_number *m,
                                      uint32_t x)
{
    uint32_t length = 0;
    uint32_t rest;
    uint32_t high;

    while (length < LIFT_WIRE_NUMBER_BITS &&
           code_bit(c, &m->longer[length], x >> length != 0))
        length++;
    if (length < 2)
        return length;
    rest = length - 2;
    high = 2 | code_bit(c, &m->high[length], x >> rest & 1);
    return high << rest | code_even(c, rest, x & ((1u << rest) - 1));
}

static inline int32_t code_number(struct coder *c, struct wire_number *m,
                                  int32_t x)
{
    /* What is read over has any value, INT32_MIN too. */
    const uint32_t magnitude =
        code_magnitude(c, m, x < 0 ? 0u - (uint32_t)x : (uint32_t)x);

    if (magnitude == 0)
        return 0;
    return code_bit(c, &m->is_negative, x < 0) ? -(int32_t)magnitude
                                               : (int32_t)magnitude;
}

static inline uint32_t code_even_32(struct coder *c, uint32_t x)
{
    const uint32_t high = code_even(c, 16, x >> 16);

    return high << 16 | code_even(c, 16, x & 0xffffu);
}

/* The bits of a number below 2^bits, from the highest; 2^bits chances. */
static inline uint32_t code_tree(struct coder *c, struct chance *tree,
                                 uint32_t bits, uint32_t x)
{
    uint32_t at = 1;

    while (bits-- > 0)
        at = at << 1 | code_bit(c, &tree[at], x >> bits & 1);
    return at;
}

/* Numbers behind large ones are large. */
static inline uint32_t wire_bucket(int32_t x)
{
    const int32_t magnitude = x < 0 ? -x : x;

    return magnitude > 6   ? 4
           : magnitude > 2 ? 3
           : magnitude > 1 ? 2
                           : (uint32_t)magnitude;
}

#endif
