/* test_fill.c
 *
 * Goal: every attribute in every format holds its channel's value rounded to
 *   nearest. No other byte of the vertex buffer changes.
 * Method: random meshes and layouts are read back byte by byte and compared
 *   with a reference in double precision. The reference follows the
 *   definitions: rotation by quaternion product, spherical averages by their
 *   direction, formats by value.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/cpu.h"
#include "fill/fill.h"
#include "fill/fill_plan.h"
#include "support/fill_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the reference -- */

struct expected {
    double position[3];
    double previous[3];
    double velocity[3];
    double normal[3];
    double tangent[3];
    double quaternion[4]; /* unit quaternion, w >= 0 unless reflected */
    double hand;
    double uv[2];
    double second_uv[2];
    double color[4];
};

static double lerp(double a, double b, double alpha)
{
    return a + (b - a) * alpha;
}

/* v' = q v q*. */
static void rotate(const double q[4], const double v[3], double out[3])
{
    double u[4]; /* q v */

    u[0] = q[3] * v[0] + q[1] * v[2] - q[2] * v[1];
    u[1] = q[3] * v[1] + q[2] * v[0] - q[0] * v[2];
    u[2] = q[3] * v[2] + q[0] * v[1] - q[1] * v[0];
    u[3] = -(q[0] * v[0] + q[1] * v[1] + q[2] * v[2]);
    out[0] = -u[3] * q[0] + u[0] * q[3] - u[1] * q[2] + u[2] * q[1];
    out[1] = -u[3] * q[1] + u[1] * q[3] - u[2] * q[0] + u[0] * q[2];
    out[2] = -u[3] * q[2] + u[2] * q[3] - u[0] * q[1] + u[1] * q[0];
}

static void expect_rotation(const struct fill_scene *s, uint32_t i,
                            struct expected *e)
{
    static const double x_axis[3] = {1, 0, 0};
    static const double z_axis[3] = {0, 0, 1};
    const int16_t *a = s->qtangent[0] + 4 * i;
    const int16_t *b = s->qtangent[1] + 4 * i;
    double alpha = floor((double)s->source.alpha * 32768 + 0.5) / 32768;
    double dot = 0;
    double squared = 0;

    for (int k = 0; k < 4; k++)
        dot += (double)a[k] * b[k];
    for (int k = 0; k < 4; k++) {
        const double to = dot < 0 ? -b[k] : b[k];

        /* Interpolated in 32nds of a step. */
        e->quaternion[k] = a[k] + floor((to - a[k]) * alpha * 32 + 0.5) / 32;
        squared += e->quaternion[k] * e->quaternion[k];
    }
    for (int k = 0; k < 4; k++)
        e->quaternion[k] /= sqrt(squared);
    rotate(e->quaternion, z_axis, e->normal);
    rotate(e->quaternion, x_axis, e->tangent);

    e->hand = s->constants.reflection == CACHE_REFLECTION_ALL ? -1 : 1;
    if (s->constants.reflection == CACHE_REFLECTION_MIXED) {
        uint32_t bit = s->source.reflection_first + i;

        e->hand = s->reflection[bit / 8] & 1 << bit % 8 ? -1 : 1;
    }
}

/* Component k of the vertex whose values begin at index `first`. */
static double expect_value(const struct fill_scene *s, enum channel channel,
                           uint16_t *const values[2], uint32_t first, int k)
{
    const struct fill_range *range = &s->constants.range[channel];
    const uint32_t at = first + (uint32_t)k;

    return (double)range->min[k] +
           (double)range->step[k] *
               lerp(values[0][at], values[1][at], (double)s->source.alpha);
}

