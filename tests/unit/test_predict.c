/* test_predict.c
 *
 * Goal: residuals are decoded to exactly the values of the formulas, with every
 *   wrap-around of every width.
 * Method: vectors computed by hand; random streams compared with slow formulas
 *   in wide integers with floored division.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "codec/classic/predict.h"

#include <string.h>

#define LIMIT 600u

static int64_t floor_divide(int64_t value, int64_t divisor)
{
    int64_t quotient = value / divisor;

    return value % divisor < 0 ? quotient - 1 : quotient;
}

/* Reduce to the width of a channel's component and extend again. */
static int64_t reduce(enum channel channel, int64_t value)
{
    if (channel == CHANNEL_COLOR)
        return value & 0xff;
    value &= 0xffff;
    return channel == CHANNEL_QTANGENT && value >= 0x8000 ? value - 0x10000
                                                          : value;
}

static int64_t load(enum channel channel, const void *values, size_t index)
{
    if (channel == CHANNEL_COLOR)
        return ((const uint8_t *)values)[index];
    if (channel == CHANNEL_QTANGENT)
        return ((const int16_t *)values)[index];
    return ((const uint16_t *)values)[index];
}

static void store(enum channel channel, void *values, size_t index,
                  int64_t value)
{
    if (channel == CHANNEL_COLOR)
        ((uint8_t *)values)[index] = (uint8_t)value;
    else
        ((uint16_t *)values)[index] = (uint16_t)value;
}

static void slow_spatial(const struct predict_stream *s, void *values)
{
    enum channel channel = s->channel;
    size_t n = channel_components(channel);

    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < n; k++) {
            const struct predict_entry *e = &s->entries[i];
            int64_t residual = load(channel, values, i * n + k);
            int64_t guess = 0;

            if (e->u != PREDICT_NO_TRIANGLE) {
                int64_t u = load(channel, values, (i - e->u) * n + k);
                int64_t v = load(channel, values, (i - e->v) * n + k);
                int64_t w = load(channel, values, (i - e->w) * n + k);

                guess = channel != CHANNEL_QTANGENT && channel != CHANNEL_COLOR
                            ? u + v - w
                            : (u + v) / 2;
            } else if (i > 0) {
                guess = load(channel, values, (i - 1) * n + k);
            }
            store(channel, values, i * n + k,
                  reduce(channel, guess + residual));
        }
}

static void slow_temporal(const struct predict_stream *s, void *values)
{
    enum channel channel = s->channel;
    size_t count = (size_t)s->count * channel_components(channel);

    for (size_t i = 0; i < count; i++) {
        int64_t f = load(channel, s->floor_index, i);
        int64_t c = load(channel, s->ceil_index, i);
        int64_t p = load(channel, s->previous, i);
        int64_t q = load(channel, s->previous_two, i);
        int64_t lerp = reduce(channel, f + floor_divide((c - f) * s->b, 256));
        int64_t motion = reduce(channel, p + floor_divide((p - q) * s->a, 128));
        int64_t guess = lerp + floor_divide((motion - lerp) * s->c, 128);

        store(channel, values, i,
              reduce(channel, guess + load(channel, values, i)));
    }
}

static spn_status decode(const struct predict_stream *s, void *values)
{
    struct predict_ops ops;

    spn__predict_ops_init(&ops, 0);
    return spn__predict_decode(&ops, s, values);
}

static void spatial_prediction_completes_a_parallelogram(void)
{
    const struct predict_entry entries[4] = {
        {PREDICT_NO_TRIANGLE, 0, 0},
        {PREDICT_NO_TRIANGLE, 0, 0},
        {PREDICT_NO_TRIANGLE, 0, 0},
        {1, 2, 3},
    };
    uint16_t values[12] = {10, 20, 30, 5, 0xffff, 0, 0, 5, 1, 1, 0, 0xfffe};
    const uint16_t expected[12] = {10, 20, 30, 15, 19, 30,
                                   15, 24, 31, 21, 23, 29};
    struct predict_stream s = {.channel = CHANNEL_POSITION,
                               .coding = CODING_SPATIAL,
                               .count = 4,
                               .entries = entries};

    CHECK_EQ(decode(&s, values), SPN_OK);
    CHECK_MEM(values, expected, sizeof expected);
}

static void averages_round_toward_zero(void)
{
    const struct predict_entry entries[3] = {
        {PREDICT_NO_TRIANGLE, 0, 0}, {PREDICT_NO_TRIANGLE, 0, 0}, {1, 2, 2}};
    int16_t q[12] = {-3, 3, 32767, -32768, 2, -2, 0, -1, 0, 0, 1, 0};
    const int16_t q_expected[12] = {-3,    3,     32767, -32768, -1,     1,
                                    32767, 32767, -2,    2,      -32768, 0};
    uint8_t c[12] = {1, 255, 0, 10, 1, 1, 255, 0, 0, 0, 255, 1};
    const uint8_t c_expected[12] = {1,   255, 0, 10,  2,   0,
                                    255, 10,  1, 127, 126, 11};
    struct predict_stream s = {.channel = CHANNEL_QTANGENT,
                               .coding = CODING_SPATIAL,
                               .count = 3,
                               .entries = entries};

    CHECK_EQ(decode(&s, q), SPN_OK);
    CHECK_MEM(q, q_expected, sizeof q_expected);
    s.channel = CHANNEL_COLOR;
    CHECK_EQ(decode(&s, c), SPN_OK);
    CHECK_MEM(c, c_expected, sizeof c_expected);
}

