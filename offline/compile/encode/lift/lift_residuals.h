/* lift_residuals.h - the residuals of a prediction.
 *
 * They are computed with the decoder's own formulas (lift_formulas.h).
 * Reference frames are frames of the source: the codec is lossless, so the
 * decoder has the same ones. The symbols T, D, R and S are those of
 * codec/lift/LIFTING.md.
 *
 * The first three components go to scratch->residuals, four numbers a vertex,
 * and the fourth to scratch->fourth. Of every `step` runs of vertices one is
 * computed (lift_target.h), and the results lie one after another. Functions
 * that write residuals return the number of vertices.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_RESIDUALS_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_RESIDUALS_H

#include "compile/encode/lift/lift_scratch.h"
#include "compile/encode/lift/lift_target.h"

/* Residuals of the prediction from references in space alone. */
uint32_t lift_residuals_space(const struct lift_target *target, uint32_t step,
                              struct lift_scratch *scratch);

/* Compute T, D and R of all vertices into the scratch. All, because S of a
 * vertex needs R of its references, and any vertex may be one. Overwrites the
 * residuals. */
void lift_time_errors(const struct lift_target *target,
                      const struct lift_prediction *prediction,
                      const struct lift_scratch *scratch);

/* Residuals of a prediction from frames, whose T, D, R and S are in the
 * scratch. */
uint32_t lift_residuals_time(const struct lift_target *target, uint32_t step,
                             struct lift_scratch *scratch,
                             const struct lift_prediction *prediction);

#endif
