/* lift.c - decodes a payload, layer by layer.
 *
 * It trusts the hierarchy, which keeps the rules of lift_hierarchy.h. It knows
 * nothing of cache files or of how frames are grouped.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#include "base/assert.h"
#include "base/fpu.h"
#include "base/mem.h"
#include "codec/lift/lift_formulas.h"
#include "codec/lift/lift_kernels.h"

SPN_STATIC_ASSERT(LIFT_VERTICES_MAX == RESIDUAL_VERTICES_MAX, lift_vertices);
SPN_STATIC_ASSERT(LIFT_GUESS_BITS == ONE_RING_FRACTION_BITS, lift_guess_bits);

/* -- workspace -- */

struct workspace {
    int16_t *residuals;
    int16_t *fourth;
    int16_t *values;
    int16_t *errors;
    int16_t *times;
};

static struct workspace workspace_at(void *memory, uint32_t vertex_count)
{
    const size_t vertices = LIFT_PADDED_VERTICES((size_t)vertex_count);
    struct workspace w;

    w.residuals = memory;
    w.values = w.residuals + 4 * vertices;
    w.errors = w.values + 4 * vertices;
    w.fourth = w.errors + 4 * vertices;
    w.times = w.fourth + vertices;
    return w;
}

/* -- decoding -- */

/* The reference frames of a chunk of colours: bytes to 16-bit numbers. */
static void widen(const struct lift_input *s, int16_t *out,
                  struct lift_span *span)
{
    const uint32_t first = span->first;

    for (uint32_t j = 0; j < span->frame_count; j++) {
        const uint8_t *colors = (const uint8_t *)s->from[j] + 4 * (size_t)first;

        span->from[j] = out;
        for (uint32_t i = 0; i < 4 * (span->limit - first); i++)
            out[i] = colors[i];
        out += 4 * (size_t)(LIFT_CHUNK_VERTICES + LIFT_PADDING);
    }
    span->from_first = first;
}

typedef void (*lift_kernel)(const struct lift_span *span);

static lift_kernel kernel_of(const struct lift_ops *ops, bool is_qtangent,
                             bool has_time)
{
    if (has_time)
        return is_qtangent ? ops->space_time_qtangent : ops->space_time;
    return is_qtangent ? ops->space_qtangent : ops->space;
}

/* Guesses of all vertices, before their signs are aligned. They are written to
 * w->values; QTangents themselves are decoded in the output. The positions take
 * the place of R for this long. */
static const int16_t *guess_all(const struct lift_ops *ops,
                                const struct lift_input *s,
                                const struct workspace *w)
{
    const uint32_t count = s->hierarchy->vertex_count;

    ops->unpack3(s->positions, s->rings->by_uvs ? s->uvs : NULL, count,
                 w->errors);
    memset(w->errors + 4 * (size_t)count, 0,
           4 * ONE_RING_LANES * sizeof *w->errors);
    ops->rings.guess(s->rings, w->errors, 0, one_ring_batch_count(count),
                     w->values);
    return w->values;
}

/* Decode the vertices of a span. No vertex of a span refers to another one. */
static void decode_layer(const struct lift_ops *ops, const struct lift_input *s,
                         const struct lift_prediction *prediction,
                         const struct workspace *w, struct lift_span *span)
{
    const lift_kernel kernel = kernel_of(ops, s->channel == CHANNEL_QTANGENT,
                                         prediction->frame_count > 0);
    const bool is_alone = prediction->frame_count == 1;
    const uint32_t limit = span->limit;

    for (uint32_t v = span->first; v < limit; v = span->limit) {
        span->first = v;
        span->limit = limit;
        if (s->channel == CHANNEL_COLOR && prediction->frame_count > 0) {
            if (limit - v > LIFT_CHUNK_VERTICES)
                span->limit = v + LIFT_CHUNK_VERTICES;
            widen(s, w->times, span);
        }
        /* Guesses alone take their signs from earlier vertices: vertex 0 is
         * decoded before the rest of its layer. */
        if (prediction->sign_aligned && v == 0)
            span->limit = 1;
        if (prediction->sign_aligned && (v > 0 || !is_alone))
            ops->align_signs(is_alone ? s->hierarchy : NULL,
                             is_alone ? span->values : span->from[0], v,
                             span->limit, w->values);
        kernel(span);
    }
}

/* Decode layer by layer. If none of the remaining layers depends on another,
 * decode them all at once. */
static void decode_layers(const struct lift_ops *ops,
                          const struct lift_input *s,
                          const struct lift_prediction *prediction,
                          const struct workspace *w, struct lift_span *span)
{
    const struct lift_hierarchy *hierarchy = s->hierarchy;
    /* No level from here on has a scale, so nothing refers to R. */
    uint32_t with_errors = hierarchy->level_count;

    while (with_errors > 0 && prediction->level_weight[with_errors - 1] == 0)
        with_errors--;
    span->frame_weight = prediction->weight;
    span->frame_count = prediction->frame_count;
    span->fraction_bits = prediction->fraction_bits;
    span->has_guess = prediction->has_guess;
    span->is_far = prediction->is_far;
    span->from_stride = channel_components(s->channel);
    for (uint32_t j = 0; j < prediction->frame_count; j++)
        span->from[j] = s->from[j];
    if (prediction->has_guess)
        span->from[prediction->frame_count - 1] = guess_all(ops, s, w);
    for (uint32_t l = 0; l < hierarchy->layer_count; l++) {
        span->first = hierarchy->layers[l].first;
        span->limit = hierarchy->layers[l + 1].first;
        span->error_weight = lift_error_weight(
            prediction->level_weight[hierarchy->layers[l].level]);
        if (hierarchy->layers[l].level >= with_errors) {
            span->errors = NULL;
            /* Only signs of guesses alone still depend on earlier layers. */
            if (prediction->frame_count > prediction->sign_aligned) {
                span->limit = hierarchy->vertex_count;
                l = hierarchy->layer_count;
            }
        }
        decode_layer(ops, s, prediction, w, span);
    }
}

