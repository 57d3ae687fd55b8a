/* test_residual_coder.c
 *
 * Goal: residuals are restored from payloads on every instruction set. No bytes
 *   make a decoder leave its bounds, or refuse differently from the scalar
 *   decoder.
 * Method: a payload written by hand; residuals of many sizes encoded and
 *   decoded; then payloads truncated, flipped and random, in memory that ends
 *   with the padding.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/cpu.h"
#include "common/arena.h"
#include "compile/encode/entropy/residual_train.h"
#include "support/residual_copy.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES_MAX 1024u
#define SETS 4

static const uint32_t sets[SETS] = {0, SPN_CPU_SSE41,
                                    SPN_CPU_SSE41 | SPN_CPU_AVX2, SPN_CPU_NEON};

struct rig {
    struct residual_encoder coder;
    struct residual_tables tables;
    int16_t residuals[4 * VERTICES_MAX];
    int16_t fourth[VERTICES_MAX];
    int16_t out[SETS][4 * VERTICES_MAX];
    int16_t out_fourth[SETS][VERTICES_MAX];
    uint8_t payload[VERTICES_MAX * 32];
};

static struct rig *make_rig(void)
{
    struct rig *rig = calloc(1, sizeof *rig);

    CHECK(rig != NULL);
    return rig;
}

static bool has_set(uint32_t cpu)
{
    return cpu == 0 || (cpu & ~spn__cpu_detect()) == 0;
}

/* A sum of several random numbers, so that small values are common. */
static int16_t dice(struct test_random *random, uint32_t size)
{
    int32_t sum = 0;

    for (int i = 0; i < 4; i++)
        sum += (int32_t)test_random_below(random, 2 * size + 1) - (int32_t)size;
    return (int16_t)(sum / 3);
}

/* Sizes differ from block to block; `size` 0: all zero. */
static void make_residuals(struct rig *rig, struct test_random *random,
                           uint32_t count, uint32_t size)
{
    memset(rig->residuals, 0, sizeof rig->residuals);
    memset(rig->fourth, 0, sizeof rig->fourth);
    for (uint32_t v = 0; v < count; v++) {
        const uint32_t here = size * (v / 64 % 4) / 2;

        for (uint32_t i = 0; i < 3; i++)
            rig->residuals[4 * v + i] = dice(random, here);
        rig->fourth[v] = dice(random, here < 4 ? here : here / 4);
        if (size > 0 && test_random_below(random, 40) == 0)
            rig->residuals[4 * v + v % 3] = (int16_t)test_random_u64(random);
        if (size > 0 && test_random_below(random, 90) == 0)
            rig->fourth[v] = (int16_t)test_random_u64(random);
    }
}

static void train(struct rig *rig, struct test_random *random)
{
    struct residual_sample samples[40];
    struct spn_fault fault;
    struct arena arena;

    arena_init(&arena);
    for (uint32_t size = 0; size < 40; size++) {
        make_residuals(rig, random, VERTICES_MAX, size);
        samples[size] =
            residual_copy(&arena, rig->residuals, rig->fourth, VERTICES_MAX);
    }
    residual_train(samples, 40, &arena, &rig->coder);
    arena_free(&arena);
    CHECK_EQ(spn__residual_tables_expand(rig->coder.wire, RESIDUAL_TABLES_BYTES,
                                         &rig->tables, &fault),
             SPN_OK);
}

/* Decode from memory that ends with the padding. All instruction sets must
 * agree. */
static spn_status decode_all(struct rig *rig, const uint8_t *payload,
                             size_t bytes, uint32_t count, bool has_fourth)
{
    uint8_t *exact = malloc(bytes + RESIDUAL_PADDING);
    spn_status first = SPN_OK;

    memcpy(exact, payload, bytes);
    memset(exact + bytes, 0x5a, RESIDUAL_PADDING);
    for (int s = 0; s < SETS; s++) {
        struct residual_ops ops;
        struct spn_fault fault = {0};
        spn_status status;

        if (!has_set(sets[s]))
            continue;
        spn__residual_ops_init(&ops, sets[s]);
        status = spn__residual_decode(
            &ops, &rig->tables, exact, bytes, count, rig->out[s],
            has_fourth ? rig->out_fourth[s] : NULL, &fault);
        first = s == 0 ? status : first;
        CHECK_EQ(status, first);
        CHECK(status != SPN_ERR_FORMAT || fault.what != NULL);
        if (s == 0 || status != SPN_OK)
            continue;
        CHECK_MEM(rig->out[s], rig->out[0], count * 4 * sizeof(int16_t));
        if (has_fourth)
            CHECK_MEM(rig->out_fourth[s], rig->out_fourth[0],
                      count * sizeof(int16_t));
    }
    free(exact);
    return first;
}

