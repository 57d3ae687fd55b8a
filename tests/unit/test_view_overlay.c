/* test_view_overlay.c
 *
 * Goal: the overlay stays in the picture, names what the filter lets through,
 *   and its time bar says which time a pixel means.
 * Method: write overlays for made facts, and look at the list of triangles.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/bitmap_font.h"
#include "view/view_overlay.h"

#include <string.h>

#define WIDTH 960u
#define HEIGHT 720u

static struct arena arena;
static struct overlay overlay;
static struct view_controls controls;
static struct view_node_facts nodes[200];
static struct view_facts facts;

static void start(float scale, uint32_t node_count)
{
    arena_free(&arena);
    arena_init(&arena);
    overlay_init(&overlay, scale, &arena);
    view_controls_init(&controls, 4, 0.25);
    for (uint32_t i = 0; i < node_count; i++)
        nodes[i] = (struct view_node_facts){
            .name = i % 2 ? "ship/Sail.sgc" : "ship/flag.sgc",
            .copy = i / 2,
            .state = {.shown_frame = 7, .buffered_us = 9000000},
        };
    facts = (struct view_facts){
        .heap = {.bytes = 1 << 20, .live_bytes = 1 << 19, .decoded_bytes = 99},
        .nodes = nodes,
        .node_count = node_count};
}

static bool is_inside(uint32_t width, uint32_t height)
{
    for (uint64_t i = 0; i < overlay.count; i++) {
        const float *p = overlay.vertices[i].position;

        if (!(p[0] >= 0 && p[0] <= (float)width && p[1] >= 0 &&
              p[1] <= (float)height))
            return false;
    }
    return true;
}

/* The triangles of a text are those of its letters. */
static void text_has_two_triangles_for_each_letter(void)
{
    static const uint8_t white[4] = {255, 255, 255, 255};

    start(2, 0);
    overlay_text(&overlay, 10, 20, white, "a%c %d", 'b', 7);
    CHECK_EQ(overlay.count, 3 * 6);
    CHECK(overlay.vertices[0].position[0] == 10);
    CHECK(overlay.vertices[6].position[0] == 10 + 2 * BITMAP_FONT_ADVANCE);
    CHECK(overlay.vertices[12].position[0] == 10 + 6 * BITMAP_FONT_ADVANCE);
    start(1, 0);
    overlay_text(&overlay, 0, 0, white, "\xff\n");
    CHECK_EQ(overlay.count, 2 * 6);
}

static void the_atlas_has_the_glyphs_and_a_full_cell(void)
{
    uint8_t pixels[OVERLAY_ATLAS_HEIGHT][OVERLAY_ATLAS_WIDTH];
    static const uint8_t white[4] = {255, 255, 255, 255};
    const float *at;

    overlay_atlas(pixels);
    for (int letter = ' '; letter <= '~'; letter++)
        for (uint32_t row = 0; row < BITMAP_FONT_ROWS; row++)
            for (uint32_t column = 0; column < BITMAP_FONT_COLUMNS; column++) {
                uint32_t cell = (uint32_t)(letter - ' ');
                uint32_t x =
                    cell % OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_WIDTH + column;
                uint32_t y =
                    cell / OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_HEIGHT + row;
                bool is_set = bitmap_font_rows((char)letter)[row] >>
                                  (BITMAP_FONT_COLUMNS - 1 - column) &
                              1;

                CHECK_EQ(pixels[y][x], is_set ? 255 : 0);
            }
    start(1, 0);
    overlay_box(&overlay, 0, 0, 5, 5, white);
    CHECK_EQ(overlay.count, 6);
    at = overlay.vertices[0].atlas;
    CHECK_EQ(pixels[(uint32_t)at[1]][(uint32_t)at[0]], 255);
}

static void it_stays_in_the_picture(void)
{
    start(2, 200);
    controls.has_help = true;
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    CHECK(overlay.count > 1000);
    CHECK(is_inside(WIDTH, HEIGHT));
}

static void without_overlay_and_help_nothing_is_written(void)
{
    start(1, 2);
    controls.has_overlay = false;
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    CHECK_EQ(overlay.count, 0);
}

static void the_filter_leaves_out_nodes(void)
{
    uint64_t all;
    uint64_t sails;

    start(1, 6);
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    all = overlay.count;
    start(1, 6);
    strcpy(controls.filter, "sail");
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    sails = overlay.count;
    start(1, 6);
    strcpy(controls.filter, "none");
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    CHECK(all > sails && sails > overlay.count);
}

static void the_time_bar_knows_its_times(void)
{
    double share = -1;
    float y = (float)HEIGHT - 20;

    CHECK(view_overlay_time_at(WIDTH, HEIGHT, (float)WIDTH / 2, y, &share));
    CHECK_NEAR(share, 0.5, 1e-6);
    /* A drag that leaves the bar still means a time. */
    CHECK(!view_overlay_time_at(WIDTH, HEIGHT, -50, 0, &share));
    CHECK_NEAR(share, 0, 1e-6);
    CHECK(!view_overlay_time_at(WIDTH, HEIGHT, 2 * WIDTH, y, &share));
    CHECK_NEAR(share, 1, 1e-6);
}

TEST_MAIN(TEST(text_has_two_triangles_for_each_letter),
          TEST(the_atlas_has_the_glyphs_and_a_full_cell),
          TEST(it_stays_in_the_picture),
          TEST(without_overlay_and_help_nothing_is_written),
          TEST(the_filter_leaves_out_nodes), TEST(the_time_bar_knows_its_times))
