/* predict.c - residuals to values: the scalar kernels, which are the
 * specification, and the choice among them.
 *
 * Everything is integer arithmetic modulo the width of a component, so the
 * values are the same on every machine. The kernels do not validate their
 * stream: entries were validated when the cache was opened, and
 * spn__predict_decode() checks the frames.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#include "base/cpu.h"
#include "codec/classic/planes.h"

#include <stdbool.h>
#include <stddef.h>

/* Spatial prediction of streams of n components, each by `predict`. */

/* NOLINTBEGIN(bugprone-macro-parentheses): types have none. */
#define PARALLELOGRAM(x, e, n)                                                 \
    (*((x) - (e)->u * (n)) + *((x) - (e)->v * (n)) - *((x) - (e)->w * (n)))
#define AVERAGE(x, e, n) ((*((x) - (e)->u * (n)) + *((x) - (e)->v * (n))) / 2)

#define SPATIAL(name, type, n, predict)                                        \
    static void name(void *values, const struct predict_stream *s)             \
    {                                                                          \
        for (uint32_t i = 0; i < s->count; i++) {                              \
            const struct predict_entry *e = &s->entries[i];                    \
            type *x = (type *)values + (size_t)i * (n);                        \
                                                                               \
            if (e->u != PREDICT_NO_TRIANGLE)                                   \
                for (uint32_t k = 0; k < (n); k++)                             \
                    x[k] = (type)(x[k] + predict(x + k, e, n));                \
            else                                                               \
                for (uint32_t k = 0; i > 0 && k < (n); k++)                    \
                    x[k] = (type)(x[k] + *(x + k - (n)));                      \
        }                                                                      \
    }

/* One component, as wide numbers. Right shifts are of unsigned numbers: a
 * product is below 2^24, so the bits that survive the reduction to the width
 * are those of the floor. `type` reduces and extends again. */
#define TEMPORAL(name, type)                                                   \
    static void name(void *values, const struct predict_stream *s,             \
                     uint32_t component_count)                                 \
    {                                                                          \
        const type *floor_index = s->floor_index;                              \
        const type *ceil_index = s->ceil_index;                                \
        const type *previous = s->previous;                                    \
        const type *previous_two = s->previous_two;                            \
        type *x = values;                                                      \
        const int32_t a = s->a;                                                \
        const int32_t b = s->b;                                                \
        const int32_t c = s->c;                                                \
                                                                               \
        for (uint32_t i = 0; i < component_count; i++) {                       \
            int32_t f = floor_index[i];                                        \
            int32_t p = previous[i];                                           \
            uint32_t between = (uint32_t)((ceil_index[i] - f) * b) >> 8;       \
            uint32_t onward = (uint32_t)((p - previous_two[i]) * a) >> 7;      \
            type lerp = (type)((uint32_t)f + between);                         \
            type motion = (type)((uint32_t)p + onward);                        \
            uint32_t blend = (uint32_t)((motion - lerp) * c) >> 7;             \
                                                                               \
            x[i] = (type)((uint32_t)lerp + blend + (uint32_t)x[i]);            \
        }                                                                      \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

SPATIAL(spatial_u16x3, uint16_t, 3u, PARALLELOGRAM)
SPATIAL(spatial_u16x2, uint16_t, 2u, PARALLELOGRAM)
SPATIAL(spatial_i16x4, int16_t, 4u, AVERAGE)
SPATIAL(spatial_u8x4, uint8_t, 4u, AVERAGE)

TEMPORAL(temporal_u16, uint16_t)
TEMPORAL(temporal_i16, int16_t)
TEMPORAL(temporal_u8, uint8_t)

void spn__predict_ops_init(struct predict_ops *ops, uint32_t cpu)
{
    ops->temporal[FORM_U16X3] = temporal_u16;
    ops->temporal[FORM_I16X4] = temporal_i16;
    ops->temporal[FORM_U16X2] = temporal_u16;
    ops->temporal[FORM_U8X4] = temporal_u8;
    ops->join_u16 = spn__planes_join_u16;
    if (cpu & SPN_CPU_SSE41)
        spn__predict_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__predict_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__predict_ops_neon(ops);
}

spn_status spn__predict_decode(const struct predict_ops *ops,
                               const struct predict_stream *s, void *values)
{
    static void (*const spatial[])(void *, const struct predict_stream *) = {
        [FORM_U16X3] = spatial_u16x3,
        [FORM_I16X4] = spatial_i16x4,
        [FORM_U16X2] = spatial_u16x2,
        [FORM_U8X4] = spatial_u8x4,
    };
    const bool has_frames =
        s->floor_index && s->ceil_index && s->previous && s->previous_two;
    enum channel_form form;

    if ((uint32_t)s->channel >= CHANNEL_COUNT || s->coding > CODING_TEMPORAL ||
        (s->coding == CODING_SPATIAL && !s->entries) ||
        (s->coding == CODING_TEMPORAL && !has_frames))
        return SPN_ERR_FORMAT;
    form = channel_form(s->channel);
    if (s->coding == CODING_SPATIAL)
        spatial[form](values, s);
    else if (s->coding == CODING_TEMPORAL)
        ops->temporal[form](values, s,
                            s->count * channel_components(s->channel));
    return SPN_OK;
}
