/* residual.c - the encoder's side of geom/predict.h.
 *
 * The whole stream is known, so nothing is done in place and every loop is a
 * plain one that compilers make wide. Differences wrap at the width.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/residual.h"

#include <stddef.h>
#include <string.h>

/* Prediction of component k of vertex i by the entry e. */
#define BEFORE(n) (i > 0 ? values[((size_t)i - 1) * (n) + k] : 0)
#define AT(distance, n) values[(size_t)(i - (distance)) * (n) + k]

#define SPATIAL(name, type, n, guess)                                          \
    static void name(const struct predict_stream *s, const type *values,       \
                     type *residuals)                                          \
    {                                                                          \
        for (uint32_t i = 0; i < s->count; i++) {                              \
            const struct predict_entry *e = &s->entries[i];                    \
                                                                               \
            for (uint32_t k = 0; k < (n); k++) {                               \
                int32_t prediction =                                           \
                    e->u == PREDICT_NO_TRIANGLE ? BEFORE(n) : (guess);         \
                                                                               \
                residuals[(size_t)i * (n) + k] =                               \
                    (type)(values[(size_t)i * (n) + k] - prediction);          \
            }                                                                  \
        }                                                                      \
    }

#define PARALLELOGRAM(n) (AT(e->u, n) + AT(e->v, n) - AT(e->w, n))
#define AVERAGE(n) ((AT(e->u, n) + AT(e->v, n)) / 2)

SPATIAL(spatial_position, uint16_t, 3u, PARALLELOGRAM(3u))
SPATIAL(spatial_uv, uint16_t, 2u, PARALLELOGRAM(2u))
SPATIAL(spatial_qtangent, int16_t, 4u, AVERAGE(4u))
SPATIAL(spatial_color, uint8_t, 4u, AVERAGE(4u))

/* x * weight / 2^shift, rounded down; an arithmetic shift of a negative
 * number is what every compiler that the tool is built with does. */
#define FLOOR(x, weight, shift) (((x) * (weight)) >> (shift))

#define TEMPORAL(name, type)                                                   \
    static void name(const struct predict_stream *s, const type *values,       \
                     type *residuals, size_t count)                            \
    {                                                                          \
        const type *f = s->floor_index;                                        \
        const type *c = s->ceil_index;                                         \
        const type *p = s->previous;                                           \
        const type *q = s->previous_two;                                       \
        const int32_t wa = s->a;                                               \
        const int32_t wb = s->b;                                               \
        const int32_t wc = s->c;                                               \
                                                                               \
        for (size_t i = 0; i < count; i++) {                                   \
            type lerp = (type)(f[i] + FLOOR(c[i] - f[i], wb, 8));              \
            type motion = (type)(p[i] + FLOOR(p[i] - q[i], wa, 7));            \
            int32_t guess = lerp + FLOOR(motion - lerp, wc, 7);                \
                                                                               \
            residuals[i] = (type)(values[i] - guess);                          \
        }                                                                      \
    }

TEMPORAL(temporal_u16, uint16_t)
TEMPORAL(temporal_i16, int16_t)
TEMPORAL(temporal_u8, uint8_t)

static void make_spatial(const struct predict_stream *s, const void *values,
                         void *residuals)
{
    switch (s->channel) {
    case CHANNEL_POSITION:
        spatial_position(s, values, residuals);
        return;
    case CHANNEL_QTANGENT:
        spatial_qtangent(s, values, residuals);
        return;
    case CHANNEL_UV:
        spatial_uv(s, values, residuals);
        return;
    case CHANNEL_COLOR:
        spatial_color(s, values, residuals);
        return;
    case CHANNEL_COUNT:
        return;
    }
}

void residual_make(const struct predict_stream *s, const void *values,
                   void *residuals)
{
    size_t count = (size_t)s->count * channel_components(s->channel);

    if (s->coding == CODING_SPATIAL)
        make_spatial(s, values, residuals);
    else if (s->coding == CODING_PLAIN)
        memcpy(residuals, values,
               (size_t)s->count * channel_vertex_bytes(s->channel));
    else if (s->channel == CHANNEL_QTANGENT)
        temporal_i16(s, values, residuals, count);
    else if (s->channel == CHANNEL_COLOR)
        temporal_u8(s, values, residuals, count);
    else
        temporal_u16(s, values, residuals, count);
}
