/* residual_copy.c - copy residuals to a sample of a training. */
/* SPDX-License-Identifier: MIT */
#include "support/residual_copy.h"

#include <string.h>

static const int16_t *copy(struct arena *arena, const int16_t *from,
                           size_t count)
{
    int16_t *to = ARENA_NEW(arena, int16_t, count);

    memcpy(to, from, count * sizeof *to);
    return to;
}

struct residual_sample residual_copy(struct arena *arena,
                                     const int16_t *residuals,
                                     const int16_t *fourth, uint32_t count)
{
    const uint32_t stripes = (count + RESIDUAL_STRIPE - 1) / RESIDUAL_STRIPE;
    const size_t vertices = (size_t)stripes * RESIDUAL_STRIPE;

    return (struct residual_sample){
        .residuals = copy(arena, residuals, 4 * vertices),
        .fourth = fourth ? copy(arena, fourth, vertices) : NULL,
        .run_count = stripes * RESIDUAL_STREAMS,
    };
}