static void expect(const struct fill_scene *s, uint32_t i, struct expected *e)
{
    const struct fill_source *source = &s->source;

    for (int k = 0; k < 3; k++) {
        double min = (double)s->constants.range[CHANNEL_POSITION].min[k];
        double step = (double)s->constants.range[CHANNEL_POSITION].step[k];

        e->position[k] = min + step * lerp(s->position[0][3 * i + (uint32_t)k],
                                           s->position[1][3 * i + (uint32_t)k],
                                           (double)source->alpha);
        e->previous[k] = min + step * lerp(s->position[2][3 * i + (uint32_t)k],
                                           s->position[3][3 * i + (uint32_t)k],
                                           (double)source->previous_alpha);
        if (s->velocity[0] != NULL)
            e->velocity[k] =
                expect_value(s, CHANNEL_VELOCITY, s->velocity, 3 * i, k);
        else
            e->velocity[k] = source->velocity_floor == NULL
                                 ? 0
                                 : step * (double)source->velocity_rate *
                                       (s->position[2][3 * i + (uint32_t)k] -
                                        s->position[1][3 * i + (uint32_t)k]);
    }
    for (int k = 0; k < 2; k++) {
        e->uv[k] =
            s->uv[0] == NULL ? 0 : expect_value(s, CHANNEL_UV, s->uv, 2 * i, k);
        e->second_uv[k] =
            s->second_uv[0] == NULL
                ? 0
                : expect_value(s, CHANNEL_SECOND_UV, s->second_uv, 2 * i, k);
    }
    for (int k = 0; k < 4; k++)
        e->color[k] = s->color[0] == NULL
                          ? 1
                          : lerp(s->color[0][4 * i + (uint32_t)k],
                                 s->color[1][4 * i + (uint32_t)k],
                                 (double)source->alpha) /
                                255;
    expect_rotation(s, i, e);
}

/* -- reading back -- */

static double half_value(uint32_t half)
{
    double sign = half & 0x8000 ? -1 : 1;
    uint32_t exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023;

    if (exponent == 31)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, -24);
    return sign * ldexp(1024 + fraction, (int)exponent - 25);
}

/* Half of the distance between two neighbouring halfs near v. */
static double half_error(double v)
{
    int exponent = v == 0 ? -14 : ilogb(v);

    return ldexp(0.5, (exponent < -14 ? -14 : exponent) - 10);
}

/* The components of one attribute as numbers, and their largest error. */
static int read_values(spn_format format, const uint8_t *at, double v[4],
                       double *error)
{
    float f[4] = {0};
    int16_t s[4];
    uint16_t u[4];
    uint32_t word;

    memcpy(s, at, 8); /* the buffer has room behind the attribute */
    memcpy(u, at, 8);
    memcpy(&word, at, 4);
    *error = 0;
    switch (format) {
    case SPN_FORMAT_F32X2:
    case SPN_FORMAT_F32X3:
    case SPN_FORMAT_F32X4:
        memcpy(f, at, 16);
        for (int k = 0; k < 4; k++)
            v[k] = (double)f[k];
        return format == SPN_FORMAT_F32X2   ? 2
               : format == SPN_FORMAT_F32X3 ? 3
                                            : 4;
    case SPN_FORMAT_F16X2:
    case SPN_FORMAT_F16X4:
        for (int k = 0; k < 4; k++)
            v[k] = half_value(u[k]);
        *error = -1; /* the error depends on the value */
        return format == SPN_FORMAT_F16X2 ? 2 : 4;
    case SPN_FORMAT_SNORM8X4:
        for (int k = 0; k < 4; k++)
            v[k] = (double)(int8_t)at[k] / 127;
        *error = 0.5 / 127;
        return 4;
    case SPN_FORMAT_SNORM16X4:
        for (int k = 0; k < 4; k++)
            v[k] = (double)s[k] / 32767;
        *error = 0.5 / 32767;
        return 4;
    case SPN_FORMAT_SNORM10X3_2:
        for (int k = 0; k < 3; k++) {
            int n = (int)(word >> (10 * k) & 1023);
            v[k] = (double)(n >= 512 ? n - 1024 : n) / 511;
        }
        v[3] = word >> 30 == 3 ? -1 : (double)(word >> 30);
        *error = 0.5 / 511;
        return 4;
    case SPN_FORMAT_UNORM16X2:
        for (int k = 0; k < 2; k++)
            v[k] = (double)u[k] / 65535;
        *error = 0.5 / 65535;
        return 2;
    case SPN_FORMAT_UNORM8X4:
    case SPN_FORMAT_UNORM8X4_BGRA:
        for (int k = 0; k < 4; k++)
            v[k] =
                (double)at[format == SPN_FORMAT_UNORM8X4_BGRA && k < 3 ? 2 - k
                                                                       : k] /
                255;
        *error = 0.5 / 255;
        return 4;
    case SPN_FORMAT_NONE:
    case SPN_FORMAT_QUANTIZED:
        break;
    }
    test_fail(__FILE__, __LINE__, "format %d", (int)format);
}

