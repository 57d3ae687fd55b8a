/* test_vertices.c
 *
 * Goal: corners are one vertex if and only if their point is the same and their
 *   attributes are equal in every sample.
 * Method: random attributes over several samples, compared with a quadratic
 *   search.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/numbering.h"
#include "compile/mesh/vertices.h"

#include <string.h>

enum { CORNERS = 120, SAMPLES = 4 };

struct scene {
    uint32_t points[CORNERS];
    uint32_t index[CORNERS];
    float uv[SAMPLES][CORNERS][2];
    float color[SAMPLES][CORNERS][4]; /* found by index */
};

static void make_scene(struct scene *scene, uint64_t seed)
{
    struct test_random random = {seed};

    memset(scene, 0, sizeof *scene);
    for (uint32_t i = 0; i < CORNERS; i++) {
        scene->points[i] = test_random_below(&random, 10);
        scene->index[i] = test_random_below(&random, 6);
        for (uint32_t s = 0; s < SAMPLES; s++)
            scene->uv[s][i][0] =
                s + 1 < SAMPLES ? 0 : (float)test_random_below(&random, 2);
    }
    for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t i = 0; i < CORNERS; i++)
            scene->color[s][i][3] =
                s != 1 ? 1 : (float)test_random_below(&random, 2);
}

static bool is_same(const struct scene *scene, uint32_t a, uint32_t b)
{
    if (scene->points[a] != scene->points[b])
        return false;
    for (uint32_t s = 0; s < SAMPLES; s++)
        for (uint32_t k = 0; k < 4; k++)
            if ((k < 2 && scene->uv[s][a][k] != scene->uv[s][b][k]) ||
                scene->color[s][scene->index[a]][k] !=
                    scene->color[s][scene->index[b]][k])
                return false;
    return true;
}

static void classes_are_exact(void)
{
    static struct scene scene;

    for (uint64_t seed = 0; seed < 20; seed++) {
        struct vertices vertices;
        struct arena arena;
        uint32_t class_count = 0;

        test_context("seed %u", (unsigned)seed);
        arena_init(&arena);
        make_scene(&scene, seed);
        vertices_begin(&vertices, scene.points, CORNERS, &arena, &arena);
        for (uint32_t s = 0; s < SAMPLES; s++) {
            struct corner_values uv = {&scene.uv[s][0][0], 2, NULL};
            struct corner_values color = {&scene.color[s][0][0], 4,
                                          scene.index};

            vertices_refine(&vertices, &uv, &arena);
            vertices_refine(&vertices, &color, &arena);
        }
        for (uint32_t a = 0; a < CORNERS; a++) {
            uint32_t class_index = vertices.class_of[a];

            /* Numbered by first use. */
            CHECK(class_index <= class_count);
            if (class_index == class_count)
                CHECK_EQ_U(vertices.first_of[class_count++], a);
            for (uint32_t b = 0; b < CORNERS; b++)
                CHECK_EQ(vertices.class_of[a] == vertices.class_of[b],
                         is_same(&scene, a, b));
        }
        CHECK_EQ_U(vertices.class_count, class_count);
        arena_free(&arena);
    }
}

static void pairs_are_numbered_by_first_use(void)
{
    enum { PAIRS = 5000 };
    struct numbering numbering;
    struct arena arena;

    arena_init(&arena);
    numbering_begin(&numbering, PAIRS, &arena);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < PAIRS; i++) {
            /* Many pairs agree in one of the two numbers. */
            CHECK_EQ_U(numbering_of(&numbering, i / 70, UINT32_MAX - i % 70),
                       i);
        }
    CHECK_EQ_U(numbering.count, PAIRS);
    arena_free(&arena);
}

static void zero_and_minus_zero_are_equal(void)
{
    static const uint32_t points[3] = {3, 3, 3};
    static const float values[3] = {0.0f, -0.0f, 1.0f};
    struct corner_values one = {values, 1, NULL};
    struct vertices vertices;
    struct arena arena;

    arena_init(&arena);
    vertices_begin(&vertices, points, 3, &arena, &arena);
    vertices_refine(&vertices, &one, &arena);
    CHECK_EQ(vertices.class_count, 2);
    CHECK_EQ(vertices.class_of[0], vertices.class_of[1]);
    arena_free(&arena);
}

static void groups_divide_classes(void)
{
    static const uint32_t points[4] = {0, 1, 0, 2};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
    static const uint32_t groups[6] = {7, VERTICES_NONE, 7,
                                       8, VERTICES_NONE, VERTICES_NONE};
    struct vertices vertices;
    struct arena arena;
    uint32_t vertex_of[6];
    uint32_t class_of[6];
    uint32_t group_of[6];

    arena_init(&arena);
    vertices_begin(&vertices, points, 4, &arena, &arena);
    CHECK_EQ(vertices.class_count, 3);
    CHECK_EQ(vertices_split(&vertices, corners, groups, 6, &arena, vertex_of,
                            class_of, group_of),
             4);
    CHECK_EQ(vertex_of[0], vertex_of[2]);
    CHECK(vertex_of[2] != vertex_of[3]);
    CHECK_EQ(vertex_of[1], vertex_of[4]);
    CHECK_EQ(class_of[vertex_of[0]], class_of[vertex_of[3]]);
    CHECK_EQ(group_of[vertex_of[3]], 8);
    arena_free(&arena);
}

static void corners_without_a_group_join_their_class(void)
{
    static const uint32_t points[3] = {0, 0, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    static const uint32_t groups[3] = {VERTICES_NONE, 5, 6};
    struct vertices vertices;
    struct arena arena;
    uint32_t vertex_of[3];
    uint32_t class_of[3];
    uint32_t group_of[3];

    arena_init(&arena);
    vertices_begin(&vertices, points, 3, &arena, &arena);
    CHECK_EQ(vertices_split(&vertices, corners, groups, 3, &arena, vertex_of,
                            class_of, group_of),
             2);
    CHECK_EQ(vertex_of[0], vertex_of[1]);
    CHECK_EQ(group_of[vertex_of[0]], 5);
    arena_free(&arena);
}

TEST_MAIN(TEST(classes_are_exact), TEST(pairs_are_numbered_by_first_use),
          TEST(zero_and_minus_zero_are_equal), TEST(groups_divide_classes),
          TEST(corners_without_a_group_join_their_class))
