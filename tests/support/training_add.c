/* training_add.c - copy residuals to a sample of a training. */
/* SPDX-License-Identifier: MIT */
#include "support/training_add.h"

#include <string.h>

void training_add(struct residual_training *training, const int16_t *residuals,
                  const int16_t *fourth, uint32_t count)
{
    const uint32_t stripes = (count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;
    const size_t vertices = (size_t)stripes * RESIDUAL_STRIPE;
    struct residual_sample *sample =
        ARENA_NEW(training->arena, struct residual_sample, 1);
    int16_t *copy = ARENA_NEW(training->arena, int16_t, 4 * vertices);

    memcpy(copy, residuals, 4 * vertices * sizeof *copy);
    sample->residuals = copy;
    sample->run_count = stripes * RESIDUAL_STREAMS;
    if (fourth) {
        copy = ARENA_NEW(training->arena, int16_t, vertices);
        memcpy(copy, fourth, vertices * sizeof *copy);
        sample->fourth = copy;
    }
    *training->last = sample;
    training->last = &sample->next;
}
