/* lift_search.c - tries candidates and compares their entropy. */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_search.h"

#include "base/endian.h"
#include "codec/lift/lift_formulas.h"
#include "compile/encode/lift/lift_fit.h"
#include "compile/encode/lift/lift_residuals.h"

#include <string.h>

/* Tiles of at least SAMPLED_FROM vertices compare candidates on one run in
 * SAMPLE_STEP. */
#define SAMPLE_STEP 4u
#define SAMPLED_FROM 2048u

/* Residuals of a larger magnitude are rare, and are counted as so many bits. */
#define COUNTED 1024
#define UNCOUNTED_BITS 20u

/* -- entropy -- */

/* Order-0 entropy in bits of `count` numbers that are `stride` apart. */
static uint64_t entropy_of(const uint32_t *logarithms, const int16_t *numbers,
                           uint32_t count, uint32_t stride)
{
    uint32_t histogram[2 * COUNTED + 1] = {0};
    uint32_t counted = 0;
    uint64_t bits = 0;

    for (uint32_t i = 0; i < count; i++) {
        const int32_t x = numbers[(size_t)i * stride];

        if (x < -COUNTED || x > COUNTED) {
            bits += (uint64_t)UNCOUNTED_BITS << 16;
            continue;
        }
        histogram[x + COUNTED]++;
        counted++;
    }
    for (uint32_t i = 0; i <= 2 * COUNTED; i++)
        if (histogram[i] > 0)
            bits += (uint64_t)histogram[i] *
                    (logarithms[counted] - logarithms[histogram[i]]);
    return bits >> 16;
}

static uint64_t entropy(const struct lift_target *t, uint32_t count,
                        const struct lift_scratch *scratch)
{
    const uint32_t components = channel_components(t->channel);
    uint64_t bits = 0;

    for (uint32_t k = 0; k < components && k < 3; k++)
        bits +=
            entropy_of(scratch->logarithms, scratch->residuals + k, count, 4);
    if (components == 4)
        bits += entropy_of(scratch->logarithms, scratch->fourth, count, 1);
    return bits;
}

/* -- guesses from positions of the same frame -- */

static void make_guesses(const struct lift_target *t,
                         struct lift_scratch *scratch)
{
    const uint32_t blocks =
        /* NOLINTNEXTLINE(clang-analyzer-*): a guess needs rings. */
        one_ring_batch_count(t->rings->vertex_count);

    scratch->ops.rings.guess(t->rings, t->positions, 0, blocks,
                             scratch->guesses);
}

/* Return the target with the guess as its only frame. The signs of the guess
 * are aligned with the references of each vertex. */
static struct lift_target guess_alone(const struct lift_target *t,
                                      struct lift_scratch *scratch)
{
    const uint32_t count = t->hierarchy->vertex_count;
    struct lift_target with = *t;

    memcpy(scratch->guess_alone, scratch->guesses,
           4 * (size_t)count * sizeof *scratch->guess_alone);
    for (uint32_t v = 1; v < count; v++)
        lift_align_signs(t->values + 4 * lift_sign_reference(t->hierarchy, v),
                         scratch->guess_alone + 4 * (size_t)v);
    with.from[0] = with.guess = scratch->guess_alone;
    with.from_count = 1;
    return with;
}

/* Return the target with the guess as its last frame. The signs of the guess
 * are aligned with the first frame. */
static struct lift_target guess_among(const struct lift_target *t,
                                      struct lift_scratch *scratch)
{
    const uint32_t count = t->hierarchy->vertex_count;
    struct lift_target with = *t;

    memcpy(scratch->guess_aligned, scratch->guesses,
           4 * (size_t)count * sizeof *scratch->guess_aligned);
    for (uint32_t v = 0; v < count; v++)
        lift_align_signs(t->from[0] + 4 * (size_t)v,
                         scratch->guess_aligned + 4 * (size_t)v);
    if (with.from_count == LIFT_FRAMES_MAX)
        with.from_count--;
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        scratch->guess_whole[i] =
            lift_multiply(scratch->guess_aligned[i], 0x8000 >> LIFT_GUESS_BITS);
    with.from[with.from_count++] = scratch->guess_whole;
    with.guess = scratch->guess_aligned;
    return with;
}

/* -- the search -- */

struct lift_best {
    struct lift_target target; /* with the guess as a frame */
    struct lift_prediction prediction;
    uint64_t bits; /* of the sampled vertices */
    bool is_any;
    bool has_guess_cost; /* candidates must save GUESS_SAVES_ONE_OF */
};

