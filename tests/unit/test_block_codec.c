/* test_block_codec.c
 *
 * Goal: a block decodes to the stated bytes or is refused, and no input makes
 *   a decoder leave its buffers. This holds for every codec.
 * Method: small blocks from the compiler's compressors; every truncation,
 *   every bit flipped, wrong sizes and noise. Buffers have exactly the right
 *   size and lie between guard bytes, so that sanitizers see an access beyond
 *   them.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/block_codec.h"
#include "common/codecs.h"
#include "compress/compress.h"

#include <stdlib.h>
#include <string.h>

/* For the memory that the decoders need. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

enum { RAW = 3000, GUARD = 64 };

static const uint32_t ids[] = {BLOCK_CODEC_LZ4, BLOCK_CODEC_DEFLATE,
                               BLOCK_CODEC_ZSTD};
#define ID_COUNT (sizeof ids / sizeof ids[0])

struct fixture {
    const spn_codec *codec;
    uint8_t raw[RAW];
    uint8_t stored[RAW];
    uint32_t stored_bytes;
    uint8_t target[RAW + 1 + 2 * GUARD];
    uint8_t *workspace; /* exactly the size that the codec states */
};

static void make(struct fixture *x, uint32_t id)
{
    const struct compressor *compressor = compressor_find(id);
    void *workspace = compressor->start(0);
    struct test_random random = {5};

    x->codec = codecs_find(id);
    test_context("%s", x->codec->name);
    for (uint32_t i = 0; i < RAW; i++)
        x->raw[i] = (uint8_t)(test_random_below(&random, 3) * (i % 7));
    x->stored_bytes = compressor->compress(x->raw, RAW, x->stored, workspace);
    compressor->stop(workspace);
    CHECK(x->stored_bytes > 0 && x->stored_bytes < RAW);
    memset(x->target, 0xa5, sizeof x->target);
    x->workspace =
        aligned_alloc(64, (x->codec->workspace_bytes + 63) / 64 * 64 + 64);
    memset(x->workspace, 0, x->codec->workspace_bytes);
    memset(x->workspace + x->codec->workspace_bytes, 0xa5, 64);
}

static void drop(struct fixture *x)
{
    for (size_t i = 0; i < 64; i++)
        CHECK_EQ(x->workspace[x->codec->workspace_bytes + i], 0xa5);
    free(x->workspace);
}

static bool guards_are_intact(const struct fixture *x, size_t bytes)
{
    for (size_t i = 0; i < GUARD; i++)
        if (x->target[i] != 0xa5 || x->target[GUARD + bytes + i] != 0xa5)
            return false;
    return true;
}

/* Input and output lie in blocks of their own, so that a sanitizer detects an
 * access beyond them. The target also lies between guards. */
static spn_status decode(struct fixture *x, const uint8_t *source,
                         uint32_t source_bytes, uint32_t target_bytes)
{
    uint8_t *stored = malloc(source_bytes ? source_bytes : 1);
    uint8_t *target = malloc(target_bytes ? target_bytes : 1);
    spn_status exact;
    spn_status status;

    memcpy(stored, source, source_bytes);
    exact = x->codec->decode(stored, source_bytes, target, target_bytes,
                             x->workspace);
    status = x->codec->decode(stored, source_bytes, x->target + GUARD,
                              target_bytes, x->workspace);
    CHECK_EQ(exact, status);
    CHECK(status == SPN_OK || status == SPN_ERR_CODEC);
    CHECK(guards_are_intact(x, target_bytes));
    free(stored);
    free(target);
    return status;
}

/* After any failure, a good block still decodes. */
static void check_good(struct fixture *x)
{
    CHECK_EQ(decode(x, x->stored, x->stored_bytes, RAW), SPN_OK);
    CHECK_MEM(x->target + GUARD, x->raw, RAW);
    memset(x->target + GUARD, 0xa5, RAW + 1);
}

static void codecs_restore_their_input(void)
{
    static struct fixture x;

    for (size_t i = 0; i < ID_COUNT; i++) {
        make(&x, ids[i]);
        check_good(&x);
        check_good(&x);
        drop(&x);
    }
}

