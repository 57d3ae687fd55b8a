/* test_triangle_overlap.c
 *
 * Goal: a triangle overlaps the triangles of its face exactly when it overlaps
 *   one of them.
 * Method: random triangles in faces of 3 to 12 corners, compared with each
 *   added triangle by the definition; and a face that is full.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "verify/triangle_overlap.h"

#define CORNERS_MAX 12u
#define TRIANGLES_MAX 24u

static struct corner_reach reach[CORNERS_MAX];

/* Steps from one corner to another along the outline. */
static uint32_t steps_between(uint32_t from, uint32_t to, uint32_t count)
{
    return (to - from + count) % count;
}

/* Return whether all corners of b lie within one of the arcs between the
 * corners of a. */
static bool lie_apart(const uint32_t a[3], const uint32_t b[3], uint32_t count)
{
    for (int i = 0; i < 3; i++) {
        uint32_t one = steps_between(a[i], a[(i + 1) % 3], count);
        uint32_t two = steps_between(a[i], a[(i + 2) % 3], count);
        uint32_t arc = one < two ? one : two;

        if (steps_between(a[i], b[0], count) <= arc &&
            steps_between(a[i], b[1], count) <= arc &&
            steps_between(a[i], b[2], count) <= arc)
            return true;
    }
    return false;
}

static void choose(struct test_random *random, uint32_t count,
                   uint32_t corner[3])
{
    corner[0] = test_random_below(random, count);
    do
        corner[1] = test_random_below(random, count);
    while (corner[1] == corner[0]);
    do
        corner[2] = test_random_below(random, count);
    while (corner[2] == corner[0] || corner[2] == corner[1]);
}

struct placed {
    uint32_t count;
    uint32_t corner[TRIANGLES_MAX][3];
};

static bool overlaps_one(const struct placed *placed, const uint32_t corner[3],
                         uint32_t corner_count)
{
    for (uint32_t i = 0; i < placed->count; i++)
        if (!lie_apart(placed->corner[i], corner, corner_count))
            return true;
    return false;
}

/* Add triangles that do not overlap, and one in ten of those that do. */
static void fill_face(struct test_random *random, uint32_t count,
                      uint32_t overlaps[2])
{
    struct placed placed = {0};

    triangle_overlap_clear(reach, count);
    for (int round = 0; round < 60 && placed.count < TRIANGLES_MAX; round++) {
        uint32_t *corner = placed.corner[placed.count];
        bool is_overlapping;

        choose(random, count, corner);
        is_overlapping = overlaps_one(&placed, corner, count);
        CHECK_EQ(triangle_overlap_test(reach, corner), is_overlapping);
        overlaps[is_overlapping]++;
        if (is_overlapping && test_random_below(random, 10) > 0)
            continue;
        triangle_overlap_add(reach, corner);
        placed.count++;
    }
}

static void a_triangle_overlaps_all_when_it_overlaps_one(void)
{
    struct test_random random = {7};
    uint32_t overlaps[2] = {0, 0};

    for (uint32_t round = 0; round < 1600; round++) {
        uint32_t count = 3 + round % (CORNERS_MAX - 2);

        test_context("round %u, %u corners", round, count);
        fill_face(&random, count, overlaps);
    }
    CHECK(overlaps[0] > 1000 && overlaps[1] > 1000);
}

/* A fan of triangles fills its face: any other triangle overlaps. */
static void a_triangulated_face_is_full(void)
{
    triangle_overlap_clear(reach, CORNERS_MAX);
    for (uint32_t i = 1; i + 1 < CORNERS_MAX; i++) {
        const uint32_t corner[3] = {i + 1, i, 0};

        CHECK(!triangle_overlap_test(reach, corner));
        triangle_overlap_add(reach, corner);
        CHECK(triangle_overlap_test(reach, corner));
    }
    for (uint32_t a = 0; a < CORNERS_MAX; a++)
        for (uint32_t b = a + 1; b < CORNERS_MAX; b++)
            for (uint32_t c = b + 1; c < CORNERS_MAX; c++) {
                const uint32_t corner[3] = {b, c, a};

                CHECK(triangle_overlap_test(reach, corner));
            }
}

TEST_MAIN(TEST(a_triangle_overlaps_all_when_it_overlaps_one),
          TEST(a_triangulated_face_is_full))
