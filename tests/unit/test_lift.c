/* test_lift.c
 *
 * Goal: the lifting prediction gives the values of its formulas, the same on
 *   every instruction set. Validation refuses everything that could do harm.
 * Method: numbers computed by hand; a waving cloth encoded and decoded, as a
 *   whole and in parts; kernels on random hierarchies against the scalar ones;
 *   each rule of validation broken alone; payloads cut, and with flipped bits.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/lift_cloth.h"

#include "base/cpu.h"
#include "codec/lift/lift_formulas.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "support/lift_validate.h"
#include "support/pyramid_order.h"

#include <stdlib.h>
#include <string.h>

#define SETS 4
static const uint32_t sets[SETS] = {0, SPN_CPU_SSE41,
                                    SPN_CPU_SSE41 | SPN_CPU_AVX2, SPN_CPU_NEON};

static bool has_set(uint32_t cpu)
{
    return cpu == 0 || (cpu & ~spn__cpu_detect()) == 0;
}

/* -- formulas -- */

/* Return the prediction in time and its difference for one number. */
static struct lift_time_prediction time_of(const struct lift_span *span)
{
    struct lift_time_prediction time[4];

    lift_predict_time(span, 0, 1, span->is_far, time);
    return time[0];
}

static void time_and_space_follow_their_formulas(void)
{
    const int16_t f[3] = {100, 141, 39};
    const int16_t guess = 64 * 104 + 5;
    const int16_t weight[4] = {32767, 1 << 14, 1 << 13, 0};
    struct lift_span span = {.from = {&f[0], &f[1], &f[2]},
                             .frame_weight = weight,
                             .frame_count = 3,
                             .is_far = true,
                             .fraction_bits = 2};
    const uint16_t references[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    const int8_t weights[8] = {0, 0, 0, 0, 84, -20, 0, 0};
    const struct lift_hierarchy hierarchy = {.references = references,
                                             .weights = weights};
    const int16_t x[4] = {130, 5, 0, 0};
    const int16_t r[4] = {-7, 0, 0, 0};
    int32_t c[4];
    int16_t s[4];

    /* 100 + 41 / 2 - 61 / 4 = 106 - 3/4 */
    CHECK_EQ(time_of(&span).whole, 106);
    CHECK_EQ(time_of(&span).fraction, -3);
    /* mul(41 * 4, 0.5) + mul(-61 * 4, 0.25), in quarters: 82 - 61 */
    span.is_far = false;
    CHECK_EQ(time_of(&span).whole, 100);
    CHECK_EQ(time_of(&span).fraction, 21);
    span.frame_count = 1;
    CHECK_EQ(time_of(&span).whole, 100);
    CHECK_EQ(time_of(&span).fraction, 0);
    /* (104 5/64 - 100) / 2, a half of a 64th rounded up, and the sum */
    span.has_guess = true;
    span.fraction_bits = LIFT_GUESS_BITS;
    span.frame_count = 2;
    span.from[1] = &guess;
    CHECK_EQ(time_of(&span).whole, 100);
    CHECK_EQ(time_of(&span).fraction, 131);
    span.frame_count = 1;
    span.from[0] = &guess;
    CHECK_EQ(time_of(&span).whole, 104);
    CHECK_EQ(time_of(&span).fraction, 5);
    CHECK_EQ(lift_multiply(-1, 1 << 14), 0); /* -0.5 is rounded up */
    CHECK_EQ(lift_multiply(1, 1 << 14), 1);
    CHECK_EQ(lift_multiply(-32768, -32768), -32768);
    lift_sum_values(&hierarchy, x, 1, c);
    CHECK_EQ(c[0], 64 * 130);
    CHECK_EQ(c[1], 64 * 5);
    CHECK_EQ(lift_predict_space(64 * 130), 130);
    CHECK_EQ(lift_predict_space(64 * 130 + 31), 130);
    CHECK_EQ(lift_predict_space(64 * 130 + 32), 131);
    CHECK_EQ(lift_predict_space(-32), 0);
    CHECK_EQ(lift_predict_space(-33), -1);
    /* -7 * 84 / 128 and 7 * 20 / 128, rounded: -5 and 1 */
    lift_sum_errors(&hierarchy, r, 1, s);
    CHECK_EQ(s[0], -8);
    CHECK_EQ(s[3], 0);
    CHECK_EQ_U(lift_error_weight(63), 63u * 512);
    CHECK_EQ_U(lift_error_weight(64), 32767u);
    /* 100 + (21 - 8) / 4, a half is rounded up */
    CHECK_EQ(lift_predict_space_time(100, 21 - 8, 2), 103);
    CHECK_EQ(lift_predict_space_time(100, 14, 2), 104);
    CHECK_EQ(lift_predict_space_time(100, -14, 2), 97);
    /* Values beyond 16 bits wrap. */
    CHECK_EQ(lift_scaled_difference(8192, 0, 2), -32768);
}

static void signs_follow_the_rounded_values(void)
{
    /* 130 and 31/64, 32/64; -32/64, -33/64 */
    CHECK_EQ(lift_side(64 * 130 + 31, LIFT_SPACE_BITS), 0);
    CHECK_EQ(lift_side(64 * 130 + 32, LIFT_SPACE_BITS), -1);
    CHECK_EQ(lift_side(-32, LIFT_SPACE_BITS), -1);
    CHECK_EQ(lift_side(-33, LIFT_SPACE_BITS), 0);
    /* 13/4 becomes 3, 14/4 becomes 4, -14/4 becomes -3 */
    CHECK_EQ(lift_side(13, 2), 0);
    CHECK_EQ(lift_side(14, 2), -1);
    CHECK_EQ(lift_side(-14, 2), -1);
    /* one bit: whole, or a half */
    CHECK_EQ(lift_side(4, 1), 0);
    CHECK_EQ(lift_side(5, 1), -1);
    CHECK_EQ(lift_apply_side(-1, 5), -5);
    CHECK_EQ(lift_apply_side(0, 5), 5);
    CHECK_EQ(lift_apply_side(-1, -32768), -32768);
}

static void roots_are_rounded(void)
{
    for (int32_t d = 0; d <= LIFT_SQUARE; d++) {
        const int32_t r = lift_root(d);

        /* (r - 1/2)^2 < d < (r + 1/2)^2, in whole numbers */
        if (!(4 * d < (2 * r + 1) * (2 * r + 1) &&
              (r == 0 || 4 * d > (2 * r - 1) * (2 * r - 1))))
            CHECK_EQ(r, d);
    }
}

static void the_largest_component_follows_from_the_others(void)
{
    const struct lift_predicted point = {{10, -400, 300, -400},
                                         {0, -1, -1, -1}};
    const struct lift_predicted zero = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    const int16_t x[4] = {12, -404, 290, -90};
    const int16_t none[3] = {0, 0, 0};
    int16_t residuals[3];
    int16_t fourth;
    int16_t back[4];
    int32_t side;

    CHECK_EQ_U(lift_largest_component(point.p), 1u);
    lift_qtangent_residuals(&point, x, lift_root, residuals, &fourth);
    CHECK_EQ(residuals[0], 2);
    /* residual of component 3, with the sign of its side */
    CHECK_EQ(residuals[1], -310);
    CHECK_EQ(residuals[2], 10);
    /* -sqrt(261121 - 144 - 84100 - 8100) = -410.8, which was rounded up */
    CHECK_EQ(lift_remaining_root(x, 1, &side), 411);
    CHECK_EQ(side, -1);
    CHECK_EQ(fourth, 411 - 404);
    lift_decode_qtangent(&point, residuals, fourth, back);
    CHECK_MEM(back, x, sizeof x);
    /* Of a zero vector the first component is the largest, and positive. */
    CHECK_EQ_U(lift_largest_component(zero.p), 0u);
    lift_decode_qtangent(&zero, none, 0, back);
    CHECK_EQ(back[0], QTANGENT_ONE);
    CHECK_EQ(lift_remaining_root(back, 1, &side), 0);
    CHECK_EQ(side, 0);
}

/* -- encoding and decoding -- */

static void decode_part(const struct lift_rig *rig,
                        const struct lift_rig_part *part, enum channel channel,
                        const struct lift_ops *ops, const uint32_t *order)
{
    const size_t bytes =
        channel_vertex_bytes(channel) * (size_t)part->vertex_count;
    void *workspace = aligned_alloc(
        64, LIFT_WORKSPACE_BYTES(part->vertex_count) / 64 * 64 + 64);
    void **values = calloc(rig->frame_count, sizeof *values);

    for (uint32_t i = 0; i < rig->frame_count; i++) {
        const uint32_t f = order[i];

        test_context("channel %d, frame %u", (int)channel, f);
        values[f] = malloc(bytes);
        CHECK_EQ(lift_rig_decode(rig, ops, part, channel, f, values, workspace,
                                 values[f]),
                 SPN_OK);
        CHECK_MEM(values[f], part->values[channel][f], bytes);
    }
    for (uint32_t f = 0; f < rig->frame_count; f++)
        free(values[f]);
    free(values);
    free(workspace);
}

static void check_cloth_restored(uint32_t part_vertices, uint32_t frame_count,
                                 bool has_channel_weights)
{
    uint32_t *order = calloc(frame_count, sizeof *order);
    struct lift_rig rig;
    struct arena arena;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 30, frame_count);
    rig.has_channel_weights = has_channel_weights;
    lift_rig_encode(&rig, part_vertices);
    pyramid_order(frame_count, rig.distance, order);
    for (int s = 0; s < SETS; s++) {
        struct lift_ops ops;

        if (!has_set(sets[s]))
            continue;
        spn__lift_ops_init(&ops, sets[s]);
        for (uint32_t p = 0; p < rig.part_count; p++)
            for (int c = 0; c < CHANNEL_COUNT; c++)
                decode_part(&rig, &rig.parts[p], (enum channel)c, &ops, order);
    }
    arena_free(&arena);
    free(order);
}

