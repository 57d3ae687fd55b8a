/* lift_target.h - what is to be predicted: one channel of one tile in one
 * frame.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TARGET_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_TARGET_H

#include "codec/lift/lift.h"

/* Numbers are four a vertex in the shape's order, as they are quantized (the
 * third and fourth of positions and UVs 0), with LIFT_PADDING vertices more. */
struct lift_target {
    enum channel channel;
    const struct lift_hierarchy *shape;
    const int16_t *values;
    const int16_t *from[LIFT_FRAMES_MAX]; /* as in lift_stream */
    uint32_t from_count;
    /* QTangents that may be predicted by the positions of the same frame (four
     * numbers a vertex, the last v for rings by UVs, room for whole blocks); or
     * NULL */
    const struct one_rings *rings;
    const int16_t *positions;
    /* `values`, where frames hold whichever of q and -q the guess is: turned to
     * that by the search, which then looks at nothing else; or NULL */
    int16_t *turned;
    /* The search's own: the last of `from` in 64ths, a guess; or NULL. */
    const int16_t *guess;
};

/* Vertices side by side, about as wild as each other. */
#define LIFT_RUN 16u

/* Candidates are compared by some vertices for all: runs of LIFT_RUN, one of
 * `step`; 1: all of them. The first that is asked from v on, and the next after
 * v. */
static inline uint32_t lift_first_asked(uint32_t v, uint32_t step)
{
    const uint32_t run = v / LIFT_RUN;

    return run % step == 0 ? v : (run / step + 1) * step * LIFT_RUN;
}

static inline uint32_t lift_next_asked(uint32_t v, uint32_t step)
{
    return lift_first_asked(v + 1, step);
}

#endif
