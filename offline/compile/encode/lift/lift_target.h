/* lift_target.h - the input of a prediction search: one channel of one tile in
 * one frame, and all that it may be predicted from.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TARGET_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TARGET_H

#include "codec/lift/lift.h"

/* Arrays hold four quantized numbers a vertex, in the order of the hierarchy
 * (of positions the fourth is 0, of UVs the third and fourth), and LIFT_PADDING
 * more vertices. The caller owns them. */
struct lift_target {
    enum channel channel;
    const struct lift_hierarchy *hierarchy;
    const int16_t *values;                /* to be predicted */
    const int16_t *from[LIFT_FRAMES_MAX]; /* reference frames, nearest first */
    uint32_t from_count;
    /* The one-rings that guess QTangents from `positions`, which are those of
     * the same frame. For one-rings by UVs, the fourth number of a position is
     * the second UV coordinate. NULL: no guess. */
    const struct one_rings *rings;
    const int16_t *positions;
    /* Not NULL if each QTangent is stored as q or -q, whichever is closer to
     * the guess. It is then the memory of `values`: the search changes the
     * signs there, and predicts from the guess alone. */
    int16_t *aligned_values;
    /* Set by the search: the guess in 64ths, if it is the last of `from`;
     * otherwise NULL. */
    const int16_t *guess;
};

/* Vertices of a run are neighbours, so their residuals are of similar size. */
#define LIFT_RUN 16u

/* Candidates may be compared on a sample of the vertices: one run of LIFT_RUN
 * in every `step` runs. A step of 1 takes all vertices. Returns the first
 * vertex of the sample that is not below v. */
static inline uint32_t lift_first_sampled(uint32_t v, uint32_t step)
{
    const uint32_t run = v / LIFT_RUN;

    return run % step == 0 ? v : (run / step + 1) * step * LIFT_RUN;
}

/* The first vertex of the sample that is above v. */
static inline uint32_t lift_next_sampled(uint32_t v, uint32_t step)
{
    return lift_first_sampled(v + 1, step);
}

#endif
