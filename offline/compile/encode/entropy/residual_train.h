/* residual_train.h - trains the Huffman tables of a channel.
 *
 * Input are the residuals of some frames of the clip (lift/lift_tables.c).
 * Output is the struct residual_encoder with which all frames are encoded.
 *
 * The training alternates between two steps, as k-means does: each run takes
 * the class that is cheapest with the present tables, and each table becomes
 * the optimal code of the runs that took it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H

#include "common/arena.h"
#include "compile/encode/entropy/residual_encode.h"

#include <stdbool.h>

/* The residuals of one payload. */
struct residual_sample {
    const int16_t *residuals;
    const int16_t *fourth; /* NULL: no fourth component */
    uint32_t run_count;    /* runs of RESIDUAL_RUN vertices */
};

/* Compute the tables, and finish the encoder. The tables can code any
 * residuals; they are trained to code the samples in few bits. `scratch` is
 * used during the call. */
void residual_train(const struct residual_sample *samples, uint32_t count,
                    struct arena *scratch, struct residual_encoder *coder);

#endif
