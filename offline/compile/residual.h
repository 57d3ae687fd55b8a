/* residual.h - values to residuals: the runtime's prediction backwards.
 *
 * Written apart from the decoder on purpose: the encoder decodes what it
 * wrote, so a mistake in either is found in every compile.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_RESIDUAL_H
#define OFFLINE_COMPILE_RESIDUAL_H

#include "geom/predict.h"

/* Residuals of `values` by the stream's coding. Arrays do not overlap; both
 * hold s->count vertices, in the machine's byte order. */
void residual_make(const struct predict_stream *s, const void *values,
                   void *residuals);

#endif
