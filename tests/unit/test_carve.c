/* test_carve.c
 *
 * Goal: counting and carving never disagree, and no piece leaves the block or
 *   overlaps another.
 * Method: the same list of pieces is counted, then carved from a block of
 *   exactly that size, at every base that is a multiple of 64, and from every
 *   shorter block. Sizes that overflow.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/carve.h"

#include <stdalign.h>
#include <string.h>

static const struct {
    size_t count;
    size_t bytes;
    size_t align;
} pieces[] = {{1, 1, 64},   {3, 7, 8},       {0, 9, 64}, {9, 0, 64},
              {2, 40, 128}, {1, 4096, 4096}, {5, 1, 1},  {1, 64, 64}};
#define PIECES (sizeof pieces / sizeof pieces[0])

alignas(8192) static uint8_t block[3 * 65536];

static void cut(struct carve *carve, uint8_t *out[PIECES])
{
    for (size_t i = 0; i < PIECES; i++)
        out[i] = spn__carve(carve, pieces[i].count, pieces[i].bytes,
                            pieces[i].align);
}

static size_t counted(void)
{
    struct carve carve = {.limit = SIZE_MAX};
    uint8_t *out[PIECES];

    cut(&carve, out);
    for (size_t i = 0; i < PIECES; i++)
        CHECK(out[i] == NULL);
    CHECK(!carve.is_over);
    return carve.used;
}

static void carve_counts_its_exact_size_at_any_base(void)
{
    size_t needed = counted();

    for (size_t base = 0; base < 8192; base += 64) {
        struct carve carve = {.base = block + base, .limit = needed};
        uint8_t *out[PIECES];
        uint8_t *end = block + base;

        memset(block, 0xA5, sizeof block);
        cut(&carve, out);
        CHECK(!carve.is_over);
        CHECK_EQ_U(carve.used, needed);
        for (size_t i = 0; i < PIECES; i++) {
            size_t size = pieces[i].count * pieces[i].bytes;

            test_context("base %zu, piece %zu", base, i);
            if (size == 0) {
                CHECK(out[i] == NULL);
                continue;
            }
            CHECK(out[i] >= end);
            CHECK_EQ_U((uintptr_t)out[i] % pieces[i].align, 0);
            for (size_t k = 0; k < size; k++)
                CHECK_EQ_U(out[i][k], 0);
            end = out[i] + size;
        }
        CHECK(end <= block + base + needed);
        for (size_t k = 0; k < 256; k++)
            CHECK_EQ_U(block[base + needed + k], 0xA5);
    }
}

static void carve_refuses_every_block_that_is_too_small(void)
{
    size_t needed = counted();

    memset(block, 0xA5, sizeof block);
    for (size_t limit = 0; limit < needed; limit++) {
        struct carve carve = {.base = block, .limit = limit};
        uint8_t *out[PIECES];

        cut(&carve, out);
        CHECK(carve.is_over);
        CHECK(carve.used <= limit);
        for (size_t k = limit; k < needed; k++)
            CHECK_EQ_U(block[k], 0xA5);
    }
}

static void carve_keeps_its_overflow(void)
{
    struct carve carve = {.base = block, .limit = 100};

    CHECK(spn__carve(&carve, 1, 101, 64) == NULL);
    CHECK(spn__carve(&carve, 1, 1, 64) == NULL);
    CHECK(carve.is_over);
    CHECK_EQ_U(carve.used, 0);
}

static void carve_refuses_sizes_that_overflow(void)
{
    static const size_t sizes[][2] = {{SIZE_MAX, 2},
                                      {2, SIZE_MAX},
                                      {SIZE_MAX / 2 + 1, 2},
                                      {SIZE_MAX, 1},
                                      {SIZE_MAX - 63, 1}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct carve carve = {.limit = SIZE_MAX};

        CHECK(spn__carve(&carve, 1, 1, 64) == NULL);
        CHECK(spn__carve(&carve, sizes[i][0], sizes[i][1], 64) == NULL);
        test_context("case %zu", i);
        CHECK(carve.is_over);
        CHECK_EQ_U(carve.used, 1);
    }
    struct carve carve = {.limit = SIZE_MAX};

    CHECK(spn__carve(&carve, SIZE_MAX - 64, 1, 64) == NULL);
    CHECK(!carve.is_over);
    CHECK(spn__carve(&carve, 1, 64, 64) == NULL);
    CHECK(carve.is_over);
}

static void carve_raw_cuts_alike_but_touches_nothing(void)
{
    struct carve raw = {.base = block, .limit = 65536};
    struct carve zeroed = {.base = block + 65536, .limit = 65536};
    uint8_t *piece;

    memset(block, 0xA5, sizeof block);
    piece = spn__carve_raw(&raw, 3, 100, 4096);
    CHECK(spn__carve(&zeroed, 3, 100, 4096) == piece + 65536);
    CHECK_EQ_U(raw.used, zeroed.used);
    for (size_t i = 0; i < 300; i++)
        CHECK_EQ_U(piece[i], 0xA5);
}

TEST_MAIN(TEST(carve_counts_its_exact_size_at_any_base),
          TEST(carve_refuses_every_block_that_is_too_small),
          TEST(carve_keeps_its_overflow),
          TEST(carve_refuses_sizes_that_overflow),
          TEST(carve_raw_cuts_alike_but_touches_nothing))