static size_t encode(struct rig *rig, uint32_t count, bool has_fourth)
{
    return residual_encode(&rig->coder, rig->residuals,
                           has_fourth ? rig->fourth : NULL, count,
                           rig->payload);
}

/* A table with two codes: symbol 0,0,0 is "0", the escape is "1". */
static void a_payload_written_by_hand_is_read_as_said(void)
{
    struct rig *rig = make_rig();
    uint8_t wire[RESIDUAL_TABLES_BYTES] = {0};
    struct spn_fault fault;
    /* Vertex 1: escape 3, -4, 15; vertex 2: escape of numbers 200, -300, 1. */
    static const uint8_t escapes[] = {3 << 1 | (28 & 3) << 6,
                                      28 >> 2 | 15 << 3,
                                      1,
                                      255,
                                      144,
                                      1,
                                      0,
                                      255,
                                      87,
                                      2,
                                      0,
                                      2};
    uint8_t payload[64] = {0};
    size_t at = 0;

    wire[364 / 2] |= 1;
    wire[729 / 2] |= 1 << 4;
    CHECK_EQ(
        spn__residual_tables_expand(wire, sizeof wire, &rig->tables, &fault),
        SPN_OK);
    CHECK_EQ_U(rig->tables.has_triple, 3u);
    payload[at++] = 0;             /* base */
    payload[at] = 8;               /* stream 0: 64 codes of one bit */
    at += 8;                       /* the others are empty */
    payload[at++] = 1;             /* block 0 is of class 1, block 1 of 0 */
    payload[at++] = 0;             /* blocks 2 and 3 */
    payload[at] = 1 << 1 | 1 << 2; /* bits 1 and 2 */
    at += 8;
    memcpy(payload + at, escapes, sizeof escapes);
    at += sizeof escapes;
    CHECK_EQ(decode_all(rig, payload, at, 200, false), SPN_OK);
    CHECK_EQ(rig->out[0][0], 0);
    CHECK_EQ(rig->out[0][4], 3);
    CHECK_EQ(rig->out[0][5], -4);
    CHECK_EQ(rig->out[0][6], 15);
    CHECK_EQ(rig->out[0][7], 0);
    CHECK_EQ(rig->out[0][8], 200);
    CHECK_EQ(rig->out[0][9], -300);
    CHECK_EQ(rig->out[0][10], 1);
    CHECK_EQ(rig->out[0][12], 0);
    free(rig);
}

static void residuals_of_every_size_are_restored(void)
{
    static const uint32_t counts[] = {1, 63, 64, 65, 255, 256, 257, 1000, 1024};
    static const uint32_t sizes[] = {0,  1,   2,   5,    12,   30,
                                     90, 300, 900, 3000, 9000, 21000};
    struct test_random random = {1};
    struct rig *rig = make_rig();

    train(rig, &random);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int has_fourth = 0; has_fourth < 2; has_fourth++) {
                const uint32_t count = counts[c];
                size_t bytes;

                test_context("count %u, size %u", count, sizes[s]);
                make_residuals(rig, &random, count, sizes[s]);
                bytes = encode(rig, count, has_fourth);
                CHECK(bytes <= residual_payload_bytes_max(count));
                CHECK_EQ(
                    decode_all(rig, rig->payload, bytes, count, has_fourth),
                    SPN_OK);
                CHECK_MEM(rig->out[0], rig->residuals,
                          count * 4 * sizeof(int16_t));
                if (has_fourth)
                    CHECK_MEM(rig->out_fourth[0], rig->fourth,
                              count * sizeof(int16_t));
            }
    free(rig);
}

/* All 16 bits of noise fit into the guaranteed size, with other tables. */
static void noise_is_restored(void)
{
    struct test_random random = {2};
    struct rig *rig = make_rig();
    size_t bytes;

    train(rig, &random);
    for (uint32_t i = 0; i < 4 * VERTICES_MAX; i++)
        rig->residuals[i] = i % 4 == 3 ? 0 : (int16_t)test_random_u64(&random);
    for (uint32_t i = 0; i < VERTICES_MAX; i++)
        rig->fourth[i] = (int16_t)test_random_u64(&random);
    bytes = encode(rig, VERTICES_MAX, true);
    CHECK(bytes <= residual_payload_bytes_max(VERTICES_MAX));
    CHECK_EQ(decode_all(rig, rig->payload, bytes, VERTICES_MAX, true), SPN_OK);
    CHECK_MEM(rig->out[0], rig->residuals, sizeof rig->residuals);
    CHECK_MEM(rig->out_fourth[0], rig->fourth, sizeof rig->fourth);
    free(rig);
}