/* `tolerance` is the greatest error of the float arithmetic before the
 * rounding. */
static void check_values(const spn_attribute *attribute, const uint8_t *vertex,
                         const double *expected, int expected_count,
                         double fourth, double tolerance)
{
    double v[4];
    double error;
    int count;

    if (attribute->format == SPN_FORMAT_NONE ||
        attribute->format == SPN_FORMAT_QUANTIZED)
        return;
    count =
        read_values(attribute->format, vertex + attribute->offset, v, &error);
    for (int k = 0; k < count; k++) {
        double want = k < expected_count ? expected[k] : fourth;

        if (attribute->format == SPN_FORMAT_UNORM16X2)
            want = want < 0 ? 0 : want > 1 ? 1 : want;
        CHECK_NEAR(v[k], want,
                   tolerance + (error < 0 ? half_error(want) : error));
    }
}

static double largest(const float *min, const float *step, int count)
{
    double value = 0;

    for (int k = 0; k < count; k++)
        value =
            fmax(value, fabs((double)min[k]) + 65535 * fabs((double)step[k]));
    return value;
}

static double tolerance_of(const struct fill_scene *s, enum channel channel,
                           int count)
{
    const struct fill_range *range = &s->constants.range[channel];

    return 3e-7 * largest(range->min, range->step, count);
}

/* QTangents must be the same rotation (q or -q) with the handedness as the sign
 * of w. */
static void check_qtangent(const struct fill_scene *s, const uint8_t *vertex,
                           const struct expected *e)
{
    const spn_attribute *attribute = &s->layout.qtangent;
    double v[4];
    double error;
    double dot = 0;

    if (attribute->format == SPN_FORMAT_NONE ||
        attribute->format == SPN_FORMAT_QUANTIZED)
        return;
    CHECK_EQ(
        read_values(attribute->format, vertex + attribute->offset, v, &error),
        4);
    CHECK(v[3] * e->hand >= (1 - 1e-6) / 32767);
    for (int k = 0; k < 4; k++)
        dot += v[k] * e->quaternion[k];
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(dot < 0 ? -v[k] : v[k], e->quaternion[k],
                   error + (k == 3 ? 1.01 / 32767 : 1e-6));
}

