/* lift_scratch.c - buffers, and a table of logarithms. */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_scratch.h"

#include "base/cpu.h"
#include "compile/encode/lift/lift_target.h"

/* Return 2^16 * log2(x), by repeated squaring. */
static uint32_t logarithm(uint32_t x)
{
    uint32_t whole = 0;
    uint64_t m;
    uint32_t log;

    while (x >> (whole + 1))
        whole++;
    log = whole << 16;
    m = ((uint64_t)x << 31) >> whole; /* in [1, 2), with 31 fraction bits */
    for (uint32_t bit = 1u << 15; bit > 0; bit >>= 1) {
        m = m * m >> 31;
        if (m >> 32) {
            m >>= 1;
            log += bit;
        }
    }
    return log;
}

void lift_scratch_make(struct lift_scratch *scratch, uint32_t vertex_count,
                       struct arena *arena)
{
    const size_t vertices =
        vertex_count + RESIDUAL_STRIPE + (size_t)LIFT_PADDING;

    spn__lift_ops_init(&scratch->ops, spn__cpu_detect());
    scratch->time_fraction = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->time_whole = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->guesses = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->guess_alone = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->guess_aligned = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->guess_whole = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->time_errors = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->error_sums = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->residuals = ARENA_NEW(arena, int16_t, 4 * vertices);
    scratch->fourth = ARENA_NEW(arena, int16_t, vertices);
    scratch->runs =
        ARENA_NEW(arena, struct lift_run_sums, vertex_count / LIFT_RUN + 1);
    scratch->logarithms = ARENA_NEW(arena, uint32_t, vertex_count + (size_t)1);
    for (uint32_t x = 1; x <= vertex_count; x++)
        scratch->logarithms[x] = logarithm(x);
}