static uint32_t make_residuals(const struct lift_target *t, uint32_t step,
                               struct lift_scratch *scratch,
                               struct lift_prediction *prediction)
{
    lift_time_errors(t, prediction, scratch);
    lift_fit_levels(t, step, scratch, prediction);
    return lift_residuals_time(t, step, scratch, prediction);
}

/* A guess takes time to decode. If there are other frames, it must save one bit
 * in so many. */
#define GUESS_SAVES_ONE_OF 7u

static struct lift_prediction complete(const struct lift_target *t,
                                       const struct lift_prediction *candidate)
{
    struct lift_prediction prediction = *candidate;

    prediction.weight[0] = INT16_MAX;
    prediction.has_guess =
        t->guess != NULL && prediction.frame_count == t->from_count;
    prediction.sign_aligned = prediction.has_guess;
    if (prediction.has_guess) {
        prediction.fraction_bits = LIFT_GUESS_BITS;
        prediction.is_far = false;
    }
    return prediction;
}

static void try_candidate(const struct lift_target *t, uint32_t step,
                          struct lift_scratch *scratch,
                          const struct lift_prediction *candidate,
                          struct lift_best *best)
{
    struct lift_prediction prediction = complete(t, candidate);
    uint32_t count;
    uint64_t bits;

    count = prediction.frame_count > 0
                ? make_residuals(t, step, scratch, &prediction)
                : lift_residuals_space(t, step, scratch);
    bits = entropy(t, count, scratch);
    bits += best->has_guess_cost ? bits / (GUESS_SAVES_ONE_OF - 1) : 0;
    if (best->is_any && bits >= best->bits)
        return;
    *best = (struct lift_best){.target = *t,
                               .prediction = prediction,
                               .bits = bits,
                               .is_any = true,
                               .has_guess_cost = best->has_guess_cost};
}

static void try_weights(const struct lift_target *t, uint32_t step,
                        struct lift_scratch *scratch,
                        const struct lift_prediction *fraction, bool is_detail,
                        struct lift_best *best)
{
    struct lift_prediction prediction = *fraction;

    prediction.frame_count = t->from_count;
    lift_fit_weights(t, is_detail, scratch, prediction.weight);
    try_candidate(t, step, scratch, &prediction, best);
}

/* Return the residuals in the scratch, with zeros up to whole groups. */
static void finish(const struct lift_target *t, struct lift_scratch *scratch,
                   const struct lift_prediction *prediction,
                   struct lift_found *found)
{
    const size_t count = t->hierarchy->vertex_count;

    *found = (struct lift_found){.prediction = *prediction,
                                 .residuals = scratch->residuals};
    memset(scratch->residuals + 4 * count, 0,
           4 * RESIDUAL_STRIPE * sizeof(int16_t));
    memset(scratch->fourth + count, 0, RESIDUAL_STRIPE * sizeof(int16_t));
    if (channel_components(t->channel) == 4)
        found->fourth = scratch->fourth;
}

/* Try the first frame, or the mean of the first two, and all frames with
 * weights. With a guess the fraction bits are fixed, and the mean of two other
 * frames has been tried before. */
static void try_frames(const struct lift_target *t, uint32_t step,
                       struct lift_scratch *scratch, struct lift_best *best)
{
    struct lift_prediction mean = {.frame_count =
                                       t->from_count < 2 ? t->from_count : 2,
                                   .weight = {0, 1 << 14}};
    struct lift_prediction all = {0};

    if (!t->guess)
        lift_fit_fraction(t, mean.frame_count, scratch, &mean);
    if (!t->guess || t->from_count <= 2)
        try_candidate(t, step, scratch, &mean, best);
    if (!t->guess && t->from_count > 2)
        lift_fit_fraction(t, t->from_count, scratch, &all);
    if (t->from_count == 2) {
        all.fraction_bits = mean.fraction_bits;
        all.is_far = mean.is_far;
    }
    if (t->from_count >= 2)
        try_weights(t, step, scratch, &all, true, best);
    if (t->from_count > 2)
        try_weights(t, step, scratch, &all, false, best);
}

/* Try the guess alone, and the guess among other frames, with the signs that
 * each needs. */
static void try_guesses(const struct lift_target *t, uint32_t step,
                        struct lift_scratch *scratch, struct lift_best *best)
{
    struct lift_target with;