static void every_truncation_is_refused(void)
{
    struct test_random random = {3};
    struct rig *rig = make_rig();
    size_t bytes;

    train(rig, &random);
    make_residuals(rig, &random, 600, 6);
    bytes = encode(rig, 600, true);
    for (size_t cut = 0; cut < bytes; cut++) {
        test_context("cut to %zu of %zu", cut, bytes);
        CHECK(decode_all(rig, rig->payload, cut, 600, true) != SPN_OK);
    }
    /* and so is a byte too many */
    rig->payload[bytes] = 0;
    CHECK(decode_all(rig, rig->payload, bytes + 1, 600, true) != SPN_OK);
    free(rig);
}

static void every_flipped_bit_is_survived_alike(void)
{
    struct test_random random = {4};
    struct rig *rig = make_rig();
    uint32_t refused = 0;
    size_t bytes;

    train(rig, &random);
    make_residuals(rig, &random, 500, 8);
    bytes = encode(rig, 500, true);
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        test_context("bit %zu of byte %zu", bit % 8, bit / 8);
        rig->payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        refused += decode_all(rig, rig->payload, bytes, 500, true) != SPN_OK;
        rig->payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK(refused > bytes);
    free(rig);
}

static void random_bytes_are_survived_alike(void)
{
    struct test_random random = {5};
    struct rig *rig = make_rig();
    size_t bytes;

    train(rig, &random);
    make_residuals(rig, &random, 1024, 8);
    bytes = encode(rig, 1024, true);
    for (uint32_t round = 0; round < 3000; round++) {
        uint8_t damaged[sizeof rig->payload];
        const uint32_t from = test_random_below(&random, (uint32_t)bytes);

        test_context("round %u", round);
        memcpy(damaged, rig->payload, bytes);
        /* a head that holds together, and noise behind it */
        for (size_t i = round % 2 ? from : 0;
             i < bytes && i < from + 1 + round % 97; i++)
            damaged[i] = (uint8_t)test_random_u64(&random);
        (void)decode_all(rig, damaged, bytes, 1024, true);
    }
    free(rig);
}

static void spare_bits_must_be_zero(void)
{
    struct test_random random = {6};
    struct rig *rig = make_rig();
    size_t bytes;
    size_t end;

    train(rig, &random);
    make_residuals(rig, &random, 64, 0);
    rig->residuals[0] = 1;
    bytes = encode(rig, 64, false);
    CHECK_EQ(decode_all(rig, rig->payload, bytes, 64, false), SPN_OK);
    end = 9 + 2 + (size_t)(rig->payload[1] | rig->payload[2] << 8) - 1;
    rig->payload[end] |= 0x80;
    CHECK(decode_all(rig, rig->payload, bytes, 64, false) != SPN_OK);
    free(rig);
}

static void heads_are_validated(void)
{
    struct test_random random = {7};
    struct rig *rig = make_rig();
    size_t bytes;
    uint8_t saved;

    train(rig, &random);
    make_residuals(rig, &random, 256, 5);
    bytes = encode(rig, 256, true);
    saved = rig->payload[0];
    rig->payload[0] = RESIDUAL_BASE_MAX + 1;
    CHECK(decode_all(rig, rig->payload, bytes, 256, true) != SPN_OK);
    rig->payload[0] = saved;
    saved = rig->payload[11];
    rig->payload[11] = 0x66; /* quad class 6 */
    CHECK(decode_all(rig, rig->payload, bytes, 256, true) != SPN_OK);
    rig->payload[11] = saved;
    rig->payload[2] = 0xff; /* bytes of stream 0 */
    CHECK(decode_all(rig, rig->payload, bytes, 256, true) != SPN_OK);
    CHECK_EQ(decode_all(rig, rig->payload, bytes, 0, true), SPN_ERR_ARG);
    CHECK_EQ(
        decode_all(rig, rig->payload, bytes, RESIDUAL_VERTICES_MAX + 1, true),
        SPN_ERR_ARG);
    free(rig);
}

