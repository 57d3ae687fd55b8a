/* test_surface.c
 *
 * Goal: surfaces are transformed, and the camera fits their box.
 * Method: boxes of surfaces by hand, and a camera around each of two places far
 *   from each other.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/scene_view.h"

#include <math.h>

static void a_box_is_around_all_vertices(void)
{
    static float first[2][3] = {{1, 2, 3}, {-1, 5, 3}};
    static float second[1][3] = {{0, 9, -4}};
    struct surface items[2] = {{.vertex_count = 2, .positions = first},
                               {.vertex_count = 1, .positions = second}};
    const struct surface_list list = {items, 2};
    const struct surface_list none = {items, 0};
    const float expected[2][3] = {{-1, 2, -4}, {1, 9, 3}};
    float low[3];
    float high[3];

    surface_list_box(&list, low, high);
    for (int c = 0; c < 3; c++) {
        CHECK(low[c] == expected[0][c]);
        CHECK(high[c] == expected[1][c]);
    }
    surface_list_box(&none, low, high);
    for (int c = 0; c < 3; c++)
        CHECK(low[c] > high[c]);
}

/* A mirroring matrix of different numbers. Its determinant is -1; normals are
 * transformed by its cofactors times -1. */
static void surface_is_transformed_by_a_matrix(void)
{
    static const float matrix[12] = {1, 2, 3, 10, 0, 1, 4, 20, 5, 6, -2, 30};
    static const float cofactors[3][3] = {
        {-26, 20, -5}, {22, -17, 4}, {5, -4, 1}};
    static const uint32_t indices[3] = {0, 1, 2};
    float positions[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float normals[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float velocities[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct surface surface = {.vertex_count = 3,
                              .positions = positions,
                              .normals = normals,
                              .velocities = velocities,
                              .index_count = 3,
                              .indices = indices};
    const double sign = -1;
    struct arena arena;

    arena_init(&arena);
    surface_transform(&surface, matrix, &arena);
    for (int v = 0; v < 3; v++) {
        double length = 0;

        for (int r = 0; r < 3; r++)
            length += (double)(cofactors[r][v] * cofactors[r][v]);
        for (int r = 0; r < 3; r++) {
            test_context("vertex %d, number %d", v, r);
            CHECK(positions[v][r] == matrix[4 * r + v] + matrix[4 * r + 3]);
            CHECK(velocities[v][r] == matrix[4 * r + v]);
            CHECK_NEAR(normals[v][r],
                       sign * (double)cofactors[r][v] / sqrt(length), 1e-6);
        }
    }
    CHECK_EQ_U(surface.indices[1], 2);
    CHECK_EQ_U(surface.indices[2], 1);
    arena_free(&arena);
}

/* Count the pixels of a triangle at x. */
static uint32_t drawn_pixels(float x)
{
    enum { WIDTH = 64, HEIGHT = 48 };
    static const uint8_t paper[3] = {255, 255, 255};
    static const uint32_t indices[3] = {0, 1, 2};
    float positions[3][3] = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}};
    float normals[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    struct surface triangle = {.vertex_count = 3,
                               .positions = positions,
                               .normals = normals,
                               .index_count = 3,
                               .indices = indices};
    const struct surface_list list = {&triangle, 1};
    struct scene_view view;
    struct raster raster;
    struct arena arena;
    uint32_t count = 0;
    float low[3];
    float high[3];

    arena_init(&arena);
    raster_init(&raster, WIDTH, HEIGHT, &arena);
    raster_clear(&raster, paper, paper);
    surface_list_box(&list, low, high);
    scene_view_frame(&view, low, high, 'Y', WIDTH, HEIGHT);
    scene_view_draw(&view, &raster, &list, &arena);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        count += raster.depth[i] > 0;
    arena_free(&arena);
    return count;
}

/* The picture is the same wherever the scene is. */
static void camera_fits_the_box_to_the_picture(void)
{
    uint32_t here = drawn_pixels(0);

    CHECK(here > 300);
    CHECK_EQ_U(drawn_pixels(1024), here);
}

TEST_MAIN(TEST(a_box_is_around_all_vertices),
          TEST(surface_is_transformed_by_a_matrix),
          TEST(camera_fits_the_box_to_the_picture))
