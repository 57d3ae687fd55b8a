/* lift.c - decoding of a payload layer by layer, and the scalar kernels.
 *
 * The scalar kernels are the specification. They trust their hierarchy, which
 * keeps the rules of lift_hierarchy.h. This file knows nothing of cache files
 * or of how frames are grouped.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#include "base/assert.h"
#include "base/cpu.h"
#include "base/fpu.h"
#include "base/mem.h"
#include "codec/lift/lift_formulas.h"

SPN_STATIC_ASSERT(LIFT_VERTICES_MAX == RESIDUAL_VERTICES_MAX, lift_vertices);
SPN_STATIC_ASSERT(LIFT_GUESS_BITS == ONE_RING_FRACTION_BITS, lift_guess_bits);

/* -- the scalar kernels -- */

LIFT_INLINE void predict_space(const struct lift_span *s, uint32_t v,
                               struct lift_point *out)
{
    int32_t c[4];

    lift_space(s->hierarchy, s->values, v, c);
    for (uint32_t k = 0; k < 4; k++) {
        out->p[k] = lift_whole(c[k]);
        out->side[k] = lift_side(c[k], LIFT_SPACE_BITS);
    }
}

LIFT_INLINE void add_residuals(const struct lift_span *s, uint32_t v,
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

/* T, D, P and the side of all components of one vertex. */
struct in_time {
    struct lift_there there[4];
    struct lift_point point;
};

/* Constants of a loop. The compiler makes a copy of the loop for each
 * combination. */
struct time_form {
    uint32_t components; /* of F */
    bool is_far;
    bool has_near; /* the scale is not 0 */
};

LIFT_INLINE void predict(const struct lift_span *s, struct time_form form,
                         uint32_t v, struct in_time *out)
{
    const size_t at = (size_t)(v - s->from_first) * form.components;
    int16_t near[4];

    for (uint32_t k = form.components; k < 4; k++)
        out->there[k] = (struct lift_there){0, 0};
    lift_time(s, at, form.components, form.is_far, out->there);
    if (form.has_near)
        lift_near(s->hierarchy, s->errors, v, near);
    for (uint32_t k = 0; k < 4; k++) {
        int32_t c = out->there[k].d;

        if (form.has_near)
            c += lift_half(near[k], (int32_t)s->scale);
        out->point.p[k] = lift_arrive(out->there[k].t, c, s->fraction_bits);
        out->point.side[k] = lift_side(c, s->fraction_bits);
    }
}

LIFT_INLINE void keep_rest(const struct lift_span *s, uint32_t v,
                           const struct in_time *t, const int16_t x[4])
{
    for (uint32_t k = 0; s->errors && k < 4; k++)
        s->errors[4 * v + k] = lift_minus(
            lift_finer(x[k], t->there[k].t, s->fraction_bits), t->there[k].d);
}

LIFT_INLINE void space_time(const struct lift_span *s, struct time_form form)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct in_time t;
        int16_t x[4];

        predict(s, form, v, &t);
        add_residuals(s, v, &t.point, x);
        if (form.components < 4)
            memcpy(s->packed + form.components * (v - s->from_first), x,
                   form.components * sizeof *x);
        else
            memcpy(s->values + 4 * v, x, sizeof x);
        keep_rest(s, v, &t, x);
    }
}

LIFT_INLINE void space_time_norm(const struct lift_span *s,
                                 struct time_form form)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        int16_t *x = s->values + 4 * v;
        struct in_time t;

        predict(s, form, v, &t);
        lift_norm(&t.point, s->residuals + 4 * v, s->fourth[v], x);
        keep_rest(s, v, &t, x);
    }
}

/* One copy of a loop for each case of its two flags. */
#define EACH_FORM(loop, count)                                                 \
    if (span->is_far && span->scale != 0)                                      \
        loop(span, (struct time_form){count, true, true});                     \
    else if (span->is_far)                                                     \
        loop(span, (struct time_form){count, true, false});                    \
    else if (span->scale != 0)                                                 \
        loop(span, (struct time_form){count, false, true});                    \
    else                                                                       \
        loop(span, (struct time_form){count, false, false});

static void scalar_space_time(const struct lift_span *span)
{
    if (span->time_components == 3)
        EACH_FORM(space_time, 3)
    else
        space_time(span, (struct time_form){span->time_components, span->is_far,
                                            span->scale != 0});
}

static void scalar_space_time_norm(const struct lift_span *span)
{
    EACH_FORM(space_time_norm, 4)
}

static void scalar_align_signs(const struct lift_hierarchy *hierarchy,
                               const int16_t *y, uint32_t first, uint32_t limit,
                               int16_t *guesses)
{
    for (uint32_t v = first; v < limit; v++)
        lift_align_signs(y + 4 * (hierarchy ? lift_nearest(hierarchy, v) : v),
                         guesses + 4 * v);
}

static void scalar_unpack3(const uint16_t *values, const uint16_t *uvs,
                           uint32_t count, int16_t *out)
{
    for (uint32_t v = 0; v < count; v++) {
        memcpy(out + 4 * v, values + 3 * v, 3 * sizeof *out);
        out[4 * v + 3] = uvs ? (int16_t)uvs[2 * v + 1] : 0;
    }
}

