/* lift_search.h - how to predict one channel of one tile in one frame.
 *
 * Tried are space alone, and in time the mean of two frames and weights of all
 * by least squares, on values or on what space leaves over of them. Each takes
 * as many bits of fraction as its motion leaves room for and the scale of every
 * level that leaves least, where calm places count as much as wild ones, which
 * take few bits more; and the one whose residuals have the least entropy
 * wins; of large tiles some of the vertices are asked. Whole numbers and plain
 * double arithmetic: the same choice everywhere.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_LIFT_SEARCH_H
#define OFFLINE_COMPILE_LIFT_SEARCH_H

#include "common/arena.h"
#include "geom/lift.h"

/* Numbers are four a vertex in the shape's order, as they are quantized (the
 * third and fourth of positions and UVs 0), with LIFT_PADDING vertices more. */
struct lift_target {
    enum channel channel;
    const struct lift_shape *shape;
    const int16_t *values;
    const int16_t *from[LIFT_FRAMES_MAX]; /* as in lift_stream */
    uint32_t from_count;
    /* QTangents that may be predicted by the positions of the same frame (four
     * numbers a vertex, room for whole blocks); or NULL */
    const struct ring_shape *rings;
    const int16_t *positions;
    /* `values`, where frames hold whichever of q and -q the guess is: turned to
     * that by the search, which then looks at nothing else; or NULL */
    int16_t *turned;
    /* The search's own: the last of `from` in 64ths, a guess; or NULL. */
    const int16_t *guess;
};

/* Vertices side by side that are about as wild as each other, and what least
 * squares add up of them. */
#define LIFT_RUN 16u
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

struct lift_found {
    struct lift_prediction prediction;
    /* in the scratch until its next use, zero up to whole groups */
    const int16_t *residuals;
    const int16_t *fourth; /* NULL: three components */
};

void lift_search(const struct lift_target *target, struct lift_scratch *scratch,
                 struct lift_found *found);

/* Where it is known what that finds: the prediction of the same target. */
void lift_search_again(const struct lift_target *target,
                       const struct lift_prediction *prediction,
                       struct lift_scratch *scratch, struct lift_found *found);

/* Bits of what was found last, each component by itself: its entropy. */
uint64_t lift_found_bits(const struct lift_target *target,
                         const struct lift_scratch *scratch);

/* The same in two steps, for those who ask one target with several rings (and
 * signs that are not the guesses'): what is best without guesses, and the bits
 * with those of the target's rings. */
struct lift_best {
    struct lift_target target; /* with the guess as a frame */
    struct lift_prediction prediction;
    uint64_t bits; /* of the vertices that were asked */
    bool is_any;
    bool is_guessing; /* by guesses, though other frames are there */
    bool is_made;     /* bits_of_all are known */
    uint64_t bits_of_all;
};
void lift_search_frames(const struct lift_target *target,
                        struct lift_scratch *scratch, struct lift_best *best);
uint64_t lift_search_rings(const struct lift_target *target,
                           struct lift_scratch *scratch,
                           struct lift_best *frames);

/* Write the head of the payload. Returns its bytes, at most
 * LIFT_HEAD_BYTES_MAX. */
size_t lift_head_write(const struct lift_prediction *prediction,
                       uint32_t level_count, uint8_t *out);

/* Entropy of one component in bits, each number coded by itself: `count`
 * numbers `stride` apart. */
uint64_t lift_entropy(const uint32_t *logarithms, const int16_t *numbers,
                      uint32_t count, uint32_t stride);

#endif
