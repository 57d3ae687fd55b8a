/* lift_scratch.h - what the search for a prediction needs room for. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SCRATCH_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SCRATCH_H

#include "codec/lift/lift.h"
#include "common/arena.h"

/* What least squares add up of a run of vertices. */
struct lift_run_sums {
    double count;
    double yy;
    double a[LIFT_FRAMES_MAX - 1][LIFT_FRAMES_MAX - 1];
    double b[LIFT_FRAMES_MAX - 1];
};

/* Scratch of one thread, for tiles of up to so many vertices. */
struct lift_scratch {
    struct lift_ops ops;
    int16_t *times;     /* D */
    int16_t *there;     /* T */
    int16_t *guesses;   /* as they are made */
    int16_t *alone;     /* turned as without frames */
    int16_t *turned;    /* to the first frame */
    int16_t *whole;     /* the same as whole numbers */
    int16_t *rest;      /* R; in space alone: the values, biased */
    int16_t *near;      /* S */
    int16_t *residuals; /* of the candidate */
    int16_t *fourth;
    struct lift_run_sums *runs;
    uint32_t *logarithms; /* 2^16 times log2, of 1..vertex_count */
};
void lift_scratch_make(struct lift_scratch *scratch, uint32_t vertex_count,
                       struct arena *arena);

#endif
