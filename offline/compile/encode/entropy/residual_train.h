/* residual_train.h - trains the Huffman tables of a channel on residuals of a
 * clip.
 *
 * Samples are collected first. Then two steps alternate, as in k-means: each
 * block takes the class that is cheapest by the present tables, and each table
 * becomes the optimal code of the blocks that took it. One thread at a time.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H

#include "common/arena.h"
#include "compile/encode/entropy/residual_encode.h"

#include <stdbool.h>

/* Residuals of one payload, in the arena; a linked list. */
struct residual_sample {
    struct residual_sample *next;
    const int16_t *residuals;
    const int16_t *fourth; /* or NULL */
    uint32_t block_count;
};

struct residual_training {
    struct arena *arena;
    struct residual_sample *samples;
    struct residual_sample **last;
};

void residual_training_begin(struct residual_training *training,
                             struct arena *arena);

/* Add a copy of the residuals of one payload, laid out as for residual_encode.
 */
void residual_training_add(struct residual_training *training,
                           const int16_t *residuals, const int16_t *fourth,
                           uint32_t count);

/* Compute the tables. They can code any residuals, and code the samples best.
 */
void residual_training_finish(const struct residual_training *training,
                              struct residual_encoder *coder);

#endif