static void check_quantized(const struct fill_scene *s, uint32_t i,
                            const uint8_t *vertex, const struct expected *e)
{
    const spn_vertex_layout *layout = &s->layout;

    if (layout->position.format == SPN_FORMAT_QUANTIZED)
        CHECK_MEM(vertex + layout->position.offset, s->position[0] + 3 * i, 6);
    if (layout->previous_position.format == SPN_FORMAT_QUANTIZED)
        CHECK_MEM(vertex + layout->previous_position.offset,
                  s->position[2] + 3 * i, 6);
    if (layout->uv.format == SPN_FORMAT_QUANTIZED) {
        const uint16_t none[2] = {0, 0};

        CHECK_MEM(vertex + layout->uv.offset,
                  s->uv[0] != NULL ? s->uv[0] + 2 * i : none, 4);
    }
    if (layout->second_uv.format == SPN_FORMAT_QUANTIZED) {
        const uint16_t none[2] = {0, 0};

        CHECK_MEM(vertex + layout->second_uv.offset,
                  s->second_uv[0] != NULL ? s->second_uv[0] + 2 * i : none, 4);
    }
    if (layout->velocity.format == SPN_FORMAT_QUANTIZED) {
        const uint16_t none[3] = {0, 0, 0};

        CHECK_MEM(vertex + layout->velocity.offset,
                  s->velocity[0] != NULL ? s->velocity[0] + 3 * i : none, 6);
    }
    if (layout->color.format == SPN_FORMAT_QUANTIZED) {
        const uint8_t none[4] = {255, 255, 255, 255};

        CHECK_MEM(vertex + layout->color.offset,
                  s->color[0] != NULL ? s->color[0] + 4 * i : none, 4);
    }
    if (layout->qtangent.format == SPN_FORMAT_QUANTIZED) {
        const int16_t *q = s->qtangent[0] + 4 * i;
        int16_t v[4];
        int sign;

        memcpy(v, vertex + layout->qtangent.offset, sizeof v);
        CHECK(v[3] * e->hand > 0);
        CHECK_EQ(abs(v[3]), q[3] == 0 ? 1 : abs(q[3]));
        sign = q[3] != 0 && (q[3] < 0) != (e->hand < 0) ? -1 : 1;
        for (int k = 0; k < 3; k++)
            CHECK_EQ(v[k], sign * q[k]);
    }
}

static void check_vertex(const struct fill_scene *s, uint32_t i,
                         const uint8_t *vertex)
{
    const spn_vertex_layout *layout = &s->layout;
    struct expected e;
    const double tolerance = tolerance_of(s, CHANNEL_POSITION, 3);

    expect(s, i, &e);
    check_values(&layout->position, vertex, e.position, 3, 1, tolerance);
    check_values(&layout->previous_position, vertex, e.previous, 3, 1,
                 tolerance);
    check_values(&layout->velocity, vertex, e.velocity, 3, 0,
                 fmax(tolerance, tolerance_of(s, CHANNEL_VELOCITY, 3)));
    check_values(&layout->normal, vertex, e.normal, 3, 0, 1e-6);
    check_values(&layout->tangent, vertex, e.tangent, 3, e.hand, 1e-6);
    check_values(&layout->uv, vertex, e.uv, 2, 0,
                 tolerance_of(s, CHANNEL_UV, 2));
    check_values(&layout->second_uv, vertex, e.second_uv, 2, 0,
                 tolerance_of(s, CHANNEL_SECOND_UV, 2));
    check_values(&layout->color, vertex, e.color, 4, 0, 1e-6);
    check_qtangent(s, vertex, &e);
    check_quantized(s, i, vertex, &e);
}

/* -- claims -- */

static void check_scene(const struct fill_scene *s)
{
    const uint32_t stride = s->layout.stride;
    const size_t bytes = (size_t)stride * s->source.count;
    uint8_t *vertices = malloc(bytes + 16);
    uint8_t *covered = calloc(1, stride);
    struct fill_plan plan;
    struct fill_ops ops;

    memset(vertices, 0xcd, bytes + 16);
    spn__fill_ops_init(&ops, 0);
    CHECK_EQ(spn_layout_check(&s->layout), SPN_OK);
    spn__fill_plan(&plan, &s->layout);
    CHECK(spn__fill_plan_check(&plan));
    spn__fill_run(&ops, &s->constants, &s->source, &s->layout, vertices);
    fill_scene_cover(&s->layout, covered);
    for (uint32_t i = 0; i < s->source.count; i++) {
        check_vertex(s, i, vertices + (size_t)i * stride);
        for (uint32_t k = 0; k < stride; k++)
            if (!covered[k])
                CHECK_EQ(vertices[(size_t)i * stride + k], 0xcd);
    }
    for (uint32_t k = 0; k < 16; k++)
        CHECK_EQ(vertices[bytes + k], 0xcd);
    free(covered);
    free(vertices);
}

