/* residual_train.h - tables of triples that suit a clip.
 *
 * Residuals of some frames are gathered; then, in turns, each block takes the
 * class that is cheapest for it, and each table becomes the best code for the
 * blocks that took it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_TRAIN_H

#include "common/arena.h"
#include "compile/encode/entropy/residual_encode.h"

#include <stdbool.h>

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

/* Copy the residuals of one payload; laid out as for residual_encode. */
void residual_training_add(struct residual_training *training,
                           const int16_t *residuals, const int16_t *fourth,
                           uint32_t count);

/* Tables for any residuals, best for those that were added. */
void residual_training_finish(const struct residual_training *training,
                              struct residual_encoder *coder);

#endif
