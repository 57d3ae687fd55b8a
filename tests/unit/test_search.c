/* test_search.c
 *
 * Goal: the search finds a small coding among the allowed ones, and reports it
 *   so that it can be decoded.
 * Method: streams whose best coding is known, searched with every set of
 *   orders, unpacked and decoded.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/classic/search.h"
#include "harness.h"

#include "base/checksum.h"
#include "base/wire.h"
#include "cache/cache_block.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES 5000u

struct fixture {
    uint16_t floor_index[VERTICES * 3];
    uint16_t ceil_index[VERTICES * 3];
    uint16_t previous[VERTICES * 3];
    uint16_t previous_two[VERTICES * 3];
    uint16_t values[VERTICES * 3];
    struct predict_entry entries[VERTICES];
    uint8_t residuals[BLOCK_RAW_BYTES_MAX];
    uint8_t bytes[BLOCK_RAW_BYTES_MAX];
    uint8_t target[BLOCK_RAW_BYTES_MAX];
    struct predict_stream stream;
    struct search_scratch scratch;
    const struct compressor *compressor;
};

static struct fixture *make(uint32_t codec)
{
    struct fixture *x = calloc(1, sizeof *x);

    x->compressor = compressor_find(codec);
    x->scratch.workspace = x->compressor->start(0);
    x->scratch.residuals = x->residuals;
    x->scratch.bytes = x->bytes;
    x->scratch.target = x->target;
    x->stream.channel = CHANNEL_POSITION;
    x->stream.count = VERTICES;
    for (uint32_t i = 0; i < VERTICES; i++)
        x->entries[i].u = PREDICT_NO_TRIANGLE;
    return x;
}

static void end(struct fixture *x)
{
    x->compressor->stop(x->scratch.workspace);
    free(x);
}

/* Search, then decode. Returns the stored bytes. */
static uint32_t round_trip(struct fixture *x, uint32_t orders,
                           struct search_result *result)
{
    static uint16_t back[VERTICES * 3];
    const uint32_t bytes = x->stream.count * 6;
    uint8_t *scratch = aligned_alloc(64, CACHE_CHANNEL_SCRATCH_BYTES);
    struct predict_stream s = x->stream;
    struct cache_block_entry entry = {0};
    struct predict_ops ops;

    search_stream(x->compressor, orders, &x->stream, x->values, &x->scratch,
                  result);
    CHECK(orders & ORDER_BIT(result->order) || result->is_raw);
    s.coding = result->coding;
    s.a = result->motion_factor;
    s.b = result->lerp_factor;
    s.c = result->motion_weight;
    entry.order = (uint8_t)result->order;
    entry.is_raw = result->is_raw;
    entry.stored_bytes = result->stored_bytes;
    entry.checksum =
        spn__checksum(result->stored, result->stored_bytes, WIRE_SEED);
    spn__predict_ops_init(&ops, 0);
    CHECK_EQ(spn__cache_unpack_channel(
                 &ops, spn__block_codec_find(x->compressor->id, NULL, 0),
                 &entry, result->stored, s.channel, s.count, back, NULL,
                 scratch, NULL),
             SPN_OK);
    CHECK_EQ(spn__predict_decode(&ops, &s, back), SPN_OK);
    CHECK_MEM(back, x->values, bytes);
    free(scratch);
    return result->stored_bytes;
}

/* Small errors of temporal prediction: x follows the motion plus noise. */
static void make_motion(struct fixture *x)
{
    struct test_random random = {5};

    for (uint32_t i = 0; i < VERTICES * 3; i++) {
        uint32_t at = 20000 + test_random_below(&random, 20000);
        uint32_t speed = test_random_below(&random, 100);

        x->floor_index[i] = (uint16_t)at;
        x->previous_two[i] = (uint16_t)(at + 3 * speed);
        x->previous[i] = (uint16_t)(at + 4 * speed);
        x->values[i] =
            (uint16_t)(at + 5 * speed + test_random_below(&random, 5) - 2);
        x->ceil_index[i] = (uint16_t)(at + 10 * speed);
    }
    x->stream.floor_index = x->floor_index;
    x->stream.ceil_index = x->ceil_index;
    x->stream.previous = x->previous;
    x->stream.previous_two = x->previous_two;
}

static void small_residuals_become_planes(void)
{
    struct fixture *x = make(BLOCK_CODEC_LZ4);
    struct search_result result;
    uint32_t planes;
    uint32_t interleaved;

    make_motion(x);
    interleaved = round_trip(x, ORDER_BIT(ORDER_INTERLEAVED), &result);
    CHECK_EQ(result.coding, CODING_TEMPORAL);
    planes = round_trip(x, ORDER_BIT(ORDER_PLANES), &result);
    CHECK_EQ(result.coding, CODING_TEMPORAL);
    /* Five values need three bits of sixteen. */
    CHECK(planes < VERTICES * 6 * 4 / 16);
    CHECK(planes < interleaved);
    CHECK_EQ_U(round_trip(x, ORDERS_ALL, &result), planes);
    CHECK_EQ(result.order, ORDER_PLANES);
    end(x);
}