static void temporal_prediction_matches_an_example(void)
{
    /* lerp = 100 + floor(-50 * 128 / 256) = 75;
     * motion = 90 + floor(-5 * 64 / 128) = 87 (-2.5 floors to -3);
     * 75 + floor(12 * 32 / 128) = 78; and once around the wrap. */
    const uint16_t f[3] = {100, 65535, 0};
    const uint16_t c[3] = {50, 0, 0};
    const uint16_t p[3] = {90, 1, 0};
    const uint16_t q[3] = {95, 65535, 0};
    uint16_t values[3] = {2, 0, 0xffff};
    struct predict_stream s = {.channel = CHANNEL_POSITION,
                               .coding = CODING_TEMPORAL,
                               .a = 64,
                               .b = 128,
                               .c = 32,
                               .count = 1,
                               .floor_index = f,
                               .ceil_index = c,
                               .previous = p,
                               .previous_two = q};

    CHECK_EQ(decode(&s, values), SPN_OK);
    CHECK_EQ(values[0], 80);
    /* lerp = 65535 + floor(-65535 / 2) = 32767; motion = 1 - 32767 = 32770;
     * 32767 + floor(3 / 4) = 32767. */
    CHECK_EQ(values[1], 32767);
    CHECK_EQ(values[2], 65535);
}

struct fixture {
    struct predict_entry entries[LIMIT];
    uint16_t reference[4][LIMIT * 4];
    uint16_t values[LIMIT * 4];
    uint16_t expected[LIMIT * 4];
    struct predict_stream s;
};

static uint16_t draw_entry(struct test_random *random, uint32_t i)
{
    return (uint16_t)(1 + test_random_below(random, i));
}

static void make(struct fixture *x, struct test_random *random)
{
    struct predict_stream *s = &x->s;
    uint32_t kind = test_random_below(random, 3);

    memset(s, 0, sizeof *s);
    s->count = test_random_below(random, LIMIT + 1);
    s->channel = (enum channel)test_random_below(random, CHANNEL_COUNT);
    s->a = (uint8_t)test_random_below(random, 256);
    s->b = (uint8_t)test_random_below(random, 256);
    s->c = (uint8_t)test_random_below(random, 256);
    s->entries = x->entries;
    s->floor_index = x->reference[0];
    s->ceil_index = x->reference[1];
    s->previous = x->reference[2];
    s->previous_two = x->reference[3];
    for (uint32_t i = 0; i < LIMIT; i++) {
        struct predict_entry *e = &x->entries[i];

        e->u = e->v = e->w = PREDICT_NO_TRIANGLE;
        if (i > 0 && test_random_below(random, 8) > 0) {
            e->u = draw_entry(random, i);
            e->v = draw_entry(random, i);
            e->w = draw_entry(random, i);
        }
    }
    for (uint32_t i = 0; i < LIMIT * 4; i++) {
        for (int k = 0; k < 4; k++)
            x->reference[k][i] =
                kind == 0 ? (uint16_t)(test_random_below(random, 2) - 1)
                          : (uint16_t)test_random_u64(random);
        x->values[i] = kind == 1 ? (uint16_t)(test_random_below(random, 7) - 3)
                                 : (uint16_t)test_random_u64(random);
    }
    memcpy(x->expected, x->values, sizeof x->values);
}

static void random_streams_agree_with_the_slow_formula(void)
{
    static struct fixture x;
    struct test_random random = {71};

    for (int round = 0; round < 400; round++) {
        test_context("round %d", round);
        make(&x, &random);
        x.s.coding = CODING_SPATIAL;
        slow_spatial(&x.s, x.expected);
        CHECK_EQ(decode(&x.s, x.values), SPN_OK);
        CHECK_MEM(x.values, x.expected, sizeof x.values);
        x.s.coding = CODING_TEMPORAL;
        slow_temporal(&x.s, x.expected);
        CHECK_EQ(decode(&x.s, x.values), SPN_OK);
        CHECK_MEM(x.values, x.expected, sizeof x.values);
    }
}

static void plain_streams_do_not_change(void)
{
    uint8_t values[4] = {1, 2, 3, 4};
    const uint8_t expected[4] = {1, 2, 3, 4};
    struct predict_stream s = {.channel = CHANNEL_COLOR, .count = 1};

    CHECK_EQ(decode(&s, values), SPN_OK);
    CHECK_MEM(values, expected, sizeof values);
}

static void incomplete_streams_are_refused(void)
{
    uint16_t values[4] = {1, 2, 3, 4};
    const struct predict_stream whole = {.channel = CHANNEL_UV,
                                         .coding = CODING_TEMPORAL,
                                         .count = 1,
                                         .floor_index = values,
                                         .ceil_index = values,
                                         .previous = values,
                                         .previous_two = values};
    struct predict_stream s = whole;

    s.floor_index = NULL;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.ceil_index = NULL;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.previous = NULL;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.previous_two = NULL;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.coding = CODING_COUNT;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.channel = CHANNEL_COUNT;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    s = whole;
    s.coding = CODING_SPATIAL;
    CHECK_EQ(decode(&s, values), SPN_ERR_FORMAT);
    CHECK_EQ(values[0], 1);
}

TEST_MAIN(TEST(spatial_prediction_completes_a_parallelogram),
          TEST(averages_round_toward_zero),
          TEST(temporal_prediction_matches_an_example),
          TEST(random_streams_agree_with_the_slow_formula),
          TEST(plain_streams_do_not_change),
          TEST(incomplete_streams_are_refused))