static void a_cloth_is_restored(void)
{
    check_cloth_restored(65536, 19, false);
}

static void a_cloth_in_parts_is_restored(void)
{
    check_cloth_restored(100, 11, true);
}

static void tangents_have_channel_weights(void)
{
    check_cloth_restored(65536, 19, true);
}

static void clips_of_few_frames_are_restored(void)
{
    for (uint32_t frames = 1; frames < 5; frames++)
        check_cloth_restored(300, frames, false);
}

/* The prediction reduces the cloth to less than a third. */
static void a_cloth_becomes_small(void)
{
    struct lift_rig rig;
    struct arena arena;
    size_t raw = 0;
    size_t coded = 0;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 30, 17);
    lift_rig_encode(&rig, 65536);
    for (int c = 0; c < CHANNEL_COUNT; c++)
        for (uint32_t f = 0; f < rig.frame_count; f++) {
            raw += channel_vertex_bytes((enum channel)c) *
                   (size_t)rig.vertex_count;
            coded += rig.parts[0].payload[c][f].size;
        }
    CHECK(3 * coded < raw);
    arena_free(&arena);
}

/* -- kernels on random input -- */

#define RANDOM_VERTICES 300u
#define PADDED (RANDOM_VERTICES + 2 * LIFT_PADDING)

