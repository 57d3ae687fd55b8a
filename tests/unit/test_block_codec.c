/* Goal: a block decodes to exactly what it promised or is refused, and no
 * byte of it makes the decoder leave its buffers.
 * Method: blocks made by the library's own encoder; every truncation, byte
 * flips and wrong sizes, between guard bytes. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "geom/block_codec.h"

#include <lz4hc.h>
#include <stdlib.h>
#include <string.h>

enum { RAW = 3000, GUARD = 64 };

struct fixture {
    uint8_t raw[RAW];
    uint8_t stored[RAW * 2];
    uint32_t stored_bytes;
    uint8_t target[RAW + 1 + 2 * GUARD];
};

static void make(struct fixture *x)
{
    struct test_random random = {5};

    for (uint32_t i = 0; i < RAW; i++)
        x->raw[i] = (uint8_t)(test_random_below(&random, 3) * (i % 7));
    x->stored_bytes = (uint32_t)LZ4_compress_HC(
        (const char *)x->raw, (char *)x->stored, RAW, sizeof x->stored, 9);
    memset(x->target, 0xa5, sizeof x->target);
}

static bool guards_stand(const struct fixture *x, size_t bytes)
{
    for (size_t i = 0; i < GUARD; i++)
        if (x->target[i] != 0xa5 || x->target[GUARD + bytes + i] != 0xa5)
            return false;
    return true;
}

static void lz4_gives_back_what_was_put_in(void)
{
    const struct block_codec *codec =
        spn__block_codec_find(BLOCK_CODEC_LZ4, NULL, 0);
    static struct fixture x;

    make(&x);
    CHECK(x.stored_bytes < RAW);
    CHECK_EQ(
        codec->decode(x.stored, x.stored_bytes, x.target + GUARD, RAW, NULL),
        SPN_OK);
    CHECK_MEM(x.target + GUARD, x.raw, RAW);
    CHECK(guards_stand(&x, RAW));
}

static void lz4_refuses_every_truncation(void)
{
    const struct block_codec *codec =
        spn__block_codec_find(BLOCK_CODEC_LZ4, NULL, 0);
    static struct fixture x;

    make(&x);
    for (uint32_t bytes = 0; bytes < x.stored_bytes; bytes++) {
        /* A block of its own, so that a sanitizer sees a read past it. */
        uint8_t *stored = malloc(bytes ? bytes : 1);

        memcpy(stored, x.stored, bytes);
        CHECK_EQ(codec->decode(stored, bytes, x.target + GUARD, RAW, NULL),
                 SPN_ERR_CODEC);
        free(stored);
        CHECK(guards_stand(&x, RAW));
    }
}

static void lz4_refuses_every_other_size(void)
{
    const struct block_codec *codec =
        spn__block_codec_find(BLOCK_CODEC_LZ4, NULL, 0);
    static struct fixture x;

    make(&x);
    for (uint32_t bytes = 0; bytes < RAW; bytes++) {
        CHECK_EQ(codec->decode(x.stored, x.stored_bytes, x.target + GUARD,
                               bytes, NULL),
                 SPN_ERR_CODEC);
        CHECK(guards_stand(&x, RAW));
    }
    CHECK_EQ(codec->decode(x.stored, x.stored_bytes, x.target + GUARD, RAW + 1,
                           NULL),
             SPN_ERR_CODEC);
    CHECK(guards_stand(&x, RAW + 1));
    CHECK_EQ(codec->decode(x.stored, x.stored_bytes, x.target, 65537, NULL),
             SPN_ERR_CODEC);
    CHECK_EQ(codec->decode(x.stored, 0x80000000u, x.target, RAW, NULL),
             SPN_ERR_CODEC);
}

static void lz4_survives_every_byte_flip(void)
{
    const struct block_codec *codec =
        spn__block_codec_find(BLOCK_CODEC_LZ4, NULL, 0);
    static struct fixture x;

    make(&x);
    for (uint32_t at = 0; at < x.stored_bytes; at++)
        for (int bit = 0; bit < 8; bit++) {
            spn_status status;

            x.stored[at] ^= (uint8_t)(1 << bit);
            status = codec->decode(x.stored, x.stored_bytes, x.target + GUARD,
                                   RAW, NULL);
            CHECK(status == SPN_OK || status == SPN_ERR_CODEC);
            CHECK(guards_stand(&x, RAW));
            x.stored[at] ^= (uint8_t)(1 << bit);
        }
}

static void store_copies_and_wants_equal_sizes(void)
{
    const struct block_codec *codec =
        spn__block_codec_find(BLOCK_CODEC_STORE, NULL, 0);
    uint8_t target[4] = {0};

    CHECK_EQ(codec->decode("abc", 3, target, 3, NULL), SPN_OK);
    CHECK_MEM(target, "abc\0", 4);
    CHECK_EQ(codec->decode("abc", 3, target, 4, NULL), SPN_ERR_CODEC);
    CHECK_EQ(codec->decode("abc", 3, target, 2, NULL), SPN_ERR_CODEC);
    CHECK_EQ(codec->decode(NULL, 0, target, 0, NULL), SPN_OK);
}

static void codecs_are_found_by_number(void)
{
    const struct block_codec own = {BLOCK_CODEC_ZSTD, "own", 0, NULL};
    const struct block_codec *extra[] = {NULL, &own};

    CHECK_STR(spn__block_codec_find(BLOCK_CODEC_STORE, NULL, 0)->name, "store");
    CHECK_STR(spn__block_codec_find(BLOCK_CODEC_LZ4, extra, 2)->name, "lz4hc");
    CHECK(spn__block_codec_find(BLOCK_CODEC_ZSTD, extra, 2) == &own);
    CHECK(spn__block_codec_find(BLOCK_CODEC_ZSTD, NULL, 7) == NULL);
    CHECK(spn__block_codec_find(BLOCK_CODEC_DEFLATE, extra, 2) == NULL);
    CHECK(spn__block_codec_find(UINT32_MAX, extra, 2) == NULL);
}

TEST_MAIN(TEST(lz4_gives_back_what_was_put_in),
          TEST(lz4_refuses_every_truncation),
          TEST(lz4_refuses_every_other_size),
          TEST(lz4_survives_every_byte_flip),
          TEST(store_copies_and_wants_equal_sizes),
          TEST(codecs_are_found_by_number))
