/* triples_train.h - tables of triples that suit a clip.
 *
 * Residuals of some frames are gathered; then, in turns, each block takes the
 * class that is cheapest for it, and each table becomes the best code for the
 * blocks that took it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_TRIPLES_TRAIN_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_TRIPLES_TRAIN_H

#include "common/arena.h"
#include "compile/encode/entropy/triples_encode.h"

#include <stdbool.h>

struct triples_sample {
    struct triples_sample *next;
    const int16_t *residuals;
    const int16_t *fourth; /* or NULL */
    uint32_t block_count;
};

struct triples_training {
    struct arena *arena;
    struct triples_sample *samples;
    struct triples_sample **last;
};

void triples_training_begin(struct triples_training *training,
                            struct arena *arena);

/* Copy the residuals of one payload; laid out as for triples_encode. */
void triples_training_add(struct triples_training *training,
                          const int16_t *residuals, const int16_t *fourth,
                          uint32_t count);

/* Tables for any residuals, best for those that were added. */
void triples_training_finish(const struct triples_training *training,
                             struct triples_coder *coder);

#endif
