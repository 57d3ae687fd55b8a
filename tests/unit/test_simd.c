/* test_simd.c
 *
 * Goal: every instruction set gives the bytes of the scalar code.
 * Method: all kernel tables of this processor on random and extreme input,
 *   every count from 0 to 200, buffers of exactly the needed size.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/cpu.h"
#include "codec/classic/planes.h"
#include "codec/classic/predict.h"
#include "codec/lift/lift_kernels.h"
#include "codec/lift/one_ring.h"
#include "codec/lift/residual_coder.h"
#include "fill/fill.h"
#include "support/fill_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 201 };

/* One set at a time, because newer kernels replace older ones. */
static const uint32_t variants[] = {SPN_CPU_SSE41, SPN_CPU_AVX2, SPN_CPU_NEON};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static uint32_t available(uint32_t index)
{
    return spn__cpu_detect() & variants[index];
}

static void skip_without_any(void)
{
    if (spn__cpu_detect() == 0)
        test_skip("this processor has none of the instruction sets");
}

/* -- fill -- */

static void compare_fill(const struct fill_scene *s)
{
    const size_t bytes = (size_t)s->layout.stride * s->source.count;
    uint8_t *expected = malloc(bytes + !bytes);
    uint8_t *actual = malloc(bytes + !bytes);
    struct fill_ops ops;

    memset(expected, 0xcd, bytes);
    spn__fill_ops_init(&ops, 0);
    spn__fill_run(&ops, &s->constants, &s->source, &s->layout, expected);
    for (uint32_t v = 0; v < VARIANTS; v++) {
        if (!available(v))
            continue;
        memset(actual, 0xcd, bytes);
        spn__fill_ops_init(&ops, variants[v]);
        spn__fill_run(&ops, &s->constants, &s->source, &s->layout, actual);
        if (memcmp(actual, expected, bytes) != 0) /* report where */
            CHECK_MEM(actual, expected, bytes);
    }
    free(expected);
    free(actual);
}

static void fill_gives_the_same_bytes_on_every_set(void)
{
    skip_without_any();
    for (uint64_t seed = 0; seed < 20 * COUNTS; seed++) {
        struct fill_scene s;

        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, (uint32_t)(seed % COUNTS), seed % 3 == 0);
        compare_fill(&s);
        fill_scene_free(&s);
    }
}

static void fill_agrees_where_constants_are_extreme(void)
{
    static const float extremes[] = {0,      -0.0f, 1e-45f, -1e-38f, 1e38f,
                                     -3e38f, 65504, 65520,  6e-8f,   1e-5f};

    skip_without_any();
    for (uint64_t seed = 0; seed < 10 * COUNTS; seed++) {
        struct test_random random = {seed ^ 0x5555};
        struct fill_scene s;

        test_context("seed %llu", (unsigned long long)seed);
        fill_scene_make(&s, seed, (uint32_t)(seed % COUNTS), true);
        for (int k = 0; k < 3; k++) {
            s.constants.range[CHANNEL_POSITION].min[k] =
                extremes[test_random_below(&random, 10)];
            s.constants.range[CHANNEL_POSITION].step[k] =
                extremes[test_random_below(&random, 10)];
        }
        for (int k = 0; k < 2; k++) {
            s.constants.range[CHANNEL_UV].min[k] =
                extremes[test_random_below(&random, 10)];
            s.constants.range[CHANNEL_UV].step[k] =
                extremes[test_random_below(&random, 10)];
        }
        compare_fill(&s);
        fill_scene_free(&s);
    }
}

/* Every conversion kernel, on bit patterns that the fill never makes. The sign
 * of a NaN is kept; its other bits do not matter. */
static void packers_agree_on_all_kinds_of_floats(void)
{
    enum { LANES = 48, ROUNDS = 3000 };
    static const spn_format formats[] = {
        SPN_FORMAT_F16X2,     SPN_FORMAT_F16X4,        SPN_FORMAT_SNORM8X4,
        SPN_FORMAT_SNORM16X4, SPN_FORMAT_SNORM10X3_2,  SPN_FORMAT_UNORM16X2,
        SPN_FORMAT_UNORM8X4,  SPN_FORMAT_UNORM8X4_BGRA};
    static const uint8_t out_columns[] = {1, 2, 1, 2, 1, 1, 1, 1};
    struct test_random random = {77};

    skip_without_any();
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t in[4 * LANES];
        uint32_t expected[2 * LANES];
        uint32_t actual[2 * LANES];
        const uint32_t f = (uint32_t)round % 8;
        struct fill_ops ops;

        for (int i = 0; i < 4 * LANES; i++) {
            in[i] = (uint32_t)test_random_u64(&random);
            if (f >= 2 && f != 5) { /* in range, ties among them */
                in[i] &= 0x83ffffffu;
                in[i] |= 0x38000000u;
                if (f >= 6)
                    in[i] = fill_word(fabsf(fill_float(in[i])) * 127);
                if (i % 3 == 0)
                    in[i] = fill_word(rintf(fill_float(in[i]) * 254) / 254);
            }
        }
        spn__fill_ops_init(&ops, 0);
        ops.pack[formats[f]](expected, in, LANES, LANES);
        for (uint32_t v = 0; v < VARIANTS; v++) {
            if (!available(v))
                continue;
            test_context("round %d format %d", round, (int)formats[f]);
            spn__fill_ops_init(&ops, variants[v]);
            ops.pack[formats[f]](actual, in, LANES, LANES);
            CHECK_MEM(actual, expected, out_columns[f] * LANES * 4u);
        }
    }
}

