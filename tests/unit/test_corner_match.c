/* test_corner_match.c
 *
 * Goal: each vertex gets all corners within the tolerance, in increasing
 *   order, and no other corner. Of too many corners at one place it gets the
 *   nearest.
 * Method: comparison with a search through all pairs; hundreds of corners at
 *   one place.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/corner_match.h"

#include <math.h>

#define DIMENSION 5u

static double random_number(struct test_random *random, double range)
{
    return ((double)test_random_below(random, 2001) / 1000 - 1) * range;
}

static void match_agrees_with_a_search_of_all_pairs(void)
{
    enum { CORNERS = 700, VERTICES = 200 };
    static double corners[CORNERS * DIMENSION];
    static double vertices[VERTICES * DIMENSION];
    struct match_side a = {CORNERS, corners};
    struct match_side b = {VERTICES, vertices};
    struct test_random random = {11};
    struct match_lists lists;
    struct arena arena;
    uint32_t found = 0;

    for (uint32_t i = 0; i < CORNERS * DIMENSION; i++)
        corners[i] = random_number(&random, 16);
    for (uint32_t i = 0; i < VERTICES * DIMENSION; i++)
        vertices[i] = random_number(&random, 16);
    arena_init(&arena);
    match_near(&a, &b, DIMENSION, &arena, &lists);
    for (uint32_t v = 0; v < VERTICES; v++) {
        const double *row = vertices + v * DIMENSION;
        uint32_t near = 0;

        for (uint32_t c = 0; c < CORNERS; c++)
            near +=
                match_cost(corners + c * DIMENSION, row, DIMENSION) < INFINITY;
        CHECK_EQ(lists.first[v + 1] - lists.first[v], near);
        for (uint32_t i = lists.first[v]; i < lists.first[v + 1]; i++) {
            CHECK(match_cost(corners + lists.list[i] * DIMENSION, row,
                             DIMENSION) < INFINITY);
            CHECK(i == lists.first[v] || lists.list[i] > lists.list[i - 1]);
        }
        found += near;
    }
    CHECK(found > 100);
    arena_free(&arena);
}

static void match_applies_the_tolerance_to_each_axis(void)
{
    const double origin[DIMENSION] = {0, 0, 0, 0, 0};

    for (uint32_t axis = 0; axis < 3; axis++) {
        double row[DIMENSION] = {0, 0, 0, 0, 0};

        row[axis] = MATCH_REACH;
        CHECK(match_cost(origin, row, DIMENSION) == MATCH_REACH * MATCH_REACH);
        row[axis] = 1;
        CHECK(match_cost(origin, row, DIMENSION) == 1);
        row[axis] = MATCH_REACH * 1.001;
        CHECK(match_cost(origin, row, DIMENSION) == INFINITY);
        row[axis] = NAN;
        CHECK(match_cost(origin, row, DIMENSION) == INFINITY);
    }
    /* Attributes add to the cost, but never exclude a corner. */
    CHECK(match_cost(origin, (double[]){0, 0, 0, 100, 0}, DIMENSION) == 10000);
}

static void match_keeps_the_nearest_of_many_corners(void)
{
    enum { CORNERS = MATCH_NEAR_MAX * 3 };
    static double corners[CORNERS * DIMENSION];
    double vertex[DIMENSION] = {0, 0, 0, 0, 0};
    struct match_side a = {CORNERS, corners};
    struct match_side b = {1, vertex};
    struct match_lists lists;
    struct arena arena;

    for (uint32_t i = 0; i < CORNERS; i++)
        corners[i * DIMENSION + 3] = (double)(CORNERS - i);
    arena_init(&arena);
    match_near(&a, &b, DIMENSION, &arena, &lists);
    CHECK_EQ(lists.first[1], MATCH_NEAR_MAX);
    for (uint32_t i = 0; i < MATCH_NEAR_MAX; i++)
        CHECK_EQ(lists.list[i], CORNERS - MATCH_NEAR_MAX + i);
    arena_free(&arena);
}

TEST_MAIN(TEST(match_agrees_with_a_search_of_all_pairs),
          TEST(match_applies_the_tolerance_to_each_axis),
          TEST(match_keeps_the_nearest_of_many_corners))
