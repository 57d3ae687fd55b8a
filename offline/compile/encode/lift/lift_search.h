/* lift_search.h - finds the best prediction of one channel of one tile in one
 * frame: the one whose residuals have the least entropy.
 *
 * The candidates are
 *
 *   - prediction in space alone,
 *   - the mean of the two nearest reference frames,
 *   - a weighted sum of all reference frames. The weights are fitted to the
 *     values, and also to the errors of the prediction in space,
 *   - for QTangents with one-rings, the guess (codec/lift/one_ring.h), alone or
 *     with other frames.
 *
 * lift_fit.h fits the other parameters of each candidate. In large tiles the
 * candidates are compared on a sample of the vertices (lift_target.h). Only
 * integers, and doubles in a fixed order, are used, so the choice is the same
 * on every machine. Any thread may search, each with a scratch of its own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SEARCH_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SEARCH_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

struct lift_found {
    struct lift_prediction prediction; /* codec/lift/lift_head.h */
    /* Of all vertices, in the scratch until its next use; zero up to whole
     * groups of RESIDUAL_STRIPE vertices. */
    const int16_t *residuals;
    const int16_t *fourth; /* NULL: the channel has three components */
};

/* Find the best prediction and its residuals. */
void lift_search(const struct lift_target *target, struct lift_scratch *scratch,
                 struct lift_found *found);

/* Make the residuals of a prediction that lift_search has found before for the
 * same target. */
void lift_search_again(const struct lift_target *target,
                       const struct lift_prediction *prediction,
                       struct lift_scratch *scratch, struct lift_found *found);

/* Entropy of the residuals that lift_search or lift_search_again has just left
 * in the scratch, in bits: of all vertices of the target, the sum over the
 * components, each coded by itself. */
uint64_t lift_found_bits(const struct lift_target *target,
                         const struct lift_scratch *scratch);

/* Write the head of a payload (lift_head.h). Returns its bytes, at most
 * LIFT_HEAD_BYTES_MAX. */
size_t lift_head_write(const struct lift_prediction *prediction,
                       uint32_t level_count, uint8_t *out);

#endif