/* -- predict -- */

static void random_components(struct test_random *random, uint8_t *bytes,
                              size_t count)
{
    const uint32_t kind = test_random_below(random, 4);

    for (size_t i = 0; i < count; i++) {
        const uint64_t r = test_random_u64(random);

        if (kind == 0) /* extremes: 0, 0x7fff, 0x8000, 0xffff and near */
            bytes[i] = (uint8_t)((r & 4 ? 0xff : 0) ^ (r & 8 ? 0x80 : 0) ^
                                 (r & 0x30 ? 0 : r & 1));
        else
            bytes[i] = (uint8_t)r;
    }
}

static uint8_t random_weight(struct test_random *random)
{
    static const uint8_t edges[] = {0, 1, 127, 128, 129, 254, 255};

    return test_random_below(random, 2)
               ? edges[test_random_below(random, sizeof edges)]
               : (uint8_t)test_random_u64(random);
}

static void compare_temporal(struct test_random *random, enum channel channel,
                             uint32_t count)
{
    const size_t bytes = (size_t)count * channel_vertex_bytes(channel);
    uint8_t *stream[7]; /* F, C, P, Q, residuals, expected, actual */
    struct predict_stream s = {.channel = channel,
                               .coding = CODING_TEMPORAL,
                               .a = random_weight(random),
                               .b = random_weight(random),
                               .c = random_weight(random),
                               .count = count};
    struct predict_ops ops;

    for (int k = 0; k < 7; k++) {
        stream[k] = malloc(bytes + !bytes);
        random_components(random, stream[k], bytes);
    }
    if (test_random_below(random, 4) == 0)
        memcpy(stream[2], stream[0], bytes);
    s.floor_index = stream[0];
    s.ceil_index = stream[1];
    s.previous = stream[2];
    s.previous_two = stream[3];
    memcpy(stream[5], stream[4], bytes);
    spn__predict_ops_init(&ops, 0);
    CHECK_EQ(spn__predict_decode(&ops, &s, stream[5]), SPN_OK);
    for (uint32_t v = 0; v < VARIANTS; v++) {
        if (!available(v))
            continue;
        memcpy(stream[6], stream[4], bytes);
        spn__predict_ops_init(&ops, variants[v]);
        CHECK_EQ(spn__predict_decode(&ops, &s, stream[6]), SPN_OK);
        CHECK_MEM(stream[6], stream[5], bytes);
    }
    for (int k = 0; k < 7; k++)
        free(stream[k]);
}

static void temporal_prediction_gives_the_same_bytes_on_every_set(void)
{
    struct test_random random = {13};

    skip_without_any();
    for (int round = 0; round < 10; round++)
        for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++)
            for (uint32_t count = 0; count < COUNTS; count++) {
                test_context("round %d channel %u count %u", round, channel,
                             count);
                compare_temporal(&random, (enum channel)channel, count);
            }
}

/* All pairs of a byte's references with all weights would be 2^40 cases; all
 * differences with all weights are 2^17. */
static void temporal_bytes_agree_for_every_difference_and_weight(void)
{
    uint8_t floor_index[512];
    uint8_t ceil_index[512];
    uint8_t expected[512];
    uint8_t actual[512];

    skip_without_any();
    for (int i = 0; i < 512; i++) {
        floor_index[i] = (uint8_t)(i < 256 ? 0 : 255 - i % 256);
        ceil_index[i] = (uint8_t)(i < 256 ? i : i % 3);
    }
    for (uint32_t weight = 0; weight < 256; weight++) {
        struct predict_stream s = {.channel = CHANNEL_COLOR,
                                   .coding = CODING_TEMPORAL,
                                   .a = (uint8_t)weight,
                                   .b = (uint8_t)(255 - weight),
                                   .c = (uint8_t)weight,
                                   .count = 128,
                                   .floor_index = floor_index,
                                   .ceil_index = ceil_index,
                                   .previous = ceil_index,
                                   .previous_two = floor_index};
        struct predict_ops ops;

        test_context("weight %u", weight);
        spn__predict_ops_init(&ops, 0);
        memset(expected, 0x5a, sizeof expected);
        CHECK_EQ(spn__predict_decode(&ops, &s, expected), SPN_OK);
        for (uint32_t v = 0; v < VARIANTS; v++) {
            if (!available(v))
                continue;
            spn__predict_ops_init(&ops, variants[v]);
            memset(actual, 0x5a, sizeof actual);
            CHECK_EQ(spn__predict_decode(&ops, &s, actual), SPN_OK);
            CHECK_MEM(actual, expected, sizeof expected);
        }
    }
}

