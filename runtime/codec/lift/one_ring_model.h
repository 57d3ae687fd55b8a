/* one_ring_model.h - the model of the weights of one-rings.
 *
 * lift_wire.c includes this file to read weights, the compiler to write and to
 * choose them; number_coder.h explains how. lift_wire.h describes in words what
 * is coded. Besides the functions of number_coder.h, the including file defines
 *
 *   void code_choice(struct coder *, int32_t prediction, int8_t *weight)
 *
 * It is called before a weight is coded, and may change the weight. When the
 * compiler trains weights, it picks one that is cheap to code. In all other
 * cases it does nothing.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_ONE_RING_MODEL_H
#define SPN_CODEC_LIFT_ONE_RING_MODEL_H

#include "codec/lift/lift_wire.h"
#include "codec/lift/number_coder.h"

/* 64 cos(360 degrees / n), where n is the number of neighbours around a vertex.
 * If these are evenly spaced, the best weights c_k for a direction are a cosine
 * of k, so that
 *
 *   c_k = 2 cos(360 degrees / n) c_(k-1) - c_(k-2)
 *
 * An open ring of m neighbours is half of a ring of n = 2 (m - 1). */
static int32_t wire_wave(const struct one_ring *ring)
{
    static const int8_t wave[] = {0,  0,  -32, -32, 0,  20,
                                  32, 40, 45,  49,  52, 54};
    const uint32_t n = ring->is_gap[0] ? 2 * (ring->count - 1) : ring->count;

    return n < sizeof wave ? wave[n] : 58;
}

/* Return the prediction that had smaller errors lately: `guess`, from this
 * ring, or `before`, from another ring. */
static int32_t wire_better(const struct wire_weight_model *kind, int32_t guess,
                           int32_t before)
{
    return kind->error[1] < kind->error[0] ? before : guess;
}

/* Add the errors of both predictions of weight x. */
static void wire_update_errors(struct wire_weight_model *kind, int32_t x,
                               int32_t guess, int32_t before)
{
    const int32_t wrong[2] = {x - guess, x - before};

    for (int i = 0; i < 2; i++)
        kind->error[i] +=
            (16 * (wrong[i] < 0 ? -wrong[i] : wrong[i])) - kind->error[i] / 16;
}

/* Code a weight. `place` is the index of the number model, `guess` the
 * prediction from this ring, *before that from another ring; *before becomes
 * the weight. */
static bool code_weight(struct coder *c, const struct wire_one_rings *r,
                        struct wire_weight_model *kind, uint32_t place,
                        int32_t guess, int8_t *before, int8_t *weight)
{
    int32_t better;
    int32_t x;

    guess = guess > r->weight_max    ? r->weight_max
            : guess < -r->weight_max ? -r->weight_max
                                     : guess;
    better = wire_better(kind, guess, *before);
    code_choice(c, better, weight);
    x = (int32_t)code_near(c, &kind->number[place], (uint32_t)better,
                           (uint32_t)*weight);
    if (x < -127 || x > 127)
        return false;
    wire_update_errors(kind, x, guess, *before);
    *weight = (int8_t)x;
    *before = (int8_t)x;
    return true;
}

/* Code the weights of the neighbours of a one-ring. */
static bool code_neighbour_weights(struct coder *c, struct wire_one_rings *r,
                                   const struct one_ring *ring, int8_t *weights)
{
    const int32_t wave = ring->count > 0 ? wire_wave(ring) : 0;
    int8_t *before = r->last_weights[ring->count][1];
    uint32_t n = 0;

    for (uint32_t k = 0; k < ring->count; k++) {
        int32_t guess = 0;

        weights[k] = ring->is_again[k] ? 0 : weights[k];
        if (ring->is_again[k])
            continue;
        if (k >= 2)
            guess = (wave * weights[k - 1] - 32 * weights[k - 2]) / 32;
        if (!code_weight(c, r, &r->neighbour_model, n < 2 ? n : 2, guess,
                         &before[k], &weights[k]))
            return false;
        n++;
    }
    return true;
}

/* Code the sign of a one-ring by UVs. Its model depends on the last sign. */
static void code_sign(struct coder *c, struct wire_one_rings *r,
                      const struct one_ring *ring, int8_t *weights)
{
    if (ring->count == 0)
        return;
    r->is_mirrored =
        code_number(c, &r->mirrored[r->is_mirrored], weights[0] < 0) != 0;
    memset(weights, 0, ring->count);
    weights[0] = r->is_mirrored ? -1 : 1;
}

/* Code all weights of a one-ring. False: a weight that was read leaves its
 * range. */
static bool code_one_ring(struct coder *c, struct wire_one_rings *r,
                          const struct one_ring *ring, int8_t *sector_weights,
                          int8_t *neighbour_weights)
{
    int8_t *before = r->last_weights[ring->count][0];
    int32_t sector = r->weight_max;

    for (uint32_t k = 0; k < ring->count; k++) {
        sector_weights[k] = ring->is_gap[k] ? 0 : sector_weights[k];
        if (ring->is_gap[k])
            continue;
        if (!code_weight(c, r, &r->sector_model, 0, sector, &before[k],
                         &sector_weights[k]))
            return false;
        sector = sector_weights[k];
    }
    if (!r->by_uvs)
        return code_neighbour_weights(c, r, ring, neighbour_weights);
    code_sign(c, r, ring, neighbour_weights);
    return true;
}

#endif
