/* test_raster.c
 *
 * Goal: neighbouring triangles leave no gap and draw no pixel twice, the nearer
 *   one is visible, and nothing is drawn outside of the picture.
 * Method: fans of random triangles over a whole square, counted pixel by pixel;
 *   pictures made by hand for depth, text and shrinking.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/bitmap_font.h"
#include "render/raster.h"

#include <math.h>
#include <string.h>

static const uint8_t black[3] = {0, 0, 0};
static struct arena arena;
static struct raster raster;

static void start(uint32_t width, uint32_t height)
{
    arena_free(&arena);
    arena_init(&arena);
    raster_init(&raster, width, height, &arena);
    raster_clear(&raster, black, black);
}

static struct raster_vertex vertex(float x, float y, float inverse, float gray)
{
    struct raster_vertex v = {x, y, inverse, {gray, gray, gray}};

    return v;
}

static uint32_t count_drawn(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < raster.width * raster.height; i++)
        count += raster.depth[i] > 0;
    return count;
}

static void one_triangle_covers_its_half(void)
{
    struct raster_vertex a = vertex(0, 0, 1, 255);
    struct raster_vertex b = vertex(8, 0, 1, 255);
    struct raster_vertex c = vertex(0, 8, 1, 255);

    start(8, 8);
    raster_triangle(&raster, &a, &b, &c);
    /* Centres below the diagonal x + y = 8. Those on the diagonal belong to the
     * triangle only if it is a top or left edge, which it is not. */
    CHECK_EQ(count_drawn(), 28);
    CHECK_EQ(raster.rgb[0], 255);
}

static void both_windings_cover_the_same(void)
{
    struct raster_vertex a = vertex(1.3f, 0.7f, 1, 200);
    struct raster_vertex b = vertex(7.1f, 2.2f, 1, 100);
    struct raster_vertex c = vertex(3.9f, 6.8f, 1, 50);
    uint32_t count;

    start(8, 8);
    raster_triangle(&raster, &a, &b, &c);
    count = count_drawn();
    CHECK(count > 10);
    start(8, 8);
    raster_triangle(&raster, &a, &c, &b);
    CHECK_EQ(count_drawn(), count);
}

/* A fan around a random inner point covers the square exactly once. */
static void a_fan_covers_each_pixel_once(void)
{
    struct test_random random = {11};

    for (int round = 0; round < 200; round++) {
        static const float corner[5][2] = {
            {0, 0}, {16, 0}, {16, 16}, {0, 16}, {0, 0}};
        struct raster_vertex middle =
            vertex((float)test_random_below(&random, 257) / 16,
                   (float)test_random_below(&random, 257) / 16, 1, 1);
        uint8_t times[16 * 16] = {0};

        test_context("round %d", round);
        for (int i = 0; i < 4; i++) {
            struct raster_vertex a = vertex(corner[i][0], corner[i][1], 1, 1);
            struct raster_vertex b =
                vertex(corner[i + 1][0], corner[i + 1][1], 1, 1);

            start(16, 16);
            raster_triangle(&raster, &middle, &a, &b);
            for (int p = 0; p < 16 * 16; p++)
                times[p] = (uint8_t)(times[p] + (raster.depth[p] > 0));
        }
        for (int p = 0; p < 16 * 16; p++)
            CHECK_EQ(times[p], 1);
    }
}

static void the_nearer_triangle_is_visible(void)
{
    struct raster_vertex near[3] = {vertex(0, 0, 2, 255), vertex(16, 0, 2, 255),
                                    vertex(0, 16, 2, 255)};
    struct raster_vertex far[3] = {vertex(0, 0, 1, 9), vertex(16, 0, 1, 9),
                                   vertex(0, 16, 1, 9)};

    for (int order = 0; order < 2; order++) {
        start(8, 8);
        for (int i = 0; i < 2; i++) {
            struct raster_vertex *t = i == order ? near : far;

            raster_triangle(&raster, &t[0], &t[1], &t[2]);
        }
        CHECK_EQ(raster.rgb[0], 255);
    }
}

static void nothing_is_drawn_outside_of_the_picture(void)
{
    static const float far[] = {-1e9f, -40000, -5,   0,     3,
                                8,     13,     1e4f, 40000, 1e30f};
    enum { N = sizeof far / sizeof far[0] };

    start(8, 8);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                struct raster_vertex a = vertex(far[i], far[j], 1, 1);
                struct raster_vertex b = vertex(far[j], far[k], 1, 1);
                struct raster_vertex c = vertex(far[k], far[i], 1, 1);

                raster_triangle(&raster, &a, &b, &c);
            }
    {
        struct raster_vertex a = vertex(NAN, 0, 1, 1);
        struct raster_vertex b = vertex(8, INFINITY, 1, 1);
        struct raster_vertex c = vertex(0, 8, NAN, 1);

        start(8, 8);
        raster_triangle(&raster, &a, &b, &c);
        CHECK_EQ(count_drawn(), 0);
    }
}

static void text_is_clipped_and_drawn(void)
{
    static const uint8_t white[3] = {255, 255, 255};
    uint32_t lit = 0;

    start(64, 16);
    raster_text(&raster, 1, 1, 1, white, "frame 07?");
    for (uint32_t i = 0; i < 64 * 16; i++)
        lit += raster.rgb[i * 3] == 255;
    CHECK(lit > 50 && lit < 200);
    raster_text(&raster, -3, -3, 3, white, "8");
    raster_text(&raster, 60, 14, 3, white, "8");
}

/* Each printable character but the blank has dots, and no two are alike. */
static void the_font_tells_all_printable_characters_apart(void)
{
    for (int a = '!'; a <= '~'; a++) {
        CHECK(memcmp(bitmap_font_rows((char)a), bitmap_font_rows(' '),
                     BITMAP_FONT_ROWS) != 0);
        for (int b = a + 1; b <= '~'; b++)
            CHECK(memcmp(bitmap_font_rows((char)a), bitmap_font_rows((char)b),
                         BITMAP_FONT_ROWS) != 0);
    }
    CHECK(bitmap_font_rows('\n') == bitmap_font_rows('?'));
    CHECK(bitmap_font_rows((char)0xe4) == bitmap_font_rows('?'));
}

static void shrinking_takes_the_mean_of_four(void)
{
    struct raster big;
    struct raster small;
    struct arena memory;

    arena_init(&memory);
    raster_init(&big, 4, 2, &memory);
    raster_init(&small, 3, 2, &memory);
    memset(big.rgb, 100, 4 * 2 * 3);
    big.rgb[0] = 200; /* first square: (200 + 3 x 100 + 2) / 4 */
    raster_shrink(&small, 1, 1, &big);
    CHECK_EQ(small.rgb[(1 * 3 + 1) * 3], 125);
    CHECK_EQ(small.rgb[(1 * 3 + 2) * 3], 100);
    CHECK_EQ(small.rgb[0], 0);
    raster_shrink(&small, 2, 1, &big); /* the right half is cut off */
    CHECK_EQ(small.rgb[(1 * 3 + 2) * 3], 125);
    arena_free(&memory);
}

TEST_MAIN(TEST(one_triangle_covers_its_half),
          TEST(both_windings_cover_the_same),
          TEST(a_fan_covers_each_pixel_once),
          TEST(the_nearer_triangle_is_visible),
          TEST(nothing_is_drawn_outside_of_the_picture),
          TEST(text_is_clipped_and_drawn),
          TEST(the_font_tells_all_printable_characters_apart),
          TEST(shrinking_takes_the_mean_of_four))