static void every_format_holds_its_channel(void)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct fill_scene s;

        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, (uint32_t)(seed % 140), false);
        check_scene(&s);
        fill_scene_free(&s);
    }
}

/* The bound is half a 32nd of a step in each component, and half a 2^15th of
 * the rotation, which may be a quarter turn. This is a tenth of the
 * quantization error. */
static void rotations_are_interpolated_closely(void)
{
    const double bound = 0.02 * 3.14159265358979 / 180;
    const spn_vertex_layout layout = {.stride = 16,
                                      .qtangent = {0, SPN_FORMAT_F32X4}};
    double worst = 0;

    for (uint64_t seed = 0; seed < 400; seed++) {
        struct fill_scene s;
        struct fill_ops ops;
        float out[100 * 4];

        fill_scene_make(&s, seed, 100, false);
        spn__fill_ops_init(&ops, 0);
        spn__fill_run(&ops, &s.constants, &s.source, &layout, out);
        for (uint32_t i = 0; i < 100; i++) {
            const int16_t *a = s.qtangent[0] + 4 * (size_t)i;
            const int16_t *b = s.qtangent[1] + 4 * (size_t)i;
            const float *shown = out + 4 * (size_t)i;
            double q[4];
            double turn = 0;
            double squared = 0;
            double side = 0;
            double off = 0;

            for (int k = 0; k < 4; k++)
                turn += (double)a[k] * b[k];
            for (int k = 0; k < 4; k++) {
                q[k] =
                    lerp(a[k], turn < 0 ? -b[k] : b[k], (double)s.source.alpha);
                squared += q[k] * q[k];
                side += q[k] * (double)shown[k];
            }
            /* A w of 0 may be stored as one step of SNORM16. */
            for (int k = 0; k < 3; k++) {
                const double d = q[k] / sqrt(squared) * (side < 0 ? -1 : 1) -
                                 (double)shown[k];

                off += d * d;
            }
            worst = fmax(worst, 2 * sqrt(off));
        }
        fill_scene_free(&s);
    }
    CHECK(worst < bound);
    CHECK(worst > bound / 4);
}

static void both_ends_of_alpha_are_the_frames_themselves(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct fill_scene s;
        struct fill_ops ops;
        float floor[50 * 7];
        float ceil[50 * 7];
        float end[50 * 7];
        const spn_vertex_layout layout = {.stride = 28,
                                          .position = {0, SPN_FORMAT_F32X3},
                                          .qtangent = {12, SPN_FORMAT_F32X4}};

        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, 50, false);
        s.layout = layout;
        spn__fill_ops_init(&ops, 0);

        s.source.alpha = 0;
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, floor);
        s.source.alpha = 1;
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, end);
        for (int c = 0; c < CHANNEL_COUNT; c++)
            s.source.floor[c] = s.source.ceil[c];
        s.source.alpha = 0;
        memset(s.source.ceil, 0, sizeof s.source.ceil); /* not read */
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, ceil);
        /* The handedness aligns q and -q, so the values are the same, except
         * for w = 0, where both represent the same rotation. */
        for (int i = 0; i < 50; i++) {
            CHECK_MEM(end + 7 * i, ceil + 7 * i, 12);
            for (int k = 3; k < 7; k++)
                CHECK(end[7 * i + k] == ceil[7 * i + k] ||
                      s.qtangent[1][4 * i + 3] == 0);
        }
        /* An alpha out of range or NaN gives one of the two frames. */
        s.source.ceil[CHANNEL_POSITION] = s.position[0];
        s.source.ceil[CHANNEL_QTANGENT] = s.qtangent[0];
        s.source.alpha = NAN;
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, end);
        CHECK_MEM(end, ceil, sizeof end);
        fill_scene_free(&s);
    }
}