struct random_hierarchy {
    struct lift_hierarchy hierarchy;
    struct lift_layer layers[12];
    uint16_t references[4 * PADDED];
    int8_t weights[4 * PADDED];
    int8_t channel_weights[4 * PADDED];
    int16_t residuals[4 * PADDED];
    int16_t fourth[PADDED];
    int16_t from[LIFT_FRAMES_MAX][4 * PADDED];
    int16_t weight[LIFT_FRAMES_MAX];
    int16_t values[SETS][4 * PADDED];
    int16_t rest[SETS][4 * PADDED];
    uint16_t packed[SETS][3 * PADDED];
};

/* A random 16-bit number, often one of the limits. */
static int16_t any(struct test_random *random)
{
    static const int16_t ends[] = {-32768, 32767, 0, -1, 511, -511, 32767, 1};
    const uint64_t x = test_random_u64(random);

    const int32_t number = (int16_t)(x >> 16);

    if (x % 4 == 0)
        return ends[x / 4 % 8];
    return (int16_t)(number / (int32_t)(1 + (x >> 40) % 64));
}

static void make_random_hierarchy(struct random_hierarchy *c,
                                  struct test_random *random)
{
    memset(c, 0, sizeof *c);
    c->hierarchy = (struct lift_hierarchy){.vertex_count = RANDOM_VERTICES,
                                           .layer_count = 11,
                                           .level_count = 4,
                                           .weld_first = RANDOM_VERTICES,
                                           .layers = c->layers,
                                           .references = c->references,
                                           .weights = c->weights};
    for (uint32_t l = 1; l < 11; l++) {
        c->layers[l].first =
            c->layers[l - 1].first + 1 + test_random_below(random, 5 * l);
        c->layers[l].level = l * 4 / 11;
    }
    c->layers[11].first = RANDOM_VERTICES;
    for (uint32_t l = 1; l < 11; l++)
        for (uint32_t v = c->layers[l].first; v < c->layers[l + 1].first; v++) {
            int8_t *w = c->weights + 4 * v;

            for (uint32_t j = 0; j < 4; j++)
                c->references[4 * v + j] =
                    (uint16_t)test_random_below(random, c->layers[l].first);
            w[0] = (int8_t)((int)test_random_below(random, 120) - 60);
            w[1] = (int8_t)((int)test_random_below(random, 120) - 60);
            w[2] = (int8_t)(32 - w[0]);
            w[3] = (int8_t)(32 - w[1]);
        }
    for (uint32_t i = 0; i < 4 * PADDED; i++) {
        c->residuals[i] = any(random);
        for (uint32_t j = 0; j < LIFT_FRAMES_MAX; j++)
            c->from[j][i] = any(random);
    }
    for (uint32_t i = 0; i < PADDED; i++)
        c->fourth[i] = any(random);
}

