/* test_triangulate.c
 *
 * Goal: every polygon becomes triangles that cover it once, wound the other
 *   way, and no face that is left out shifts what follows.
 * Method: polygons made by hand; areas are compared with the polygon's own, for
 *   random simple polygons, too.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/math/arith.h"
#include "compile/mesh/triangulate.h"

#include <math.h>

#define CORNERS_MAX 4096

struct fixture {
    struct arena arena;
    struct triangulation out;
};

static void cut(struct fixture *fixture, const int32_t *counts,
                uint32_t face_count, const int32_t *indices,
                const float *positions)
{
    struct abc_topology topology = {face_count, 0, counts, indices};

    for (uint32_t i = 0; i < face_count; i++)
        topology.corner_count += (uint32_t)counts[i];
    arena_init(&fixture->arena);
    triangulate(&topology, positions, &fixture->arena, &fixture->arena,
                &fixture->out);
}

/* Area vector of a triangle of face corners. */
static struct vec3 area_of(const uint32_t *corners, const int32_t *indices,
                           const float *positions)
{
    struct vec3 p[3];

    for (int i = 0; i < 3; i++)
        p[i] = vec3_load(positions + 3 * indices[corners[i]]);
    return vec3_scale(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])),
                      0.5);
}

/* Cut one polygon in the plane z = 0, given clockwise seen from +z. Checks
 * that all triangles face +z and cover `area`. */
static void check_polygon(const float (*plane)[2], int32_t count, double area)
{
    static int32_t indices[CORNERS_MAX];
    static float positions[3 * CORNERS_MAX];
    struct fixture fixture;
    double sum = 0;

    for (int32_t i = 0; i < count; i++) {
        indices[i] = i;
        positions[3 * i] = plane[i][0];
        positions[3 * i + 1] = plane[i][1];
        positions[3 * i + 2] = 0;
    }
    cut(&fixture, &count, 1, indices, positions);
    CHECK_EQ(fixture.out.triangle_count, count - 2);
    for (uint32_t t = 0; t < fixture.out.triangle_count; t++) {
        double z = area_of(fixture.out.corners + 3 * t, indices, positions).z;

        CHECK(z >= -1e-9);
        sum += z;
    }
    CHECK_NEAR(sum, area, 1e-6 * fabs(area) + 1e-12);
    arena_free(&fixture.arena);
}

static double plane_area(const float (*plane)[2], int32_t count)
{
    double sum = 0;

    for (int32_t i = 0; i < count; i++) {
        const float *a = plane[i];
        const float *b = plane[i + 1 == count ? 0 : i + 1];
        sum += (double)a[1] * b[0] - (double)a[0] * b[1];
    }
    return sum / 2;
}

