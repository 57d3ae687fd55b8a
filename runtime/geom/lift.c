/* lift.c - residuals to values, layer by layer: the scalar kernels, which are
 * the specification, and the decoding of a payload.
 *
 * All arithmetic is modulo 2^16: a sum that wraps is a bad prediction, never
 * a wrong value. The kernels trust their shape, as the door has it (lift.h).
 * Nothing here knows of files or of which frames refer to which.
 */
/* SPDX-License-Identifier: MIT */
#include "geom/lift.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "geom/lift_formulas.h"

/* ---- the specification --------------------------------------------------- */

static void predict_space(const struct lift_span *s, uint32_t v,
                          struct lift_point *out)
{
    for (uint32_t k = 0; k < 4; k++) {
        const int32_t c = lift_space(s->shape, s->values, v, k);

        out->p[k] = lift_whole(c);
        out->side[k] = lift_side(c, LIFT_SPACE_BITS);
    }
}

static void add_residuals(const struct lift_span *s, uint32_t v,
                          const struct lift_point *point, int16_t x[4])
{
    for (uint32_t k = 0; k < 4; k++)
        x[k] = lift_plus(point->p[k],
                         lift_sided(point->side[k], s->residuals[4 * v + k]));
}

static void scalar_space(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct lift_point point;

        predict_space(s, v, &point);
        add_residuals(s, v, &point, s->values + 4 * v);
    }
}

static void scalar_space_norm(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct lift_point point;

        predict_space(s, v, &point);
        lift_norm(&point, s->residuals + 4 * v, s->fourth[v],
                  s->values + 4 * v);
    }
}

/* T, D, P and side of the components of one vertex. */
struct in_time {
    struct lift_there there[4];
    struct lift_point point;
};

static void predict(const struct lift_span *s, uint32_t v, struct in_time *out)
{
    const size_t at = (size_t)(v - s->from_first) * s->time_components;

    for (uint32_t k = 0; k < 4; k++) {
        struct lift_there there = {0, 0};
        int32_t c;

        if (k < s->time_components)
            there = lift_time(s, at + k);
        out->there[k] = there;
        c = there.d;
        if (s->scale != 0)
            c += lift_half(lift_near(s->shape, s->rest, v, k),
                           (int32_t)s->scale);
        out->point.p[k] = lift_arrive(there.t, c, s->fraction_bits);
        out->point.side[k] = lift_side(c, s->fraction_bits);
    }
}

static void keep_rest(const struct lift_span *s, uint32_t v,
                      const struct in_time *t, const int16_t x[4])
{
    for (uint32_t k = 0; s->rest && k < 4; k++)
        s->rest[4 * v + k] = lift_minus(
            lift_finer(x[k], t->there[k].t, s->fraction_bits), t->there[k].d);
}

static void scalar_space_time(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct in_time t;
        int16_t x[4];

        predict(s, v, &t);
        add_residuals(s, v, &t.point, x);
        if (s->time_components < 4)
            memcpy(s->packed + s->time_components * (v - s->from_first), x,
                   s->time_components * sizeof *x);
        else
            memcpy(s->values + 4 * v, x, sizeof x);
        keep_rest(s, v, &t, x);
    }
}

static void scalar_space_time_norm(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        int16_t *x = s->values + 4 * v;
        struct in_time t;

        predict(s, v, &t);
        lift_norm(&t.point, s->residuals + 4 * v, s->fourth[v], x);
        keep_rest(s, v, &t, x);
    }
}

static void scalar_turn(const struct lift_shape *shape, const int16_t *y,
                        uint32_t first, uint32_t limit, int16_t *guesses)
{
    for (uint32_t v = first; v < limit; v++)
        lift_turn(y + 4 * (shape ? lift_nearest(shape, v) : v),
                  guesses + 4 * v);
}

static void scalar_unpack3(const uint16_t *values, const uint16_t *pairs,
                           uint32_t count, int16_t *out)
{
    for (uint32_t v = 0; v < count; v++) {
        memcpy(out + 4 * v, values + 3 * v, 3 * sizeof *out);
        out[4 * v + 3] = pairs ? (int16_t)pairs[2 * v + 1] : 0;
    }
}

static void scalar_pack3(const int16_t *values, uint32_t count, uint16_t flip,
                         uint16_t *out)
{
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = 0; k < 3; k++)
            out[3 * v + k] = (uint16_t)values[4 * v + k] ^ flip;
}

void spn__lift_ops_init(struct lift_ops *ops, uint32_t cpu)
{
    ops->space = scalar_space;
    ops->space_norm = scalar_space_norm;
    ops->space_time = scalar_space_time;
    ops->space_time_norm = scalar_space_time_norm;
    ops->turn = scalar_turn;
    ops->pack3 = scalar_pack3;
    ops->unpack3 = scalar_unpack3;
    spn__triples_ops_init(&ops->triples, cpu);
    spn__ring_ops_init(&ops->rings, cpu);
    if (cpu & SPN_CPU_SSE41)
        spn__lift_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__lift_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__lift_ops_neon(ops);
}

/* ---- workspace ----------------------------------------------------------- */

struct workspace {
    int16_t *residuals;
    int16_t *fourth;
    int16_t *values;
    int16_t *rest;
    int16_t *times;
};

size_t spn__lift_workspace_bytes(uint32_t vertex_count)
{
    return LIFT_WORKSPACE_BYTES((size_t)vertex_count);
}

static struct workspace cut(void *memory, uint32_t vertex_count)
{
    const size_t vertices = LIFT_PADDED_VERTICES((size_t)vertex_count);
    struct workspace w;

    w.residuals = memory;
    w.values = w.residuals + 4 * vertices;
    w.rest = w.values + 4 * vertices;
    w.fourth = w.rest + 4 * vertices;
    w.times = w.fourth + vertices;
    return w;
}

