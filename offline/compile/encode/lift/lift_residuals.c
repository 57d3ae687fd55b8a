/* lift_residuals.c - computes residuals from values by the runtime's formulas.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_residuals.h"

#include "codec/lift/lift_formulas.h"

#include <math.h>
#include <string.h>

/* lift_root by a float square root. The exact root is never near a half, so
 * rounding is safe. */
static inline int32_t root_of(int32_t d)
{
    return (int32_t)(sqrtf((float)d) + 0.5f);
}

/* Write the residuals of one vertex to index `at`. */
static void residuals_of(const struct lift_target *t,
                         struct lift_scratch *scratch, uint32_t at,
                         const struct lift_predicted *predicted,
                         const int16_t *x)
{
    int16_t *e = scratch->residuals + 4 * (size_t)at;

    e[3] = 0;
    if (t->channel == CHANNEL_QTANGENT) {
        lift_qtangent_residuals(predicted, x, root_of, e, &scratch->fourth[at]);
        return;
    }
    for (uint32_t k = 0; k < 3; k++)
        e[k] = lift_apply_side(predicted->side[k],
                               lift_minus(x[k], predicted->p[k]));
    scratch->fourth[at] =
        lift_apply_side(predicted->side[3], lift_minus(x[3], predicted->p[3]));
}

/* Return the number of residuals. */
uint32_t lift_residuals_space(const struct lift_target *t, uint32_t step,
                              struct lift_scratch *scratch)
{
    const struct lift_hierarchy hierarchy =
        lift_channel_hierarchy(t->hierarchy, t->channel, false);
    const uint32_t count = hierarchy.vertex_count;
    const bool is_biased = channel_form(t->channel) == FORM_U16X3 ||
                           channel_form(t->channel) == FORM_U16X2;
    const uint32_t components = channel_components(t->channel);
    int16_t *x = scratch->time_errors;
    uint32_t n = 0;

    memcpy(x, t->values, 4 * (size_t)count * sizeof *x);
    for (uint32_t v = 0; is_biased && v < count; v++)
        for (uint32_t k = 0; k < components; k++)
            x[4 * (size_t)v + k] = lift_plus(x[4 * (size_t)v + k], INT16_MIN);
    for (uint32_t v = 0; v < count; v = lift_next_sampled(v, step)) {
        struct lift_predicted predicted;
        int32_t c[4];

        lift_sum_values(&hierarchy, x, v, c);
        for (uint32_t k = 0; k < 4; k++) {
            predicted.p[k] = lift_predict_space(c[k]);
            predicted.side[k] = lift_side(c[k], LIFT_SPACE_BITS);
        }
        residuals_of(t, scratch, n++, &predicted, x + 4 * (size_t)v);
    }
    return n;
}

/* lift_scaled_difference in 16 bits; `one`: 2^fraction_bits. */
static inline int16_t finer(int16_t a, int16_t b, int16_t one)
{
    return lift_wrap((uint32_t)(lift_minus(a, b) * one));
}

/* Compute T, D and R of all vertices, because references may be any vertices.
 * The loops run frame by frame over 16-bit numbers, so that compilers vectorize
 * them. Only frames with is_far, which are rare, call lift_add_frame. */
void lift_time_errors(const struct lift_target *t,
                      const struct lift_prediction *prediction,
                      const struct lift_scratch *scratch)
{
    const size_t limit = 4 * (size_t)t->hierarchy->vertex_count;
    const uint32_t fraction_bits = prediction->fraction_bits;
    const int16_t one = lift_wrap(1u << fraction_bits);
    const uint32_t whole_count =
        prediction->frame_count - prediction->has_guess;
    const int16_t *values = t->values;
    const int16_t *from = whole_count > 0 ? t->from[0] : t->guess;
    int16_t *restrict first = scratch->residuals;
    int16_t *restrict whole = scratch->time_whole;
    int16_t *restrict times = scratch->time_fraction;
    int16_t *restrict rest = scratch->time_errors;

    for (size_t i = 0; i < limit; i++) {
        whole[i] = first[i] = lift_first_value(from[i], whole_count == 0);
        times[i] = 0;
    }
    for (uint32_t j = 1; j < whole_count; j++) {
        const int16_t weight = prediction->weight[j];

        from = t->from[j];
        for (size_t i = 0; !prediction->is_far && i < limit; i++)
            times[i] = lift_plus(
                times[i], lift_multiply(finer(from[i], first[i], one), weight));
        for (size_t i = 0; prediction->is_far && i < limit; i++) {
            struct lift_time_prediction time = {whole[i], times[i]};

            lift_add_frame(&time, from[i], first[i], weight, fraction_bits,
                           true);
            whole[i] = time.whole;
            times[i] = time.fraction;
        }
    }
    if (prediction->has_guess) {
        const int16_t weight = prediction->weight[whole_count];

        from = t->guess;
        for (size_t i = 0; i < limit; i++) {
            struct lift_time_prediction time = {whole[i], times[i]};

            lift_add_guess(&time, from[i], first[i], weight);
            times[i] = time.fraction;
        }
    }
    for (size_t i = 0; i < limit; i++)
        rest[i] = lift_minus(finer(values[i], whole[i], one), times[i]);
}

