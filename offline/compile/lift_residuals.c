/* lift_residuals.c - the runtime's formulas, the other way. */
/* SPDX-License-Identifier: MIT */
#include "compile/lift_residuals.h"

#include "geom/lift_formulas.h"

#include <math.h>
#include <string.h>

/* lift_root: never near a half, so floats find it. */
static inline int32_t root_of(int32_t d)
{
    return (int32_t)(sqrtf((float)d) + 0.5f);
}

/* To the place `at`. */
static void residuals_of(const struct lift_target *t,
                         struct lift_scratch *scratch, uint32_t at,
                         const struct lift_point *point, const int16_t *x)
{
    int16_t *e = scratch->residuals + 4 * (size_t)at;

    e[3] = 0;
    if (t->channel == CHANNEL_QTANGENT) {
        lift_norm_residuals(point, x, root_of, e, &scratch->fourth[at]);
        return;
    }
    for (uint32_t k = 0; k < 3; k++)
        e[k] = lift_sided(point->side[k], lift_minus(x[k], point->p[k]));
    scratch->fourth[at] =
        lift_sided(point->side[3], lift_minus(x[3], point->p[3]));
}

/* Returns how many residuals there are. */
uint32_t lift_residuals_space(const struct lift_target *t, uint32_t step,
                              struct lift_scratch *scratch)
{
    const struct lift_shape shape = lift_shape_of(t->shape, t->channel, false);
    const uint32_t count = shape.vertex_count;
    const bool is_biased =
        t->channel == CHANNEL_POSITION || t->channel == CHANNEL_UV;
    const uint32_t components = channel_components(t->channel);
    int16_t *x = scratch->rest;
    uint32_t n = 0;

    memcpy(x, t->values, 4 * (size_t)count * sizeof *x);
    for (uint32_t v = 0; is_biased && v < count; v++)
        for (uint32_t k = 0; k < components; k++)
            x[4 * (size_t)v + k] = lift_plus(x[4 * (size_t)v + k], INT16_MIN);
    for (uint32_t v = 0; v < count; v = lift_next_asked(v, step)) {
        struct lift_point point;

        for (uint32_t k = 0; k < 4; k++) {
            const int32_t c = lift_space(&shape, x, v, k);

            point.p[k] = lift_whole(c);
            point.side[k] = lift_side(c, LIFT_SPACE_BITS);
        }
        residuals_of(t, scratch, n++, &point, x + 4 * (size_t)v);
    }
    return n;
}

/* lift_finer, in 16 bits; `one`: 2^k. */
static inline int16_t finer(int16_t a, int16_t b, int16_t one)
{
    return lift_wrap((uint32_t)(lift_minus(a, b) * one));
}

/* T, D and R of all vertices: any may be another's neighbour. Frame after
 * frame, in loops that compilers make wide: lift_add_frame in 16 bits, but for
 * far ones, which are rare. */
void lift_residuals_rest(const struct lift_target *t,
                         const struct lift_prediction *prediction,
                         const struct lift_scratch *scratch)
{
    const size_t limit = 4 * (size_t)t->shape->vertex_count;
    const uint32_t fraction_bits = prediction->fraction_bits;
    const int16_t one = lift_wrap(1u << fraction_bits);
    const uint32_t whole_count =
        prediction->frame_count - prediction->has_guess;
    const int16_t *values = t->values;
    const int16_t *from = whole_count > 0 ? t->from[0] : t->guess;
    int16_t *restrict first = scratch->residuals;
    int16_t *restrict whole = scratch->there;
    int16_t *restrict times = scratch->times;
    int16_t *restrict rest = scratch->rest;

    for (size_t i = 0; i < limit; i++) {
        whole[i] = first[i] = lift_first(from[i], whole_count == 0);
        times[i] = 0;
    }
    for (uint32_t j = 1; j < whole_count; j++) {
        const int16_t weight = prediction->weight[j];

        from = t->from[j];
        for (size_t i = 0; !prediction->is_far && i < limit; i++)
            times[i] = lift_plus(
                times[i], lift_half(finer(from[i], first[i], one), weight));
        for (size_t i = 0; prediction->is_far && i < limit; i++) {
            struct lift_there there = {whole[i], times[i]};

            lift_add_frame(&there, from[i], first[i], weight, fraction_bits,
                           true);
            whole[i] = there.t;
            times[i] = there.d;
        }
    }
    if (prediction->has_guess) {
        const int16_t weight = prediction->weight[whole_count];

        from = t->guess;
        for (size_t i = 0; i < limit; i++) {
            struct lift_there there = {whole[i], times[i]};

            lift_add_guess(&there, from[i], first[i], weight);
            times[i] = there.d;
        }
    }
    for (size_t i = 0; i < limit; i++)
        rest[i] = lift_minus(finer(values[i], whole[i], one), times[i]);
}

/* From T, D, R, S and scales. Returns how many residuals there are. */
uint32_t lift_residuals_time(const struct lift_target *t, uint32_t step,
                             struct lift_scratch *scratch,
                             const struct lift_prediction *prediction)
{
    const struct lift_shape *shape = t->shape;
    const uint32_t components = channel_components(t->channel);
    uint32_t n = 0;

    for (uint32_t l = 0; l < shape->layer_count; l++) {
        const int32_t scale =
            (int32_t)lift_scale(prediction->level[shape->layers[l].level]);

        for (uint32_t v = lift_first_asked(shape->layers[l].first, step);
             v < shape->layers[l + 1].first; v = lift_next_asked(v, step)) {
            struct lift_point point = {{0}, {0}};

            for (uint32_t k = 0; k < components; k++) {
                const size_t at = 4 * (size_t)v + k;
                const int32_t c =
                    scratch->times[at] + lift_half(scratch->near[at], scale);

                point.p[k] = lift_arrive(scratch->there[at], c,
                                         prediction->fraction_bits);
                point.side[k] = lift_side(c, prediction->fraction_bits);
            }
            residuals_of(t, scratch, n++, &point, t->values + 4 * (size_t)v);
        }
    }
    return n;
}