/* ---- decoding ------------------------------------------------------------ */

/* The frames of a chunk of colours, to numbers. */
static void widen(const struct lift_stream *s, int16_t *out,
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

static lift_kernel kernel_of(const struct lift_ops *ops, bool has_norm,
                             bool has_time)
{
    if (has_time)
        return has_norm ? ops->space_time_norm : ops->space_time;
    return has_norm ? ops->space_norm : ops->space;
}

/* F_(n-1) of all vertices, which way round is still to be found. Positions lie
 * where R will. */
static const int16_t *guess_all(const struct lift_ops *ops,
                                const struct lift_stream *s,
                                const struct workspace *w)
{
    const uint32_t count = s->shape->vertex_count;

    ops->unpack3(s->positions, s->rings->by_uvs ? s->uvs : NULL, count,
                 w->rest);
    memset(w->rest + 4 * (size_t)count, 0, 4 * RINGS_LANES * sizeof *w->rest);
    ops->rings.guess(s->rings, w->rest, 0, ring_block_count(count), w->values);
    return w->values;
}

/* Vertices that need none of each other. */
static void decode_layer(const struct lift_ops *ops,
                         const struct lift_stream *s,
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
        /* The rest of its layer is turned to vertex 0. */
        if (prediction->is_turned && v == 0)
            span->limit = 1;
        if (prediction->is_turned && (v > 0 || !is_alone))
            ops->turn(is_alone ? s->shape : NULL,
                      is_alone ? span->values : span->from[0], v, span->limit,
                      w->values);
        kernel(span);
    }
}

/* Layer by layer, and at once where no vertex needs another. */
static void decode_layers(const struct lift_ops *ops,
                          const struct lift_stream *s,
                          const struct lift_prediction *prediction,
                          const struct workspace *w, struct lift_span *span)
{
    const struct lift_shape *shape = s->shape;
    /* Behind the last level with neighbours nothing refers to R. */
    uint32_t with_rest = shape->level_count;

    while (with_rest > 0 && prediction->level[with_rest - 1] == 0)
        with_rest--;
    span->weight = prediction->weight;
    span->frame_count = prediction->frame_count;
    span->fraction_bits = prediction->fraction_bits;
    span->has_guess = prediction->has_guess;
    span->is_far = prediction->is_far;
    span->time_components = channel_components(s->channel);
    for (uint32_t j = 0; j < prediction->frame_count; j++)
        span->from[j] = s->from[j];
    if (prediction->has_guess)
        span->from[prediction->frame_count - 1] = guess_all(ops, s, w);
    for (uint32_t l = 0; l < shape->layer_count; l++) {
        span->first = shape->layers[l].first;
        span->limit = shape->layers[l + 1].first;
        span->scale = lift_scale(prediction->level[shape->layers[l].level]);
        if (shape->layers[l].level >= with_rest) {
            span->rest = NULL;
            /* Nor is anything but a guess alone turned to earlier layers. */
            if (prediction->frame_count > prediction->is_turned) {
                span->limit = shape->vertex_count;
                l = shape->layer_count;
            }
        }
        decode_layer(ops, s, prediction, w, span);
    }
}

/* The coded fourth residual of colours is just the fourth. */
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

/* What the head asks for must be there. */
static spn_status judge_means(const struct lift_stream *s,
                              const struct lift_prediction *prediction,
                              struct spn_fault *fault)
{
    const bool has_rings = s->channel == CHANNEL_QTANGENT && s->rings &&
                           s->positions && (s->uvs || !s->rings->by_uvs) &&
                           s->rings->vertex_count == s->shape->vertex_count;

    if (prediction->frame_count - prediction->has_guess <= s->from_count &&
        (has_rings || !prediction->has_guess))
        return SPN_OK;
    fault->what = "what a frame is predicted from";
    fault->offset = 0;
    fault->value = prediction->frame_count;
    return SPN_ERR_FORMAT;
}

spn_status spn__lift_decode(const struct lift_ops *ops,
                            const struct lift_stream *s, const uint8_t *payload,
                            size_t bytes, void *workspace, void *values,
                            struct spn_fault *fault)
{
    const struct lift_shape *shape = s->shape;
    const struct workspace w = cut(workspace, shape->vertex_count);
    const bool has_fourth = channel_components(s->channel) == 4;
    struct lift_prediction prediction;
    struct lift_shape own;
    struct lift_span span = {.shape = &own,
                             .residuals = w.residuals,
                             .fourth = w.fourth,
                             .values = w.values,
                             .rest = w.rest};
    spn_status status;
    size_t used = 0;

    status = spn__lift_head(payload, bytes, shape->level_count, &prediction,
                            &used, fault);
    if (status == SPN_OK)
        status = judge_means(s, &prediction, fault);
    if (status == SPN_OK)
        status =
            spn__triples_decode(&ops->triples, s->tables, payload + used,
                                bytes - used, shape->vertex_count, w.residuals,
                                has_fourth ? w.fourth : NULL, fault);
    if (status != SPN_OK)
        return status;
    own = lift_shape_of(shape, s->channel, prediction.frame_count > 0);
    if (s->channel == CHANNEL_COLOR)
        merge_fourth(&w, shape->vertex_count);
    /* They are laid out as kernels have them. */
    if (s->channel == CHANNEL_QTANGENT)
        span.values = values;
    /* In time they leave the kernels as they are laid out. */
    if (!has_fourth && prediction.frame_count > 0)
        span.packed = values;
    decode_layers(ops, s, &prediction, &w, &span);
    if (!span.packed)
        pack(ops, s->channel, span.values, shape->vertex_count,
             is_biased(s->channel, &prediction) ? 0x8000 : 0, values);
    return SPN_OK;
}