/* Predictions of the numbers of a run, and their sides (lift_side). */
struct run_predictions {
    int16_t p[4 * LIFT_RUN];
    int16_t side[4 * LIFT_RUN];
};

/* Compute lift_predict_space_time and lift_side of `count` numbers from `first`
 * on, in 16 bits. */
static void predict_run(const struct lift_scratch *scratch, size_t first,
                        size_t count, int16_t error_weight,
                        uint32_t fraction_bits,
                        struct run_predictions *restrict out)
{
    const int16_t *times = scratch->time_fraction + first;
    const int16_t *time = scratch->time_whole + first;
    const int16_t *error_sums = scratch->error_sums + first;
    const int16_t part = (int16_t)(0x8000 >> fraction_bits);

    for (size_t i = 0; i < count; i++) {
        const int16_t c =
            lift_plus(times[i], lift_multiply(error_sums[i], error_weight));

        out->p[i] = lift_plus(time[i], lift_multiply(c, part));
        out->side[i] = (int16_t) - ((uint16_t)c >> (fraction_bits - 1) & 1);
    }
}

static void residuals_of_qtangents(const struct run_predictions *predictions,
                                   const int16_t *x, uint32_t vertex_count,
                                   int16_t *e, int16_t *fourth)
{
    for (uint32_t v = 0; v < vertex_count; v++) {
        struct lift_predicted predicted;

        for (uint32_t k = 0; k < 4; k++) {
            predicted.p[k] = predictions->p[4 * v + k];
            predicted.side[k] = predictions->side[4 * v + k];
        }
        lift_qtangent_residuals(&predicted, x + 4 * (size_t)v, root_of,
                                e + 4 * (size_t)v, fourth + v);
        e[4 * (size_t)v + 3] = 0;
    }
}

static void residuals_of_numbers(const struct run_predictions *predictions,
                                 const int16_t *x, uint32_t vertex_count,
                                 int16_t *restrict e, int16_t *fourth)
{
    for (size_t i = 0; i < 4 * (size_t)vertex_count; i++)
        e[i] = lift_apply_side(predictions->side[i],
                               lift_minus(x[i], predictions->p[i]));
    for (uint32_t v = 0; v < vertex_count; v++) {
        fourth[v] = e[4 * (size_t)v + 3];
        e[4 * (size_t)v + 3] = 0;
    }
}

/* Compute residuals from T, D, R, S and the weights of levels, run by run.
 * Return the number of residuals. */
uint32_t lift_residuals_time(const struct lift_target *t, uint32_t step,
                             struct lift_scratch *scratch,
                             const struct lift_prediction *prediction)
{
    const struct lift_hierarchy *hierarchy = t->hierarchy;
    uint32_t n = 0;

    for (uint32_t l = 0; l < hierarchy->layer_count; l++) {
        const int16_t error_weight = (int16_t)lift_error_weight(
            prediction->level_weight[hierarchy->layers[l].level]);
        const uint32_t limit = hierarchy->layers[l + 1].first;

        for (uint32_t v = lift_first_sampled(hierarchy->layers[l].first, step);
             v < limit;) {
            const uint32_t next = (v / LIFT_RUN + 1) * LIFT_RUN;
            const uint32_t count = (next < limit ? next : limit) - v;
            const int16_t *x = t->values + 4 * (size_t)v;
            struct run_predictions predictions;

            predict_run(scratch, 4 * (size_t)v, 4 * (size_t)count, error_weight,
                        prediction->fraction_bits, &predictions);
            if (t->channel == CHANNEL_QTANGENT)
                residuals_of_qtangents(&predictions, x, count,
                                       scratch->residuals + 4 * (size_t)n,
                                       scratch->fourth + n);
            else
                residuals_of_numbers(&predictions, x, count,
                                     scratch->residuals + 4 * (size_t)n,
                                     scratch->fourth + n);
            n += count;
            v = lift_first_sampled(v + count, step);
        }
    }
    return n;
}
