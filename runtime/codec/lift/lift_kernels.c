/* lift_kernels.c - the scalar kernels of the lifting codec.
 *
 * They are the reference for the kernels of lift_vector.h: LIFTING.md, written
 * as loops over the functions of lift_formulas.h.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_kernels.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "codec/lift/lift_formulas.h"

LIFT_INLINE void predict_space(const struct lift_span *s, uint32_t v,
                               struct lift_predicted *out)
{
    int32_t c[4];

    lift_sum_values(s->hierarchy, s->values, v, c);
    for (uint32_t k = 0; k < 4; k++) {
        out->p[k] = lift_predict_space(c[k]);
        out->side[k] = lift_side(c[k], LIFT_SPACE_BITS);
    }
}

LIFT_INLINE void add_residuals(const struct lift_span *s, uint32_t v,
                               const struct lift_predicted *predicted,
                               int16_t x[4])
{
    for (uint32_t k = 0; k < 4; k++)
        x[k] = lift_plus(
            predicted->p[k],
            lift_apply_side(predicted->side[k], s->residuals[4 * v + k]));
}

static void scalar_space(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct lift_predicted predicted;

        predict_space(s, v, &predicted);
        add_residuals(s, v, &predicted, s->values + 4 * v);
    }
}

static void scalar_space_qtangent(const struct lift_span *s)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct lift_predicted predicted;

        predict_space(s, v, &predicted);
        lift_decode_qtangent(&predicted, s->residuals + 4 * v, s->fourth[v],
                             s->values + 4 * v);
    }
}

/* T, D, P and the side of all components of one vertex. */
struct vertex_prediction {
    struct lift_time_prediction time[4];
    struct lift_predicted predicted;
};

/* Constants of a loop. The compiler makes a copy of the loop for each
 * combination. */
struct time_form {
    uint32_t components; /* of F */
    bool is_far;
    bool has_errors; /* error_weight is not 0 */
};

LIFT_INLINE void predict(const struct lift_span *s, struct time_form form,
                         uint32_t v, struct vertex_prediction *out)
{
    const size_t at = (size_t)(v - s->from_first) * form.components;
    int16_t weighted[4];

    for (uint32_t k = form.components; k < 4; k++)
        out->time[k] = (struct lift_time_prediction){0, 0};
    lift_predict_time(s, at, form.components, form.is_far, out->time);
    if (form.has_errors)
        lift_sum_errors(s->hierarchy, s->errors, v, weighted);
    for (uint32_t k = 0; k < 4; k++) {
        int32_t c = out->time[k].fraction;

        if (form.has_errors)
            c += lift_multiply(weighted[k], (int32_t)s->error_weight);
        out->predicted.p[k] =
            lift_predict_space_time(out->time[k].whole, c, s->fraction_bits);
        out->predicted.side[k] = lift_side(c, s->fraction_bits);
    }
}

LIFT_INLINE void store_error(const struct lift_span *s, uint32_t v,
                             const struct vertex_prediction *t,
                             const int16_t x[4])
{
    for (uint32_t k = 0; s->errors && k < 4; k++)
        s->errors[4 * v + k] = lift_minus(
            lift_scaled_difference(x[k], t->time[k].whole, s->fraction_bits),
            t->time[k].fraction);
}

LIFT_INLINE void space_time(const struct lift_span *s, struct time_form form)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        struct vertex_prediction t;
        int16_t x[4];

        predict(s, form, v, &t);
        add_residuals(s, v, &t.predicted, x);
        if (form.components < 4)
            memcpy(s->packed + form.components * (v - s->from_first), x,
                   form.components * sizeof *x);
        else
            memcpy(s->values + 4 * v, x, sizeof x);
        store_error(s, v, &t, x);
    }
}

LIFT_INLINE void space_time_qtangent(const struct lift_span *s,
                                     struct time_form form)
{
    for (uint32_t v = s->first; v < s->limit; v++) {
        int16_t *x = s->values + 4 * v;
        struct vertex_prediction t;

        predict(s, form, v, &t);
        lift_decode_qtangent(&t.predicted, s->residuals + 4 * v, s->fourth[v],
                             x);
        store_error(s, v, &t, x);
    }
}

/* One copy of a loop for each case of its two flags. */
#define EACH_FORM(loop, count)                                                 \
    if (span->is_far && span->error_weight != 0)                               \
        loop(span, (struct time_form){count, true, true});                     \
    else if (span->is_far)                                                     \
        loop(span, (struct time_form){count, true, false});                    \
    else if (span->error_weight != 0)                                          \
        loop(span, (struct time_form){count, false, true});                    \
    else                                                                       \
        loop(span, (struct time_form){count, false, false});

static void scalar_space_time(const struct lift_span *span)
{
    if (span->from_stride == 3)
        EACH_FORM(space_time, 3)
    else
        space_time(span, (struct time_form){span->from_stride, span->is_far,
                                            span->error_weight != 0});
}

static void scalar_space_time_qtangent(const struct lift_span *span)
{
    EACH_FORM(space_time_qtangent, 4)
}

static void scalar_align_signs(const struct lift_hierarchy *hierarchy,
                               const int16_t *y, uint32_t first, uint32_t limit,
                               int16_t *guesses)
{
    for (uint32_t v = first; v < limit; v++)
        lift_align_signs(
            y + 4 * (hierarchy ? lift_sign_reference(hierarchy, v) : v),
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
    ops->space_qtangent = scalar_space_qtangent;
    ops->space_time = scalar_space_time;
    ops->space_time_qtangent = scalar_space_time_qtangent;
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
