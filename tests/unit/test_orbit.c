/* test_orbit.c
 *
 * Goal: the viewer's camera begins where that of render is, its matrix projects
 *   points where scene_view does, and turns, moves and zooms as the mouse says.
 * Method: compare with scene_view_frame for boxes, sizes and both axes.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "view/orbit.h"

#include <math.h>
#include <string.h>

static const float box_min[3] = {-1, 2, -3};
static const float box_max[3] = {4, 2.5f, 7};

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Multiply a row of the matrix with a point. */
static float row(const float *matrix, const float point[3])
{
    return dot(matrix, point) + matrix[3];
}

static void it_begins_with_the_camera_of_render(void)
{
    static const char axes[] = {'Y', 'Z', 'x'};
    static const uint32_t sizes[][2] = {{640, 480}, {300, 900}, {64, 64}};

    for (size_t a = 0; a < sizeof axes; a++)
        for (size_t s = 0; s < 3; s++) {
            struct scene_view expected;
            struct scene_view view;
            struct orbit orbit;

            scene_view_frame(&expected, box_min, box_max, axes[a], sizes[s][0],
                             sizes[s][1]);
            orbit_show(&orbit, box_min, box_max, axes[a], sizes[s][0],
                       sizes[s][1]);
            orbit_camera(&orbit, sizes[s][0], sizes[s][1], &view);
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(view.eye[i], expected.eye[i], 1e-4);
                CHECK_NEAR(view.right[i], expected.right[i], 1e-6);
                CHECK_NEAR(view.up[i], expected.up[i], 1e-6);
                CHECK_NEAR(view.back[i], expected.back[i], 1e-6);
            }
            CHECK_NEAR(view.focal, expected.focal, 1e-6);
            CHECK_NEAR(view.center_x, expected.center_x, 1e-6);
        }
}

/* The place of a point in the picture, as raster.h counts. */
static void the_matrix_projects_as_the_camera_does(void)
{
    static const float points[][3] = {{-1, 2, -3}, {4, 2.5f, 7}, {1, 2, 3}};
    struct scene_view view;
    struct orbit orbit;
    float m[16];

    orbit_show(&orbit, box_min, box_max, 'Z', 800, 500);
    orbit_turn(&orbit, 0.7f, -0.4f);
    orbit_camera(&orbit, 800, 500, &view);
    orbit_projection(&orbit, 800, 500, m);
    for (size_t i = 0; i < 3; i++) {
        const float *p = points[i];
        float offset[3] = {p[0] - view.eye[0], p[1] - view.eye[1],
                           p[2] - view.eye[2]};
        float depth = -dot(offset, view.back);
        float w = row(m + 12, p);

        CHECK_NEAR(w, depth, 1e-4);
        CHECK_NEAR((row(m, p) / w + 1) * 400,
                   view.center_x + view.focal * dot(offset, view.right) / depth,
                   1e-2);
        CHECK_NEAR((1 - row(m + 4, p) / w) * 250,
                   view.center_y - view.focal * dot(offset, view.up) / depth,
                   1e-2);
        CHECK(fabsf(row(m + 8, p) / w) < 1);
    }
}

static void nearer_points_have_smaller_depths(void)
{
    struct scene_view view;
    struct orbit orbit;
    float m[16];
    float last = -2;

    orbit_show(&orbit, box_min, box_max, 'Y', 100, 100);
    orbit_camera(&orbit, 100, 100, &view);
    orbit_projection(&orbit, 100, 100, m);
    for (int i = 20; i >= -20; i--) {
        float p[3];
        float depth;

        for (int c = 0; c < 3; c++)
            p[c] = orbit.center[c] +
                   view.back[c] * orbit.radius * (float)i / 10.0f;
        depth = row(m + 8, p) / row(m + 12, p);
        CHECK(depth > last && depth >= -1 && depth <= 1);
        last = depth;
    }
}

static void turns_keep_the_distance_and_stop_at_the_poles(void)
{
    struct scene_view view;
    struct orbit orbit;
    float offset[3];

    orbit_show(&orbit, box_min, box_max, 'Y', 640, 480);
    orbit_turn(&orbit, 100, 100);
    CHECK(orbit.pitch < 1.5708f && orbit.pitch > 1.5f);
    CHECK(fabsf(orbit.yaw) < 3.1416f);
    orbit_turn(&orbit, 0, -200);
    CHECK(orbit.pitch > -1.5708f && orbit.pitch < -1.5f);
    orbit_camera(&orbit, 640, 480, &view);
    for (int i = 0; i < 3; i++)
        offset[i] = view.eye[i] - orbit.center[i];
    CHECK_NEAR(sqrtf(dot(offset, offset)), orbit.distance, 1e-3);
    CHECK_NEAR(dot(view.right, view.up), 0, 1e-6);
    CHECK_NEAR(dot(view.right, view.back), 0, 1e-6);
}

static void pan_moves_by_heights_of_the_picture(void)
{
    struct scene_view view;
    struct orbit orbit;
    float before[3];
    float moved[3];
    float m[16];

    orbit_show(&orbit, box_min, box_max, 'Y', 640, 480);
    memcpy(before, orbit.center, sizeof before);
    orbit_pan(&orbit, 0.25f, 0.5f, 640, 480);
    orbit_camera(&orbit, 640, 480, &view);
    orbit_projection(&orbit, 640, 480, m);
    for (int i = 0; i < 3; i++)
        moved[i] = orbit.center[i] - before[i];
    CHECK_NEAR(dot(moved, view.back), 0, 1e-4);
    /* The old center is now a quarter of the height to the left, and half of
     * it below. */
    CHECK_NEAR(row(m, before) / row(m + 12, before) * 320, -120, 0.1);
    CHECK_NEAR(row(m + 4, before) / row(m + 12, before) * 240, -240, 0.1);
}

static void zoom_has_limits(void)
{
    struct orbit orbit;

    orbit_show(&orbit, box_min, box_max, 'Y', 640, 480);
    orbit_zoom(&orbit, 1000);
    CHECK(orbit.distance > 0);
    orbit_zoom(&orbit, -10000);
    CHECK(isfinite(orbit.distance));
}

static void an_empty_scene_is_shown(void)
{
    static const float low[3] = {INFINITY, INFINITY, INFINITY};
    static const float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    struct orbit orbit;
    float m[16];

    orbit_show(&orbit, low, high, 'Y', 64, 64);
    orbit_projection(&orbit, 64, 64, m);
    for (int i = 0; i < 16; i++)
        CHECK(isfinite(m[i]));
}

TEST_MAIN(TEST(it_begins_with_the_camera_of_render),
          TEST(the_matrix_projects_as_the_camera_does),
          TEST(nearer_points_have_smaller_depths),
          TEST(turns_keep_the_distance_and_stop_at_the_poles),
          TEST(pan_moves_by_heights_of_the_picture), TEST(zoom_has_limits),
          TEST(an_empty_scene_is_shown))