    make_guesses(t, scratch);
    with = guess_alone(t, scratch);
    best->has_guess_cost = t->from_count > 0;
    try_frames(&with, step, scratch, best);
    if (t->from_count == 0)
        return;
    with = guess_among(t, scratch);
    try_frames(&with, step, scratch, best);
}

/* Predict by the guess alone, and give the values its signs. */
static void search_aligned(const struct lift_target *t,
                           struct lift_scratch *scratch,
                           struct lift_found *found)
{
    const struct lift_prediction one = {.frame_count = 1};
    struct lift_target alone = *t;
    struct lift_prediction prediction;

    make_guesses(t, scratch);
    for (uint32_t v = 0; v < t->hierarchy->vertex_count; v++)
        lift_align_signs(scratch->guesses + 4 * (size_t)v,
                         t->aligned_values + 4 * (size_t)v);
    alone.from[0] = alone.guess = scratch->guesses;
    alone.from_count = 1;
    prediction = complete(&alone, &one);
    (void)make_residuals(&alone, 1, scratch, &prediction);
    prediction.sign_aligned = false;
    finish(t, scratch, &prediction, found);
}

static uint32_t step_of(const struct lift_target *t)
{
    return t->hierarchy->vertex_count < SAMPLED_FROM ? 1 : SAMPLE_STEP;
}

/* Make the residuals of all vertices, because the best prediction may have been
 * found on a sample. */
static void finish_search(const struct lift_best *best,
                          struct lift_scratch *scratch,
                          struct lift_found *found)
{
    struct lift_prediction prediction = best->prediction;

    if (prediction.frame_count > 0)
        (void)make_residuals(&best->target, 1, scratch, &prediction);
    else
        (void)lift_residuals_space(&best->target, 1, scratch);
    finish(&best->target, scratch, &prediction, found);
}

void lift_search(const struct lift_target *t, struct lift_scratch *scratch,
                 struct lift_found *found)
{
    const struct lift_prediction space = {0};
    const uint32_t step = step_of(t);
    struct lift_best best = {.target = *t};

    if (t->rings && t->aligned_values) {
        search_aligned(t, scratch, found);
        return;
    }
    if (t->from_count > 0 || t->rings)
        try_candidate(t, step, scratch, &space, &best);
    if (t->from_count > 0)
        try_frames(t, step, scratch, &best);
    if (t->rings)
        try_guesses(t, step, scratch, &best);
    finish_search(&best, scratch, found);
}

void lift_search_again(const struct lift_target *t,
                       const struct lift_prediction *prediction,
                       struct lift_scratch *scratch, struct lift_found *found)
{
    struct lift_target target = *t;
    struct lift_hierarchy own;

    if (t->rings && t->aligned_values) {
        search_aligned(t, scratch, found);
        return;
    }
    if (prediction->has_guess) {
        make_guesses(t, scratch);
        target = prediction->frame_count > 1 ? guess_among(t, scratch)
                                             : guess_alone(t, scratch);
    }
    if (prediction->frame_count > 0) {
        lift_time_errors(&target, prediction, scratch);
        own = lift_channel_hierarchy(t->hierarchy, t->channel, true);
        lift_fit_error_sums(&own, scratch->time_errors, 0, own.vertex_count,
                            scratch->error_sums);
        (void)lift_residuals_time(&target, 1, scratch, prediction);
    } else {
        (void)lift_residuals_space(&target, 1, scratch);
    }
    finish(t, scratch, prediction, found);
}

uint64_t lift_found_bits(const struct lift_target *t,
                         const struct lift_scratch *scratch)
{
    return entropy(t, t->hierarchy->vertex_count, scratch);
}

size_t lift_head_write(const struct lift_prediction *prediction,
                       uint32_t level_count, uint8_t *out)
{
    size_t at = 1;

    out[0] = (uint8_t)(prediction->frame_count |
                       prediction->fraction_bits << LIFT_FRACTION_SHIFT |
                       (prediction->sign_aligned || prediction->is_far
                            ? LIFT_SIGN_ALIGNED
                            : 0) |
                       (prediction->has_guess ? LIFT_HAS_GUESS : 0));
    if (prediction->frame_count == 0)
        return at;
    for (uint32_t j = 1; j < prediction->frame_count; j++, at += 2)
        spn_store_u16le(out + at, (uint16_t)prediction->weight[j]);
    memcpy(out + at, prediction->level_weight, level_count);
    return at + level_count;
}
