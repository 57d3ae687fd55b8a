/* number_model.h - the adaptive model of the numbers in static data.
 *
 * Hierarchies, one-rings and indices of lifted meshes are stored as sequences
 * of small numbers, coded by an adaptive binary range coder
 * (base/range_coder.h). Numbers with one meaning, such as all first weights,
 * share a number_model, which adapts to the numbers that were coded before.
 * number_coder.h codes a number with a model. A model belongs to the workspace
 * of the reader or writer.
 *
 * BINARIZATION, as in exponential-Golomb codes. The length of a number is its
 * count of bits without leading zeros; 0 has the length 0. First the length is
 * coded in unary: one bit each for "longer than 0", "longer than 1" and so on,
 * up to the first 0 bit. Then the bits below the highest one are coded, from
 * high to low. For example 13 = 1101 (binary) has the length 4:
 *
 *   1 1 1 1 0   longer than 0, 1, 2 and 3, not longer than 4
 *   1 0 1       the bits below the highest one
 *
 * A difference of two numbers is coded as its magnitude, and then its sign
 * unless the magnitude is 0.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_MODEL_H
#define SPN_CODEC_LIFT_NUMBER_MODEL_H

#include "base/range_coder.h"

#define NUMBER_BITS_MAX 32u /* the largest length */
/* Each bit below the highest one has an adaptive chance of its own for each
 * value of the bits above it, if that value is below NUMBER_TOPS: in the
 * example, the last bit has the chance of length 4 and value 6 = 110 (binary).
 * All lower bits are coded without a model: 0 and 1 are equally likely. */
#define NUMBER_TOPS 16u
/* Lengths with chances of their own, from length 2 on. Longer numbers share the
 * chances of the last of these. */
#define NUMBER_LENGTHS 15u

/* The chances of one kind of numbers; number_models_reset needs it to consist
 * of chances only. A chance is the probability of a bit (base/range_coder.h).
 */
struct number_model {
    struct chance longer[NUMBER_BITS_MAX]; /* [n]: it is longer than n */
    struct chance is_negative; /* the sign of a difference; else not used */
    /* [length - 2][value of the bits above] */
    struct chance bit[NUMBER_LENGTHS][NUMBER_TOPS];
};

/* Set models to their initial state: all bits equally likely. `models` points
 * to `bytes` bytes that consist of number_models. */
static inline void number_models_reset(void *models, size_t bytes)
{
    chance_reset(models, bytes / sizeof(struct chance));
}

#endif
