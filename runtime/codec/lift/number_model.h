/* number_model.h - how often each number comes: the one model of the static
 * data of lifted meshes.
 *
 * Hierarchies, one-rings and indices are sequences of small numbers, coded by
 * an adaptive binary range coder (base/range_coder.h). Numbers of one meaning,
 * such as all first weights, share a number_model, which learns from the
 * numbers that were coded before. number_coder.h codes a number with it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_NUMBER_MODEL_H
#define SPN_CODEC_LIFT_NUMBER_MODEL_H

#include "base/range_coder.h"

#define NUMBER_BITS_MAX 32u
/* A bit has a chance of its own for each value of the bits above it, if that
 * value is below NUMBER_TOPS. All lower bits are even: 0 as often as 1. */
#define NUMBER_TOPS 16u
#define NUMBER_LENGTHS 15u /* longer numbers share the chances of the last */

/* Consists of chances only. */
struct number_model {
    struct chance longer[NUMBER_BITS_MAX]; /* by the length so far */
    struct chance is_below;                /* the sign of a difference */
    /* by the length, from 2 on, and by the bits above */
    struct chance bit[NUMBER_LENGTHS][NUMBER_TOPS];
};

/* Forget what was learnt. `models` consists of number_models, `bytes` long. */
static inline void number_models_reset(void *models, size_t bytes)
{
    chance_reset(models, bytes / sizeof(struct chance));
}

#endif