typedef void (*kernel)(const struct lift_span *span);

static kernel kernel_of(const struct lift_ops *ops, int which)
{
    const kernel kernels[4] = {ops->space, ops->space_qtangent, ops->space_time,
                               ops->space_time_qtangent};

    return kernels[which];
}

static void run_random_hierarchy(struct random_hierarchy *c, int set, int which,
                                 uint32_t components, uint32_t frame_count,
                                 bool has_guess, uint32_t level,
                                 uint32_t fraction_bits)
{
    struct lift_span span = {
        .hierarchy = &c->hierarchy,
        .residuals = c->residuals,
        .fourth = c->fourth,
        .values = c->values[set],
        .errors = level == 0 && frame_count % 2 ? NULL : c->rest[set],
        .frame_weight = c->weight,
        .frame_count = frame_count,
        .has_guess = has_guess,
        .is_far = !has_guess && frame_count % 2 == 0,
        .from_stride = components,
        .fraction_bits = fraction_bits,
        .error_weight = lift_error_weight(level)};
    struct lift_ops ops;

    spn__lift_ops_init(&ops, sets[set]);
    for (uint32_t l = 0; l < c->hierarchy.layer_count; l++) {
        span.first = c->layers[l].first;
        span.limit = c->layers[l + 1].first;
        span.from_first = l % 2 ? span.first : 0;
        span.packed = c->packed[set] + components * (size_t)span.from_first;
        for (uint32_t j = 0; j < LIFT_FRAMES_MAX; j++)
            span.from[j] = c->from[j];
        kernel_of(&ops, which)(&span);
    }
}