static void wild_values_give_no_nan(void)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct fill_scene s;
        struct fill_ops ops;
        float out[40 * 10];
        const spn_vertex_layout layout = {.stride = 40,
                                          .normal = {0, SPN_FORMAT_F32X3},
                                          .tangent = {12, SPN_FORMAT_F32X3},
                                          .qtangent = {24, SPN_FORMAT_F32X4}};

        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, 40, true);
        spn__fill_ops_init(&ops, 0);
        spn__fill_run(&ops, &s.constants, &s.source, &layout, out);
        for (int i = 0; i < 40; i++) {
            double squared = 0;

            for (int k = 0; k < 3; k++)
                squared += (double)out[10 * i + k] * (double)out[10 * i + k];
            CHECK_NEAR(squared, 1, 1e-5);
            for (int k = 3; k < 10; k++)
                CHECK(fabsf(out[10 * i + k]) < 1.00001f);
        }
        fill_scene_free(&s);
    }
}

static void at_alpha_zero_ceil_is_not_read(void)
{
    const void *nowhere = (const void *)(uintptr_t)64;
    struct fill_scene s;
    struct fill_ops ops;
    float out[33 * 6];
    const spn_vertex_layout layout = {
        .stride = 24,
        .position = {0, SPN_FORMAT_F32X3},
        .previous_position = {12, SPN_FORMAT_F32X3}};

    fill_scene_make(&s, 4, 33, false);
    s.source.alpha = 0;
    s.source.previous_alpha = 1e-9f; /* too small to matter */
    s.source.previous_floor = s.position[0];
    s.source.previous_ceil = nowhere;
    for (int c = 0; c < CHANNEL_COUNT; c++)
        s.source.ceil[c] = nowhere;
    spn__fill_ops_init(&ops, 0);
    spn__fill_run(&ops, &s.constants, &s.source, &layout, out);
    for (int i = 0; i < 33; i++)
        CHECK_MEM(out + 6 * i, out + 6 * i + 3, 12);
    fill_scene_free(&s);
}

static void constants_divide_by_the_largest_value(void)
{
    struct cache_mesh mesh = {.range[CHANNEL_POSITION] = {.min = {-1, 2, 3},
                                                          .size = {5, 7, 11},
                                                          .bits = {1, 10, 16}},
                              .range[CHANNEL_UV] = {.min = {0.5f, -1},
                                                    .size = {1, 3},
                                                    .bits = {16, 16}},
                              .reflection = CACHE_REFLECTION_MIXED};
    struct fill_constants constants;

    spn__fill_constants(&mesh, &constants);
    CHECK(constants.range[CHANNEL_POSITION].step[0] == 5);
    CHECK(constants.range[CHANNEL_POSITION].step[1] == 7.0f / 1023);
    CHECK(constants.range[CHANNEL_POSITION].step[2] == 11.0f / 65535);
    CHECK(constants.range[CHANNEL_UV].step[1] == 3.0f / 65535);
    CHECK_MEM(constants.range[CHANNEL_POSITION].min,
              mesh.range[CHANNEL_POSITION].min, 12);
    CHECK_MEM(constants.range[CHANNEL_UV].min, mesh.range[CHANNEL_UV].min, 8);
    CHECK_EQ(constants.reflection, CACHE_REFLECTION_MIXED);
}

static void without_a_previous_time_previous_is_current(void)
{
    struct fill_scene s;
    struct fill_ops ops;
    float out[33 * 6];
    const spn_vertex_layout layout = {
        .stride = 24,
        .position = {12, SPN_FORMAT_F32X3},
        .previous_position = {0, SPN_FORMAT_F32X3}};

    fill_scene_make(&s, 4, 33, false);
    s.source.alpha = 0.3f;
    s.source.previous_floor = NULL;
    s.source.previous_ceil = NULL;
    spn__fill_ops_init(&ops, 0);
    spn__fill_run(&ops, &s.constants, &s.source, &layout, out);
    for (int i = 0; i < 33; i++)
        CHECK_MEM(out + 6 * i, out + 6 * i + 3, 12);
    fill_scene_free(&s);
}