/* Store the fourth residuals of colours, which the residual coder keeps
 * separately, with the other three. */
static void merge_fourth(const struct workspace *w, uint32_t vertex_count)
{
    for (uint32_t v = 0; v < vertex_count; v++)
        w->residuals[4 * v + 3] = w->fourth[v];
}

static void pack(const struct lift_ops *ops, enum channel channel,
                 const int16_t *x, uint32_t count, uint16_t flip, void *values)
{
    uint8_t *pairs = values;
    uint8_t *colors = values;

    switch (channel_form(channel)) {
    case FORM_U16X3:
        ops->pack3(x, count, flip, values);
        break;
    case FORM_U16X2:
        for (size_t v = 0; v < count; v++) {
            uint32_t pair;

            memcpy(&pair, x + 4 * v, sizeof pair);
            pair ^= flip * 0x10001u;
            memcpy(pairs + 4 * v, &pair, sizeof pair);
        }
        break;
    case FORM_U8X4:
        for (uint32_t i = 0; i < 4 * count; i++)
            colors[i] = (uint8_t)x[i];
        break;
    case FORM_I16X4: /* in place */
        break;
    }
}

static bool is_biased(enum channel channel,
                      const struct lift_prediction *prediction)
{
    return prediction->frame_count == 0 &&
           (channel_form(channel) == FORM_U16X3 ||
            channel_form(channel) == FORM_U16X2);
}

/* With another rounding mode the vector kernels would decode wrong QTangents.
 */
static spn_status validate_fpu(const struct lift_input *s,
                               struct spn_fault *fault)
{
    if (s->channel != CHANNEL_QTANGENT || spn__fpu_rounds_to_nearest())
        return SPN_OK;
    *fault = (struct spn_fault){.status = SPN_ERR_FPU, .what = FPU_FAULT};
    return SPN_ERR_FPU;
}

/* The input must have the reference frames and the guess of the head. */
static spn_status validate_references(const struct lift_input *s,
                                      const struct lift_prediction *prediction,
                                      struct spn_fault *fault)
{
    const bool has_rings = s->channel == CHANNEL_QTANGENT && s->rings &&
                           s->positions && (s->uvs || !s->rings->by_uvs) &&
                           s->rings->vertex_count == s->hierarchy->vertex_count;

    if (prediction->frame_count - prediction->has_guess <= s->from_count &&
        (has_rings || !prediction->has_guess))
        return SPN_OK;
    fault->what = "what a frame is predicted from";
    fault->offset = 0;
    fault->value = prediction->frame_count;
    return SPN_ERR_FORMAT;
}

spn_status spn__lift_decode(const struct lift_ops *ops,
                            const struct lift_input *s, const uint8_t *payload,
                            size_t bytes, void *workspace, void *values,
                            struct spn_fault *fault)
{
    const struct lift_hierarchy *hierarchy = s->hierarchy;
    const struct workspace w = workspace_at(workspace, hierarchy->vertex_count);
    const bool has_fourth = channel_components(s->channel) == 4;
    struct lift_prediction prediction;
    struct lift_hierarchy weighted;
    struct lift_span span = {.hierarchy = &weighted,
                             .residuals = w.residuals,
                             .fourth = w.fourth,
                             .values = w.values,
                             .errors = w.errors};
    spn_status status;
    size_t used = 0;

    status = validate_fpu(s, fault);
    if (status == SPN_OK)
        status = spn__lift_head_read(payload, bytes, hierarchy->level_count,
                                     &prediction, &used, fault);
    if (status == SPN_OK)
        status = validate_references(s, &prediction, fault);
    if (status == SPN_OK)
        status = spn__residual_decode(&ops->residual, s->tables, payload + used,
                                      bytes - used, hierarchy->vertex_count,
                                      w.residuals, has_fourth ? w.fourth : NULL,
                                      fault);
    if (status != SPN_OK)
        return status;
    weighted = lift_channel_hierarchy(hierarchy, s->channel,
                                      prediction.frame_count > 0);
    if (s->channel == CHANNEL_COLOR)
        merge_fourth(&w, hierarchy->vertex_count);
    /* QTangents have the kernels' layout, so they are decoded in the output. */
    if (s->channel == CHANNEL_QTANGENT)
        span.values = values;
    /* In time, the kernels write two and three numbers in the output's layout.
     */
    if (!has_fourth && prediction.frame_count > 0)
        span.packed = values;
    decode_layers(ops, s, &prediction, &w, &span);
    if (!span.packed)
        pack(ops, s->channel, span.values, hierarchy->vertex_count,
             is_biased(s->channel, &prediction) ? 0x8000 : 0, values);
    return SPN_OK;
}