static void kernels_agree_on_any_numbers(void)
{
    static const uint8_t levels[] = {0, 1, 17, 63, 64};
    struct random_hierarchy *c = malloc(sizeof *c);
    struct test_random random = {1};
    struct spn_fault fault;

    for (uint32_t round = 0; round < 200; round++) {
        const uint8_t level = levels[round % sizeof levels];
        const uint32_t components = 2 + round % 3;
        const int which = (int)(round / 2 % 4);
        const bool has_guess = which == 3 && round % 2;

        make_random_hierarchy(c, &random);
        for (uint32_t j = 0; j < LIFT_FRAMES_MAX; j++)
            c->weight[j] = any(&random) | 1;
        CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_OK);
        for (int s = 0; s < SETS; s++) {
            if (!has_set(sets[s]))
                continue;
            run_random_hierarchy(
                c, s, which, which == 3 ? 4 : components,
                1 + round / 8 % LIFT_FRAMES_MAX, has_guess, level,
                has_guess ? LIFT_GUESS_BITS
                          : 1 + round / 32 % LIFT_FRACTION_BITS_MAX);
            test_context("round %u, kernel %d, set %d", round, which, s);
            CHECK_MEM(c->values[s], c->values[0],
                      4 * RANDOM_VERTICES * sizeof(int16_t));
            CHECK_MEM(c->packed[s], c->packed[0],
                      3 * RANDOM_VERTICES * sizeof(int16_t));
            if (which >= 2)
                CHECK_MEM(c->rest[s], c->rest[0],
                          4 * RANDOM_VERTICES * sizeof(int16_t));
        }
    }
    free(c);
}

/* Any count of vertices, with and without pairs. Nothing beyond the last vertex
 * is written. */
static void kernels_agree_on_wide_positions(void)
{
    struct test_random random = {7};
    uint16_t values[3 * 40];
    uint16_t pairs[2 * 40];

    for (uint32_t i = 0; i < 3 * 40; i++)
        values[i] = (uint16_t)any(&random);
    for (uint32_t i = 0; i < 2 * 40; i++)
        pairs[i] = (uint16_t)any(&random);
    for (uint32_t count = 0; count <= 40; count++)
        for (int s = 0; s < 2 * SETS; s++) {
            const bool has_pairs = s % 2 != 0;
            int16_t out[4 * 41];
            struct lift_ops ops;

            if (!has_set(sets[s / 2]))
                continue;
            spn__lift_ops_init(&ops, sets[s / 2]);
            memset(out, 0x5a, sizeof out);
            ops.unpack3(values, has_pairs ? pairs : NULL, count, out);
            test_context("count %u, set %d", count, s);
            for (uint32_t v = 0; v < count; v++) {
                CHECK_MEM(out + 4 * v, values + 3 * v, 3 * sizeof *values);
                CHECK_EQ((uint16_t)out[4 * v + 3],
                         has_pairs ? pairs[2 * v + 1] : 0);
            }
            CHECK_EQ(out[4 * count], 0x5a5a);
        }
}

/* The guess of one vertex, in scalar code. */
static void guess_one(const int16_t *y, int16_t *guess)
{
    uint32_t sum = 0;

    for (int k = 0; k < 4; k++)
        sum += (uint32_t)(y[k] * guess[k]);
    for (int k = 0; k < 4 && sum >> 31; k++)
        guess[k] = (int16_t)(uint16_t)(0u - (uint16_t)guess[k]);
}

/* The largest reference with a nonzero weight. */
static uint32_t nearest_of(const struct random_hierarchy *c, uint32_t v)
{
    uint32_t nearest = 0;

    for (uint32_t j = 4 * v; j < 4 * v + 4; j++)
        if (c->weights[j] != 0 && c->references[j] > nearest)
            nearest = c->references[j];
    return nearest;
}

/* Guesses from references of any vertex, and from references of earlier
 * layers. */
