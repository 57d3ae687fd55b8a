/* test_lz4_size.c
 *
 * Goal: the sizes by which the compiler chooses are the same on every
 *   machine, and are those of LZ4.
 * Method: blocks of all kinds. Sizes of the fast mode are compared with the
 *   library's on machines of the byte order on which the numbers were found.
 *   All sizes are compared with one number that holds everywhere.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/lz4_size.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "harness.h"

#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 1500u
#define KINDS 7u

/* Random bytes, sparse bytes, few letters, near and far repetitions, runs. */
static void fill(struct test_random *random, uint32_t kind, uint8_t *bytes,
                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = test_random_below(random, 1u << 16);

        switch (kind) {
        case 0:
            bytes[i] = (uint8_t)r;
            break;
        case 1:
            bytes[i] = (uint8_t)(r % 17 ? 0 : r >> 8);
            break;
        case 2:
            bytes[i] = (uint8_t)(r % 3);
            break;
        case 3:
            bytes[i] = i > 40 ? bytes[i - 1 - r % 37] : (uint8_t)r;
            break;
        case 4:
            bytes[i] = i > 300 && r % 5 ? bytes[i - 300] : (uint8_t)(r >> 4);
            break;
        case 5:
            bytes[i] = (uint8_t)(r % 300 ? 0 : 255);
            break;
        default:
            bytes[i] = 7;
        }
    }
}

static uint32_t length_of(struct test_random *random, uint32_t round)
{
    const uint32_t most = round % 100 == 99 ? LZ4_SIZE_SOURCE_MAX
                          : round % 3       ? 64
                                            : 3000;

    return 1 + test_random_below(random, most);
}

static bool is_little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;

    memcpy(&first, &one, 1);
    return first == 1;
}

static uint32_t library_fast(const uint8_t *source, uint32_t count,
                             uint8_t *target)
{
    int bytes = 0;

    if (count >= 2)
        bytes = LZ4_compress_fast((const char *)source, (char *)target,
                                  (int)count, (int)count - 1, 1);
    return bytes ? (uint32_t)bytes : count;
}

static uint32_t library_best(const uint8_t *source, uint32_t count,
                             uint8_t *target)
{
    int bytes = 0;

    if (count >= 2)
        bytes = LZ4_compress_HC((const char *)source, (char *)target,
                                (int)count, (int)count - 1, 12);
    return bytes ? (uint32_t)bytes : count;
}

static void sizes_are_those_of_lz4_on_every_machine(void)
{
    struct test_random random = {77};
    uint8_t *target = malloc(LZ4_SIZE_SOURCE_MAX);
    void *workspace = malloc(LZ4_SIZE_WORKSPACE_BYTES);
    struct checksum sum;

    spn__checksum_begin(&sum, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t count = length_of(&random, round);
        uint8_t *source = malloc(count); /* no further byte may be read */
        uint8_t sizes[8];
        uint32_t fast;
        uint32_t chain;

        test_context("round %u: %u bytes", round, count);
        fill(&random, round % KINDS, source, count);
        fast = lz4_size_fast(source, count, workspace);
        chain = lz4_size_chain(source, count, workspace);
        CHECK(fast <= count && chain <= count);
        /* Both are sizes of valid blocks. */
        CHECK(chain >= library_best(source, count, target) * 99 / 100);
        if (is_little_endian())
            CHECK_EQ_U(fast, library_fast(source, count, target));
        spn_store_u32le(sizes, fast);
        spn_store_u32le(sizes + 4, chain);
        spn__checksum_add(&sum, sizes, sizeof sizes);
        free(source);
    }
    CHECK_EQ_U(spn__checksum_end(&sum), 0xd652d659u);
    free(workspace);
    free(target);
}

/* Four candidates find longer matches than one. */
static void a_chain_finds_long_matches(void)
{
    struct test_random random = {78};
    uint8_t *source = malloc(30000);
    void *workspace = malloc(LZ4_SIZE_WORKSPACE_BYTES);

    fill(&random, 4, source, 30000);
    CHECK(lz4_size_chain(source, 30000, workspace) <
          lz4_size_fast(source, 30000, workspace));
    free(workspace);
    free(source);
}

TEST_MAIN(TEST(sizes_are_those_of_lz4_on_every_machine),
          TEST(a_chain_finds_long_matches))
