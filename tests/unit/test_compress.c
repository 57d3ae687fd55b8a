/* test_compress.c
 *
 * Goal: the runtime's codec of the same number restores each block of a
 *   compressor. A compressor writes only to its buffer, and its result depends
 *   only on its input.
 * Method: blocks of every kind and of small and large sizes, in buffers of
 *   exactly the promised size. Workspaces are new, or were used for other
 *   blocks before.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/compress.h"

#include "common/codecs.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t ids[] = {BLOCK_CODEC_STORE, BLOCK_CODEC_LZ4,
                               BLOCK_CODEC_DEFLATE, BLOCK_CODEC_ZSTD};
#define ID_COUNT (sizeof ids / sizeof ids[0])

static void fill(uint8_t *bytes, uint32_t count, int kind)
{
    struct test_random random = {(uint64_t)count * 4 + (uint64_t)kind};

    for (uint32_t i = 0; i < count; i++)
        switch (kind) {
        case 0:
            bytes[i] = 0;
            break;
        case 1:
            bytes[i] = (uint8_t)(i % 7);
            break;
        case 2:
            bytes[i] = (uint8_t)test_random_below(&random, 3);
            break;
        default:
            bytes[i] = (uint8_t)test_random_u64(&random);
        }
}

/* `used` is one workspace for all blocks. */
static void check_block(const struct compressor *c, void *used, uint32_t count,
                        int kind)
{
    const spn_codec *codec = codecs_find(c->id);
    uint8_t *source = malloc(count + 1);
    uint8_t *target = malloc(count + 1);
    uint8_t *again = malloc(count + 1);
    uint8_t *back = malloc(count + 1);
    void *codec_workspace = calloc(1, codec->workspace_bytes + 64);
    void *workspace = c->start(0);
    uint32_t bytes;
    uint32_t guess;

    test_context("%s, %u bytes of kind %d", c->name, count, kind);
    fill(source, count, kind);
    target[count] = 0x5a;
    bytes = c->compress(source, count, target, workspace);
    CHECK(bytes == 0 || bytes < count);
    CHECK_EQ(target[count], 0x5a);
    CHECK_EQ_U(c->compress(source, count, again, used), bytes);
    CHECK_MEM(again, target, bytes);
    if (bytes > 0) {
        CHECK_EQ(codec->decode(target, bytes, back, count,
                               (uint8_t *)codec_workspace +
                                   (64 - (uintptr_t)codec_workspace % 64) % 64),
                 SPN_OK);
        CHECK_MEM(back, source, count);
    }
    guess = c->estimate(source, count, again, workspace);
    CHECK(guess <= count);
    CHECK_EQ_U(c->estimate(source, count, again, used), guess);
    CHECK(bytes == 0 || guess >= bytes || guess > count / 2);
    guess = c->estimate_fast(source, count, again, workspace);
    CHECK(guess <= count);
    CHECK_EQ_U(c->estimate_fast(source, count, again, used), guess);
    CHECK(bytes == 0 || guess >= bytes || guess > count / 2);
    c->stop(workspace);
    free(codec_workspace);
    free(source);
    free(target);
    free(again);
    free(back);
}

static void the_runtime_restores_compressed_blocks(void)
{
    static const uint32_t counts[] = {1, 2, 3, 12, 13, 14, 100, 4095, 65536};

    for (size_t i = 0; i < ID_COUNT; i++) {
        const struct compressor *c = compressor_find(ids[i]);
        void *used = c->start(0);

        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            for (int kind = 0; kind < 4; kind++)
                check_block(c, used, counts[k], kind);
        c->stop(used);
    }
}

static void compress_leaves_noise_raw(void)
{
    uint8_t source[3000];
    uint8_t target[3000];

    fill(source, sizeof source, 3);
    for (size_t i = 0; i < ID_COUNT; i++) {
        const struct compressor *c = compressor_find(ids[i]);
        void *workspace = c->start(0);

        test_context("%s", c->name);
        CHECK_EQ_U(c->compress(source, sizeof source, target, workspace), 0);
        CHECK_EQ_U(c->estimate(source, sizeof source, target, workspace),
                   sizeof source);
        CHECK_EQ_U(c->estimate_fast(source, sizeof source, target, workspace),
                   sizeof source);
        c->stop(workspace);
    }
}

/* Entropy coding makes smaller blocks than LZ4 does. */
static void compress_pays_for_entropy_coding(void)
{
    static uint8_t source[20000];
    static uint8_t target[20000];
    uint32_t bytes[ID_COUNT];

    fill(source, sizeof source, 2);
    for (size_t i = 0; i < ID_COUNT; i++) {
        const struct compressor *c = compressor_find(ids[i]);
        void *workspace = c->start(0);

        bytes[i] = c->compress(source, sizeof source, target, workspace);
        c->stop(workspace);
    }
    CHECK(bytes[1] > 0 && bytes[2] > 0 && bytes[3] > 0);
    CHECK(bytes[2] < bytes[1] && bytes[3] < bytes[1]);
}

static void compress_knows_the_codecs_it_can_make(void)
{
    CHECK_STR(compressor_find(BLOCK_CODEC_STORE)->name, "store");
    CHECK_STR(compressor_find(BLOCK_CODEC_LZ4)->name, "lz4hc");
    CHECK_STR(compressor_find(BLOCK_CODEC_DEFLATE)->name, "deflate");
    CHECK_STR(compressor_find(BLOCK_CODEC_ZSTD)->name, "zstd");
    CHECK(compressor_find(99) == NULL);
    for (size_t i = 0; i < ID_COUNT; i++) {
        const struct compressor *c = compressor_find(ids[i]);

        CHECK(compressor_named(c->name) == c);
    }
    CHECK(compressor_named("brotli") == NULL);
    CHECK(compressor_named("") == NULL);
}

/* The names of --codec are the names that info prints. */
static void compress_calls_codecs_as_the_runtime_does(void)
{
    for (uint32_t id = 0; id < 100; id++)
        if (compressor_find(id) && codecs_find(id))
            CHECK_STR(compressor_find(id)->name, codecs_find(id)->name);
}

/* The result of a short target does not depend on the width of the words with
 * which bits are written. */
static void compress_of_few_bytes_does_not_depend_on_words(void)
{
    const struct compressor *c = compressor_find(BLOCK_CODEC_ZSTD);
    void *workspace = c->start(0);
    uint8_t source[18];
    uint8_t target[18];

    for (uint32_t period = 1; period <= 6; period++) {
        for (uint32_t i = 0; i < sizeof source; i++)
            source[i] = (uint8_t)(i % period * 37);
        test_context("a period of %u", period);
        CHECK_EQ_U(c->compress(source, sizeof source, target, workspace),
                   11 + period);
    }
    c->stop(workspace);
}

TEST_MAIN(TEST(the_runtime_restores_compressed_blocks),
          TEST(compress_leaves_noise_raw),
          TEST(compress_pays_for_entropy_coding),
          TEST(compress_knows_the_codecs_it_can_make),
          TEST(compress_calls_codecs_as_the_runtime_does),
          TEST(compress_of_few_bytes_does_not_depend_on_words))