static void kernels_agree_on_guesses(void)
{
    struct random_hierarchy *c = malloc(sizeof *c);
    struct test_random random = {5};
    int16_t *y = malloc(4 * RANDOM_VERTICES * sizeof *y);
    int16_t *expected = malloc(4 * RANDOM_VERTICES * sizeof *y);
    int16_t *guesses = malloc(4 * RANDOM_VERTICES * sizeof *y);

    for (uint32_t round = 0; round < 100; round++) {
        make_random_hierarchy(c, &random);
        for (uint32_t i = 0; i < 4 * RANDOM_VERTICES; i++) {
            y[i] = any(&random);
            if (test_random_below(&random, 3) == 0)
                c->weights[i] = 0;
        }
        memcpy(expected, c->residuals, 4 * RANDOM_VERTICES * sizeof *y);
        for (uint32_t v = round % 2; v < RANDOM_VERTICES; v++)
            guess_one(y + 4 * (size_t)(round % 2 ? nearest_of(c, v) : v),
                      expected + 4 * (size_t)v);
        for (int s = 0; s < SETS; s++) {
            struct lift_ops ops;

            if (!has_set(sets[s]))
                continue;
            spn__lift_ops_init(&ops, sets[s]);
            memcpy(guesses, c->residuals, 4 * RANDOM_VERTICES * sizeof *y);
            if (round % 2 == 0)
                ops.align_signs(NULL, y, 0, RANDOM_VERTICES, guesses);
            for (uint32_t l = 0; round % 2 && l < c->hierarchy.layer_count; l++)
                ops.align_signs(&c->hierarchy, y,
                                l > 0 ? c->layers[l].first : 1,
                                c->layers[l + 1].first, guesses);
            test_context("round %u, set %d", round, s);
            CHECK_MEM(guesses, expected, 4 * RANDOM_VERTICES * sizeof *y);
        }
    }
    free(c);
    free(y);
    free(expected);
    free(guesses);
}

static void packing_agrees_and_stays_inside(void)
{
    struct test_random random = {3};
    int16_t values[4 * 64];

    for (uint32_t i = 0; i < 4 * 64; i++)
        values[i] = any(&random);
    for (uint32_t count = 1; count < 40; count++) {
        uint16_t *expected = malloc(3 * count * sizeof *expected);

        for (int s = 0; s < SETS; s++) {
            uint16_t *out = calloc(3 * count, sizeof *out);
            struct lift_ops ops;

            if (has_set(sets[s])) {
                spn__lift_ops_init(&ops, sets[s]);
                ops.pack3(values, count, 0x8000, s == 0 ? expected : out);
                test_context("count %u, set %d", count, s);
                CHECK_EQ_U(expected[0], (uint16_t)values[0] ^ 0x8000u);
                if (s > 0)
                    CHECK_MEM(out, expected, 3 * count * sizeof *out);
            }
            free(out);
        }
        free(expected);
    }
}

/* -- validation -- */

static void hierarchies_are_validated(void)
{
    struct random_hierarchy *c = malloc(sizeof *c);
    struct test_random random = {4};
    struct spn_fault fault = {0};
    static const int8_t lowest[4] = {-128, 127, 65, 0};

#define REFUSED(change)                                                        \
    make_random_hierarchy(c, &random);                                         \
    CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_OK);                    \
    change;                                                                    \
    fault.what = NULL;                                                         \
    CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_ERR_FORMAT);            \
    CHECK(fault.what != NULL);

    REFUSED(c->hierarchy.vertex_count = 0)
    REFUSED(c->hierarchy.vertex_count = LIFT_VERTICES_MAX + 1)
    REFUSED(c->hierarchy.level_count = 0)
    REFUSED(c->hierarchy.level_count = LIFT_LEVELS_MAX + 1)
    REFUSED(c->hierarchy.level_count = 3)
    REFUSED(c->hierarchy.weld_first = RANDOM_VERTICES - 1)
    REFUSED(c->hierarchy.weld_first = 0)
    REFUSED(c->hierarchy.layer_count = 0)
    REFUSED(c->hierarchy.layer_count = 10)
    REFUSED(c->hierarchy.layer_count = RANDOM_VERTICES + 1)
    CHECK_STR(fault.what, "layers of a hierarchy");
    REFUSED(c->layers[0].first = 1)
    REFUSED(c->layers[0].level = 1)
    REFUSED(c->layers[5].first = c->layers[4].first)
    REFUSED(c->layers[5].first = RANDOM_VERTICES + 1)
    REFUSED(c->layers[9].level = 0)
    REFUSED(c->layers[11].first = RANDOM_VERTICES - 1)
    REFUSED(c->references[4 * c->layers[7].first + 2] =
                (uint16_t)c->layers[7].first)
    REFUSED(c->references[0] = 1)
    REFUSED(c->references[4 * RANDOM_VERTICES + 1] = 1)
    REFUSED(c->weights[4 * c->layers[7].first] ^= 1)
    REFUSED(c->weights[0] = 64)
    REFUSED(memcpy(c->weights + 4 * c->layers[7].first, lowest, 4))
    for (int k = 0; k < 2; k++) {
        make_random_hierarchy(c, &random);
        c->hierarchy.channel_weights[k] = c->channel_weights;
        c->weights[4 * c->layers[7].first] = 1;
        c->weights[4 * c->layers[7].first + 2] = 31;
        c->channel_weights[4 * c->layers[7].first] = -127;
        CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_OK);
        c->channel_weights[4 * c->layers[7].first] = -128;
        CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "weights of QTangents");
        c->channel_weights[4 * c->layers[7].first] = 0;
        c->channel_weights[3] = 1; /* weight of a vertex without references */
        CHECK_EQ(lift_validate(&c->hierarchy, &fault), SPN_ERR_FORMAT);
    }
