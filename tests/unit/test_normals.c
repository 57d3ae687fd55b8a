/* test_normals.c
 *
 * Goal: normals made of positions are smooth, weighted by angle, outward.
 * Method: a cube cut in two ways gives the same normals; degenerate triangles
 *   change nothing.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/normals.h"

#include <math.h>

static const float cube[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                               -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};

/* Six quads, counter-clockwise from outside. */
static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

static void cut(uint32_t pattern, uint32_t *triangles)
{
    for (uint32_t f = 0; f < 6; f++) {
        uint32_t first = pattern >> f & 1;

        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t k = 0; k < 3; k++)
                triangles[6 * f + 3 * i + k] =
                    quads[f][(first + (k == 0 ? 0 : i + k)) % 4];
    }
}

static void normals_do_not_depend_on_the_triangulation(void)
{
    double corner = 1 / sqrt(3);

    for (uint32_t pattern = 0; pattern < 64; pattern++) {
        uint32_t triangles[36];
        struct vec3 normals[8];

        cut(pattern, triangles);
        normals_smooth(triangles, 12, cube, 8, normals);
        for (int i = 0; i < 8; i++) {
            CHECK_NEAR(normals[i].x, cube[3 * i] * corner, 1e-12);
            CHECK_NEAR(normals[i].y, cube[3 * i + 1] * corner, 1e-12);
            CHECK_NEAR(normals[i].z, cube[3 * i + 2] * corner, 1e-12);
        }
    }
}

static void normals_are_weighted_by_angle(void)
{
    /* At point 0 a thin, long triangle facing +x meets a right angle facing
     * +z; the long one has the larger area. */
    static const float positions[15] = {0, 0, 0, 1,   0, 0, 0,  1,
                                        0, 0, 0, 100, 0, 1, 100};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 4, 3};
    struct vec3 normals[5];
    double thin = atan2(1, 100);

    normals_smooth(triangles, 2, positions, 5, normals);
    CHECK_NEAR(normals[0].x / normals[0].z, thin / (ARITH_PI / 2), 1e-9);
}

static void degenerate_faces_still_give_a_normal(void)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const uint32_t triangles[3] = {0, 1, 2};
    struct vec3 normals[3];

    normals_smooth(triangles, 1, positions, 3, normals);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(normals[i].z, 1, 0);
}

static void normals_do_not_depend_on_scale(void)
{
    static const float scales[] = {1e-30f, 1e-12f, 1e12f, 1e30f};
    uint32_t triangles[36];

    cut(0, triangles);
    for (int s = 0; s < 4; s++) {
        float positions[24];
        struct vec3 normals[8];

        for (int i = 0; i < 24; i++)
            positions[i] = cube[i] * scales[s];
        normals_smooth(triangles, 12, positions, 8, normals);
        CHECK_NEAR(normals[7].x, 1 / sqrt(3), 1e-9);
    }
}

TEST_MAIN(TEST(normals_do_not_depend_on_the_triangulation),
          TEST(normals_are_weighted_by_angle),
          TEST(degenerate_faces_still_give_a_normal),
          TEST(normals_do_not_depend_on_scale))
