/* residual.h - computes residuals of the classic codec and stores them as
 * bytes: the inverse of the runtime's predict.h and planes.h.
 *
 * A residual is the difference between a value and its prediction. This code
 * shares nothing with the decoder: the compiler decodes everything that it has
 * encoded, so that an error in either of them is found.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_MATH_RESIDUAL_H
#define OFFLINE_COMPILE_MATH_RESIDUAL_H

#include "codec/classic/planes.h"
#include "codec/classic/predict.h"

/* Compute the residuals of the vertices first .. first + count - 1.
 *
 * s          the prediction of the stream
 * values     all s->count vertices, interleaved, in the machine's byte order
 * residuals  filled, in the same form; starts with vertex `first`. Does not
 *            overlap `values` */
void residual_make(const struct predict_stream *s, const void *values,
                   uint32_t first, uint32_t count, void *residuals);

/* Convert the residuals of `count` vertices to the bytes of the file. Both
 * arrays have the same size and do not overlap. */
void residual_store(enum channel channel, enum residual_order order,
                    const void *residuals, uint32_t count, uint8_t *bytes);

#endif