#undef REFUSED
    free(c);
}

static void heads_are_validated(void)
{
    uint8_t head[LIFT_HEAD_BYTES_MAX] = {0x74, 1, 0, 2, 0, 255, 127, 0, 64, 63};
    struct lift_prediction p;
    struct spn_fault fault = {0};
    size_t used = 0;

    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault), SPN_OK);
    CHECK_EQ_U(used, 10u);
    CHECK_EQ_U(p.frame_count, 4u);
    CHECK_EQ(p.weight[3], 32767);
    CHECK_EQ_U(p.fraction_bits, 7u);
    CHECK(!p.is_far);
    head[0] = 0x7c;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault), SPN_OK);
    CHECK(p.is_far && !p.sign_aligned && !p.has_guess);
    head[0] = 0x74;
    CHECK_EQ_U(p.level_weight[2], 63u);
    for (size_t bytes = 0; bytes < 10; bytes++)
        CHECK_EQ(spn__lift_head_read(head, bytes, 3, &p, &used, &fault),
                 SPN_ERR_FORMAT);
    head[9] = 65;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault),
             SPN_ERR_FORMAT);
    head[9] = 128;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault),
             SPN_ERR_FORMAT);
    head[9] = 0;
    head[3] = 0;
    head[4] = 0x80;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault),
             SPN_ERR_FORMAT);
    head[4] = 0;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault), SPN_OK);
    {
        static const uint8_t bad[] = {0x75, 0x04, 0x70, 0x84, 0xf5, 0x0c,
                                      0x80, 0x88, 0x08, 0xf4, 0xfc, 0xd4};

        for (size_t i = 0; i < sizeof bad; i++) {
            head[0] = bad[i];
            CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault),
                     SPN_ERR_FORMAT);
        }
    }
    head[0] = 0xe4;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault), SPN_OK);
    CHECK(p.has_guess && !p.sign_aligned);
    CHECK_EQ_U(p.fraction_bits, 6u);
    head[0] = 0xec;
    CHECK_EQ(spn__lift_head_read(head, 10, 3, &p, &used, &fault), SPN_OK);
    CHECK(p.has_guess && p.sign_aligned);
    CHECK_EQ_U(p.frame_count, 4u);
    head[0] = 0;
    CHECK_EQ(spn__lift_head_read(head, 1, 3, &p, &used, &fault), SPN_OK);
    CHECK_EQ_U(used, 1u);
}

/* -- damage -- */

struct damage {
    struct lift_rig rig;
    struct arena arena;
    struct lift_rig_part *part;
    void *workspace;
    uint8_t *values[SETS];
    size_t bytes;
};

