/* temporal_fit.h - fits the weights of a temporal prediction to a stream.
 *
 * The classic codec predicts a vertex in time from four other frames, with
 * three weights (CODING_TEMPORAL in codec/classic/predict.h). search.c adds the
 * vertices of a stream to a fit, gets the weights with the least squared error,
 * and starts its search there. The functions keep no state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_CLASSIC_TEMPORAL_FIT_H
#define OFFLINE_COMPILE_ENCODE_CLASSIC_TEMPORAL_FIT_H

#include "codec/classic/predict.h"

#include <stddef.h>
#include <stdint.h>

/* The sums of a least-squares fit. Begin with zeros. */
struct temporal_fit {
    int64_t m[3][3]; /* the normal equations; only the upper triangle is set */
    int64_t y[3];    /* their right side */
};

/* The weights a, b and c of codec/classic/predict.h. */
struct temporal_weights {
    uint8_t a; /* in 128ths */
    uint8_t b; /* in 256ths */
    uint8_t c; /* in 128ths */
};

/* Add the vertices [first, limit) of a stream that has reference frames. */
void temporal_fit_add(const struct predict_stream *stream, const void *values,
                      size_t first, size_t limit, struct temporal_fit *fit);

/* The best weights if all three are free. */
struct temporal_weights temporal_fit_blend(const struct temporal_fit *fit);

/* The best weights if only b is free: interpolation between the two index
 * frames. */
struct temporal_weights temporal_fit_lerp(const struct temporal_fit *fit);

#endif