/* -- planes -- */

/* Planes that are empty, full or random, or sometimes have one bit. */
static void random_planes(struct test_random *random, uint8_t *bytes,
                          size_t count)
{
    uint32_t kind = 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            kind = test_random_below(random, 6);
        bytes[i] = (uint8_t)(kind == 0 ? test_random_u64(random) : 0);
        if (kind == 1)
            bytes[i] = 0xff;
        if (kind == 2 && test_random_below(random, 40) == 0)
            bytes[i] = (uint8_t)(1u << test_random_below(random, 8));
    }
}

static void compare_planes(struct test_random *random, enum channel channel,
                           uint32_t count)
{
    const size_t bytes = (size_t)count * channel_vertex_bytes(channel);
    void *spare = aligned_alloc(64, PLANES_SPARE_BYTES);
    uint8_t *planes = malloc(bytes + !bytes);
    uint8_t *expected = malloc(bytes + !bytes);
    uint8_t *actual = malloc(bytes + !bytes);
    struct predict_ops ops;

    random_planes(random, planes, bytes);
    spn__predict_ops_init(&ops, 0);
    spn__planes_join(&ops, channel, planes, count, expected, spare);
    for (uint32_t v = 0; v < VARIANTS; v++) {
        if (!available(v))
            continue;
        memset(actual, 0xcd, bytes);
        spn__predict_ops_init(&ops, variants[v]);
        spn__planes_join(&ops, channel, planes, count, actual, spare);
        CHECK_MEM(actual, expected, bytes);
    }
    free(spare);
    free(planes);
    free(expected);
    free(actual);
}

/* Whole vectors of planes are 128 and 256 vertices. */
static void planes_give_the_same_bytes_on_every_set(void)
{
    struct test_random random = {17};

    skip_without_any();
    for (uint32_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        for (uint32_t count = 0; count < 1100; count++) {
            test_context("channel %u count %u", channel, count);
            compare_planes(&random, (enum channel)channel, count);
        }
        compare_planes(&random, (enum channel)channel, 8192);
    }
}

/* A table that silently stays scalar would make this test worthless. AVX2 is
 * not built for 64-bit Windows with GCC, nor for 32-bit x86; the Makefile has
 * the reasons. NEON is for 64-bit ARM. */
static bool is_built(uint32_t set)
{
#if defined(__MINGW32__) && !defined(__clang__)
    if (set == SPN_CPU_AVX2)
        return false;
#endif
    return (set != SPN_CPU_NEON && set != SPN_CPU_AVX2) || sizeof(void *) == 8;
}

static void available_set_replaces_kernels(void)
{
    struct fill_ops scalar_fill;
    struct predict_ops scalar_predict;

    skip_without_any();
    spn__fill_ops_init(&scalar_fill, 0);
    spn__predict_ops_init(&scalar_predict, 0);
    for (uint32_t v = 0; v < VARIANTS; v++) {
        struct fill_ops fill;
        struct predict_ops predict;

        if (!available(v) || !is_built(variants[v]))
            continue;
        spn__fill_ops_init(&fill, variants[v]);
        spn__predict_ops_init(&predict, variants[v]);
        test_context("set %u", variants[v]);
        CHECK(fill.frame != scalar_fill.frame);
        CHECK(fill.store != scalar_fill.store);
        CHECK(predict.temporal[0] != scalar_predict.temporal[0]);
        CHECK(predict.join_u16 != scalar_predict.join_u16);
    }
}

/* For instruction sets of another processor the table stays scalar. */
static void missing_set_changes_no_kernel(void)
{
    bool is_arm = (spn__cpu_detect() & SPN_CPU_NEON) != 0;
    uint32_t foreign = is_arm ? SPN_CPU_SSE41 | SPN_CPU_AVX2 : SPN_CPU_NEON;

#define SAME(type, init)                                                       \
    do {                                                                       \
        type here;                                                             \
        type other;                                                            \
                                                                               \
        memset(&here, 0, sizeof here);                                         \
        memset(&other, 0, sizeof other);                                       \
        init(&here, 0);                                                        \
        init(&other, foreign);                                                 \
        CHECK_MEM(&here, &other, sizeof here);                                 \
    } while (0)
    SAME(struct fill_ops, spn__fill_ops_init);
    SAME(struct lift_ops, spn__lift_ops_init);
    SAME(struct predict_ops, spn__predict_ops_init);
    SAME(struct one_ring_ops, spn__one_ring_ops_init);
    SAME(struct residual_ops, spn__residual_ops_init);
#undef SAME
}

TEST_MAIN(TEST(fill_gives_the_same_bytes_on_every_set),
          TEST(fill_agrees_where_constants_are_extreme),
          TEST(packers_agree_on_all_kinds_of_floats),
          TEST(temporal_prediction_gives_the_same_bytes_on_every_set),
          TEST(temporal_bytes_agree_for_every_difference_and_weight),
          TEST(planes_give_the_same_bytes_on_every_set),
          TEST(available_set_replaces_kernels),
          TEST(missing_set_changes_no_kernel))