static void codecs_refuse_every_truncation(void)
{
    static struct fixture x;

    for (size_t i = 0; i < ID_COUNT; i++) {
        make(&x, ids[i]);
        for (uint32_t bytes = 0; bytes < x.stored_bytes; bytes++)
            CHECK_EQ(decode(&x, x.stored, bytes, RAW), SPN_ERR_CODEC);
        check_good(&x);
        drop(&x);
    }
}

static void codecs_refuse_bytes_behind_a_block(void)
{
    static struct fixture x;
    static uint8_t longer[RAW * 2];

    for (size_t i = 0; i < ID_COUNT; i++) {
        make(&x, ids[i]);
        memcpy(longer, x.stored, x.stored_bytes);
        for (uint32_t bytes = 1; bytes < 40; bytes++)
            for (int byte = 0; byte < 256; byte += 51) {
                memset(longer + x.stored_bytes, byte, bytes);
                CHECK_EQ(decode(&x, longer, x.stored_bytes + bytes, RAW),
                         SPN_ERR_CODEC);
            }
        /* A block that is stored twice is refused. */
        memcpy(longer + x.stored_bytes, x.stored, x.stored_bytes);
        CHECK_EQ(decode(&x, longer, 2 * x.stored_bytes, RAW), SPN_ERR_CODEC);
        check_good(&x);
        drop(&x);
    }
}

static void codecs_refuse_every_other_size(void)
{
    static struct fixture x;

    for (size_t i = 0; i < ID_COUNT; i++) {
        make(&x, ids[i]);
        for (uint32_t bytes = 0; bytes < RAW; bytes++) {
            memset(x.target, 0xa5, sizeof x.target);
            CHECK_EQ(decode(&x, x.stored, x.stored_bytes, bytes),
                     SPN_ERR_CODEC);
        }
        memset(x.target, 0xa5, sizeof x.target);
        CHECK_EQ(decode(&x, x.stored, x.stored_bytes, RAW + 1), SPN_ERR_CODEC);
        memset(x.target, 0xa5, sizeof x.target);
        check_good(&x);
        drop(&x);
    }
}

static void codecs_survive_every_bit_flip(void)
{
    static struct fixture x;
    uint32_t refused;

    for (size_t i = 0; i < ID_COUNT; i++) {
        make(&x, ids[i]);
        refused = 0;
        for (uint32_t at = 0; at < x.stored_bytes; at++)
            for (int bit = 0; bit < 8; bit++) {
                x.stored[at] ^= (uint8_t)(1 << bit);
                refused += decode(&x, x.stored, x.stored_bytes, RAW) != SPN_OK;
                x.stored[at] ^= (uint8_t)(1 << bit);
            }
        CHECK(refused > 0);
        check_good(&x);
        drop(&x);
    }
}

/* Random bytes, also behind a good beginning. */
static void codecs_survive_noise(void)
{
    static struct fixture x;
    static uint8_t noise[RAW];

    for (size_t i = 0; i < ID_COUNT; i++) {
        struct test_random random = {77};

        make(&x, ids[i]);
        for (uint32_t round = 0; round < 4000; round++) {
            uint32_t bytes = 1 + (uint32_t)test_random_below(&random, 300);
            uint32_t good = (uint32_t)test_random_below(&random, 100);

            for (uint32_t k = 0; k < bytes; k++)
                noise[k] = (uint8_t)test_random_u64(&random);
            if (round % 2)
                memcpy(noise, x.stored, good < bytes ? good : bytes);
            (void)decode(&x, noise, bytes, RAW);
        }
        check_good(&x);
        drop(&x);
    }
}

static void lz4_refuses_sizes_that_no_block_has(void)
{
    static struct fixture x;

    make(&x, BLOCK_CODEC_LZ4);
    CHECK_EQ(x.codec->decode(x.stored, x.stored_bytes, x.target, 65537, NULL),
             SPN_ERR_CODEC);
    CHECK_EQ(x.codec->decode(x.stored, 0x80000000u, x.target, RAW, NULL),
             SPN_ERR_CODEC);
    drop(&x);
}

/* A frame with a magic number, a skippable frame, and a frame from before
 * version 1.0. */