static void scalar_pack3(const int16_t *values, uint32_t count, uint16_t flip,
                         uint16_t *out)
{
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = 0; k < 3; k++)
            out[3 * v + k] = (uint16_t)values[4 * v + k] ^ flip;
}

/* round(sqrt(512 i + 65536 + 256)) - 256 */
const uint8_t spn__lift_roots[] = {
    0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,
    15,  16,  17,  18,  19,  20,  21,  22,  23,  23,  24,  25,  26,  27,  28,
    29,  30,  31,  32,  32,  33,  34,  35,  36,  37,  38,  39,  39,  40,  41,
    42,  43,  44,  45,  45,  46,  47,  48,  49,  50,  51,  51,  52,  53,  54,
    55,  55,  56,  57,  58,  59,  60,  60,  61,  62,  63,  64,  64,  65,  66,
    67,  68,  68,  69,  70,  71,  72,  72,  73,  74,  75,  75,  76,  77,  78,
    78,  79,  80,  81,  82,  82,  83,  84,  85,  85,  86,  87,  88,  88,  89,
    90,  91,  91,  92,  93,  93,  94,  95,  96,  96,  97,  98,  99,  99,  100,
    101, 101, 102, 103, 104, 104, 105, 106, 106, 107, 108, 109, 109, 110, 111,
    111, 112, 113, 113, 114, 115, 115, 116, 117, 118, 118, 119, 120, 120, 121,
    122, 122, 123, 124, 124, 125, 126, 126, 127, 128, 128, 129, 130, 130, 131,
    132, 132, 133, 134, 134, 135, 136, 136, 137, 138, 138, 139, 139, 140, 141,
    141, 142, 143, 143, 144, 145, 145, 146, 147, 147, 148, 148, 149, 150, 150,
    151, 152, 152, 153, 153, 154, 155, 155, 156, 157, 157, 158, 158, 159, 160,
    160, 161, 162, 162, 163, 163, 164, 165, 165, 166, 166, 167, 168, 168, 169,
    169, 170, 171, 171, 172, 172, 173, 174, 174, 175, 175, 176, 177, 177, 178,
    178, 179, 180, 180, 181, 181, 182, 182, 183, 184, 184, 185, 185, 186, 187,
    187, 188, 188, 189, 189, 190, 191, 191, 192, 192, 193, 193, 194, 195, 195,
    196, 196, 197, 197, 198, 199, 199, 200, 200, 201, 201, 202, 202, 203, 204,
    204, 205, 205, 206, 206, 207, 207, 208, 209, 209, 210, 210, 211, 211, 212,
    212, 213, 213, 214, 215, 215, 216, 216, 217, 217, 218, 218, 219, 219, 220,
    221, 221, 222, 222, 223, 223, 224, 224, 225, 225, 226, 226, 227, 227, 228,
    229, 229, 230, 230, 231, 231, 232, 232, 233, 233, 234, 234, 235, 235, 236,
    236, 237, 237, 238, 238, 239, 239, 240, 241, 241, 242, 242, 243, 243, 244,
    244, 245, 245, 246, 246, 247, 247, 248, 248, 249, 249, 250, 250, 251, 251,
    252, 252, 253, 253, 254, 254, 255, 255,
};

void spn__lift_ops_init(struct lift_ops *ops, uint32_t cpu)
{
    ops->space = scalar_space;
    ops->space_norm = scalar_space_norm;
    ops->space_time = scalar_space_time;
    ops->space_time_norm = scalar_space_time_norm;
    ops->align_signs = scalar_align_signs;
    ops->pack3 = scalar_pack3;
    ops->unpack3 = scalar_unpack3;
    spn__residual_ops_init(&ops->residual, cpu);
    spn__one_ring_ops_init(&ops->rings, cpu);
    if (cpu & SPN_CPU_SSE41)
        spn__lift_ops_sse41(ops);
    if (cpu & SPN_CPU_AVX2)
        spn__lift_ops_avx2(ops);
    if (cpu & SPN_CPU_NEON)
        spn__lift_ops_neon(ops);
}

/* -- workspace -- */

struct workspace {
    int16_t *residuals;
    int16_t *fourth;
    int16_t *values;
    int16_t *errors;
    int16_t *times;
};

size_t spn__lift_workspace_bytes(uint32_t vertex_count)
{
    return LIFT_WORKSPACE_BYTES((size_t)vertex_count);
}

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

static lift_kernel kernel_of(const struct lift_ops *ops, bool has_norm,
                             bool has_time)
{
    if (has_time)
        return has_norm ? ops->space_time_norm : ops->space_time;
    return has_norm ? ops->space_norm : ops->space;
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
    ops->rings.guess(s->rings, w->errors, 0, one_ring_block_count(count),
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

    while (with_errors > 0 && prediction->level_scale[with_errors - 1] == 0)
        with_errors--;
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
    for (uint32_t l = 0; l < hierarchy->layer_count; l++) {
        span->first = hierarchy->layers[l].first;
        span->limit = hierarchy->layers[l + 1].first;
        span->scale =
            lift_scale(prediction->level_scale[hierarchy->layers[l].level]);
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
        status = spn__lift_head(payload, bytes, hierarchy->level_count,
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
    weighted =
        lift_hierarchy_of(hierarchy, s->channel, prediction.frame_count > 0);
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
