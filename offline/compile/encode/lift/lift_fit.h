/* lift_fit.h - the numbers of a prediction: its bits of fraction by how far
 * vertices move, its weights in time and its scales in space by least squares.
 * Whole numbers and plain double arithmetic: the same everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FIT_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FIT_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

/* Fraction bits, for so many of the target's frames (>= 1): as many as the
 * motion leaves room for; or it is far, where what the mean of two frames
 * leaves over has room for more. Uses R and S of the scratch. */
void lift_fit_fraction(const struct lift_target *target, uint32_t frame_count,
                       struct lift_scratch *scratch,
                       struct lift_prediction *prediction);

/* Weights of all frames (>= 2) but the first, in 2^-15ths, to weight[1] and on:
 * of values, or of what space leaves over of them. Uses the scratch's runs. */
void lift_fit_weights(const struct lift_target *target, bool is_detail,
                      struct lift_scratch *scratch, int16_t *weight);

/* S of the vertices from `first` to `limit`, of R: all four numbers at once. */
void lift_fit_near(const struct lift_hierarchy *shape, const int16_t *rest,
                   uint32_t first, uint32_t limit, int16_t *near);

/* From R in the scratch S, and the scale of each level by every `step`th run.
 */
void lift_fit_levels(const struct lift_target *target, uint32_t step,
                     struct lift_scratch *scratch,
                     struct lift_prediction *prediction);

#endif