static void a_class_without_a_table_is_refused(void)
{
    struct test_random random = {8};
    struct rig *rig = make_rig();
    struct spn_fault fault;
    size_t bytes;

    train(rig, &random);
    make_residuals(rig, &random, 256, 5);
    bytes = encode(rig, 256, true);
    CHECK_EQ(decode_all(rig, rig->payload, bytes, 256, true), SPN_OK);
    for (uint32_t t = 0; t < TRIPLE_TABLES; t++)
        memset(rig->coder.wire + t * TRIPLE_LENGTH_BYTES, 0,
               TRIPLE_LENGTH_BYTES);
    CHECK_EQ(spn__residual_tables_expand(rig->coder.wire, RESIDUAL_TABLES_BYTES,
                                         &rig->tables, &fault),
             SPN_OK);
    CHECK_EQ_U(rig->tables.has_triple, 1u);
    CHECK(decode_all(rig, rig->payload, bytes, 256, true) != SPN_OK);
    free(rig);
}

static void tables_are_complete_or_refused(void)
{
    struct test_random random = {9};
    struct rig *rig = make_rig();
    struct spn_fault fault = {0};

    train(rig, &random);
    CHECK(spn__residual_tables_expand(rig->coder.wire,
                                      RESIDUAL_TABLES_BYTES - 1, &rig->tables,
                                      &fault) != SPN_OK);
    /* Any change of a length makes the code incomplete or overfull. */
    for (size_t at = 0; at < RESIDUAL_TABLES_BYTES; at++)
        for (unsigned change = 1; change < 256; change = change * 2 + 1) {
            uint8_t lengths[2];
            spn_status status;

            rig->coder.wire[at] ^= (uint8_t)change;
            lengths[0] = rig->coder.wire[at] & 15;
            lengths[1] = rig->coder.wire[at] >> 4;
            status = spn__residual_tables_expand(
                rig->coder.wire, RESIDUAL_TABLES_BYTES, &rig->tables, &fault);
            rig->coder.wire[at] ^= (uint8_t)change;
            test_context("byte %zu, %u", at, change);
            if (lengths[0] > RESIDUAL_CODE_BITS ||
                lengths[1] > RESIDUAL_CODE_BITS || change == 1)
                CHECK_EQ(status, SPN_ERR_FORMAT);
        }
    free(rig);
}

/* The cost of a block is the sum of these: of table t, 16 bits in word (t - 1)
 * / 4, of which the highest says that the symbol is escaped. */
static uint32_t bits_of(const uint64_t words[2], uint32_t table)
{
    return words[(table - 1) / 4] >> (table - 1) % 4 * 16 & 0xffff;
}

static void costs_are_the_lengths(void)
{
    struct rig *rig = make_rig();
    struct residual_encoder *coder = &rig->coder;

    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++)
        for (uint32_t s = 0; s < TRIPLE_SYMBOLS; s++)
            coder->triple_length[t][s] = (uint8_t)(1 + (s + t) % 12);
    for (uint32_t t = 1; t <= QUAD_TABLES; t++)
        for (uint32_t s = 1; s < QUAD_SYMBOLS; s++)
            coder->quad_length[t][s] = (uint8_t)(1 + (s * 5 + t) % 12);
    residual_encoder_finish(coder);
    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++)
        for (uint32_t s = 0; s < TRIPLE_SYMBOLS; s++)
            CHECK_EQ(bits_of(coder->triple_bits[s], t),
                     coder->triple_length[t][s] +
                         (s == TRIPLE_ESCAPE ? 0x8000u : 0));
    for (uint32_t t = 1; t <= QUAD_TABLES; t++)
        for (uint32_t s = 1; s < QUAD_SYMBOLS; s++)
            CHECK_EQ(bits_of(coder->quad_bits[s], t),
                     coder->quad_length[t][s] +
                         (s == QUAD_ESCAPE ? 0x8000u : 0));
    for (uint32_t t = 1; t <= QUAD_TABLES; t++) /* without a code */
        CHECK_EQ(bits_of(coder->quad_bits[0], t),
                 coder->quad_length[t][QUAD_ESCAPE] + 0x8000u);
    free(rig);
}

TEST_MAIN(TEST(a_payload_written_by_hand_is_read_as_said),
          TEST(residuals_of_every_size_are_restored), TEST(noise_is_restored),
          TEST(every_truncation_is_refused),
          TEST(every_flipped_bit_is_survived_alike),
          TEST(random_bytes_are_survived_alike), TEST(spare_bits_must_be_zero),
          TEST(heads_are_validated), TEST(a_class_without_a_table_is_refused),
          TEST(tables_are_complete_or_refused), TEST(costs_are_the_lengths))
