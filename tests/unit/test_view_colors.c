/* test_view_colors.c
 *
 * Goal: colours tell apart what differs, and equal what is the same.
 * Method: compare colours of numbers, meshes and levels.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "view/view_colors.h"

#include <math.h>

static float distance(const float a[3], const float b[3])
{
    return fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) + fabsf(a[2] - b[2]);
}

static void numbers_have_colours_in_range_that_differ(void)
{
    for (uint32_t i = 0; i < 1000; i++) {
        float rgb[3];
        float next[3];

        view_color_of_number(i, rgb);
        view_color_of_number(i + 1, next);
        for (int c = 0; c < 3; c++)
            CHECK(rgb[c] > 0 && rgb[c] < 1);
        CHECK(distance(rgb, next) > 0.1f);
    }
}

static void equal_static_meshes_have_one_colour_in_all_files(void)
{
    spn_draw_item item = {.mesh_id = 0x123456789abcdef0u, .mesh = 4};
    float first[3];
    float second[3];

    view_color_of_item(&item, 0, first);
    item.mesh = 1;
    view_color_of_item(&item, 3, second);
    CHECK(distance(first, second) == 0);
    item.mesh_id++;
    view_color_of_item(&item, 3, second);
    CHECK(distance(first, second) > 0.01f);
    /* Animated meshes have no id. */
    item = (spn_draw_item){.mesh = 4};
    view_color_of_item(&item, 0, first);
    view_color_of_item(&item, 1, second);
    CHECK(distance(first, second) > 0.01f);
    item.mesh = 5;
    view_color_of_item(&item, 0, second);
    CHECK(distance(first, second) > 0.01f);
}

static void states_of_poses_differ(void)
{
    static const enum play_pose_state states[] = {
        PLAY_POSE_PENDING, PLAY_POSE_SAMPLED, PLAY_POSE_HELD, PLAY_POSE_FAILED};

    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++) {
            float first[3];
            float second[3];

            view_color_of_pose(states[a], first);
            view_color_of_pose(states[b], second);
            CHECK(distance(first, second) > 0.2f);
        }
}

static void levels_go_from_green_to_red(void)
{
    spn_node_state state = {.level_max = 4};
    float rgb[3];
    float red = 0;
    float green = 1;

    for (; state.level <= state.level_max; state.level++) {
        view_color_of_level(&state, rgb);
        CHECK(rgb[0] >= red && rgb[1] <= green);
        CHECK(state.level == 0 || rgb[0] > red || rgb[1] < green);
        red = rgb[0];
        green = rgb[1];
    }
    CHECK(red > 0.5f && green < 0.1f);
    /* Single frames show, too. */
    state.level = 0;
    view_color_of_level(&state, rgb);
    red = rgb[0];
    state.left_out_permille = 10;
    view_color_of_level(&state, rgb);
    CHECK(rgb[0] > red);
    state.level_max = 0;
    view_color_of_level(&state, rgb);
    CHECK(isfinite(rgb[0]));
}

TEST_MAIN(TEST(numbers_have_colours_in_range_that_differ),
          TEST(equal_static_meshes_have_one_colour_in_all_files),
          TEST(states_of_poses_differ), TEST(levels_go_from_green_to_red))
