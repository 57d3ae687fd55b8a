/* number_model.h - the model of numbers, for reading and writing.
 *
 * A model decides which bits are coded with which chances. Its text is the same
 * for both directions: a file includes it after it has defined `struct coder`
 * and
 *   uint32_t code_bit(struct coder *, struct chance *, uint32_t bit)
 *   uint32_t code_even(struct coder *, uint32_t count, uint32_t bits)
 * code_bit() codes one bit with a chance that learns, code_even() `count` bits
 * that are 0 or 1 with equal chance. A writer's functions write their last
 * argument and return it. A reader's functions ignore it and return what they
 * read (model_reader.h). All functions here follow the same rule: they take the
 * number to write and return the number that was coded.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_MODEL_H
#define SPN_CODEC_LIFT_NUMBER_MODEL_H

#include "codec/lift/lift_wire.h"

/* A number without a sign: its length in bits, in unary; the bit below the
 * highest one; and the lower bits, which are even. */
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

/* A magnitude, then its sign. */
static inline int32_t code_number(struct coder *c, struct wire_number *m,
                                  int32_t x)
{
    /* A reader's x may be anything, even INT32_MIN. */
    const uint32_t magnitude =
        code_magnitude(c, m, x < 0 ? 0u - (uint32_t)x : (uint32_t)x);

    if (magnitude == 0)
        return 0;
    return code_bit(c, &m->is_negative, x < 0) ? -(int32_t)magnitude
                                               : (int32_t)magnitude;
}

/* 32 even bits. */
static inline uint32_t code_even_32(struct coder *c, uint32_t x)
{
    const uint32_t high = code_even(c, 16, x >> 16);

    return high << 16 | code_even(c, 16, x & 0xffffu);
}

/* A number below 2^bits from its highest bit on, each bit with a chance that
 * depends on those above it: `tree` has 2^bits chances. Returns x + 2^bits. */
static inline uint32_t code_tree(struct coder *c, struct chance *tree,
                                 uint32_t bits, uint32_t x)
{
    uint32_t at = 1;

    while (bits-- > 0)
        at = at << 1 | code_bit(c, &tree[at], x >> bits & 1);
    return at;
}

/* A context from the number that was coded before: large numbers follow large
 * ones. */
static inline uint32_t wire_bucket(int32_t x)
{
    const int32_t magnitude = x < 0 ? -x : x;

    return magnitude > 6   ? 4
           : magnitude > 2 ? 3
           : magnitude > 1 ? 2
                           : (uint32_t)magnitude;
}

#endif
