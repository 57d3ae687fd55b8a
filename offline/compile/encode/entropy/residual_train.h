/* residual_train.h - trains the Huffman tables of a channel.
 *
 * Input are the residuals of some frames of the clip (lift/lift_tables.c).
 * Output is the struct residual_encoder with which all frames are encoded. Call
 * residual_training_begin() once, residual_training_add() for each payload, and
 * residual_training_finish() once. A training belongs to one thread at a time.
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

/* The residuals of one payload: an item of a linked list, in the arena. */
struct residual_sample {
    struct residual_sample *next;
    const int16_t *residuals;
    const int16_t *fourth; /* NULL: no fourth component */
    uint32_t run_count;    /* runs of RESIDUAL_RUN vertices */
};

struct residual_training {
    struct arena *arena;             /* of the caller */
    struct residual_sample *samples; /* the list */
    struct residual_sample **last;   /* where the next item is linked */
};

void residual_training_begin(struct residual_training *training,
                             struct arena *arena);

/* Compute the tables, and finish the encoder. The tables can code any
 * residuals; they are trained to code the samples in few bits. */
void residual_training_finish(const struct residual_training *training,
                              struct residual_encoder *coder);

#endif
