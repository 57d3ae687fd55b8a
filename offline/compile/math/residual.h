/* residual.h - values to residuals, and residuals to bytes: the runtime's
 * prediction and planes backwards.
 *
 * Written apart from the decoder on purpose: the encoder decodes what it
 * wrote, so a mistake in either is found in every compile.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_RESIDUAL_H
#define OFFLINE_COMPILE_MATH_RESIDUAL_H

#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

/* Residuals of vertices [first, first + count) of `values` by the stream's
 * coding, interleaved, in the machine's byte order; the first of them at the
 * start of `residuals`. `values` holds all s->count vertices; the arrays do
 * not overlap. */
void residual_make(const struct predict_stream *s, const void *values,
                   uint32_t first, uint32_t count, void *residuals);

/* The bytes of `count` vertices' residuals as they lie in the file, as many
 * as the residuals have. The arrays do not overlap. */
void residual_store(enum channel channel, enum residual_order order,
                    const void *residuals, uint32_t count, uint8_t *bytes);

#endif
