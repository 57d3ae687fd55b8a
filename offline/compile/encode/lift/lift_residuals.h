/* lift_residuals.h - what a prediction leaves over, with the runtime's
 * formulas. References are frames of the source: the codec is lossless, so
 * those are what the decoder has.
 *
 * Residuals go to the scratch, four a vertex, the fourth component to its own
 * array; those of every `step`th run (lift_target.h), one after another.
 * Returned is how many vertices that are.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_RESIDUALS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_RESIDUALS_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

/* By space alone. */
uint32_t lift_residuals_space(const struct lift_target *target, uint32_t step,
                              struct lift_scratch *scratch);

/* T, D and R of all vertices, to the scratch: any may be another's neighbour.
 * Uses its residuals. */
void lift_residuals_rest(const struct lift_target *target,
                         const struct lift_prediction *prediction,
                         const struct lift_scratch *scratch);

/* By time: from T, D and R, S (lift_fit.h) and the scales. */
uint32_t lift_residuals_time(const struct lift_target *target, uint32_t step,
                             struct lift_scratch *scratch,
                             const struct lift_prediction *prediction);

#endif