static void zstd_knows_one_format_only(void)
{
    static const uint8_t skippable[] = {0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9};
    static const uint8_t old[] = {0x27, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0, 0};
    static struct fixture x;
    static uint8_t framed[RAW];
    size_t bytes;

    make(&x, BLOCK_CODEC_ZSTD);
    bytes = ZSTD_compress(framed, sizeof framed, x.raw, RAW, 3);
    CHECK(!ZSTD_isError(bytes));
    CHECK_EQ(decode(&x, framed, (uint32_t)bytes, RAW), SPN_ERR_CODEC);
    CHECK_EQ(decode(&x, skippable, sizeof skippable, RAW), SPN_ERR_CODEC);
    CHECK_EQ(decode(&x, old, sizeof old, RAW), SPN_ERR_CODEC);
    memcpy(framed, skippable, sizeof skippable);
    memcpy(framed + sizeof skippable, x.stored, x.stored_bytes);
    CHECK_EQ(
        decode(&x, framed, (uint32_t)sizeof skippable + x.stored_bytes, RAW),
        SPN_ERR_CODEC);
    drop(&x);
}

static void zstd_has_room_for_its_context(void)
{
    CHECK(ZSTD_estimateDCtxSize() + 64 <= spn_codec_zstd.workspace_bytes);
}

static void store_copies_and_needs_equal_sizes(void)
{
    const spn_codec *codec = spn__block_codec_find(BLOCK_CODEC_STORE, NULL, 0);
    uint8_t target[4] = {0};

    CHECK_EQ(codec->decode("abc", 3, target, 3, NULL), SPN_OK);
    CHECK_MEM(target, "abc\0", 4);
    CHECK_EQ(codec->decode("abc", 3, target, 4, NULL), SPN_ERR_CODEC);
    CHECK_EQ(codec->decode("abc", 3, target, 2, NULL), SPN_ERR_CODEC);
    CHECK_EQ(codec->decode(NULL, 0, target, 0, NULL), SPN_OK);
}

static void codecs_are_found_by_number(void)
{
    const spn_codec own = {BLOCK_CODEC_ZSTD, "own", 0, NULL};
    const spn_codec *extra[] = {NULL, &own};

    CHECK_STR(spn__block_codec_find(BLOCK_CODEC_STORE, NULL, 0)->name, "store");
    CHECK_STR(spn__block_codec_find(BLOCK_CODEC_LZ4, extra, 2)->name, "lz4hc");
    CHECK(spn__block_codec_find(BLOCK_CODEC_ZSTD, extra, 2) == &own);
    CHECK(spn__block_codec_find(BLOCK_CODEC_ZSTD, NULL, 7) == NULL);
    CHECK(spn__block_codec_find(BLOCK_CODEC_DEFLATE, extra, 2) == NULL);
    CHECK(spn__block_codec_find(UINT32_MAX, extra, 2) == NULL);
    CHECK(codecs_find(BLOCK_CODEC_DEFLATE) == &spn_codec_deflate);
    CHECK(codecs_find(BLOCK_CODEC_ZSTD) == &spn_codec_zstd);
    CHECK(codecs_find(4) == NULL);
}

static void codecs_that_are_missing_have_names(void)
{
    CHECK_STR(spn__block_codec_title(BLOCK_CODEC_DEFLATE),
              "block codec deflate");
    CHECK_STR(spn__block_codec_title(BLOCK_CODEC_ZSTD), "block codec zstd");
    CHECK_STR(spn__block_codec_title(9), "block codec");
}

TEST_MAIN(TEST(codecs_restore_their_input),
          TEST(codecs_refuse_every_truncation),
          TEST(codecs_refuse_bytes_behind_a_block),
          TEST(codecs_refuse_every_other_size),
          TEST(codecs_survive_every_bit_flip), TEST(codecs_survive_noise),
          TEST(lz4_refuses_sizes_that_no_block_has),
          TEST(zstd_knows_one_format_only), TEST(zstd_has_room_for_its_context),
          TEST(store_copies_and_needs_equal_sizes),
          TEST(codecs_are_found_by_number),
          TEST(codecs_that_are_missing_have_names))