static void convex_polygons_are_covered(void)
{
    static const float triangle[3][2] = {{0, 0}, {0, 1}, {1, 0}};
    static const float square[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

    check_polygon(triangle, 3, 0.5);
    check_polygon(square, 4, 1);
}

static void concave_polygons_are_covered(void)
{
    static const float arrow[4][2] = {{0, 0}, {1, 3}, {2, 0}, {1, 1}};
    static const float comb[8][2] = {{0, 0}, {0, 4}, {1, 1}, {2, 4},
                                     {3, 1}, {4, 4}, {5, 1}, {6, 0}};
    float turned[10][2];

    check_polygon(arrow, 4, 2);
    check_polygon(comb, 8, plane_area(comb, 8));
    /* Any corner first. */
    for (int shift = 0; shift < 8; shift++) {
        for (int i = 0; i < 8; i++) {
            turned[i][0] = comb[(i + shift) % 8][0];
            turned[i][1] = comb[(i + shift) % 8][1];
        }
        check_polygon((const float(*)[2])turned, 8, plane_area(comb, 8));
    }
}

static void random_stars_are_covered(void)
{
    static float plane[1000][2];
    struct test_random random = {11};

    for (int round = 0; round < 200; round++) {
        int32_t count = 4 + (int32_t)test_random_below(&random, 60);

        test_context("seed 11, round %d", round);
        if (round == 199)
            count = 1000;
        for (int32_t i = 0; i < count; i++) {
            double angle = -2 * ARITH_PI * i / count;
            double radius = 0.1 + test_random_below(&random, 1000) / 500.0;
            plane[i][0] = (float)(radius * cos(angle));
            plane[i][1] = (float)(radius * sin(angle));
        }
        check_polygon((const float(*)[2])plane, count,
                      plane_area((const float(*)[2])plane, count));
    }
}

static void a_bridge_to_a_hole_is_respected(void)
{
    /* A square of 4 x 4 with a hole of 2 x 2; points 0 and 4 are the bridge
     * and appear twice. Clockwise outside, counter-clockwise inside. */
    static const float positions[24] = {0, 0, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0,
                                        1, 1, 0, 3, 1, 0, 3, 3, 0, 1, 3, 0};
    static const int32_t indices[10] = {0, 1, 2, 3, 0, 4, 5, 6, 7, 4};
    static const int32_t count = 10;
    struct fixture fixture;
    double sum = 0;

    cut(&fixture, &count, 1, indices, positions);
    for (uint32_t t = 0; t < fixture.out.triangle_count; t++) {
        double z = area_of(fixture.out.corners + 3 * t, indices, positions).z;
        CHECK(z >= 0);
        sum += z;
    }
    CHECK_NEAR(sum, 12, 1e-9);
    CHECK_EQ(fixture.out.triangle_count + fixture.out.collapsed, 8);
    arena_free(&fixture.arena);
}

static void short_faces_do_not_shift_later_faces(void)
{
    static const float positions[12] = {0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0};
    static const int32_t counts[6] = {2, 3, 0, 1, 3, 3};
    static const int32_t indices[12] = {0, 1, 0, 1, 2, 3, 0, 2, 3, 1, 1, 2};
    struct fixture fixture;

    cut(&fixture, counts, 6, indices, positions);
    CHECK_EQ(fixture.out.triangle_count, 2);
    CHECK_EQ(fixture.out.short_faces, 3);
    CHECK_EQ(fixture.out.collapsed, 1);
    CHECK_EQ(fixture.out.corners[0], 2);
    CHECK_EQ(fixture.out.corners[1], 4);
    CHECK_EQ(fixture.out.corners[2], 3);
    CHECK_EQ(fixture.out.corners[3], 6);
    CHECK_EQ(fixture.out.faces[0], 1);
    CHECK_EQ(fixture.out.faces[1], 4);
    arena_free(&fixture.arena);
}

static void faces_in_any_plane_keep_their_side(void)
{
    static const float arrow[4][2] = {{0, 0}, {1, 3}, {2, 0}, {1, 1}};
    static const int32_t indices[4] = {0, 1, 2, 3};
    static const int32_t count = 4;

    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float positions[12] = {0};
            struct fixture fixture;
            double sum = 0;

            for (int i = 0; i < 4; i++) {
                positions[3 * i + (axis + 1) % 3] = arrow[i][0];
                positions[3 * i + (axis + 2) % 3] = (float)sign * arrow[i][1];
            }
            cut(&fixture, &count, 1, indices, positions);
            CHECK_EQ(fixture.out.triangle_count, 2);
            for (uint32_t t = 0; t < 2; t++) {
                struct vec3 a =
                    area_of(fixture.out.corners + 3 * t, indices, positions);
                double along = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
                CHECK(along * sign > 0);
                sum += along * sign;
            }
            CHECK_NEAR(sum, 2, 1e-9);
            arena_free(&fixture.arena);
        }
}

static void degenerate_faces_terminate(void)
{
    static const int32_t indices[6] = {0, 1, 2, 3, 4, 5};
    static const int32_t count = 6;
    float line[18] = {0};
    float crossed[18] = {0, 0, 0, 4, 4, 0, 4, 0, 0, 0, 4, 0, 2, 9, 0, 1, -3, 0};
    struct fixture fixture;

    for (int i = 0; i < 6; i++)
        line[3 * i] = (float)i;
    cut(&fixture, &count, 1, indices, line);
    CHECK_EQ(fixture.out.triangle_count, 4);
    arena_free(&fixture.arena);
    cut(&fixture, &count, 1, indices, crossed);
    CHECK_EQ(fixture.out.triangle_count, 4);
    arena_free(&fixture.arena);
}

/* Teeth all around. */
static void large_concave_faces_are_covered(void)
{
    static float plane[CORNERS_MAX][2];

    for (int i = 0; i < CORNERS_MAX; i++) {
        double angle = -2 * ARITH_PI * i / CORNERS_MAX;
        double radius = i % 2 == 0 ? 1 : 2;

        plane[i][0] = (float)(radius * cos(angle));
        plane[i][1] = (float)(radius * sin(angle));
    }
    check_polygon((const float(*)[2])plane, CORNERS_MAX,
                  plane_area((const float(*)[2])plane, CORNERS_MAX));
}

TEST_MAIN(TEST(convex_polygons_are_covered), TEST(concave_polygons_are_covered),
          TEST(random_stars_are_covered), TEST(a_bridge_to_a_hole_is_respected),
          TEST(short_faces_do_not_shift_later_faces),
          TEST(faces_in_any_plane_keep_their_side),
          TEST(degenerate_faces_terminate),
          TEST(large_concave_faces_are_covered))