/* -- other orders -- */

static uint16_t *make_order(uint32_t count, uint64_t seed)
{
    struct test_random random = {seed};
    uint16_t *order = malloc((count + 1) * sizeof *order);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = test_random_below(&random, i + 1);

        order[i] = order[at];
        order[at] = (uint16_t)i;
    }
    return order;
}

/* Each whole vertex is written to its place, on every instruction set. */
static void an_order_moves_only_vertices(void)
{
    static const uint32_t sets[] = {0, SPN_CPU_SSE41, SPN_CPU_AVX2,
                                    SPN_CPU_NEON};

    for (uint64_t seed = 0; seed < 1500; seed++) {
        const uint32_t set = sets[seed % 4];
        struct fill_scene s;
        struct fill_ops ops;
        uint8_t *expected;
        uint8_t *actual;
        uint16_t *order;
        size_t bytes;

        if (set != 0 && !(spn__cpu_detect() & set))
            continue;
        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, (uint32_t)(seed % 150), seed % 3 == 0);
        if (seed % 5 == 0)
            s.source.previous_floor = NULL;
        bytes = (size_t)s.layout.stride * s.source.count;
        expected = malloc(bytes + 1);
        actual = malloc(bytes + 1);
        memset(expected, 0xcd, bytes);
        memset(actual, 0xcd, bytes);
        spn__fill_ops_init(&ops, set);
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, expected);
        order = make_order(s.source.count, seed);
        s.source.order = order;
        spn__fill_run(&ops, &s.constants, &s.source, &s.layout, actual);
        for (uint32_t i = 0; i < s.source.count; i++)
            CHECK_MEM(actual + (size_t)order[i] * s.layout.stride,
                      expected + (size_t)i * s.layout.stride, s.layout.stride);
        free(order);
        free(expected);
        free(actual);
        fill_scene_free(&s);
    }
}

/* A plan with one changed field is refused. */
#define FINDS(field, wrong)                                                    \
    do {                                                                       \
        struct fill_plan bad = plan;                                           \
                                                                               \
        bad.field = (wrong);                                                   \
        CHECK(!spn__fill_plan_check(&bad));                                    \
    } while (0)

static void check_of_a_plan_finds_damage(void)
{
    const spn_vertex_layout layout = {.stride = 40,
                                      .position = {0, SPN_FORMAT_F32X3},
                                      .normal = {12, SPN_FORMAT_SNORM8X4},
                                      .uv = {24, SPN_FORMAT_F32X2}};
    struct fill_plan plan;

    spn__fill_plan(&plan, &layout);
    CHECK(spn__fill_plan_check(&plan));
    CHECK_EQ(plan.store_count, 2);
    FINDS(store_count, 1);
    FINDS(store_count, FILL_COLUMNS_MAX + 1);
    FINDS(store[0].column, 1);
    FINDS(store[0].column_count, 0);
    FINDS(store[0].column_count, 5);
    FINDS(store[1].offset, 20);
    FINDS(attribute[ATTRIBUTE_NORMAL].column, 4);
    FINDS(attribute[ATTRIBUTE_UV].offset, 28);
    FINDS(attribute[ATTRIBUTE_UV].column_count, 1);
    FINDS(batch, 0);
    FINDS(batch, 12);
    FINDS(batch, 80);
}

TEST_MAIN(TEST(every_format_holds_its_channel),
          TEST(rotations_are_interpolated_closely),
          TEST(both_ends_of_alpha_are_the_frames_themselves),
          TEST(wild_values_give_no_nan), TEST(at_alpha_zero_ceil_is_not_read),
          TEST(constants_divide_by_the_largest_value),
          TEST(without_a_previous_time_previous_is_current),
          TEST(an_order_moves_only_vertices),
          TEST(check_of_a_plan_finds_damage))
