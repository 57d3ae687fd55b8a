/* lift_fit.h - fits the parameters of a prediction by least squares.
 *
 * lift_search.c calls these functions for each of its candidates. The symbols R
 * and S are those of codec/lift/LIFTING.md. Only integers and doubles in a
 * fixed order are used, so the result is the same on every machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FIT_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_FIT_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

/* Set prediction->fraction_bits for the first `frame_count` (>= 1) reference
 * frames: as many bits as fit beside the differences between the frames. Set
 * is_far where the differences from the mean of the two nearest frames leave
 * room for more bits. Overwrites R and S of the scratch. */
void lift_fit_fraction(const struct lift_target *target, uint32_t frame_count,
                       struct lift_scratch *scratch,
                       struct lift_prediction *prediction);

/* Fit weight[1] and later, in 2^-15ths, for all reference frames, at least two.
 * `is_detail`: fit the errors of the prediction in space, instead of the
 * values. Overwrites the runs of the scratch. */
void lift_fit_weights(const struct lift_target *target, bool is_detail,
                      struct lift_scratch *scratch, int16_t *weight);

/* Compute S (error_sums) from R (errors) for the vertices [first, limit). */
void lift_fit_error_sums(const struct lift_hierarchy *hierarchy,
                         const int16_t *errors, uint32_t first, uint32_t limit,
                         int16_t *error_sums);

/* Compute S from R in the scratch, and fit the weight of S of each level
 * (level_weight), from one run of vertices in every `step`. */
void lift_fit_levels(const struct lift_target *target, uint32_t step,
                     struct lift_scratch *scratch,
                     struct lift_prediction *prediction);

#endif