/* Decode a damaged payload with all instruction sets. They must return the same
 * status and the same values, and write no value when they refuse it. */
static spn_status decode_damaged(struct damage *d, enum channel channel,
                                 uint32_t frame, const uint8_t *bytes,
                                 size_t size)
{
    struct lift_payload *payload = &d->part->payload[channel][frame];
    const struct lift_payload good = *payload;
    spn_status first = SPN_OK;

    payload->bytes = malloc(size + RESIDUAL_PADDING);
    payload->size = size;
    memcpy(payload->bytes, bytes, size);
    memset(payload->bytes + size, 0xa7, RESIDUAL_PADDING);
    for (int s = 0; s < SETS; s++) {
        struct lift_ops ops;
        spn_status status;

        if (!has_set(sets[s]))
            continue;
        spn__lift_ops_init(&ops, sets[s]);
        memset(d->values[s], 0x11, d->bytes);
        status = lift_rig_decode(&d->rig, &ops, d->part, channel, frame,
                                 d->part->values[channel], d->workspace,
                                 d->values[s]);
        first = s == 0 ? status : first;
        CHECK_EQ(status, first);
        CHECK_MEM(d->values[s], d->values[0], d->bytes);
        if (status != SPN_OK)
            CHECK_EQ(d->values[s][0], 0x11);
    }
    free(payload->bytes);
    *payload = good;
    return first;
}

static void damage_frame(struct damage *d, enum channel channel, uint32_t frame)
{
    const struct lift_payload good = d->part->payload[channel][frame];
    uint8_t *bytes = malloc(good.size);

    d->bytes = channel_vertex_bytes(channel) * (size_t)d->part->vertex_count;
    memcpy(bytes, good.bytes, good.size);
    CHECK_EQ(decode_damaged(d, channel, frame, bytes, good.size), SPN_OK);
    for (size_t cut = 0; cut < good.size; cut++)
        CHECK(decode_damaged(d, channel, frame, bytes, cut) != SPN_OK);
    for (size_t bit = 0; bit < 8 * good.size; bit++) {
        test_context("channel %d, frame %u, bit %zu", (int)channel, frame, bit);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        (void)decode_damaged(d, channel, frame, bytes, good.size);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(bytes);
}

static void kernels_agree_on_damaged_payloads(void)
{
    struct damage d;

    arena_init(&d.arena);
    lift_cloth_make(&d.rig, &d.arena, 12, 9);
    lift_rig_encode(&d.rig, 65536);
    d.part = d.rig.parts;
    d.workspace = aligned_alloc(
        64, LIFT_WORKSPACE_BYTES(d.part->vertex_count) / 64 * 64 + 64);
    for (int s = 0; s < SETS; s++)
        d.values[s] = malloc(8 * (size_t)d.part->vertex_count);
    for (int c = 0; c < CHANNEL_COUNT; c++) {
        damage_frame(&d, (enum channel)c, 0);
        damage_frame(&d, (enum channel)c, 4);
        damage_frame(&d, (enum channel)c, 3);
    }
    for (int s = 0; s < SETS; s++)
        free(d.values[s]);
    free(d.workspace);
    arena_free(&d.arena);
}

TEST_MAIN(TEST(time_and_space_follow_their_formulas),
          TEST(signs_follow_the_rounded_values), TEST(roots_are_rounded),
          TEST(the_largest_component_follows_from_the_others),
          TEST(a_cloth_is_restored), TEST(a_cloth_in_parts_is_restored),
          TEST(tangents_have_channel_weights),
          TEST(clips_of_few_frames_are_restored), TEST(a_cloth_becomes_small),
          TEST(kernels_agree_on_any_numbers),
          TEST(kernels_agree_on_wide_positions), TEST(kernels_agree_on_guesses),
          TEST(packing_agrees_and_stays_inside),
          TEST(hierarchies_are_validated), TEST(heads_are_validated),
          TEST(kernels_agree_on_damaged_payloads))
