/* lift_search.h - how to predict one channel of one tile in one frame.
 *
 * Tried are space alone, and in time the mean of two frames and weights of all
 * by least squares, on values or on what space leaves over of them. Each takes
 * as many bits of fraction as its motion leaves room for and the scale of every
 * level that leaves least, where calm places count as much as wild ones, which
 * take few bits more; and the one whose residuals have the least entropy
 * wins; of large tiles some of the vertices are asked. Whole numbers and plain
 * double arithmetic: the same choice everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SEARCH_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SEARCH_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

struct lift_found {
    struct lift_prediction prediction;
    /* in the scratch until its next use, zero up to whole groups */
    const int16_t *residuals;
    const int16_t *fourth; /* NULL: three components */
};

void lift_search(const struct lift_target *target, struct lift_scratch *scratch,
                 struct lift_found *found);

/* Where it is known what that finds: the prediction of the same target. */
void lift_search_again(const struct lift_target *target,
                       const struct lift_prediction *prediction,
                       struct lift_scratch *scratch, struct lift_found *found);

/* Bits of what was found last, each component by itself: its entropy. */
uint64_t lift_found_bits(const struct lift_target *target,
                         const struct lift_scratch *scratch);

/* Write the head of the payload. Returns its bytes, at most
 * LIFT_HEAD_BYTES_MAX. */
size_t lift_head_write(const struct lift_prediction *prediction,
                       uint32_t level_count, uint8_t *out);

#endif
