/* lift_scratch.h - working memory of one thread that searches predictions.
 *
 * The symbols T, D, R and S are those of codec/lift/LIFTING.md. Arrays of
 * numbers hold four a vertex and have room for the padding that kernels read.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SCRATCH_H
#define OFFLINE_COMPILE_ENCODE_LIFT_LIFT_SCRATCH_H

#include "codec/lift/lift_kernels.h"
#include "common/arena.h"

/* Sums of a least-squares fit over one run of vertices (LIFT_RUN): the normal
 * equations a w = b of the weights w of all reference frames but the first. */
struct lift_run_sums {
    double count; /* numbers that were added */
    double yy;    /* sum of the squares of the numbers to be fitted */
    double a[LIFT_FRAMES_MAX - 1][LIFT_FRAMES_MAX - 1];
    double b[LIFT_FRAMES_MAX - 1];
};

/* Everything lies in the arena of lift_scratch_make. */
struct lift_scratch {
    struct lift_ops ops;
    int16_t *time_whole;    /* T */
    int16_t *time_fraction; /* D */
    int16_t *time_errors;   /* R; without reference frames: biased values */
    int16_t *error_sums;    /* S */
    int16_t *guesses;       /* QTangents, as one_ring_ops.guess makes them */
    /* The same with signs aligned with the references of each vertex, for a
     * prediction from the guess alone. */
    int16_t *guess_alone;
    /* The same with signs aligned with the first reference frame, in 64ths and
     * in whole numbers. */
    int16_t *guess_aligned;
    int16_t *guess_whole;
    int16_t *residuals; /* of the last candidate: the first three components */
    int16_t *fourth;    /* and the fourth component, one number a vertex */
    struct lift_run_sums *runs;
    uint32_t *logarithms; /* 2^16 log2 of 1..vertex_count */
};

/* For tiles of at most `vertex_count` vertices. */
void lift_scratch_make(struct lift_scratch *scratch, uint32_t vertex_count,
                       struct arena *arena);

#endif
