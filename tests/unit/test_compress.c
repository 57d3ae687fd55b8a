/* Goal: what a compressor makes, the runtime's codec of the same number
 * unmakes; it writes nowhere else and depends on nothing else.
 * Method: blocks of every kind and of small and large sizes, in buffers of
 * exactly the promised size, with workspaces full of anything. */
/* SPDX-License-Identifier: MIT */
#include "compile/compress.h"
#include "harness.h"

#include <lz4hc.h>
#include <stdlib.h>
#include <string.h>

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

static void check_block(const struct compressor *c, uint32_t count, int kind)
{
    const struct block_codec *codec = spn__block_codec_find(c->id, NULL, 0);
    uint8_t *source = malloc(count + 1);
    uint8_t *target = malloc(count + 1);
    uint8_t *again = malloc(count + 1);
    uint8_t *back = malloc(count + 1);
    uint8_t *workspace = malloc(c->workspace_bytes + 1);
    uint32_t bytes;
    uint32_t guess;

    test_context("%s, %u bytes of kind %d", c->name, count, kind);
    fill(source, count, kind);
    target[count] = 0x5a;
    memset(workspace, 0, c->workspace_bytes);
    bytes = c->compress(source, count, target, workspace);
    CHECK(bytes == 0 || bytes < count);
    CHECK_EQ(target[count], 0x5a);
    memset(workspace, 0xff, c->workspace_bytes);
    CHECK_EQ_U(c->compress(source, count, again, workspace), bytes);
    CHECK_MEM(again, target, bytes);
    if (bytes > 0) {
        CHECK_EQ(codec->decode(target, bytes, back, count, NULL), SPN_OK);
        CHECK_MEM(back, source, count);
    }
    guess = c->estimate(source, count, again, workspace);
    CHECK(guess <= count);
    CHECK(bytes == 0 || guess >= bytes || guess > count / 2);
    free(source);
    free(target);
    free(again);
    free(back);
    free(workspace);
}

static void compress_makes_what_the_runtime_unmakes(void)
{
    static const uint32_t counts[] = {1, 2, 3, 12, 13, 14, 100, 4095, 65536};
    static const uint32_t ids[] = {BLOCK_CODEC_STORE, BLOCK_CODEC_LZ4};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            for (int kind = 0; kind < 4; kind++)
                check_block(compressor_find(ids[i]), counts[k], kind);
}

static void compress_leaves_noise_raw(void)
{
    const struct compressor *c = compressor_find(BLOCK_CODEC_LZ4);
    void *workspace = malloc(c->workspace_bytes);
    uint8_t source[3000];
    uint8_t target[3000];

    fill(source, sizeof source, 3);
    CHECK_EQ_U(c->compress(source, sizeof source, target, workspace), 0);
    CHECK_EQ_U(c->estimate(source, sizeof source, target, workspace),
               sizeof source);
    free(workspace);
}

static void compress_knows_the_codecs_it_can_make(void)
{
    CHECK_STR(compressor_find(BLOCK_CODEC_STORE)->name, "store");
    CHECK_STR(compressor_find(BLOCK_CODEC_LZ4)->name, "lz4hc");
    CHECK(compressor_find(BLOCK_CODEC_DEFLATE) == NULL);
    CHECK(compressor_find(BLOCK_CODEC_ZSTD) == NULL);
    CHECK(compressor_find(99) == NULL);
}

/* What compile takes for --codec is what info says. */
static void compress_calls_codecs_as_the_runtime_does(void)
{
    for (uint32_t id = 0; id < 100; id++)
        if (compressor_find(id) && spn__block_codec_find(id, NULL, 0))
            CHECK_STR(compressor_find(id)->name,
                      spn__block_codec_find(id, NULL, 0)->name);
}

static void compress_has_room_for_the_state(void)
{
    CHECK(LZ4_sizeofStateHC() <=
          (int)compressor_find(BLOCK_CODEC_LZ4)->workspace_bytes);
}

TEST_MAIN(TEST(compress_makes_what_the_runtime_unmakes),
          TEST(compress_leaves_noise_raw),
          TEST(compress_knows_the_codecs_it_can_make),
          TEST(compress_calls_codecs_as_the_runtime_does),
          TEST(compress_has_room_for_the_state))