/* A pattern that repeats after 37 vertices: in planes it repeats after 37 bytes
 * in each of the 48. */
static void repeated_vertices_stay_interleaved(void)
{
    struct fixture *x = make(BLOCK_CODEC_LZ4);
    struct test_random random = {6};
    struct search_result result;
    uint32_t planes;
    uint32_t interleaved;

    for (uint32_t i = 0; i < VERTICES * 3; i++)
        x->values[i] = i < 37 * 3 ? (uint16_t)test_random_u64(&random)
                                  : x->values[i - 37 * 3];
    interleaved = round_trip(x, ORDER_BIT(ORDER_INTERLEAVED), &result);
    planes = round_trip(x, ORDER_BIT(ORDER_PLANES), &result);
    CHECK(interleaved < planes);
    CHECK_EQ_U(round_trip(x, ORDERS_ALL, &result), interleaved);
    CHECK_EQ(result.order, ORDER_INTERLEAVED);
    CHECK_EQ(result.coding, CODING_PLAIN);
    end(x);
}

/* Where all neighbours are close, spatial prediction is better. */
static void smooth_surfaces_are_predicted_in_space(void)
{
    struct fixture *x = make(BLOCK_CODEC_LZ4);
    struct search_result result;

    make_motion(x);
    for (uint32_t i = 0; i < VERTICES * 3; i++)
        x->values[i] = (uint16_t)(i / 3 * 5 + i % 3 * 7000);
    x->stream.entries = x->entries;
    (void)round_trip(x, ORDERS_ALL, &result);
    CHECK_EQ(result.coding, CODING_SPATIAL);
    CHECK_EQ(result.motion_factor | result.lerp_factor | result.motion_weight,
             0);
    end(x);
}

static void noise_is_raw_plain_and_interleaved(void)
{
    static const uint32_t codecs[] = {BLOCK_CODEC_STORE, BLOCK_CODEC_LZ4};
    struct test_random random = {7};

    for (size_t i = 0; i < 2; i++)
        for (uint32_t orders = 1; orders <= ORDERS_ALL; orders++) {
            struct fixture *x = make(codecs[i]);
            struct search_result result;

            for (uint32_t k = 0; k < VERTICES * 3; k++)
                x->values[k] = (uint16_t)test_random_u64(&random);
            CHECK_EQ_U(round_trip(x, orders, &result), VERTICES * 6);
            CHECK(result.is_raw);
            CHECK_EQ(result.order, ORDER_INTERLEAVED);
            CHECK_EQ(result.coding, CODING_PLAIN);
            end(x);
        }
}

/* Sizes around those of runs and of samples. */
static void streams_of_every_size_are_restored(void)
{
    static const uint32_t counts[] = {1,    2,    7,    8,    9,    255,
                                      256,  257,  511,  512,  1023, 1024,
                                      2047, 2048, 2049, 2303, 2304, 5000};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (uint32_t orders = 1; orders <= ORDERS_ALL; orders++) {
            struct fixture *x = make(BLOCK_CODEC_LZ4);
            struct search_result result;

            test_context("%u vertices, orders %u", counts[i], orders);
            make_motion(x);
            x->stream.entries = x->entries;
            x->stream.count = counts[i];
            (void)round_trip(x, orders, &result);
            end(x);
        }
}

/* Where both orders are close the estimate may be wrong; the real bytes
 * decide. */
static void the_smaller_of_both_orders_is_chosen(void)
{
    struct test_random random = {8};

    for (int round = 0; round < 200; round++) {
        struct fixture *x = make(BLOCK_CODEC_LZ4);
        uint32_t period = 1 + test_random_below(&random, 200);
        uint32_t noise = 1 + test_random_below(&random, 40);
        struct search_result result;
        uint32_t planes;
        uint32_t interleaved;

        test_context("round %d", round);
        x->stream.count = 10 + test_random_below(&random, 500);
        for (uint32_t i = 0; i < x->stream.count * 3; i++)
            x->values[i] =
                i < 3 * period || test_random_below(&random, noise) == 0
                    ? (uint16_t)(30000 + test_random_below(&random, 600))
                    : x->values[i - 3 * period];
        interleaved = round_trip(x, ORDER_BIT(ORDER_INTERLEAVED), &result);
        planes = round_trip(x, ORDER_BIT(ORDER_PLANES), &result);
        CHECK_EQ_U(round_trip(x, ORDERS_ALL, &result),
                   planes < interleaved ? planes : interleaved);
        end(x);
    }
}

TEST_MAIN(TEST(small_residuals_become_planes),
          TEST(repeated_vertices_stay_interleaved),
          TEST(smooth_surfaces_are_predicted_in_space),
          TEST(noise_is_raw_plain_and_interleaved),
          TEST(streams_of_every_size_are_restored),
          TEST(the_smaller_of_both_orders_is_chosen))
